#!/usr/bin/env bash
# Puts the output of a real run of the demo into README.md: what the kernel of three loops executes, and
# its loops, between the first two marker lines, and the whole output between the others.
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
loops = re.search(r"^Parallel region(?:(?!^\(d\)|^Parallel region).)*^Kernel, region, loop.*?(?=\n\(d\))",
                  output, flags=re.S | re.M)
assert loops, "the demo shows no loops"
work = re.search(r"^Kernel +FLOPs (?:(?!\n\n).)*^  attention \[loop(?:(?!\n\n).)*", output, flags=re.S | re.M)
assert work, "the demo does not show what the loops execute"


def put(name, text):
    global page
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    block = f"{begin}\n```\n{text}\n```\n{end}"
    page, count = re.subn(re.escape(begin) + ".*?" + re.escape(end), lambda _: block, page,
                          flags=re.S)
    assert count == 1, f"README.md has no marker lines of the {name}"


put("loops", "$ seamscope-clang++ -O3 -ffast-math -fopenmp attention.cpp\n"
             "$ SEAMSCOPE=trace SEAMSCOPE_OUT=attention.json ./a.out\n"
             "$ seamscope report attention.json\n[...]\n" + work.group() + "\n[...]\n" + loops.group().rstrip())
put("demo output", f"$ ./dev demo\n{output}")
open("README.md", "w").write(page)
PYTHON
