; Inline assembly of x86 counts where each of its instructions is known: by name, and by the types of its operands. The
; other has unknown work.
; REQUIRES: llvm-22
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<select=all;work=on>' -S %s -o - | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK: {\22f32.fma\22:8,\22vector.f32.fma\22:8}
define <8 x float> @fused(<8 x float> %a, <8 x float> %b, <8 x float> %c) {
  %r = call <8 x float> asm "vfmadd231ps $1, $2, $0", "=x,x,x,0"(<8 x float> %a, <8 x float> %b, <8 x float> %c)
  ret <8 x float> %r
}
; One lane is read.
; CHECK: {\22f64.fma\22:1,\22vector.f64.fma\22:1}
define double @lane(<2 x double> %a, <2 x double> %b) {
  %r = call <2 x double> asm "vfnmsub132pd $1, $2, $0", "=x,x,x,0"(<2 x double> %a, <2 x double> %b, <2 x double> %b)
  %s = extractelement <2 x double> %r, i32 0
  ret double %s
}
; Registers of integers have the same bits.
; CHECK: {\22f32.mul\22:16,\22vector.f32.mul\22:16}
define <8 x i64> @integers(<8 x i64> %a) {
  %r = call <8 x i64> asm "vmulps $1, $1, $0", "=v,v"(<8 x i64> %a)
  ret <8 x i64> %r
}
; CHECK: {\22f32.add\22:1,\22read\22:4,\22scattered_read\22:4}
define float @alternatives(float %a, ptr %p) {
  %r = call float asm "$(addss $1, $0$|addss $0, $1$)", "=x,*m,0"(ptr elementtype(float) %p, float %a)
  ret float %r
}
; CHECK: {\22f64.div\22:1,\22read\22:8,\22scattered_read\22:8}
define double @intel(double %a, ptr %p) {
  %r = call double asm inteldialect "vdivsd $0, $2, $1", "=x,*m,x"(ptr elementtype(double) %p, double %a)
  ret double %r
}
; CHECK: {\22f32.add\22:8,\22f32.sqrt\22:4,\22f64.minmax\22:1,\22vector.f32.add\22:8,\22vector.f32.sqrt\22:4}
define <8 x float> @several(<8 x float> %a, double %b) {
  %r = call { <8 x float>, double } asm "vsubps $2, $2, ${0:t} # a - a\0A\09sqrtps ${2:x}, %xmm9; minsd $3, $1", "=x,=x,x,x,1,~{xmm9}"(<8 x float> %a, double %b, double %b)
  %s = extractvalue { <8 x float>, double } %r, 0
  ret <8 x float> %s
}
; CHECK: {\22word\22:0,\22lines\22:{{\[\[}}-1,0,{\22f32.add\22:4,\22vector.f32.add\22:4}]]}
define <4 x float> @nothing(<4 x float> %a) {
  call void asm sideeffect "", "~{memory}"()
  call void asm sideeffect "# begin of a loop", ""()
  %r = fadd <4 x float> %a, %a
  ret <4 x float> %r
}
; An addition tells these functions apart.
; CHECK: \22unknown\22:[\22inline assembly\22],\22lines\22:{{\[\[}}-1,0,{\22f32.add\22:2,
define <4 x float> @unknown_name(<4 x float> %a, <2 x float> %b, ptr %p) {
  %r = call <4 x float> asm "vshufps $$0, $1, $1, $0", "=x,x"(<4 x float> %a)
  %s = fadd <2 x float> %b, %b
  store <2 x float> %s, ptr %p
  ret <4 x float> %r
}
; CHECK: \22unknown\22:[\22inline assembly\22],\22lines\22:{{\[\[}}-1,0,{\22f32.add\22:4,
define <4 x float> @one_unknown(<4 x float> %a) {
  %r = call <4 x float> asm "vaddps $1, $1, $0; vzeroupper", "=x,x"(<4 x float> %a)
  %s = fadd <4 x float> %r, %r
  ret <4 x float> %s
}
; The compiler chooses a register or memory later.
; CHECK: \22unknown\22:[\22inline assembly\22],\22lines\22:{{\[\[}}-1,0,{\22f32.add\22:1}
define float @either(float %a) {
  %r = call float asm "addss $1, $0", "=x,xm,0"(float %a, float %a)
  %s = fadd float %r, %r
  ret float %s
}
; CHECK: \22unknown\22:[\22inline assembly\22],\22lines\22:{{\[\[}}-1,0,{\22f32.add\22:16,
define <16 x float> @masked(<16 x float> %a) {
  %r = call <16 x float> asm "vaddps $1, $1, ${0}{%k1}", "=v,v"(<16 x float> %a)
  %s = fadd <16 x float> %r, %r
  ret <16 x float> %s
}
; CHECK: \22unknown\22:[\22inline assembly\22],\22lines\22:{{\[\[}}-1,0,{\22f64.add\22:1}
define double @stores(ptr %p, float %a, double %b) {
  call void asm "addss $1, $0", "=*m,x"(ptr elementtype(float) %p, float %a)
  %s = fadd double %b, %b
  ret double %s
}
