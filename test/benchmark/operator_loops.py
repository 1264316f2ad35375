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

from operator_functions import BYTE, DRAM, HEAP, LOOPS

ROUNDS = 8


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


# Uses of a value that take no instruction, so that what computes it stays. A volatile one keeps the compiler from
# moving stores of the same loop out of it, as those of a sum; after() says the same as a dependence. The compiler
# does not know that its result is its first argument: it would fold x ^ (x >> 16) without the shift, which is 0.
KEEP = """
#ifdef __AVX512F__
constexpr size_t Widest = 64;
#else
constexpr size_t Widest = 32;
#endif
template <size_t Bytes> using Raw [[gnu::vector_size(Bytes)]] = float;
template <size_t Number> struct Several { Raw<Widest> Each[Number]; };
template <typename T> constexpr size_t NumberOf = 1;
template <size_t Number> constexpr size_t NumberOf<Several<Number>> = Number;
template <typename T> constexpr bool IsVector = !std::is_arithmetic_v<T>;
template <typename T> constexpr bool IsInRegisters = std::is_integral_v<T>;
template <typename T> [[gnu::always_inline]] inline auto raw(const T &Value) {
  if constexpr (sizeof(T) > Widest)
    return __builtin_bit_cast(Several<sizeof(T) / Widest>, Value);
  else if constexpr (IsVector<T>)
    return __builtin_bit_cast(Raw<sizeof(T)>, Value);
  else
    return Value;
}
template <typename T> [[gnu::always_inline]] inline void keepRaw(const T &Of) {
  if constexpr (NumberOf<T> > 1)
    [&]<size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) { (keepRaw(Of.Each[I]), ...); }
    (std::make_index_sequence<NumberOf<T>>());
  else if constexpr (IsInRegisters<T>)
    asm volatile("" : : "r"(Of));
  else
    asm volatile("" : : "v"(Of));
}
template <typename T> [[gnu::always_inline]] inline void keep(const T &Value) { keepRaw(raw(Value)); }
template <typename T, typename Other> [[gnu::always_inline]] inline void tie(T &Value, const Other &By) {
  if constexpr (NumberOf<Other> > 1) {
    [&]<size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) { (tie(Value, By.Each[I]), ...); }
    (std::make_index_sequence<NumberOf<Other>>());
  } else if constexpr (NumberOf<T> > 1) {
    tie(Value.Each[0], By);
  } else if constexpr (IsInRegisters<T>) {
    int64_t Of = Value;
    if constexpr (IsInRegisters<Other>)
      asm("" : "+r"(Of) : "r"(By));
    else
      asm("" : "+r"(Of) : "v"(By));
    Value = static_cast<T>(Of);
  } else if constexpr (IsInRegisters<Other>) {
    asm("" : "+v"(Value) : "r"(By));
  } else {
    asm("" : "+v"(Value) : "v"(By));
  }
}
template <typename T> [[gnu::always_inline]] inline void hide(T &Value) {
  if constexpr (NumberOf<T> > 1) {
    [&]<size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) { (hide(Value.Each[I]), ...); }
    (std::make_index_sequence<NumberOf<T>>());
  } else if constexpr (IsInRegisters<T>) {
    int64_t Of = Value;
    asm("" : "+r"(Of));
    Value = static_cast<T>(Of);
  } else {
    asm("" : "+v"(Value));
  }
}
template <typename T, typename... Others> [[gnu::always_inline]] inline T after(const T &Value, const Others &...By) {
  auto Of = raw(Value);
  hide(Of);
  (tie(Of, raw(By)), ...);
  return __builtin_bit_cast(T, Of);
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
                    others = sorted(set(inputs[1:]) - {inputs[0]})
                    line, found = f"{head}after({', '.join([inputs[0], *others])});{mark}", True
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
