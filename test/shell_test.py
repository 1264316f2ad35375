"""The format of the lit tests: ShTest, in a checkout whose path may hold any character.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import re

import lit.formats
import lit.TestRunner


def escaped(path):
    """The path as one word of a shell, in a RUN line as well as within `sh -c '...'`.

    A backslash does not escape within quotes: a RUN line ends them before a substitution.
    """
    return re.sub(r"([^\w@%+=:,./-])", r"\\\1", path)


class ShellTest(lit.formats.ShTest):
    """Substitutes the paths of the test itself, %s, %S and %t, so that a shell reads one word."""

    def execute(self, test, litConfig):
        source = test.getSourcePath()
        paths = {
            "s": source,
            "S": os.path.dirname(source),
            "t": lit.TestRunner.getTempPaths(test)[1] + ".tmp",
        }
        return lit.TestRunner.executeShTest(
            test,
            litConfig,
            self.execute_external,
            # Not the beginning of another name, such as %seamscope.
            [(f"%{letter}(?![a-zA-Z_])", escaped(path)) for letter, path in paths.items()],
            self.preamble_commands,
        )
