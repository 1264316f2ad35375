// Markers in a nested module refer to symbols of that module; device code does not have markers.
// REQUIRES: mlir
// RUN: %mlir-opt --load-pass-plugin=%mlir-plugin %s --pass-pipeline='builtin.module(seamscope-capture,seamscope-instrument)' | FileCheck %s
// RUN: %mlir-opt --load-pass-plugin=%mlir-plugin %s --pass-pipeline='builtin.module(seamscope-capture,seamscope-instrument{level=loops})' | FileCheck %s --check-prefix=LOOPS

// CHECK: module @inner
// CHECK: llvm.func @__seamscope_group_enter_v1
// CHECK: llvm.call @__seamscope_group_enter_v1
// CHECK-NEXT: linalg.exp
// CHECK: gpu.launch
// CHECK-NOT: llvm.call
// CHECK: gpu.terminator
// LOOPS-NOT: llvm.call @__seamscope
module {
  module @inner {
    func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
      linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
      return
    }
  }
  func.func @launches(%a: memref<4xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%bx = %c1, %by = %c1, %bz = %c1) {
      scf.for %i = %c0 to %n step %c1 {
        %v = memref.load %a[%i] : memref<4xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %a[%i] : memref<4xf32>
      }
      gpu.terminator
    }
    return
  }
}
