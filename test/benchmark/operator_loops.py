"""Fused loops for the measurement of operators.

    operator_loops.py names             prints the names of the loops as JSON
    operator_loops.py run NAME          calls the compiled function many times, for `seamscope run`
    operator_loops.py leave-out FILE NAME    leaves each operator of the generated FILE out in turn, and prints JSON:
                                        the time of a call, and how much less it takes without each operator

The second shares no code with Seamscope. An operator is the statements with one number behind the colon of the mark.
Left out, the value of each is that of its first input, and all inputs are still loaded and computed.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import torch
import torch.nn.functional as F

# Elements. The allocator keeps arrays below 32 MB for the next call with the settings of HEAP; memory from the system
# would take page faults in the kernel, which are not the time of operators.
L1, L2, MEMORY = 1 << 11, 1 << 16, 7 << 20
HEAP = {"MALLOC_MMAP_THRESHOLD_": "33000000", "MALLOC_TRIM_THRESHOLD_": "4000000000"}


def chain(x, y):
    a = x + y
    b = a * 0.5
    c = torch.sqrt(b * b + 1)
    d = c / (a + 2)
    return d - b


def gelu(x):
    return F.gelu(x)


def gelu_tanh(x):
    return F.gelu(x, approximate="tanh")


def swiglu(x, y):
    return F.silu(x) * y


def exponential(x, y):
    return torch.exp(x) * y + 1


def multiply_add(x, y, z):
    return x * y + z


def relu(x, y):
    return torch.relu(x + y) * 2


def logarithm(x, y):
    return torch.log(x) + torch.sqrt(y)


def waves(x, y):
    return torch.sin(x) + torch.cos(y) * 0.25 + x * y


def power(x, y):
    return torch.pow(x, 1.7) + y / (x + 1)


def root(x, y):
    return torch.rsqrt(x + 1e-5) * y


def quotients(x, y, z):
    return (x / y + z) / (x + 3) * 2


def gate(x, y):
    return torch.sigmoid(x) * torch.tanh(y)


def mish(x):
    return x * torch.tanh(torch.log1p(torch.exp(x)))


def polynomial(x):
    result = x * 0.1 + 1
    for k in range(2, 9):
        result = result * x + 1 / k
    return result / (x + 4)


def hard_swish(x):
    return x * torch.clamp(x + 3, 0, 6) / 6


def distance(x, y):
    return torch.sqrt(x * x + y * y)


def soft_sign(x):
    return x / (1 + torch.abs(x))


def double(x, y):
    return (torch.exp(x.double()) / (y.double() + 2)).float()


def masked(x, y):
    return torch.where(x > 1, x * y, torch.sqrt(y))


def elu(x, y):
    return F.elu(x - 2) * y


def soft_plus(x):
    return F.softplus(x)


def normalized(x, y, z):
    return (x - y) / torch.sqrt(z + 1e-5) * 0.5 + 1


def step(p, g, m, v):
    m = m * 0.9 + g * 0.1
    v = v * 0.999 + g * g * 0.001
    return p - 0.01 * m / (torch.sqrt(v) + 1e-8)


def rotation(x, y, z):
    return x * torch.cos(z) - y * 0.5 + z


def products(x, y, z):
    return ((x * x + y) * z - x) * y


def logit(x):
    return torch.log(x / (4 - x))


def double_root(x, y):
    return torch.sqrt(x.double() * y.double()).float()


def cube(x, y):
    return x.pow(3) * torch.rsqrt(y)


def reciprocals(x, y):
    return 1 / x + y / 3


def error(x, y):
    return torch.erf(x) * torch.exp(-y)


def log_sigmoid(x):
    return F.logsigmoid(x)


# The model was made with the loops up to `masked`; those from `elu` on had no part in that.
LOOPS = {f"{function.__name__} {where}": (function, size) for function, where, size in (
    (chain, "L1", L1), (chain, "L2", L2), (chain, "memory", MEMORY), (gelu, "L2", L2), (gelu_tanh, "L1", L1),
    (swiglu, "L2", L2), (swiglu, "memory", MEMORY), (exponential, "L1", L1), (exponential, "memory", MEMORY),
    (multiply_add, "L1", L1), (multiply_add, "memory", MEMORY), (relu, "L2", L2), (logarithm, "L1", L1),
    (waves, "L2", L2), (power, "L1", L1), (root, "L1", L1), (quotients, "L2", L2), (quotients, "memory", MEMORY),
    (gate, "L1", L1), (gate, "memory", MEMORY), (mish, "L2", L2), (polynomial, "L1", L1), (hard_swish, "L2", L2),
    (distance, "memory", MEMORY), (soft_sign, "L2", L2), (soft_sign, "memory", MEMORY), (double, "L1", L1),
    (masked, "L1", L1), (elu, "L2", L2), (soft_plus, "L1", L1), (normalized, "L2", L2), (step, "L2", L2),
    (step, "memory", MEMORY), (rotation, "L1", L1), (products, "L1", L1), (products, "memory", MEMORY),
    (logit, "L1", L1), (double_root, "L1", L1), (cube, "L2", L2), (reciprocals, "L1", L1), (error, "L2", L2),
    (log_sigmoid, "L1", L1))}


def arguments(name):
    function, size = LOOPS[name]
    torch.manual_seed(0)
    return [torch.rand(size) * 3.5 + 0.25 for _ in range(function.__code__.co_argcount)]


def run(name):
    torch.set_num_threads(1)
    function, size = LOOPS[name]
    compiled, values = torch.compile(function), arguments(name)
    for _ in range(max(20, (1 << 25) // size)):
        compiled(*values)


STATEMENT = re.compile(r"^(\s*auto (tmp\d+) = )(.*);( // \[seamscope \d*:(\d+)\])$")
NO_OPERATOR = re.compile(r"_ptr|^static_cast<|^at::vec::Vectorized<\w+>\(\w+\)$|^at::vec::convert|^c10::convert")


# A use of a value that takes no instruction, so that what computes it stays.
KEEP = """
template <size_t Bytes> using Raw [[gnu::vector_size(Bytes)]] = float;
template <typename T> [[gnu::always_inline]] inline void keep(const T &Value) {
  if constexpr (sizeof(T) == 128) {
    struct Two { Raw<64> A, B; };
    const Two Parts = __builtin_bit_cast(Two, Value);
    asm volatile("" : : "v"(Parts.A), "v"(Parts.B));
  } else if constexpr (sizeof(T) >= 32) {
    asm volatile("" : : "v"(__builtin_bit_cast(Raw<sizeof(T)>, Value)));
  } else {
    asm volatile("" : : "x"(Value));
  }
}
"""


def kernel_of(text):
    begin = text.index('extern "C"')
    return text[:begin], text[begin:text.index("\n}\n", begin) + 3]


def without(kernel, operator):
    """The kernel without an operator; nothing if it has no statement that can be left out."""
    constants, lines, found = set(), [], False
    for line in kernel.split("\n"):
        if match := STATEMENT.match(line):
            head, name, right, mark, number = match.groups()
            if NO_OPERATOR.search(right):
                if "_ptr" not in right and "convert" not in right:
                    constants.add(name)
            elif int(number) == operator:
                inputs = [each for each in re.findall(r"\btmp\d+\b", right) if each not in constants]
                if inputs:
                    kept = "".join(f" keep({each});" for each in set(inputs[1:]) - {inputs[0]})
                    line, found = head + inputs[0] + ";" + kept + mark, True
        lines.append(line)
    return "\n".join(lines) if found else None


def repeated(kernel, number):
    """The kernel, and a function that calls it as often as its last argument says."""
    kernel = re.sub(r"\bvoid\s+kernel\(", f"__attribute__((noinline)) void kernel_{number}(", kernel, count=1)
    begin = kernel.index(f"kernel_{number}(") + len(f"kernel_{number}(")
    parameters = kernel[begin:kernel.index(")", begin)]
    names = ", ".join(each.split()[-1].lstrip("*") for each in parameters.split(","))
    return (kernel + f'extern "C" void repeat_{number}({parameters}, int64_t times)\n'
            f"{{ for (; times; --times) kernel_{number}({names}); }}\n")


def compiled(source, folder):
    from torch._inductor import cpp_builder, cpu_vec_isa

    os.environ["CXX"] = "clang++-22"
    torch._inductor.config.cpp.cxx = ("clang++-22",)
    options = cpp_builder.CppTorchDeviceOptions(vec_isa=cpu_vec_isa.pick_vec_isa(), device_type="cpu")
    path = os.path.join(folder, "variants.cpp")
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    builder = cpp_builder.CppBuilder(name="variants", sources=path, BuildOption=options, output_dir=folder)
    done = subprocess.run(builder.get_command_line(), shell=True, capture_output=True, text=True, timeout=300)
    library = os.path.join(folder, "variants.so")
    return ctypes.CDLL(library) if done.returncode == 0 else None, done.stderr


def leave_out(path, name):
    torch.set_num_threads(1)
    with open(path, encoding="utf-8") as file:
        head, kernel = kernel_of(file.read())
    head += KEEP
    numbers = sorted({int(each) for each in re.findall(r"// \[seamscope \d*:(\d+)\]", kernel)})
    variants = {None: kernel}
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            if text := without(kernel, number):
                variants[number] = text
        # A value that has another type than the input cannot be left out.
        while True:
            texts = {key: repeated(text, 0 if key is None else key + 1) for key, text in variants.items()}
            source = head + "".join(texts.values())
            library, problem = compiled(source, folder)
            if library:
                break
            lines = [int(each) for each in re.findall(r"variants\.cpp:(\d+):\d+: error", problem)]
            bad, line = set(), head.count("\n")
            for key, text in texts.items():
                if any(line < each <= line + text.count("\n") for each in lines):
                    bad.add(key)
                line += text.count("\n")
            if not bad or None in bad:
                sys.exit(problem[-2000:])
            variants = {key: text for key, text in variants.items() if key not in bad}
        values = arguments(name)
        out = torch.empty_like(values[0])
        pointers = [ctypes.c_void_p(each.data_ptr()) for each in (*values, out)]
        functions = {key: library[f"repeat_{0 if key is None else key + 1}"] for key in variants}
        inner = max(1, (1 << 18) // values[0].numel())
        best = dict.fromkeys(functions, float("inf"))
        deadline = time.monotonic() + 40
        for turn in range(200):
            for key, function in functions.items():
                begin = time.perf_counter_ns()
                function(*pointers, ctypes.c_int64(inner))
                best[key] = min(best[key], (time.perf_counter_ns() - begin) / inner)
            if turn >= 6 and time.monotonic() > deadline:
                break
        print(json.dumps({"ns": best[None], "costs": {key: best[None] - took for key, took in best.items()
                                                      if key is not None}}))


if __name__ == "__main__":
    if sys.argv[1] == "names":
        print(json.dumps(list(LOOPS)))
    elif sys.argv[1] == "run":
        if any(os.environ.get(key) != value for key, value in HEAP.items()):
            os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **HEAP})
        run(sys.argv[2])
    else:
        leave_out(*sys.argv[2:])
