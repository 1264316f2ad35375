"""mirror.py FOLDER: checks which mirror fetch.py chooses, for several forms of apt's sources."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
import fetch

OTHERS = "deb http://other.example/llvm/bookworm llvm-toolchain-bookworm-21 main\n" \
         "deb http://other.example/linux/debian bookworm stable\n" \
         "deb http://other.example/debian-security bookworm-security main\n"
# Contents of sources by file, and the expected mirror; None: no mirror.
CASES = {
    "one line a source": ({"sources.list": OTHERS + "deb [arch=amd64] http://mirror.example/debian bookworm main\n"},
                          "http://mirror.example/debian"),
    "deb822": ({"sources.list.d/others.list": OTHERS,
                "sources.list.d/z.sources": "Types: deb deb-src\nURIs: http://mirror.example/pub/debian\n"
                                            "Suites: bookworm bookworm-updates\nComponents: main contrib\n"},
               "http://mirror.example/pub/debian"),
    "a mirror by another name": ({"sources.list": OTHERS + "deb http://mirror.example/deb-remote bookworm main\n"},
                                 "http://mirror.example/deb-remote"),
    "another release": ({"sources.list": OTHERS + "deb http://mirror.example/debian trixie main\n"},
                        "http://mirror.example/debian"),
    "not Debian": ({"sources.list": OTHERS + "deb http://mirror.example/ubuntu noble main\n"}, None),
    "nothing": ({}, None),
}


def main():
    root = pathlib.Path(sys.argv[1])
    os.environ.pop("SEAMSCOPE_DEBIAN_MIRROR", None)
    os.environ["SEAMSCOPE_CORPUS"] = str(root / "corpus")
    for number, (name, (files, expected)) in enumerate(CASES.items()):
        etc = root / str(number)
        (etc / "sources.list.d").mkdir(parents=True)
        for file, text in files.items():
            (etc / file).write_text(text)
        (etc / "apt.conf").write_text(f'Dir::Etc "{etc}";\n')
        os.environ["APT_CONFIG"] = str(etc / "apt.conf")
        try:
            found = fetch.Apt().mirror()
        except fetch.Unavailable as error:
            found = None
            assert "SEAMSCOPE_DEBIAN_MIRROR" in str(error), error
        assert found == expected, (name, found, expected)
    os.environ["SEAMSCOPE_DEBIAN_MIRROR"] = "http://chosen.example/debian"
    assert fetch.Apt().mirror() == "http://chosen.example/debian"
    print(f"mirrors of {len(CASES)} sources")


main()
