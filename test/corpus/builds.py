"""The programs of the corpus: how the manifest describes them, and how they are built."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import glob
import math
import os
import re
import shlex
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "common"))

import fetch  # noqa: E402
import toolchain  # noqa: E402

DRIVERS = os.path.join(HERE, "drivers")
LANGUAGES = {".cpp": "c++", ".cc": "c++", ".cxx": "c++",
             ".f": "fortran", ".f90": "fortran", ".F90": "fortran"}
LEVELS_OF_FLANG = ("O0", "O1", "O2", "O3")


class Failure(Exception):
    """A command that failed; the text names it."""


@dataclasses.dataclass(frozen=True)
class Configuration:
    """A compiler's major and how it compiles: 22-O2, 19-O0-g, 22-O3-g-thin."""

    major: str
    level: str
    debug: bool = False
    lto: str = ""

    @staticmethod
    def parse(name):
        match = re.fullmatch(r"(\d+)-(O[0123sz])(-g)?(?:-(thin|full))?", name)
        if not match:
            raise ValueError(f"no configuration '{name}'; one is MAJOR-LEVEL[-g][-thin|-full], "
                             "as 22-O2-g-thin")
        return Configuration(match[1], match[2], bool(match[3]), match[4] or "")

    def flags(self):
        return [f"-{self.level}", *(["-g"] if self.debug else []),
                *([f"-flto={self.lto}"] if self.lto else [])]


class Program:
    """One entry of a package's manifest; see CONTRIBUTING.md for its keys."""

    KEYS = {"name", "sources", "exclude", "driver", "language", "flags", "libraries", "arguments",
            "bench", "openmp", "open", "abandoned", "exit_status", "quick"}

    def __init__(self, package, entry):
        unknown = set(entry) - self.KEYS
        if unknown:
            raise ValueError(f"{package['name']}.toml: unknown keys {sorted(unknown)}")
        self.package, self.entry = package, entry
        self.name = package["name"] + ("/" + entry["name"] if "name" in entry else "")
        self.language = entry.get("language", "c")
        self.open, self.abandoned = entry.get("open", False), entry.get("abandoned", False)
        self.exit_status = entry.get("exit_status", 0)
        self.quick = entry.get("quick", False)
        self.bench = entry.get("bench")
        self.folder = fetch.folder_of(package)

    def sources(self):
        files = []
        for pattern in self.entry.get("sources", []):
            found = sorted(glob.glob(os.path.join(self.folder, pattern)))
            if not found:
                raise Failure(f"{self.name}: nothing matches {pattern}")
            files += [path for path in found
                      if os.path.relpath(path, self.folder) not in self.entry.get("exclude", [])]
        if "driver" in self.entry:
            files.append(os.path.join(DRIVERS, self.entry["driver"]))
        return files

    def fits(self, chain, configuration):
        """Whether the compiler exists and has the level: flang has no -Os."""
        return self.language != "fortran" or (chain.flang and configuration.level in LEVELS_OF_FLANG)

    def arguments(self, scratch, rounds=1):
        words = self.entry.get("arguments", ["{rounds}"] if "driver" in self.entry else [])
        return [word.format(drivers=DRIVERS, scratch=scratch, rounds=rounds) for word in words]

    def flags(self, chain):
        words = [f"-I{os.path.join(self.folder, word[2:])}" if word.startswith("-I") else word
                 for word in self.entry.get("flags", [])]
        return ["-w", f"-I{DRIVERS}", *words, *(chain.openmp() if self.entry.get("openmp") else [])]


def of_package(package):
    return [Program(package, entry) for entry in package["program"]]


class Build:
    """A program built in a folder, with the plugin or without."""

    def __init__(self, program, chain, configuration, folder, plugin, extra=()):
        self.source_of, self.chain, self.configuration = program, chain, configuration
        self.folder, self.plugin, self.extra = folder, plugin, list(extra)
        self.program = os.path.join(folder, "program")
        self.seconds = {}
        self.environment = toolchain.clean_environment()
        os.makedirs(folder, exist_ok=True)

    def compile_command(self, source, output, *more):
        driver = self.chain.compiler(LANGUAGES.get(os.path.splitext(source)[1], "c"))
        return [driver, *self.configuration.flags(), *self.source_of.flags(self.chain), *self.extra,
                *([f"-fpass-plugin={self.chain.plugin}"] if self.plugin else []), *more,
                *(["-c"] if "-S" not in more else []), source, "-o", output]

    def compile(self, source, cpu=toolchain.CPU_SECONDS):
        """Compiles a file and returns the processor time in seconds."""
        number = self.source_of.sources().index(source)
        output = os.path.join(self.folder, f"{number}.o")
        return self.execute(self.compile_command(source, output), cpu).user

    def execute(self, command, cpu=toolchain.CPU_SECONDS):
        result = toolchain.run(command, self.folder, self.environment, cpu=math.ceil(cpu))
        if not result.ok:
            raise Failure(f"{result.problem()}; to reproduce: {shlex.join(command)}")
        return result

    def make(self, plain=None):
        """Compiles and links. A command that takes many times as long as in the plain build counts as hung."""
        sources = self.source_of.sources()
        for source in sources:
            cpu = 20 + 10 * plain.seconds[source] if plain else toolchain.CPU_SECONDS
            self.seconds[source] = self.compile(source, cpu)
        command = [self.chain.compiler(self.source_of.language), *self.configuration.flags(),
                   *(["-fuse-ld=lld"] if self.configuration.lto else []),
                   *(self.chain.openmp() if self.source_of.entry.get("openmp") else []),
                   *(f"{number}.o" for number in range(len(sources))), "-o", self.program,
                   *self.source_of.entry.get("libraries", []),
                   *(self.chain.link_runtime() if self.plugin else [])]
        self.execute(command)
