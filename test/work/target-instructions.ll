; Instructions of x86 that have no other form in LLVM: what one call of each counts, by operation and type. Vectors
; whose lanes change places or width have no work.
; REQUIRES: llvm-22
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<select=all;work=on>' -S %s -o - | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare <16 x float> @llvm.x86.avx512.vfmadd.ps.512(<16 x float>, <16 x float>, <16 x float>, i32)
declare <16 x float> @llvm.x86.avx512.div.ps.512(<16 x float>, <16 x float>, i32)
declare <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32>, <64 x i8>, <64 x i8>)
declare <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16>, <32 x i16>)
declare <8 x float> @llvm.x86.avx.max.ps.256(<8 x float>, <8 x float>)
declare <4 x float> @llvm.x86.sse.rsqrt.ps(<4 x float>)
declare <16 x i8> @llvm.x86.avx512.mask.pmovus.db.512(<16 x i32>, <16 x i8>, i16)
declare void @llvm.x86.avx512.mask.pmovus.db.mem.512(ptr, <16 x i32>, i16)
declare <16 x i8> @llvm.x86.sse2.packuswb.128(<8 x i16>, <8 x i16>)
declare <16 x i32> @llvm.x86.avx512.psrav.d.512(<16 x i32>, <16 x i32>)

; CHECK: {\22f32.fma\22:16,\22vector.f32.fma\22:16}
define <16 x float> @fma(<16 x float> %a) {
  %r = call <16 x float> @llvm.x86.avx512.vfmadd.ps.512(<16 x float> %a, <16 x float> %a, <16 x float> %a, i32 8)
  ret <16 x float> %r
}
; CHECK: {\22f32.div\22:16,\22vector.f32.div\22:16}
define <16 x float> @div(<16 x float> %a) {
  %r = call <16 x float> @llvm.x86.avx512.div.ps.512(<16 x float> %a, <16 x float> %a, i32 8)
  ret <16 x float> %r
}
; CHECK: {\22i8.fma\22:64,\22vector.i8.fma\22:64}
define <16 x i32> @dot_bytes(<16 x i32> %a, <64 x i8> %b) {
  %r = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %a, <64 x i8> %b, <64 x i8> %b)
  ret <16 x i32> %r
}
; CHECK: {\22i16.fma\22:32,\22vector.i16.fma\22:32}
define <16 x i32> @dot_words(<32 x i16> %a) {
  %r = call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(<32 x i16> %a, <32 x i16> %a)
  ret <16 x i32> %r
}
; CHECK: {\22f32.minmax\22:8,\22vector.f32.minmax\22:8}
define <8 x float> @maximum(<8 x float> %a) {
  %r = call <8 x float> @llvm.x86.avx.max.ps.256(<8 x float> %a, <8 x float> %a)
  ret <8 x float> %r
}
; CHECK: {\22f32.estimate\22:4,\22vector.f32.estimate\22:4}
define <4 x float> @reciprocal(<4 x float> %a) {
  %r = call <4 x float> @llvm.x86.sse.rsqrt.ps(<4 x float> %a)
  ret <4 x float> %r
}
; CHECK: {\22i32.logic\22:16,\22i32.shift\22:32,\22vector.i32.logic\22:16,\22vector.i32.shift\22:32}
define <16 x i32> @shifts(<16 x i32> %a, <16 x i32> %b) {
  %r = call <16 x i32> @llvm.x86.avx512.psrav.d.512(<16 x i32> %a, <16 x i32> %b)
  %s = lshr <16 x i32> %r, splat (i32 3)
  %t = xor <16 x i32> %r, %s
  ret <16 x i32> %t
}
; CHECK: {\22scattered_write\22:16,\22write\22:16}
define <16 x i8> @narrow(<16 x i32> %a, <8 x i16> %b, ptr %to) {
  %r = call <16 x i8> @llvm.x86.avx512.mask.pmovus.db.512(<16 x i32> %a, <16 x i8> zeroinitializer, i16 -1)
  %s = call <16 x i8> @llvm.x86.sse2.packuswb.128(<8 x i16> %b, <8 x i16> %b)
  store <16 x i8> %s, ptr %to
  ret <16 x i8> %r
}
; CHECK: \22unknown\22:[\22instruction llvm.x86.avx512.mask.pmovus.db.mem.512\22]
define void @narrow_to_memory(<16 x i32> %a, ptr %to) {
  %b = add <16 x i32> %a, %a
  call void @llvm.x86.avx512.mask.pmovus.db.mem.512(ptr %to, <16 x i32> %b, i16 -1)
  ret void
}
