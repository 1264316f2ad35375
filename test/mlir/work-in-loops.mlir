// An operator inside a loop counts as often as the loop runs it. If that is unknown, or the operator is in a branch, its
// work is unknown.
// REQUIRES: mlir
// RUN: %mlir-opt --load-pass-plugin=%mlir-plugin %s --pass-pipeline='builtin.module(seamscope-capture,seamscope-print-ops)' -o /dev/null 2>&1 | FileCheck %s

// CHECK: {"op":"linalg.exp","name":"linalg.exp","result":"memref<16xf32>","function":"constant","file":"{{[^"]*}}","line":{{[0-9]+}},"column":{{[0-9]+}},"flops":64}
// CHECK-NEXT: {"op":"linalg.exp","name":"linalg.exp","result":"memref<16xf32>","function":"constant","file":"{{[^"]*}}","line":{{[0-9]+}},"column":{{[0-9]+}},"flops":48}
// CHECK-NEXT: {"op":"linalg.exp","name":"linalg.exp","result":"memref<16xf32>","function":"dynamic","file":"{{[^"]*}}","line":{{[0-9]+}},"column":{{[0-9]+}}}
// CHECK-NEXT: {"op":"linalg.exp","name":"linalg.exp","result":"memref<16xf32>","function":"branch","file":"{{[^"]*}}","line":{{[0-9]+}},"column":{{[0-9]+}}}
// CHECK-NOT: reads
func.func @constant(%a: memref<16xf32>) {
  affine.for %i = 0 to 4 {
    linalg.exp ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
  }
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c1 to %c6 step %c2 {
    linalg.exp ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
  }
  return
}
func.func @dynamic(%a: memref<16xf32>, %n: index) {
  affine.for %i = 0 to %n {
    linalg.exp ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
  }
  return
}
func.func @branch(%a: memref<16xf32>, %c: i1) {
  scf.if %c {
    linalg.exp ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
  }
  return
}
