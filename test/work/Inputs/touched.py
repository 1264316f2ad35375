#!/usr/bin/env python3
"""Compares the distinct bytes of kernels with the set of all bytes that they touch.

usage: touched.py --clang CLANG --plugin PLUGIN --library FOLDER [--options OPTIONS] SOURCE [-- FLAG...]

Clang compiles the source at -O1 to IR, in which each load and store also enters its bytes into a set of
the call, and the program runs. The counted footprint, at each set of options, must not be smaller. It
may be larger: by the bytes that are counted each time (scattered), and by what lies between ranges.
Prints how many footprints are equal, at most 2 % larger, and larger. Exits with 1 if one is smaller.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import os
import re
import shlex
import sys
import tempfile

sys.dont_write_bytecode = True
import count_ir  # noqa: E402
import exact  # noqa: E402
import ir_text  # noqa: E402

# Which bytes a thread touches in both of its loops depends on the chunks that it gets.
UNDETERMINED = {"k_omp_two"}

HELPER = r"""
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>
namespace {
struct Call {
  int Kernel;
  std::unordered_map<uintptr_t, uint64_t> Bytes[2]; // read and written: bits by line of 64
  uintptr_t LastLine[2];
  uint64_t *Last[2];
};
thread_local std::vector<Call> Calls;
std::mutex Lock;
auto &Sums = *new std::map<int, std::pair<uint64_t, uint64_t>>; // the program's end still needs it
}
extern "C" void seamscope_reference_enter(int Kernel) { Calls.push_back({Kernel, {}, {}, {}}); }
extern "C" void seamscope_reference_touch(const char *At, uint64_t Size, int IsWrite) {
  if (Calls.empty())
    return;
  Call &Of = Calls.back();
  auto Byte = reinterpret_cast<uintptr_t>(At);
  while (Size) {
    const uint64_t In = std::min<uint64_t>(Size, 64 - Byte % 64);
    if (Of.LastLine[IsWrite] != Byte / 64 || !Of.Last[IsWrite]) {
      Of.LastLine[IsWrite] = Byte / 64;
      Of.Last[IsWrite] = &Of.Bytes[IsWrite][Byte / 64]; // references into the map stay valid
    }
    *Of.Last[IsWrite] |= (In == 64 ? ~uint64_t{0} : (uint64_t{1} << In) - 1) << Byte % 64;
    Byte += In;
    Size -= In;
  }
}
extern "C" void seamscope_reference_leave() {
  uint64_t Distinct[2] = {};
  for (int How = 0; How < 2; ++How)
    for (const auto &Line : Calls.back().Bytes[How])
      Distinct[How] += static_cast<unsigned>(__builtin_popcountll(Line.second));
  std::lock_guard<std::mutex> Held(Lock);
  auto &Sum = Sums[Calls.back().Kernel];
  Sum.first += Distinct[0];
  Sum.second += Distinct[1];
  Calls.pop_back();
}
__attribute__((destructor)) static void writeSums() {
  FILE *File = std::fopen(std::getenv("REFERENCE_COUNTS"), "w");
  for (const auto &[Kernel, Sum] : Sums)
    std::fprintf(File, "%d %llu %llu\n", Kernel, (unsigned long long)Sum.first, (unsigned long long)Sum.second);
  std::fclose(File);
}
"""


class Touching(count_ir.Counting):
    """The places where the instructions of a function touch memory: (index of the line, pointer, bytes, key)."""

    def __init__(self, function, structs):
        super().__init__(function, structs)
        self.places = []

    def count(self, block, index, text, result):
        self.index = index
        super().count(block, index, text, result)

    def move(self, block, key, pointer, type_text):
        if pointer and not self.is_on_stack(pointer):
            self.places.append((self.index, pointer, ir_text.layout(type_text, self.structs)[1], key))

    def copy(self, block, index, what, arguments):
        length = arguments[2].split()[-1]
        pointers = [("write", 0)] + ([("read", 1)] if what != "memset" else [])
        for key, number in pointers:
            pointer = ir_text.operand_of(arguments[number])
            if not self.is_on_stack(pointer):
                self.places.append((index, pointer, length, key))


def reference(clang, source, flags, folder, environment):
    """({kernel: (bytes read, bytes written)}, owners): distinct in each call of it or of its regions, summed up."""
    base = os.path.join(folder, "touched")
    flags = ["-O1", *flags]
    count_ir.run([clang, *flags, "-S", "-emit-llvm", source, "-o", base + ".ll"])
    with open(base + ".ll") as file:
        lines = file.read().split("\n")
    structs = {found[1]: found[2] for line in lines
               if (found := re.match(rf"(%{ir_text.NAME}) = type (\{{.*\}})$", line))}
    functions = [Touching(function, structs) for function in ir_text.read_functions(lines)]
    owners = count_ir.owners_of([of.run() for of in functions], "^k_")
    names = sorted(set(owners.values()))
    regions = {name for of in functions for name in of.function.forks}
    before = collections.defaultdict(list)
    for of in functions:
        function = of.function
        if function.name not in owners:
            continue
        for index, pointer, size, key in of.places:
            before[index].append(f"  call void @seamscope_reference_touch(ptr {pointer}, i64 {size}, i32 {int(key == 'write')})")
        if function.name in regions or owners[function.name] == function.name:
            kernel = names.index(owners[function.name])
            first = function.blocks[0].insert
            before[first].insert(0, f"  call void @seamscope_reference_enter(i32 {kernel})")
            for index, line in function.lines:
                if re.match(r"\s+ret ", line):
                    before[index].append("  call void @seamscope_reference_leave()")
    text = [new for index, line in enumerate(lines) for new in before.get(index, []) + [line]]
    text += ["declare void @seamscope_reference_enter(i32)", "declare void @seamscope_reference_leave()",
             "declare void @seamscope_reference_touch(ptr, i64, i32)"]
    with open(base + ".counted.ll", "w") as file:
        file.write("\n".join(text) + "\n")
    with open(base + ".helper.cpp", "w") as file:
        file.write(HELPER)
    count_ir.run([clang, "-x", "c++", "-std=c++17", "-O2", "-c", base + ".helper.cpp", "-o", base + ".helper.o"])
    link = [flag for flag in flags if flag.startswith(("-fopenmp", "-l", "-L", "-I"))]
    code = [flag for flag in flags if flag not in link]
    count_ir.run([clang, "-w", "-Xclang", "-disable-llvm-passes", *code, "-c", base + ".counted.ll", "-o", base + ".o"])
    count_ir.run([clang, base + ".o", base + ".helper.o", *link, "-lm", "-lstdc++", "-o", base])
    count_ir.run([base], env=dict(os.environ, REFERENCE_COUNTS=base + ".counts", **environment))
    sums = {}
    with open(base + ".counts") as file:
        for line in file:
            kernel, read, written = map(int, line.split())
            sums[names[kernel]] = read, written
    return sums, owners


def counted(asked, flags, folder, environment, setting):
    """{linkage name: [read, written, scattered read, scattered written, executed read, executed written]}."""
    program, trace = os.path.join(folder, "counted"), os.path.join(folder, "counted.json")
    count_ir.run([asked.clang, *flags, f"-fpass-plugin={asked.plugin}", asked.source, "-o", program, "-lm",
                  f"-L{asked.library}", "-lseamscope", f"-Wl,-rpath,{asked.library}"],
                 env=dict(os.environ, SEAMSCOPE_PASS=f"work={setting};min-work=0"))
    count_ir.run([program], env=dict(os.environ, SEAMSCOPE="trace", SEAMSCOPE_OUT=trace, **environment))
    with open(trace) as file:
        work = json.load(file)["seamscope"]["work"]
    found = collections.defaultdict(lambda: [0] * 6)
    for entry in work:
        counts = json.loads(entry["counts"])
        of = exact.Counted()
        scattered = collections.Counter()
        for kind in counts["classes"]:
            of.add(entry["words"], kind)
            for _, _, line in kind["lines"]:
                for key, each in line.items():
                    if key.startswith(("scattered_", "streamed_")):
                        runs = entry["words"][kind["word"]] // kind.get("unit", 1)
                        scattered[key.split("_")[-1]] += runs * each
        sums = found[entry["linkage_name"]]
        for array in counts["arrays"]:
            sums[bool(array.get("write"))] += entry["words"][array["word"]]
        for number, key in enumerate(("read", "write")):
            sums[2 + number] += scattered[key]
            sums[4 + number] += of.most[key]
        if of.unknown:
            sums[4] = sums[5] = 1 << 62
    return found


def main():
    parser = exact.argument_parser(__doc__)
    parser.add_argument("--verbose", action="store_true", help="print footprints that are larger")
    asked = parser.parse_args()
    tally, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        options = asked.options or exact.levels()
        for number, option in enumerate(options):
            environment = dict(exact.DETERMINISTIC, OMP_NUM_THREADS=str(1 + number % 3))
            expected, owners = reference(asked.clang, asked.source, ["-w", *asked.flags], folder, environment)
            setting = ("on", "exact")[number % 2]
            found = counted(asked, shlex.split(option) + ["-gline-tables-only", "-w", *asked.flags], folder, environment, setting)
            for kernel, real in sorted(expected.items()):
                parts = [sums for name, sums in found.items() if owners.get(name) == kernel]
                if not parts or kernel in UNDETERMINED:
                    continue
                sums = [sum(part[place] for part in parts) for place in range(6)]
                for how in (0, 1):
                    most = min(sums[how] + sums[2 + how], sums[4 + how])
                    what = f"{option} work={setting} {kernel}: {('read', 'written')[how]} {real[how]}, " \
                           f"counted {sums[how]} + {sums[2 + how]} scattered"
                    # A load that the optimiser removed is not executed.
                    if most < real[how] and sums[4 + how] > most:
                        failed += 1
                        print(f"  smaller: {what}", flush=True)
                    elif most > 1.02 * real[how] and asked.verbose:
                        print(f"  larger: {what}", flush=True)
                    tally["equal" if most == real[how] else "near" if most <= 1.02 * real[how] else "larger"] += 1
    print(f"{tally['equal']} footprints equal, {tally['near']} at most 2 % larger, {tally['larger']} larger, {failed} smaller")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
