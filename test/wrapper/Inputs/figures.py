#!/usr/bin/env python3
"""Prints the calls of each kernel, region, loop and wait of a report in JSON, with its place."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import sys


def show(kind, row):
    source = row["source"]
    place = f"{os.path.basename(source['file'])}:{source['line']}"
    print(f"{kind} '{row['name']}' {row['calls']} {place}")


for kernel in json.load(sys.stdin)["kernels"]:
    show("kernel", kernel)
    for region in kernel["regions"]:
        show("region", region)
        for wait in region["waits"]:
            show(f"wait {wait['kind']}", wait)
    for loop in kernel["loops"] or []:
        show("loop", loop)
print("end")
