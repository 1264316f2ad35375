; A vector of which one lane is read is loaded as one element.
; REQUIRES: llvm-22
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<select=all;work=on>' -S %s -o - | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK: {\22f32.add\22:2,\22read\22:4,
define <2 x float> @splat(ptr %p, <2 x float> %a) {
  %v = load <4 x float>, ptr %p
  %s = shufflevector <4 x float> %v, <4 x float> poison, <2 x i32> zeroinitializer
  %r = fadd <2 x float> %s, %a
  ret <2 x float> %r
}
; CHECK: {\22f64.add\22:1,\22read\22:8,
define double @extraction(ptr %p, double %a) {
  %v = load <2 x double>, ptr %p
  %s = extractelement <2 x double> %v, i32 1
  %r = fadd double %s, %a
  ret double %r
}
; CHECK: {\22f32.mul\22:2,\22read\22:16,
define <2 x float> @two_lanes(ptr %p, <2 x float> %a) {
  %v = load <4 x float>, ptr %p
  %s = shufflevector <4 x float> %v, <4 x float> poison, <2 x i32> <i32 0, i32 2>
  %r = fmul <2 x float> %s, %a
  ret <2 x float> %r
}
; CHECK: {\22f32.div\22:1,\22read\22:16,
define float @volatile(ptr %p, float %a) {
  %v = load volatile <4 x float>, ptr %p
  %s = extractelement <4 x float> %v, i32 0
  %r = fdiv float %s, %a
  ret float %r
}
; The code generator looks at one block at a time.
; CHECK: {\22read\22:16,
; CHECK: {\22f64.mul\22:1
define double @elsewhere(ptr %p, double %a, i1 %c) {
entry:
  %v = load <2 x double>, ptr %p
  br i1 %c, label %then, label %end
then:
  %s = extractelement <2 x double> %v, i32 1
  %r = fmul double %s, %a
  ret double %r
end:
  ret double %a
}
