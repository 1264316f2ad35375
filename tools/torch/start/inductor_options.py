#===- inductor_options.py - sets options of Inductor ------------------------===#
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`seamscope replay --inductor` runs a program again with an option of torch._inductor.config: SEAMSCOPE_INDUCTOR is
`cpp.simdlen=256`. The option is set when the module is imported, so the program's own settings come later and stay.
"""

import ast
import os

from _seamscope_waiting import guarded, message


@guarded("an option of Inductor is not set")
def set_option(config):
    name, _, text = os.environ["SEAMSCOPE_INDUCTOR"].partition("=")
    *places, last = name.split(".")
    for place in places:
        config = getattr(config, place)
    if not hasattr(config, last):
        message(f"this torch has no option {name}")
        os._exit(3)  # what the program does without the option is not asked for
    setattr(config, last, ast.literal_eval(text))
