"""retarget.py DEVICE.ll HOST.ll: rewrites the IR of a device module after clang and the pass for a compiler
for this machine. Special registers and barriers become functions of standin.h. All kinds of memory become
one, so that blocks run one after the other.

Unknown constructs are errors; nothing is left out silently.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

ASM = {
    r'mov.u64 $0, %globaltimer;\0A\09mov.u64 $1, %clock64;': "standin_clocks_at_entry",
    r'mov.u64 $0, %clock64;\0A\09mov.u64 $1, %globaltimer;': "standin_clocks_at_exit",
    r'activemask.b32 $0;': "standin_activemask",
    r'mov.u64 $0, %gridid;': "standin_gridid",
    r'mov.u64 $0, %clock64;': "standin_clock",
    r'bar.warp.sync 0xffffffff;': "standin_warp_sync",
    r'membar.gl;': "standin_membar",
    r'mov.u64 $0, %globaltimer;': "standin_timer",
}
REGISTERS = [f"{size}{what}.{axis}" for size in ("", "n") for what in ("tid", "ctaid")
             for axis in "xyz"] + ["laneid", "smid"]
INTRINSICS = {
    **{f"llvm.nvvm.read.ptx.sreg.{name}": "standin_" + name.replace(".", "_") for name in REGISTERS},
    "llvm.nvvm.barrier.cta.sync.aligned.all": "standin_barrier",
}
# Between threads of a warp.
EXCHANGES = {
    "llvm.nvvm.match.all.sync.i64p": "standin_match_all",
    "llvm.nvvm.redux.sync.add": "standin_redux_add",
    "llvm.nvvm.shfl.sync.idx.i32": "standin_shfl_idx_i32",
    "llvm.nvvm.shfl.sync.down.i32": "standin_shfl_down_i32",
    "llvm.nvvm.shfl.sync.down.f32": "standin_shfl_down_f32",
}
# Instructions whose results no test looks at.
ZERO = r"llvm\.nvvm\.(?:wmma|mma|ldmatrix|ex2|lg2|rcp|rsqrt|sqrt|fma|idp4a)\.[\w.]+"


def inline_asm(text, used):
    def replaced(match):
        kind, code = match.group(1), match.group(2)
        register = re.fullmatch(r"mov\.u32 \$0, %([a-z.]+);", code)
        name = ASM.get(code)
        if register and register.group(1) in REGISTERS:
            name = "standin_" + register.group(1).replace(".", "_")
        if name is None:
            raise SystemExit(f"retarget.py: unknown inline assembly: {code}")
        used[name] = kind
        return f"call {kind} @{name}("

    return re.sub(r'call (void|i32|i64|\{ i64, i64 \}) asm sideeffect "([^"]*)", "[^"]*"\(', replaced, text)


def split(parameters):
    """Splits at commas outside of brackets."""
    parts, depth, last = [], 0, 0
    for at, character in enumerate(parameters):
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and not depth:
            parts.append(parameters[last:at])
            last = at + 1
    return [part.strip() for part in parts + [parameters[last:]] if part.strip()]


def ways_in(text):
    """For each kernel, a function that is called with the addresses of its arguments."""
    # Until LLVM 20 metadata names the kernels.
    named = set(re.findall(r'^!\d+ = !\{ptr @(\w+), !"kernel", i32 1\}', text, re.M))
    for before, name, parameters in re.findall(r"^define ([^@]*)void @(\w+)\((.*)\) [^()]*\{", text, re.M):
        if "ptx_kernel" not in before and name not in named:
            continue
        body, values = "", []
        for number, parameter in enumerate(split(parameters)):
            kind = parameter.split()[0]
            body += (f"  %p{number} = getelementptr ptr, ptr %arguments, i64 {number}\n"
                     f"  %a{number} = load ptr, ptr %p{number}\n")
            by_value = re.search(r"byval\(([^)]*)\)", parameter)
            if by_value:
                values.append(f"ptr byval({by_value.group(1)}) %a{number}")
                continue
            body += f"  %v{number} = load {kind}, ptr %a{number}\n"
            values.append(f"{kind} %v{number}")
        yield (f"\ndefine void @standin_run_{name}(ptr %arguments) {{\n{body}"
               f"  call void @{name}({', '.join(values)})\n  ret void\n}}\n")


def retarget(text):
    text += "".join(ways_in(text))
    used = {}
    text = inline_asm(text, used)
    text = re.sub(r"^target (datalayout|triple) = .*\n", "", text, flags=re.M)
    # Shared memory has no initial value; external declarations belong to other files.
    text = re.sub(r"\bexternally_initialized ", "", text)
    text = re.sub(r" ?addrspace\(\d+\)", "", text)
    text = re.sub(r"addrspacecast \((ptr [^ ]+) to ptr\)", lambda m: m.group(1)[4:], text)
    text = re.sub(r"addrspacecast ptr ([^ ,]+) to ptr", r"getelementptr i8, ptr \1, i64 0", text)
    text = text.replace("ptx_kernel ", "")
    text = re.sub(r'"(target-cpu|target-features|nvvm\.[a-z]+|uniform-work-group-size)"="[^"]*"', "", text)
    # The name of the barrier, and no number of one, until LLVM 20.
    text = re.sub(r"@llvm\.nvvm\.barrier0\(", "@standin_barrier(i32 0", text)
    for name, function in INTRINSICS.items():
        text = re.sub(r"@" + re.escape(name) + r"(?=\()", "@" + function, text)
    text = re.sub(r"^declare .*@llvm\.nvvm\..*$", lambda m: re.sub(r" captures\(\w+\)", "", m.group()), text,
                  flags=re.M)
    for name, function in EXCHANGES.items():
        text = re.sub(r"^declare ([^@]*)@" + re.escape(name) + r"\(([^)]*)\).*$",
                      rf"declare \1@{function}(\2)", text, flags=re.M)
        text = re.sub(r"@" + re.escape(name) + r"(?=\()", "@" + function, text)
    text = re.sub(r"^declare ([^@]*)@(" + ZERO + r")\(([^)]*)\).*$", zero, text, flags=re.M)
    text = re.sub(r"@" + ZERO, lambda m: m.group().replace("llvm.nvvm.", "zero."), text)
    left = sorted(set(re.findall(r"@(llvm\.nvvm\.[\w.]+)", text)))
    if left:
        raise SystemExit(f"retarget.py: unknown intrinsics: {', '.join(left)}")
    # Threads change between two reads, so these are not constant.
    text = re.sub(r"^declare .*(@standin_\w+)\(.*$",
                  lambda m: m.group() if m.group(1)[1:] in EXCHANGES.values() else declared(m.group(1)), text,
                  flags=re.M)
    known = set(re.findall(r"^declare .*@(standin_\w+)\(", text, flags=re.M))
    for name in sorted(set(used) - known):
        text += f"\ndeclare {used[name]} @{name}()\n"
    return text


def zero(match):
    kind, name, parameters = match.groups()
    kind = kind.split("noundef ")[-1].strip()
    types = ", ".join(each.split()[0] if "{" not in each and "<" not in each else each
                      for each in split(parameters))
    result = "void" if kind == "void" else kind + " zeroinitializer"
    return f"define {kind} @{name}({types}) noinline {{\n  ret {result}\n}}"


def declared(name):
    return f"declare void {name}(i32)" if name == "@standin_barrier" else f"declare i32 {name}()"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(retarget(text))


main()
