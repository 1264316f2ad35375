"""random-kernels.py FOLDER SEED: writes kernels.cu, a CUDA program of random kernels that threads run differently, and
oracle.cpp, the same kernels for the host, which counts each access and operation as it happens. Both print their
launches; the oracle with what was executed.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import random
import sys

folder, seed = sys.argv[1:]
pick = random.Random(int(seed))
KERNELS = 8


def value(variables):
    """A number that depends on the thread, on the argument, or on loops around."""
    terms = [str(pick.randint(0, 9)), f"n % {pick.randint(2, 9)}", f"i % {pick.randint(2, 9)}", "n / 3", *variables]
    text = pick.choice(terms)
    if pick.random() < 0.3:
        text = f"({text} {pick.choice(['+', '*', '^'])} {pick.choice(terms)}) % 13"
    return text


def condition(variables):
    if pick.random() < 0.3:
        return f"LOAD({value(variables)}) > 0.4f"
    return f"({value(variables)}) {pick.choice(['<', '>', '==', '!='])} ({value(variables)})"


def statements(variables, depth, in_loop):
    lines = []
    for _ in range(pick.randint(1, 3)):
        kind = pick.random()
        if kind < 0.4 or depth == 4:
            lines.append(f"{pick.choice(['ADD', 'DIV', 'KEEP', 'TILE'])}({value(variables)});")
        elif kind < 0.65:
            name = f"v{len(variables)}"
            first, step = pick.choice(["0", "0", value(variables)]), pick.choice(["1", "1", "2", "3"])
            lines += [f"for (unsigned {name} = {first}; {name} < {value(variables)}; {name} += {step}) {{",
                      *statements([*variables, name], depth + 1, True), "}"]
        elif kind < 0.85:
            lines += [f"if ({condition(variables)}) {{", *statements(variables, depth + 1, in_loop)]
            if pick.random() < 0.4:
                lines += ["} else {", *statements(variables, depth + 1, in_loop)]
            lines.append("}")
        elif kind < 0.92 and in_loop:
            lines.append(f"if ({condition(variables)}) {pick.choice(['break', 'continue', 'break', 'return'])};")
        else:
            name = f"w{depth}_{len(lines)}"
            lines += [f"unsigned {name} = {value(variables)};",
                      f"while ({name} < 20 && LOAD({name}) < 0.7f) {{",
                      f"ADD({name});", f"{name} += 2;", "}"]
    return lines


kernels = ["\n".join(statements([], 0, False)) for _ in range(KERNELS)]
launches = [(k, pick.randint(1, 4), pick.randint(1, 100), pick.randint(0, 12)) for k in range(KERNELS) for _ in range(3)]
with open(os.path.join(folder, "kernels.cu"), "w", encoding="utf-8") as file:
    file.write("""#include <cstdio>
#include <cstdlib>
#define LOAD(k) x[(k) & 255]
#define ADD(k) y[i] = LOAD(k) + 1.0f
#define DIV(k) y[i] = LOAD(k) / 3.0f
#define KEEP(k) y[i] = k
#define TILE(k) tile[threadIdx.x] = LOAD(k)
""")
    for number, body in enumerate(kernels):
        file.write(f"""extern "C" __global__ void k{number}(volatile float *y, const volatile float *x, unsigned n) {{
__shared__ volatile float tile[128];
const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
(void)tile;
{body}
}}
""")
    file.write("""int main() {
  float host[512], *x, *y;
  for (unsigned i = 0; i < 512; ++i)
    host[i] = static_cast<float>(i % 7) / 8;
  if (cudaMalloc(&x, sizeof(host)) || cudaMalloc(&y, sizeof(host)))
    return 3;
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
""")
    for k, blocks, threads, n in launches:
        file.write(f"  k{k}<<<{blocks}, {threads}>>>(y, x, {n});\n")
    file.write("  return cudaDeviceSynchronize();\n}\n")
with open(os.path.join(folder, "oracle.cpp"), "w", encoding="utf-8") as file:
    file.write("""#include <cstdio>
static unsigned long read, written, shared, add, div_;
static float load(unsigned k) { return read += 4, static_cast<float>((k & 255) % 7) / 8; }
#define LOAD(k) load(k)
#define ADD(k) (load(k), written += 4, ++add)
#define DIV(k) (load(k), written += 4, ++div_)
#define KEEP(k) ((void)(k), written += 4)
#define TILE(k) (load(k), shared += 4)
""")
    for number, body in enumerate(kernels):
        file.write(f"static void k{number}(unsigned i, unsigned n) {{\n(void)i, (void)n;\n{body}\n}}\n")
    file.write("int main() {\n")
    for k, blocks, threads, n in launches:
        file.write(f"""  read = written = shared = add = div_ = 0;
  for (unsigned i = 0; i < {blocks * threads}; ++i)
    k{k}(i, {n});
  std::printf("k{k} {blocks * threads} %lu %lu %lu %lu %lu\\n", read, written, shared, add, div_);
""")
    file.write("}\n")
