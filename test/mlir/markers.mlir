// Fusion turned several operators into a group: markers are around its loop nest, describe it, and do
// not access the program's memory.
// REQUIRES: mlir
// RUN: %mlir-opt --load-pass-plugin=%mlir-plugin %s --pass-pipeline='builtin.module(seamscope-capture,linalg-fuse-elementwise-ops,one-shot-bufferize{bufferize-function-boundaries},seamscope-instrument,convert-linalg-to-loops)' \
// RUN:   | FileCheck %s

// CHECK-DAG: llvm.mlir.global internal @[[$GROUP:__seamscope_group]]("\00\00\00\00\00\00\00\007\005\00add+mul\00f\00m.py\00{\22bytes\22:192,\22flops\22:32,\22ops\22:[{\22column\22:5,\22file\22:\22m.py\22,\22line\22:7,\22name\22:\22add\22,\22op\22:\22linalg.generic\22,\22type\22:\22tensor<16xf32>\22},{{.*}}\22line\22:8,\22name\22:\22mul\22,{{.*}}],\22unfused_bytes\22:320}\00") {addr_space = 0 : i32, alignment = 8 : i64}
// CHECK-DAG: llvm.func @__seamscope_group_enter_v1(!llvm.ptr, !llvm.ptr) attributes {memory_effects = #llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = readwrite{{.*}}>, no_unwind, will_return}
// CHECK-LABEL: func.func @f(
// CHECK-DAG: %[[FRAME:.*]] = llvm.alloca
// CHECK-DAG: %[[ADDRESS:.*]] = llvm.mlir.addressof @[[$GROUP]]
// CHECK: llvm.call @__seamscope_group_enter_v1(%[[ADDRESS]], %[[FRAME]])
// CHECK-NEXT: scf.for
// CHECK: }
// CHECK-NEXT: llvm.call @__seamscope_group_exit_v1(%[[FRAME]])
// CHECK-NOT: llvm.call
#map = affine_map<(i) -> (i)>
func.func @f(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %s = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<16xf32> loc("add"("m.py":7:5))
  %p = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%s : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %z = arith.mulf %x, %x : f32
    linalg.yield %z : f32
  } -> tensor<16xf32> loc("mul"("m.py":8:5))
  return %p : tensor<16xf32>
}
