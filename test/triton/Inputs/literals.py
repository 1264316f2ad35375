"""literals.py STAGES_FOLDER: each form of a literal means after rewriting what it meant to Triton's own LLVM.
The module is printed as PTX by that LLVM, before and after."""

import os
import sys

sys.path.insert(0, sys.argv[1])
import triton_literals
from triton._C.libtriton import llvm

llvm.init_targets()
WIDTHS = {"half": 16, "bfloat": 16, "float": 32, "double": 64}
FORMS = ["0.0", "-0.0", "1.0", "1.", "+1.5", "0.1", "-0.1", "3.3", "1.000000e-01", "2.5e+02", "1.2e-2",
         "65504.0", "0.333333343", "6.0e-5", "+inf", "-inf", "+qnan", "-qnan", "+nan(0x7)", "-nan(0x7)",
         "+snan(0x7)", "-snan(0x7)", "0x3FF0000000000000"]
OF_TYPE = {
    "half": ["f0x3C00", "f0xFC01", "5.9604645e-08", "6.0975552e-05"],
    "bfloat": ["f0x3F80", "f0x7FC1", "9.2e-41", "3.3895e+38"],
    "float": ["f0x3FB8AA3B", "f0x7F800001", "f0x00000001", "f0x807FFFFF", "1.40129846e-45", "3.40282347e+38",
              "1.17549421e-38", "16777217.0", "8388609.5"],
    "double": ["f0x3FB99999A0000000", "f0x0000000000000001", "4.9406564584124654e-324",
               "1.7976931348623157e+308", "2.2250738585072011e-308"],
}


def ptx(module):
    return llvm.translate_to_asm(module, "nvptx64-nvidia-cuda", "sm_90a", "+ptx86", [], True, False, False)


lines = []
for kind, width in WIDTHS.items():
    for form in FORMS + OF_TYPE[kind]:
        lines.append(f"@g{len(lines)} = addrspace(1) global i{width} bitcast ({kind} {form} to i{width})"
                     f' ; {kind} "0.1" f0x1')
constants = len(lines)
lines += [
    '@s = addrspace(1) global [12 x i8] c"float f0x1.1"',
    "@v = addrspace(1) global <2 x float> <float 0.1, float +inf>",
    "declare nofpclass(nan inf) float @f.0.1(float, double)",
    'define ptx_kernel void @k(ptr addrspace(1) %p, i1 %"c 0.1 f0x7", float %x) {',
    '  %v.1.5 = select i1 %"c 0.1 f0x7", float 0.1, float -inf',
    "  %y = fadd float %x, %v.1.5, !fpmath !0",
    "  %z = fmul <2 x float> <float 0.3, float +qnan>, splat (float 0.7)",
    "  %e = extractelement <2 x float> %z, i32 1",
    '  %a = call float asm "add.f32 $0, $1, 0f3DCCCCCD; // 0.1 f0x1", "=f,f"(float 0.1)',
    "  %d = fpext float %a to double",
    "  %f = fcmp olt double %d, 0.1",
    "  %s = select i1 %f, float %y, float %e",
    "  store float %s, ptr addrspace(1) %p",
    "  ret void", "}", "!0 = !{float 2.500000e+00}"]
module = "\n".join(lines) + "\n"
changed = triton_literals.rewritten(module)
assert ptx(changed) == ptx(module)
with open(os.path.join(sys.argv[2], "changed.ll"), "w", encoding="utf-8") as file:
    file.write(changed)
print(constants, "literals mean what they meant")

for line in ("@x = global float f0x123456789", "@x = global half 65520.0", "@x = global fp128 0.1",
             "@x = global half +nan(0x400)", "= 0.1"):
    try:
        triton_literals.rewritten("\n" + line)
        raise SystemExit(f"taken: {line}")
    except triton_literals.NotUnderstood as why:
        print(why)
