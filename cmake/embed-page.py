#!/usr/bin/env python3
"""Assembles the parts in tools/report/page into one page, as C++ source or as a finished HTML file.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
PAGE = os.path.join(os.path.dirname(HERE), "tools", "report", "page")
# Debian's node-d3.
D3 = "/usr/share/nodejs/d3/dist/d3.min.js"
LICENCE = "/usr/share/doc/node-d3/copyright"
# Compilers need to accept only 64 KB per literal, and some accept only 16 KB.
LITERAL = 15000
DELIMITER = "page"


def fail(text):
    print(f"embed-page.py: {text}", file=sys.stderr)
    sys.exit(1)


def read(path):
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read().replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    except UnicodeDecodeError:
        fail(f"{path}: not UTF-8")


def library(path, licence):
    if not os.path.exists(path):
        fail(f"{path} not found: install node-d3, or name d3.min.js with --d3")
    if not os.path.exists(licence):
        fail(f"{licence} not found: name d3's licence with --licence")
    # A comment in the script, so that the licence stays in every page made from it.
    text = read(licence).replace("*/", "* /")
    return f"/*!\n{text}*/\n{read(path)}\n"


def bundle(path, esbuild):
    """A module and all that it imports, as statements of one function."""
    found = shutil.which(esbuild)
    if not found:
        fail(f"{esbuild} not found: install esbuild, or name it with --esbuild")
    # Its paths are relative to the folder, so that the page is the same wherever it is built.
    command = [os.path.abspath(found), os.path.basename(path), "--bundle", "--format=esm", "--charset=utf8",
               "--log-level=warning", "--color=false"]
    done = subprocess.run(command, cwd=os.path.dirname(path), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    sys.stderr.write(done.stderr.decode())
    if done.returncode:
        fail(f"{path}: esbuild did not bundle it")
    return done.stdout.decode()


def embedded(kind, text):
    """Checks text for an element that ends at its end tag; `<!--` would change where it ends."""
    for forbidden in (f"</{kind}", "<!--", "\0"):
        if forbidden in text.lower():
            fail(f"the {kind} contains {forbidden!r}")
    return text


def source_hash(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def assemble(folder, d3, licence, esbuild):
    """The page before and after its data."""
    template = read(os.path.join(folder, "page.html"))

    def part(word):
        found = re.search(rf"@{word} ([^@ ]*)@", template)
        if not found:
            fail(f"page.html has no @{word} ...@")
        return found.group(0), os.path.join(folder, found.group(1))

    style_mark, style_path = part("STYLE")
    script_mark, script_path = part("SCRIPT")
    style = embedded("style", read(style_path))
    # esbuild's own function would not be strict, as modules are.
    own = '(function () {\n"use strict";\n' + bundle(script_path, esbuild) + "})();\n"
    script = embedded("script", library(d3, licence) + own)
    policy = (f"default-src 'none'; script-src {source_hash(script)}; style-src {source_hash(style)}; "
              "img-src data:; base-uri 'none'; form-action 'none'")
    page = template.replace("@POLICY@", policy).replace(style_mark, style).replace(script_mark, script)
    begin, mark, end = page.partition("@DATA@\n")
    if not mark:
        fail("page.html lacks @DATA@")
    return begin, end


def literals(text):
    """Adjacent raw literals, cut between characters."""
    if f"){DELIMITER}\"" in text:
        fail(f"the page contains the end of a raw literal, ){DELIMITER}\"")
    data = text.encode()
    lines = []
    at = 0
    while at < len(data):
        end = min(len(data), at + LITERAL)
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end -= 1
        lines.append(f'R"{DELIMITER}(' + data[at:end].decode() + f'){DELIMITER}"')
        at = end
    return "\n".join(lines)


def as_cpp(begin, end):
    return f"""//===- Page.cpp - the page of `report --html`, by cmake/embed-page.py --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <string_view>

// The literals here are longer than the standard requires compilers to accept.
#pragma GCC diagnostic ignored "-Woverlength-strings"

namespace seamscope::tools {{

extern const std::string_view PageBegin, PageEnd;

static constexpr char Begin[] = {literals(begin)};
static constexpr char End[] = {literals(end)};

constexpr std::string_view PageBegin(Begin, sizeof(Begin) - 1);
constexpr std::string_view PageEnd(End, sizeof(End) - 1);

}} // namespace seamscope::tools
"""


def script_json(document):
    """JSON escaped like the C++ writer does, so that HTML parsers do not take it for markup."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    # A lone surrogate cannot be encoded as UTF-8.
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found.group()):04x}", text)


def as_html(begin, end, document, blobs):
    data = [f'<script type="application/json" id="document">{script_json(document)}</script>\n']
    for name, path in blobs:
        try:
            with open(path, "rb") as file:
                text = base64.b64encode(file.read()).decode()
        except OSError as error:
            fail(f"{path}: {error.strerror}")
        if not re.fullmatch("[A-Za-z0-9_-]+", name):
            fail(f"'{name}' is not a valid element id")
        data.append(f'<script type="application/octet-stream" id="{name}">{text}</script>\n')
    return begin + "".join(data) + end


def main():
    parser = argparse.ArgumentParser(prog="embed-page.py", description=__doc__.splitlines()[0],
                                     allow_abbrev=False)
    parser.add_argument("--folder", default=PAGE, help="the folder of page.html and its parts")
    parser.add_argument("--d3", default=D3, help=f"d3.min.js (default {D3})")
    parser.add_argument("--licence", default=LICENCE, help="the text of d3's licence")
    parser.add_argument("--esbuild", default="esbuild",
                        help="the program that bundles the scripts (default esbuild)")
    parser.add_argument("--document", help="write a finished page of this JSON file in place of C++")
    parser.add_argument("--blob", action="append", default=[], metavar="ID=FILE",
                        help="with --document: add an element with this id and the file's bytes (gzip)")
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    if options.blob and not options.document:
        parser.error("--blob belongs to --document")
    begin, end = assemble(options.folder, options.d3, options.licence, options.esbuild)
    if options.document:
        try:
            document = json.loads(read(options.document))
        except ValueError as error:
            fail(f"{options.document}: {error}")
        text = as_html(begin, end, document, [blob.partition("=")[::2] for blob in options.blob])
    else:
        text = as_cpp(begin, end)
    # Write the file only if it changed, and atomically.
    if os.path.exists(options.output):
        with open(options.output, encoding="utf-8", newline="") as file:
            if file.read() == text:
                os.utime(options.output)
                return
    temporary = f"{options.output}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    os.replace(temporary, options.output)


if __name__ == "__main__":
    main()
