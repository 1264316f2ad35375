#!/usr/bin/env python3
"""Generates a C++ program for the tests of the pass, from a seed.

usage: generate.py SEED FOLDER

Writes FOLDER/a.cpp, b.cpp and common.h, and both.cpp, which includes all. The program prints a
checksum, and after it how often each function annotated as a kernel was called. It has no
undefined behaviour by construction: integers are unsigned, indices are masked, every call uses up
its thread's fuel, and the order in which threads finish does not change their combined result. It
has what csmith's programs lack: recursion of all kinds, tail calls, exceptions, longjmp, indirect
calls, aliases, inline functions of two files, OpenMP, coroutines, vectors, varargs, computed goto,
initialisers, signals, threads.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import random
import sys

PRELUDE = r"""
#pragma once
#include <coroutine>
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned long u64;
typedef unsigned u32;
typedef u32 vec4 __attribute__((vector_size(16)));
typedef double vec2d __attribute__((vector_size(16)));
#define KERNEL(N) __attribute__((annotate("seamscope.name=K" #N)))
#define OFF __attribute__((annotate("seamscope.off")))
#define NOINLINE __attribute__((noinline))
enum { size = 64, kernels = 64 };
extern u64 counts[kernels];
extern thread_local int fuel;
#define COUNT(N) __atomic_fetch_add(&counts[N], 1, __ATOMIC_RELAXED)
// Ends a function early once its thread has done enough.
#define PAY(X) do { if (--fuel < 0) return (X); } while (0)
static inline u64 mix(u64 x) {
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 32);
}
struct Trouble { u64 value; };
struct Guard {
  u64 *at;
  explicit Guard(u64 *at) : at(at) {}
  ~Guard() { *at = mix(*at + 3); }
};
// Iterations of different threads pay from fuel of their own.
struct Fuel {
  int before;
  explicit Fuel(int own) : before(fuel) { fuel = own; }
  ~Fuel() { fuel = before; }
};
struct Generator {
  struct promise_type {
    u64 value = 0;
    Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(u64 v) { value = v; return {}; }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> handle;
  Generator(std::coroutine_handle<promise_type> h) : handle(h) {}
  Generator(const Generator &) = delete;
  ~Generator() { handle.destroy(); }
  bool next() { handle.resume(); return !handle.done(); }
};
typedef u64 Function(u64, u64 *);
"""


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.header, self.files = [PRELUDE], ([], [])
        self.functions = []       # names that the next function may call
        self.kernel_count = 0
        self.abandons = self.leaves_open = False

    # Small things

    def number(self, low=1, high=1 << 16):
        return self.random.randint(low, high)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def operator(self):
        return self.random.choice(["+", "^", "*", "-"])

    def expression(self):
        return self.random.choice([
            f"(x {self.operator()} {self.number()}u)",
            f"mix(x + {self.number()}u)",
            f"(a[x & 63] {self.operator()} x)",
            f"(x << {self.number(1, 20)} | x >> {self.number(1, 20)})",
            f"(a[{self.number(0, 63)}] % {self.number()}u)",
        ])

    def kernel(self):
        """An annotation and the statement that counts, or neither."""
        if self.kernel_count >= 60 or not self.chance(40):
            return "", ""
        number = self.kernel_count
        self.kernel_count += 1
        return f"KERNEL({number}) ", f"COUNT({number});"

    def callee(self):
        return self.random.choice(self.functions) if self.functions else None

    def call(self, x="x", a="a"):
        callee = self.callee()
        return f"{callee}({x}, {a})" if callee else f"mix({x})"

    # Statements: each changes x and may change a

    def loop(self):
        trips = f"{self.number(3, 40)} + (x & {self.random.choice([7, 15, 31])})"
        body = self.random.choice([
            f"a[i & 63] {self.operator()}= a[(i * {self.number(1, 9)}) & 63] + i;",
            f"x = x * {self.number()}u + a[i & 63];",
            f"if (a[i & 63] & {1 << self.number(0, 5)}) x ^= a[i & 63]; else a[i & 63] += x;",
            "if (a[i & 63] == x) break; x += a[i & 63] >> 3;",
            f"if (i % {self.number(2, 5)} == 0) continue; a[i & 63] = mix(a[i & 63] ^ x);",
        ])
        return f"for (u32 i = 0, n = u32({trips}); i < n; ++i) {{ {body} }}"

    def nest(self):
        return (f"for (u32 r = 0; r < 8; ++r) for (u32 i = 0; i < {self.number(3, 9)} + (x & 3); ++i) "
                f"a[(r * 8 + i) & 63] += a[(i * 8 + r) & 63] {self.operator()} {self.number()}u;")

    def floating(self):
        return (f"{{ double s = {self.number(1, 9)}; for (u32 i = 0; i < 20 + (x & 15); ++i) "
                f"s = s * 0.5 + double(a[i & 63] & 1023); x += u64(s * 16); }}")

    def vectors(self):
        return (f"{{ vec4 v = {{u32(x), 1, 2, 3}}; vec2d d = {{1.5, 2.5}}; for (u32 i = 0; i < 16 + (x & 7); ++i) "
                f"{{ v = v * {self.number(3, 99)}u + u32(a[i & 63]); d = d * 0.5 + double(i); }} "
                f"x += v[0] ^ v[1] ^ v[2] ^ v[3]; x += u64(d[0] * 8 + d[1] * 8); }}")

    def wide(self):
        return "{ unsigned __int128 w = x; for (u32 i = 0; i < 9 + (x & 7); ++i) w = w * w + a[i & 63]; x ^= u64(w >> 64); }"

    def local_memory(self):
        return (f"{{ u32 n = 8 + (x & 15); u64 *l = (u64 *)__builtin_alloca(n * 8); for (u32 i = 0; i < n; ++i) "
                f"l[i] = a[i] + x; for (u32 i = 0; i < n; ++i) x = mix(x + l[n - 1 - i]); }}")

    def computed_goto(self):
        targets = self.number(1, 3)
        return (f"{{ static void *const code[] = {{&&add, &&mul, &&xor_, &&stop}}; u32 pc = 0; goto *code[{targets} & 3];\n"
                f"add: x += a[pc & 63]; if (++pc > 30) goto stop; goto *code[mix(x) & 1];\n"
                f"mul: x *= {self.number() | 1}u; if (++pc > 30) goto stop; goto *code[mix(x) % 3];\n"
                f"xor_: x ^= a[x & 63]; if (++pc > 30) goto stop; goto *code[mix(x + 1) & 3];\n"
                f"stop: x += pc; }}")

    def switch(self):
        return (f"switch (x % 5) {{ case 0: x += {self.number()}; break; case 1: {self.loop()} break; "
                f"case 2: return x; case 3: x = {self.call()}; [[fallthrough]]; default: x ^= {self.number()}; }}")

    def indirect(self):
        callees = [self.callee() for _ in range(3)]
        if not callees[0]:
            return self.loop()
        return f"{{ Function *const t[] = {{{', '.join(callees)}}}; x ^= t[mix(x) % 3](x, a); }}"

    def catching(self):
        return (f"try {{ Guard g(&a[{self.number(0, 63)}]); x = {self.call()}; if (x % {self.number(2, 4)} == 0) "
                f"throw Trouble{{x + {self.number()}}}; x += {self.call()}; }} catch (const Trouble &t) {{ x ^= t.value; }} "
                + self.random.choice(["", "catch (int i) { x += u64(i); }", "catch (...) { x += 5; throw; }"]))

    def openmp(self):
        body = f"u64 l[size]; for (u32 k = 0; k < size; ++k) l[k] = a[k] + i; Fuel f({self.number(1, 20)}); "
        work = self.call("u64(i) * 77u + y", "l")
        # An exception must not leave the region.
        work = f"u64 v; try {{ v = {work}; }} catch (...) {{ v = 3; }} "
        schedule = self.random.choice(["", " schedule(static, 1)", " schedule(dynamic, 2)", " schedule(guided)"])
        threads = self.number(1, 3)
        return self.random.choice([
            f"{{ u64 s = 0, y = x;\n#pragma omp parallel for num_threads({threads}) reduction(+ : s){schedule}\n"
            f"for (u32 i = 0; i < {self.number(2, 12)}; ++i) {{ {body}{work} s += v; }}\n x ^= s; }}",
            f"{{ u64 s = 0, y = x;\n#pragma omp parallel num_threads({threads}) reduction(^ : s)\n"
            f"{{ orphaned(&s, y, a);\n#pragma omp single\n s ^= {self.number()}; }}\n x += s; }}",
            f"{{ u64 s = 0, y = x;\n#pragma omp parallel num_threads({threads})\n#pragma omp single\n"
            f"for (u32 i = 0; i < 4; ++i)\n#pragma omp task firstprivate(i) shared(s)\n"
            f"{{ {body}{work} __atomic_fetch_add(&s, v, __ATOMIC_RELAXED); }}\n x ^= s; }}",
            f"{{ u64 s = 0, t = 0;\n#pragma omp parallel sections num_threads({threads})\n{{\n#pragma omp section\n"
            f"for (u32 i = 0; i < 30; ++i) s += a[i];\n#pragma omp section\n"
            f"for (u32 i = 0; i < 30; ++i) t ^= mix(a[i]); }}\n x += s ^ t; }}",
            f"{{ u64 s = 0, y = x;\n#pragma omp parallel for num_threads(2) reduction(+ : s)\n"
            f"for (u32 o = 0; o < 2; ++o) {{ u64 q = 0;\n#pragma omp parallel for num_threads(2) reduction(+ : q)\n"
            f"for (u32 i = 0; i < 6; ++i) {{ {body}{work} q += v; }}\n s += mix(q + o); }}\n x ^= s; }}",
            f"{{ u64 s = x;\n#pragma omp simd reduction(+ : s)\nfor (u32 i = 0; i < 64; ++i) s += a[i] * 3;\n x = s; }}",
        ])

    def statement(self):
        return self.random.choices(
            [self.loop, self.nest, self.floating, self.vectors, self.wide, self.local_memory,
             self.computed_goto, self.switch, self.indirect, self.catching, self.openmp,
             lambda: f"x {self.operator()}= {self.call()};", lambda: f"x = {self.expression()};",
             lambda: f"if (x & {1 << self.number(0, 3)}) return {self.expression()};"],
            [5, 2, 2, 2, 1, 1, 1, 2, 3, 3, 2, 6, 4, 2])[0]()

    def body(self, count=None):
        count = count or self.number(1, 4)
        out, labels = [], False
        for _ in range(count):
            text = self.statement()
            # Labels of a function are its own.
            if "goto *code" in text:
                if labels:
                    continue
                labels = True
            out.append(text)
        return "\n  ".join(out)

    # Functions: each adds names to self.functions

    def define(self, name, text, declaration=None, file=None, mark=""):
        """Puts `mark` on the declaration, too: clang drops an annotation that comes after a use."""
        file = self.random.randrange(2) if file is None else file
        self.header.append(declaration or f"{mark}u64 {name}(u64 x, u64 *a);")
        self.files[file].append(text)
        return file

    def plain(self, n):
        mark, count = self.kernel()
        attribute = self.random.choice(["", "", "", "NOINLINE ", "__attribute__((cold)) ",
                                        "__attribute__((hot)) ", "OFF " if not mark else ""])
        self.define(f"f{n}", f"{mark}{attribute}u64 f{n}(u64 x, u64 *a) {{ {count} PAY(x);\n  {self.body()}\n  "
                             f"return {self.expression()};\n}}", mark=mark)
        return [f"f{n}"]

    def static(self, n):
        mark, count = self.kernel()
        inner = (f"{mark}static u64 s{n}(u64 x, u64 *a) {{ {count} PAY(x); {self.body(2)} return x; }}\n"
                 f"u64 f{n}(u64 x, u64 *a) {{ PAY(x); x = s{n}(x, a); "
                 + self.random.choice([f"return s{n}(x + 1, a);", f"return x + s{n}(x ^ 5, a);", "return x;"]) + " }")
        self.define(f"f{n}", inner)
        return [f"f{n}"]

    def recursion(self, n):
        depth = self.number(2, 12)
        kind = self.random.choice([f"r{n}(x + 1, a, d - 1) + r{n}(x ^ 3, a, d >> 1)", f"r{n}(x * 3, a, d - 1)",
                                   f"mix(r{n}(x + d, a, d - 1)) + a[d & 63]"])
        # The other two become loops, so their calls cannot be counted.
        mark, count = self.kernel() if kind.startswith("mix") else ("", "")
        text = (f"{mark}static u64 r{n}(u64 x, u64 *a, u32 d) {{ {count} PAY(x); {self.loop()} "
                f"if (!d) return x; return {kind}; }}\n"
                f"u64 f{n}(u64 x, u64 *a) {{ return r{n}(x, a, {depth}); }}")
        self.define(f"f{n}", text)
        return [f"f{n}"]

    def mutual(self, n):
        marks = [self.kernel(), self.kernel()]
        # If one of them is inlined, the other may become a loop.
        if not all(mark for mark, _ in marks):
            marks = [("", ""), ("", "")]
        parts = [f"{mark}u64 m{n}_{i}(u64 x, u64 *a, u32 d) {{ {count} PAY(x); {self.loop()} {self.body(1)} if (!d) return x + {i}; "
                 f"return {self.random.choice(['', 'x + '])}m{n}_{1 - i}(x * 5 + {i}, a, d - 1); }}"
                 for i, (mark, count) in enumerate(marks)]
        first = self.random.randrange(2)
        for i in range(2):
            self.header.append(f"{marks[i][0]}u64 m{n}_{i}(u64 x, u64 *a, u32 d);")
            # In one file or in two.
            self.files[first if self.chance(50) else i].append(parts[i])
        self.define(f"f{n}", f"u64 f{n}(u64 x, u64 *a) {{ return m{n}_0(x, a, {self.number(1, 20)}); }}")
        return [f"f{n}"]

    def tail(self, n):
        """Recursion deeper than any stack, possible only with real tail calls."""
        text = "".join(
            f"NOINLINE static u64 t{n}_{i}(u64 x, u64 *a, u32 d) {{ if (!d) return x; a[d & 63] += x; "
            + (self.loop() if i == 0 and self.chance(50) else "") +
            f" [[clang::musttail]] return t{n}_{1 - i}(x * 3 + {i}, a, d - 1); }}\n" for i in range(2))
        self.define(f"f{n}", f"static u64 t{n}_1(u64 x, u64 *a, u32 d);\n{text}"
                             f"u64 f{n}(u64 x, u64 *a) {{ PAY(x); return t{n}_0(x, a, {self.number(20000, 60000)}); }}")
        return [f"f{n}"] if self.chance(50) else []

    def thrower(self, n):
        mark, count = self.kernel()
        what = self.random.choice(["Trouble{x}", "int(x & 7)", "Trouble{a[1]}"])
        self.define(f"f{n}", f"{mark}NOINLINE static u64 h{n}(u64 x, u64 *a) {{ {count} PAY(x); Guard g(&a[3]); {self.loop()} "
                             f"if (x % {self.number(2, 5)} == 1) throw {what}; x += {self.call()}; return x; }}\n"
                             f"u64 f{n}(u64 x, u64 *a) {{ PAY(x); try {{ x = h{n}(x, a); x ^= h{n}(x + 1, a); }} "
                             f"catch (const Trouble &t) {{ x += t.value; }} catch (int i) {{ x ^= u64(i); }} return x; }}\n"
                             f"u64 f{n}_noexcept(u64 x, u64 *a) noexcept {{ PAY(x); try {{ {self.loop()} x = h{n}(x, a); }} catch (...) {{ x += 9; }} return x; }}",
                    f"u64 f{n}(u64 x, u64 *a);\nu64 f{n}_noexcept(u64 x, u64 *a) noexcept;")
        return [f"f{n}", f"f{n}_noexcept"]

    def jumper(self, n):
        """longjmp out of functions that have no destructors."""
        self.abandons = True
        mark, count = self.kernel()
        self.define(f"f{n}", f"static thread_local jmp_buf j{n};\n"
                             f"{mark}NOINLINE static u64 j{n}_2(u64 x, u64 *a) {{ {count} {self.loop()} if (x % 3) longjmp(j{n}, int(1 + x % 5)); return x; }}\n"
                             f"NOINLINE static u64 j{n}_1(u64 x, u64 *a) {{ {self.loop()} return x + j{n}_2(x, a); }}\n"
                             f"NOINLINE u64 f{n}(u64 x, u64 *a) {{ PAY(x); volatile u64 kept = x; int came = setjmp(j{n}); "
                             f"if (came) return kept + u64(came); return j{n}_1(x, a); }}")
        return [f"f{n}"]

    def alias(self, n):
        # No annotation: clang drops it from a function that an alias names.
        file = self.define(f"f{n}", f"u64 f{n}(u64 x, u64 *a) {{ PAY(x); {self.loop()} return x; }}\n",
                           f'extern "C" {{ u64 f{n}(u64 x, u64 *a); u64 f{n}_alias(u64 x, u64 *a); }}')
        kind = self.random.choice(['alias("f%d")' % n, 'weak, alias("f%d")' % n])
        self.files[file].append(f'extern "C" __attribute__(({kind})) u64 f{n}_alias(u64 x, u64 *a);')
        return [f"f{n}", f"f{n}_alias"]

    def ifunc(self, n):
        self.define(f"f{n}", f'extern "C" {{ u64 i{n}_impl(u64 x, u64 *a) {{ PAY(x); {self.loop()} return x; }}\n'
                             f"Function *i{n}_resolve(void) {{ return i{n}_impl; }}\n"
                             f'__attribute__((ifunc("i{n}_resolve"))) u64 f{n}(u64 x, u64 *a); }}',
                    f'extern "C" u64 f{n}(u64 x, u64 *a);')
        return [f"f{n}"]

    def inline(self, n):
        """A function in the header: both files have it, and the linker keeps one."""
        mark, count = self.kernel()
        self.header.append(f"{mark}inline u64 f{n}(u64 x, u64 *a) {{ {count} static u64 made = mix({self.number()}); PAY(x); "
                           f"x += made; {self.body(2)} return x; }}")
        for i, file in enumerate(self.files):
            file.append(f"static u64 use{n}_{i}(u64 x, u64 *a) {{ return f{n}(x, a) + f{n}(x + 2, a); }}\n"
                        f"__attribute__((used)) static Function *volatile keep{n}_{i} = use{n}_{i};")
        return [f"f{n}"]

    def template(self, n):
        self.header.append(f"template <class T, int N> struct T{n} {{ T v[N]; T run(T x) {{ for (int i = 0; i < N; ++i) v[i] = x = T(x * 3 + v[i]); return x; }} "
                           f"virtual T twice(T x) {{ return run(run(x)); }} virtual ~T{n}() {{}} }};")
        for i, file in enumerate(self.files):
            self.header.append(f"u64 f{n}_{i}(u64 x, u64 *a);")
            file.append(f"u64 f{n}_{i}(u64 x, u64 *a) {{ PAY(x); T{n}<u64, {self.number(20, 60)}> t{{}}; T{n}<u32, 30> w{{}}; "
                        f"x = t.twice(x + a[0]); return x + w.twice(u32(x)); }}")
        return [f"f{n}_0", f"f{n}_1"]

    def virtual(self, n):
        mark, count = self.kernel()
        text = (f"namespace {{ struct V{n} {{ virtual u64 go(u64 x, u64 *a) {{ {self.loop()} return x; }} virtual ~V{n}() {{}} }};\n"
                f"struct W{n} : V{n} {{ u64 k = 3; {mark}u64 go(u64 x, u64 *a) override {{ {count} PAY(x); {self.body(1)} return x + k; }} }}; }}\n"
                f"u64 f{n}(u64 x, u64 *a) {{ PAY(x); V{n} v; W{n} w; V{n} *p = x & 1 ? &v : &w; auto l = [&](u64 y) {{ {self.loop()} return p->go(y, a); }}; return l(x) + l(x + 1); }}")
        self.define(f"f{n}", text)
        return [f"f{n}"]

    def pure(self, n):
        """Functions with attributes about memory, given or inferred."""
        attribute = self.random.choice(["__attribute__((pure)) ", "", "__attribute__((const)) "])
        reads = "x" if "const" in attribute else "a[i & 63]"
        mark, count = ("", "") if "pure" in attribute or "const" in attribute else self.kernel()
        self.define(f"f{n}", f"{mark}{attribute}NOINLINE static u64 p{n}(u64 x, const u64 *a) {{ {count} u64 s = 0; "
                             f"for (u32 i = 0; i < 40 + (x & 7); ++i) s = s * 3 + {reads}; return s; }}\n"
                             f"u64 f{n}(u64 x, u64 *a) {{ PAY(x); u64 s = p{n}(x, a) + p{n}(x, a); a[1] += s; "
                             f"for (u32 i = 0; i < 4; ++i) s += p{n}(x, a); return s + p{n}(x + 1, a); }}")
        return [f"f{n}"]

    def varargs(self, n):
        mark, count = self.kernel()
        self.define(f"f{n}", f"{mark}static u64 v{n}(u32 n, ...) {{ {count} va_list l; va_start(l, n); u64 s = n; for (u32 i = 0; i < n; ++i) s = mix(s + va_arg(l, u64)); va_end(l); return s; }}\n"
                             f"u64 f{n}(u64 x, u64 *a) {{ PAY(x); return v{n}(3, x, a[0], a[1]) ^ v{n}(6, x, x, a[2], x, a[3], x); }}")
        return [f"f{n}"]

    def structs(self, n):
        mark, count = self.kernel()
        self.define(f"f{n}", f"struct S{n} {{ u64 v[{self.number(2, 20)}]; }};\n"
                             f"{mark}NOINLINE static S{n} s{n}(S{n} s, u64 x) {{ {count} for (u64 &e : s.v) e = mix(e + x); return s; }}\n"
                             f"u64 f{n}(u64 x, u64 *a) {{ PAY(x); S{n} s{{}}; s.v[1] = a[5]; s = s{n}(s, x); s = s{n}(s, 3); return s.v[0] ^ s.v[1]; }}")
        return [f"f{n}"]

    def coroutine(self, n):
        mark, count = self.kernel()
        self.define(f"f{n}", f"static Generator g{n}(u64 x, u64 *a) {{ for (u32 i = 0; i < {self.number(2, 9)}; ++i) {{ {self.loop()} co_yield x; "
                             f"{'if (x % 7 == 3) throw Trouble{x};' if self.chance(40) else ''} }} }}\n"
                             f"{mark}u64 f{n}(u64 x, u64 *a) {{ {count} PAY(x); Generator g = g{n}(x, a); try {{ while (g.next()) {{ x += g.handle.promise().value; "
                             f"if (x % {self.number(5, 20)} == 0) break; }} }} catch (const Trouble &t) {{ x ^= t.value; }} return x; }}", mark=mark)
        return [f"f{n}"]

    def threads(self, n):
        mark, count = self.kernel()
        self.define(f"f{n}", f"struct A{n} {{ u64 x; u64 a[size]; }};\n"
                             f"{mark}static void *w{n}(void *p) {{ {count} Fuel f({self.number(1, 40)}); A{n} *t = (A{n} *)p; u64 x = t->x, *a = t->a; "
                             f"try {{ {self.loop()} x = {self.call()}; }} catch (...) {{ x = 7; }} t->x = x; return p; }}\n"
                             f"u64 f{n}(u64 x, u64 *a) {{ PAY(x); static thread_local int depth; if (depth || fuel < 50) return x; fuel -= 50; A{n} t[3]; pthread_t id[3]; "
                             f"for (u32 i = 0; i < 3; ++i) {{ t[i].x = x + i; memcpy(t[i].a, a, sizeof t[i].a); pthread_create(&id[i], 0, w{n}, &t[i]); }} "
                             f"for (u32 i = 0; i < 3; ++i) {{ pthread_join(id[i], 0); x = mix(x) + t[i].x; }} return x; }}")
        return [f"f{n}"]

    def handler(self, n):
        mark, count = self.kernel()
        self.define(f"f{n}", f"static volatile u64 got{n};\n{mark}static void on{n}(int) {{ {count} u64 s = 1; for (u32 i = 0; i < 50; ++i) s = mix(s + i); got{n} = s; }}\n"
                             f"u64 f{n}(u64 x, u64 *a) {{ PAY(x); signal(SIGUSR1, on{n}); pthread_kill(pthread_self(), SIGUSR1); {self.loop()} return x ^ got{n}; }}")
        # The handler belongs to the process, so several threads cannot set it.
        return []

    def empty(self, n):
        """Kernels whose first instruction returns."""
        self.define(f"f{n}", f'__attribute__((annotate("seamscope.kernel"))) NOINLINE void e{n}(void) {{}}\n'
                             f'__attribute__((annotate("seamscope.kernel"))) NOINLINE u64 e{n}_1(u64 x, u64 *) {{ return x; }}\n'
                             f"u64 f{n}(u64 x, u64 *a) {{ PAY(x); e{n}(); e{n}(); return e{n}_1(x, a) + a[0]; }}",
                    f"u64 f{n}(u64 x, u64 *a);\nvoid e{n}(void);\nu64 e{n}_1(u64 x, u64 *a);")
        return [f"f{n}"]

    def initialiser(self, n):
        file = self.random.randrange(2)
        self.files[file].append(f"namespace {{ struct I{n} {{ u64 a[size]; u64 x; I{n}() : a(), x({self.number()}) {{ Fuel f(30); try {{ {self.loop()} x = {self.call()}; }} catch (...) {{ x = 4; }} }} "
                                f"~I{n}() {{ {self.loop()} a[0] = x; }} }} i{n}; }}\n"
                                f"u64 f{n}(u64 x, u64 *a) {{ PAY(x); return x + i{n}.x; }}")
        self.header.append(f"u64 f{n}(u64 x, u64 *a);")
        return [f"f{n}"]

    def program(self):
        kinds = [self.plain, self.static, self.recursion, self.mutual, self.tail, self.thrower, self.jumper, self.alias,
                 self.ifunc, self.inline, self.template, self.virtual, self.pure, self.varargs, self.structs,
                 self.coroutine, self.threads, self.handler, self.empty, self.initialiser]
        weights = [6, 3, 2, 2, 1, 2, 1, 1, 1, 3, 1, 2, 2, 1, 1, 2, 1, 1, 1, 1]
        handlers = []
        for n in range(self.number(6, 14)):
            kind = self.random.choices(kinds, weights)[0]
            names = kind(n)
            self.functions += names
            if kind == self.handler:
                handlers.append(f"f{n}")
        self.header.insert(1, "void orphaned(u64 *s, u64 y, u64 *a);")
        self.files[1].append("void orphaned(u64 *s, u64 y, u64 *a) {\n#pragma omp for schedule(dynamic, 1)\n"
                             "  for (u32 i = 0; i < 9; ++i) { u64 own = 0; for (u32 k = 0; k < size; ++k) "
                             "own += mix(a[k] + i * y); *s ^= own; }\n}")
        calls = self.functions + handlers
        self.random.shuffle(calls)
        main = ["u64 counts[kernels];", "thread_local int fuel;",
                "int main() {", "  omp_set_max_active_levels(2);", "  omp_set_dynamic(0);",
                "  static u64 a[size]; u64 x = 1;", "  for (u32 i = 0; i < size; ++i) a[i] = mix(i + 1);"]
        for name in calls:
            main.append(f"  fuel = {self.number(20, 120)};\n  try {{ x = mix(x + {name}(x, a)); }} catch (...) {{ x += 11; }}")
        main += ["  for (u64 e : a) x = mix(x ^ e);", '  printf("%016lx\\n", x);',
                 '  for (u32 k = 0; k < kernels; ++k) if (counts[k]) printf("calls K%u %lu\\n", k, counts[k]);']
        if self.chance(10):
            # The process ends inside a kernel.
            self.leaves_open = True
            self.files[0].append('KERNEL(63) static void leave(u64 *a) { for (u32 i = 0; i < size; ++i) a[i] += i; fflush(stdout); exit(0); }')
            main += ['  printf("calls K63 1\\n");', "  leave(a);"]
        main += ["  return 0;", "}"]
        self.files[0].append("\n".join(main))

    def write(self, folder):
        self.program()
        with open(os.path.join(folder, "common.h"), "w", encoding="utf-8") as file:
            file.write("\n".join(self.header) + "\n")
        for name, text in zip(("a.cpp", "b.cpp"), self.files):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write('#include "common.h"\n' + "\n".join(text) + "\n")
        # Both files in one, for users that do not test how two files interact.
        with open(os.path.join(folder, "both.cpp"), "w", encoding="utf-8") as file:
            file.write('#include "a.cpp"\n#include "b.cpp"\n')


def write(seed, folder):
    """Writes the program. Returns (calls may be abandoned, calls may be open at the end)."""
    generator = Generator(seed)
    generator.write(folder)
    return generator.abandons, generator.leaves_open


if __name__ == "__main__":
    os.makedirs(sys.argv[2], exist_ok=True)
    write(int(sys.argv[1]), sys.argv[2])
