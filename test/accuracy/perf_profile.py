"""Samples of a program by `perf record`: who ran when, with stacks. Shares no code with Seamscope."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "common"))

import toolchain  # noqa: E402

# A prime number of ns: no loop of the program keeps pace with it.
PERIOD_NS = 1_000_003
STACK_BYTES = 16384
FRAME = re.compile(r"^\s+([0-9a-f]+) (.*) \((.*)\)$")
HEAD = re.compile(r"^\s*(\d+)\s+(\d+)\.(\d+):")


class Failure(Exception):
    """What perf or a program said; one line."""


@dataclasses.dataclass(frozen=True)
class Frame:
    symbol: str  # demangled; "[unknown]" without a symbol
    library: str  # the name of the file, without its folder
    inlined: tuple = ()  # functions of the program that were inlined into the symbol, innermost first


@dataclasses.dataclass(frozen=True)
class Sample:
    """A thread ran for one period, which ended at `end_ns`, in `stack`, innermost first."""

    thread: int
    end_ns: int
    stack: tuple


def record(command, folder, environment, stdin, status=0):
    """Runs a program under perf and returns its samples, those of the kernel included, by time."""
    data = os.path.join(folder, "perf.data")
    event = "cpu-clock" if os.geteuid() == 0 else "cpu-clock:u"
    done = toolchain.run(["perf", "record", "-q", "-e", event, "-c", str(PERIOD_NS),
                          "--call-graph", f"dwarf,{STACK_BYTES}", "-o", data, "--", *command],
                         folder, environment, stdin=stdin)
    if done.code != status:
        raise Failure(f"perf record {command[0]}: {done.problem()}")
    text = toolchain.run(["perf", "script", "-i", data, "--no-inline", "--ns", "-F",
                           "tid,time,ip,sym,dso"], folder)
    os.remove(data)
    if not text.ok:
        raise Failure(f"perf script: {text.problem()}")
    output = text.stdout.decode(errors="replace")
    program = os.path.basename(command[0])
    inlined = inlined_at(command[0], {match[1] for match in map(FRAME.match, output.splitlines())
                                      if match and os.path.basename(match[3]) == program}, folder)
    return sorted(parse(output, program, inlined), key=lambda sample: sample.end_ns)


def inlined_at(program, addresses, folder):
    """By address, the functions that were inlined there, innermost first."""
    order = sorted(addresses)
    with tempfile.TemporaryFile() as file:
        file.write("".join(f"0x{address}\n" for address in order).encode())
        file.seek(0)
        done = toolchain.run(["llvm-symbolizer-22", "--inlines", "--demangle", "--functions=linkage", "-e", program],
                             folder, stdin=file)
    if not done.ok:
        raise Failure(f"llvm-symbolizer-22: {done.problem()}")
    blocks = done.stdout.decode(errors="replace").strip("\n").split("\n\n")
    return {address: tuple(block.splitlines()[:-2:2]) for address, block in zip(order, blocks)}


def parse(text, program, inlined):
    """The samples in the output of `perf script`. `inlined`: by address in the program's file."""
    head, stack, known = None, [], {}
    for line in text.splitlines() + [""]:
        if not line.strip():
            if head:
                yield Sample(*head, tuple(stack))
            head, stack = None, []
        elif head is None:
            match = HEAD.match(line)
            if match:
                head = int(match[1]), int(match[2]) * 10**9 + int(match[3].ljust(9, "0"))
        else:
            match = FRAME.match(line)
            if match:
                library = os.path.basename(match[3])
                key = match[2], library, inlined.get(match[1], ()) if library == program else ()
                stack.append(known.setdefault(key, Frame(*key)))
