#===- triton_older.py - keeps IR readable for a Triton older than LLVM 22 --===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Triton 3.6 has an LLVM older than opt's, which ends the process when it reads a word that it does not know, and
takes an intrinsic that it does not know for a function. opt adds both when it reads a module: attributes of
intrinsics, and new names for those that were renamed. This module undoes it.
"""

import re

PREFIX = "seamscope.hidden."
DECLARATION = re.compile(r'^declare .*?@(llvm\.[\w.$-]+)\((.*)\)', re.MULTILINE)
NAME = re.compile(r'@(llvm\.[\w.$-]+)')


def _intrinsics(llir):
    """Pairs of name and number of parameters, of the declared intrinsics."""
    return {(found[1], found[2].count(",")) for found in DECLARATION.finditer(llir)}


def upgraded(before, after):
    """The names of intrinsics that are not as they were."""
    return {name for name, _ in _intrinsics(before) - _intrinsics(after)}


def hidden(llir, names):
    """The module, in which these intrinsics are functions that no LLVM knows. shown() undoes that."""
    return NAME.sub(lambda found: f"@{PREFIX}{found[1]}" if found[1] in names else found[0], llir)


def shown(llir):
    return llir.replace(f"@{PREFIX}", "@")


def without_intrinsic_attributes(llir):
    """The module, without the attributes of intrinsics' declarations: LLVM sets them itself when it reads one."""
    elsewhere = set()
    for line in llir.splitlines():
        if not line.startswith("attributes #") and not DECLARATION.match(line):
            elsewhere.update(re.findall(r"#(\d+)", line))
    return re.sub(r"^attributes #(\d+) = \{.*\}$",
                  lambda group: group[0] if group[1] in elsewhere else f"attributes #{group[1]} = {{ nounwind }}",
                  llir, flags=re.MULTILINE)
