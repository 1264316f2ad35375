#!/usr/bin/env bash
# Puts the output of a real run of the demo into README.md, between its two marker lines.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: demo/readme-output.sh
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
output=$(mktemp)
trap 'rm -f "$output"' EXIT
./dev demo | sed -n '/^(a)/,/^traces for/p' | grep -v '^traces for' >"$output"
grep -q '^cpp_fused' "$output" || { echo "readme-output: the demo ran without torch" >&2; exit 1; }
python3 - "$output" <<'PYTHON'
import re
import sys

output = open(sys.argv[1]).read().rstrip()
page = open("README.md").read()
begin, end = "<!-- demo output: begin -->", "<!-- demo output: end -->"
block = f"{begin}\n```\n$ ./dev demo\n{output}\n```\n{end}"
page, count = re.subn(re.escape(begin) + ".*?" + re.escape(end), lambda _: block, page, flags=re.S)
assert count == 1, "README.md has no marker lines"
open("README.md", "w").write(page)
PYTHON
