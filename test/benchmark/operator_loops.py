"""Fused loops for the measurement of operators.

    operator_loops.py names             prints the names of the loops as JSON, by set
    operator_loops.py run NAME          calls the compiled function many times, for `seamscope run`
    operator_loops.py leave-out FILE NAME    leaves each operator of the generated FILE out in turn, and prints JSON:
                                        ns of a call in each round, under "", and without each operator, by its number

The last shares no code with Seamscope. An operator is the statements with one number behind the colon of the mark.
Left out, the value of each is that of its first input, and all inputs are still loaded and computed. A sum or maximum
becomes the last value.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import torch
import torch.nn.functional as F

ROUNDS = 8
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


def soft_max(x):
    return torch.softmax(x * 0.5, -1)


def log_soft_max(x):
    return F.log_softmax(x, -1)


def layer_norm(x, y, weight, bias):
    return F.layer_norm(x + y, weight.shape, weight, bias)


def rms_norm(x, weight):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * weight


def unit(x):
    return x / torch.sqrt((x * x).sum(-1, keepdim=True))


def dot_product(x, y):
    return (x * y).sum()


def largest_difference(x, y):
    return torch.abs(x - y).amax()


def mean_square(x, y):
    return (x / y).pow(2).mean()


def exponential_sum(x):
    return torch.exp(x * 0.25 - 1).sum()


def half_gelu(x):
    return F.gelu(x, approximate="tanh")


def half_swiglu(x, y):
    return F.silu(x) * y


def half_relu(x, y):
    return torch.relu(x - y) * 0.5 + y


def half_root(x, y):
    return x / torch.sqrt(y + 1)


def byte_clamp(x, y):
    return torch.clamp(x + y, 0, 100)


def dequantize(x):
    return torch.sigmoid((x.float() - 3) * 0.1)


def quantize(x):
    return torch.clamp(torch.round(x / 0.05), -128, 127).to(torch.int8)


def double_logarithm(x, y):
    return torch.log(x) * y


def double_quotient(x, y):
    return x / y + x


def double_error(x, y):
    return torch.erf(x) * 0.5 + y


def limits(x, y):
    return torch.where(x > y, torch.clamp(x, 1, 2), y * 3)


def binary_power(x, y):
    return torch.pow(x, y) + torch.sqrt(x)


def reciprocal_root(x, y):
    return torch.rsqrt(x) + torch.reciprocal(y)


def larger(x, y):
    return torch.where(x > y, x, y) * 2 + 1


def growth(x, y):
    return torch.expm1(x) / (y + 1)


def some_tanh(x, y):
    return torch.where(y > 1, torch.tanh(x), x)


def in_place(x, y):
    return x.copy_(torch.sqrt(x) + y)


def floor_rest(x, y):
    return x - torch.floor(x / y) * y


def linear_blend(x, y, z):
    return x * z + y * (1 - z)


# The model was made with the first set. The other two had no part in that; the third is later and has reductions, rows,
# and other types.
ROWS, MANY_ROWS, L3, DRAM = (64, 1024), (1024, 1024), 1 << 20, 1 << 26
HALF, BYTE, DOUBLE = torch.bfloat16, torch.int8, torch.float64
LOOPS = {part: {f"{function.__name__} {where}": (function, size, *dtype) for function, where, size, *dtype in loops}
         for part, loops in {"made with": (
    (chain, "L1", L1), (chain, "L2", L2), (chain, "memory", MEMORY), (gelu, "L2", L2), (gelu_tanh, "L1", L1),
    (swiglu, "L2", L2), (swiglu, "memory", MEMORY), (exponential, "L1", L1), (exponential, "memory", MEMORY),
    (multiply_add, "L1", L1), (multiply_add, "memory", MEMORY), (relu, "L2", L2), (logarithm, "L1", L1),
    (waves, "L2", L2), (power, "L1", L1), (root, "L1", L1), (quotients, "L2", L2), (quotients, "memory", MEMORY),
    (gate, "L1", L1), (gate, "memory", MEMORY), (mish, "L2", L2), (polynomial, "L1", L1), (hard_swish, "L2", L2),
    (distance, "memory", MEMORY), (soft_sign, "L2", L2), (soft_sign, "memory", MEMORY), (double, "L1", L1),
    (masked, "L1", L1)), "held out": (
    (elu, "L2", L2), (soft_plus, "L1", L1), (normalized, "L2", L2), (step, "L2", L2), (step, "memory", MEMORY),
    (rotation, "L1", L1), (products, "L1", L1), (products, "memory", MEMORY), (logit, "L1", L1),
    (double_root, "L1", L1), (cube, "L2", L2), (reciprocals, "L1", L1), (error, "L2", L2), (log_sigmoid, "L1", L1)),
    "held out, later": (
    (soft_max, "L2", ROWS), (log_soft_max, "L3", MANY_ROWS), (layer_norm, "L2", ROWS), (rms_norm, "L3", MANY_ROWS),
    (unit, "L2", ROWS), (dot_product, "DRAM", DRAM), (dot_product, "L1", L1), (largest_difference, "L2", L2),
    (mean_square, "L2", L2), (exponential_sum, "L3", L3), (half_gelu, "L2", L2, HALF), (half_swiglu, "L3", L3, HALF),
    (half_relu, "L1", L1, HALF), (half_root, "L2", L2, HALF), (byte_clamp, "L2", L2, BYTE),
    (dequantize, "L3", L3, BYTE), (quantize, "L2", L2), (double_logarithm, "L2", L2, DOUBLE),
    (double_quotient, "memory", MEMORY // 2, DOUBLE), (double_error, "L1", L1, DOUBLE), (limits, "L1", L1),
    (binary_power, "L3", L3), (reciprocal_root, "L1", L1), (larger, "memory", MEMORY), (growth, "L2", L2),
    (some_tanh, "L2", L2), (in_place, "DRAM", DRAM), (floor_rest, "L1", L1), (linear_blend, "L3", L3))}.items()}


def arguments(name):
    """The function and its arguments; those named weight and bias have the length of a row."""
    function, size, *dtype = next(loops[name] for loops in LOOPS.values() if name in loops)
    dtype = dtype[0] if dtype else torch.float32
    torch.manual_seed(0)
    shape = (size,) if isinstance(size, int) else size
    values = []
    for argument in function.__code__.co_varnames[:function.__code__.co_argcount]:
        value = torch.rand(shape[-1:] if argument in ("weight", "bias") else shape) * 3.5 + 0.25
        values.append((value * 10 if dtype == BYTE else value).to(dtype))
    return function, values


def run(name):
    torch.set_num_threads(1)
    function, values = arguments(name)
    compiled = torch.compile(function)
    for _ in range(max(20, (1 << 25) // values[0].numel())):
        compiled(*values)


STATEMENT = re.compile(r"^(\s*auto (tmp\d+) = )(.*);( // \[seamscope \d*:(\d+)\])$")
REDUCTION = re.compile(r"^(\s*(tmp_acc\w+) = )(.*);( // \[seamscope \d*:(\d+)\])$")
NO_OPERATOR = re.compile(
    r"_ptr|local_buffer|^static_cast<|^at::vec::Vectorized(N)?<[^>]+>\(\w+\)$|^at::vec::convert|^c10::convert")
IN_MEMORY = re.compile(r"_ptr|local_buffer")


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
  } else if constexpr (std::is_floating_point_v<T>) {
    asm volatile("" : : "x"(Value));
  } else {
    asm volatile("" : : "r"(Value));
  }
}
"""


def kernel_of(text):
    begin = text.index('extern "C"')
    return text[:begin], text[begin:text.index("\n}\n", begin) + 3]


def kept(names):
    return "".join(f" keep({each});" for each in sorted(names))


def without(kernel, operator):
    """The kernel without an operator; nothing if it has no statement that can be left out."""
    constants, lines, found = set(), [], False
    for line in kernel.split("\n"):
        if match := STATEMENT.match(line):
            head, name, right, mark, number = match.groups()
            used = re.findall(r"\btmp\d+\b", right)
            constants.discard(name)  # names are used again in each loop
            if NO_OPERATOR.search(right):
                if not IN_MEMORY.search(right) and constants.issuperset(used):
                    constants.add(name)
            elif int(number) == operator:
                inputs = [each for each in used if each not in constants]
                if inputs:
                    line, found = head + inputs[0] + ";" + kept(set(inputs[1:]) - {inputs[0]}) + mark, True
        elif match := REDUCTION.match(line):
            head, name, right, mark, number = match.groups()
            inputs = re.findall(r"\btmp\d+\b", right)
            if int(number) == operator and inputs:
                line, found = head + inputs[0] + ";" + kept(inputs) + mark, True
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


def inputs_of(path, values):
    """The value for each pointer of the kernel, by the call in torch's code; nothing: a buffer of that code."""
    for code in glob.glob(os.path.join(os.path.dirname(path), "*.py")):
        with open(code, encoding="utf-8") as file:
            text = file.read()
        if match := re.search(r"^ +cpp_fused\w*\((.*)\)$", text, re.M):
            break
    left, known = list(values), {}
    for name, shape in re.findall(r"assert_size_stride\((\w+), \(([\d, ]*)\)", text):
        wanted = [int(each) for each in shape.split(",") if each.strip()]
        at = next(i for i, value in enumerate(left) if list(value.shape) == wanted)
        known[name] = left.pop(at)
    return [known.get(each.strip()) for each in match.group(1).split(",")]


def timed(functions, pointers, inner):
    """ns of a call of each function, by round: the least of the turns, in which the functions alternate."""
    rounds = {key: [] for key in functions}
    for _ in range(ROUNDS):
        best = dict.fromkeys(functions, float("inf"))
        begin_of_round = time.monotonic()
        for turn in range(1000):
            for key, function in functions.items():
                begin = time.perf_counter_ns()
                function(*pointers, ctypes.c_int64(inner))
                best[key] = min(best[key], (time.perf_counter_ns() - begin) / inner)
            took = time.monotonic() - begin_of_round
            if (turn >= 24 and took > 0.5) or (turn >= 4 and took > 4):
                break
        for key, least in best.items():
            rounds[key].append(least)
    return rounds


def leave_out(path, name):
    torch.set_num_threads(1)
    with open(path, encoding="utf-8") as file:
        head, kernel = kernel_of(file.read())
    head += KEEP
    numbers = sorted({int(each) for each in re.findall(r"// \[seamscope \d*:(\d+)\]", kernel)})
    variants = {"": kernel}
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            if text := without(kernel, number):
                variants[number] = text
        # A value that has another type than the input cannot be left out.
        while True:
            texts = {key: repeated(text, 0 if key == "" else key + 1) for key, text in variants.items()}
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
            if not bad or "" in bad:
                sys.exit(problem[-2000:])
            variants = {key: text for key, text in variants.items() if key not in bad}
        _, values = arguments(name)
        elements = values[0].numel()
        arrays = [torch.empty(elements, dtype=torch.float64 if elements < DRAM else torch.float32) if each is None
                  else each for each in inputs_of(path, values)]
        pointers = [ctypes.c_void_p(each.data_ptr()) for each in arrays]
        functions = {key: library[f"repeat_{0 if key == '' else key + 1}"] for key in variants}
        print(json.dumps(timed(functions, pointers, max(1, (1 << 18) // elements))))


if __name__ == "__main__":
    if sys.argv[1] == "names":
        print(json.dumps({part: list(loops) for part, loops in LOOPS.items()}))
    elif sys.argv[1] == "run":
        if any(os.environ.get(key) != value for key, value in HEAP.items()):
            os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **HEAP})
        run(sys.argv[2])
    else:
        leave_out(*sys.argv[2:])
