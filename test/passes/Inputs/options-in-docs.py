"""Fails if the options of Options.def and the table of docs/pass.md differ."""

import re
import sys

definitions, page = (open(path).read() for path in sys.argv[1:3])
defined = set(re.findall(r'(?m)^SEAMSCOPE_OPTION\(\w+, "([\w-]+)"', definitions))
documented = set(re.findall(r"^\| `([\w-]+)` \| (?:Flag|Number|Text|List|KeepMode) ", page, re.M))
assert defined, "no options found"
if defined != documented:
    sys.exit(f"only defined: {defined - documented}; only documented: {documented - defined}")
