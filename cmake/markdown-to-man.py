#!/usr/bin/env python3
"""Makes a man page from a page in docs/man/.

The pages use a subset of Markdown: headings (# NAME(1) - what it does, ##
SECTION, ### subsection), paragraphs, fenced code, `-` lists, tables, and
`code`, **bold**, *emphasis* and [text](target) within a line. Anything else
is an error, so that a broken page does not go unnoticed.
"""

import argparse
import os
import re
import sys

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception


def escape(text):
    """Escapes text for roff: backslashes, minus signs, and requests at the start of a line."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def inline(text):
    """Converts a paragraph's text with its `code`, **bold**, *emphasis* and links."""
    out = []
    pattern = r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)]+)\)"
    position = 0
    for match in re.finditer(pattern, text):
        out.append(escape(text[position : match.start()]))
        code, bold, emphasis, label, target = match.groups()
        if code or bold:
            out.append("\\fB" + escape(code or bold) + "\\fP")
        elif emphasis:
            out.append("\\fI" + escape(emphasis) + "\\fP")
        else:
            out.append(escape(label))
            if re.match(r"https?:", target):
                out.append(" <" + escape(target) + ">")
        position = match.end()
    out.append(escape(text[position:]))
    joined = "".join(out)
    return joined if joined[:2] == "\\&" or joined[:1] not in (".", "'") else "\\&" + joined


class Page:
    def __init__(self, path, version):
        self.path = path
        self.version = version
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        self.at = 0
        self.out = []

    def fail(self, what):
        sys.exit(f"{self.path}:{self.at + 1}: {what}")

    def take_while(self, condition):
        taken = []
        while self.at < len(self.lines) and condition(self.lines[self.at]):
            taken.append(self.lines[self.at])
            self.at += 1
        return taken

    def title(self):
        match = re.fullmatch(r"# ([\w+.-]+)\((\d)\) - (.+)", self.lines[0])
        if not match:
            self.fail("the first line must be '# name(1) - what it does'")
        name, section, text = match.groups()
        self.out += [
            f'.TH "{name.upper()}" "{section}" "" "Seamscope {self.version}" "Seamscope manual"',
            ".SH NAME",
            f"{escape(name)} \\- {inline(text)}",
        ]
        self.at = 1

    def code(self):
        self.at += 1
        lines = self.take_while(lambda line: not line.startswith("```"))
        if self.at == len(self.lines):
            self.fail("the fenced code does not end")
        self.at += 1
        self.out += [".PP", ".RS 4", ".nf", *(escape(line) for line in lines), ".fi", ".RE"]

    def list(self):
        while self.at < len(self.lines) and self.lines[self.at].startswith("- "):
            item = [self.lines[self.at][2:]]
            self.at += 1
            item += [line.strip() for line in self.take_while(lambda l: l.startswith("  "))]
            self.out += [".IP \\(bu 3", inline(" ".join(item))]

    def table(self):
        rows = [
            [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
            for line in self.take_while(lambda line: line.startswith("|"))
        ]
        if len(rows) < 2 or not all(re.fullmatch(r":?-+:?", cell) for cell in rows[1]):
            self.fail("a table needs a line of dashes after its head")
        # Unlike a table, a tagged paragraph per row reads well at any width. With more than two
        # columns, each cell names its column.
        for row in rows[2:]:
            cells = [inline(cell.replace("\\|", "|")) for cell in row]
            if len(cells) > 2:
                cells[1:] = [cell and f"{inline(head)}: {cell}" for head, cell in zip(rows[0][1:], cells[1:])]
            self.out += [".TP", cells[0], "; ".join(cell for cell in cells[1:] if cell)]

    def paragraph(self):
        lines = self.take_while(lambda l: l.strip() and not re.match(r"```|#|- |\|", l))
        self.out += [".PP", inline(" ".join(line.strip() for line in lines))]

    def render(self):
        self.title()
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line.strip():
                self.at += 1
            elif match := re.fullmatch(r"(##|###) (.+)", line):
                request = ".SH" if match[1] == "##" else ".SS"
                heading = match[2].upper() if match[1] == "##" else match[2]
                self.out.append(f'{request} "{inline(heading)}"')
                self.at += 1
            elif line.startswith("```"):
                self.code()
            elif line.startswith("- "):
                self.list()
            elif line.startswith("|"):
                self.table()
            elif line.startswith(("#", ">", "    ", "1.", "* ")):
                self.fail("this form of Markdown is not supported")
            else:
                self.paragraph()
        return "\n".join(self.out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--version", required=True, help="the version of Seamscope")
    parser.add_argument("page")
    parser.add_argument("output")
    arguments = parser.parse_args()
    text = Page(arguments.page, arguments.version).render()
    os.makedirs(os.path.dirname(arguments.output), exist_ok=True)
    temporary = arguments.output + ".tmp"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, arguments.output)


main()
