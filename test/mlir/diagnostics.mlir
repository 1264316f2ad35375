// Errors are reported at the operator, or in one line.
// REQUIRES: mlir
// RUN: not %mlir-opt --load-pass-plugin=%mlir-plugin %s --pass-pipeline='builtin.module(seamscope-capture,seamscope-instrument)' -o %t 2>&1 | FileCheck %s --check-prefix=TENSORS
// RUN: not %mlir-opt --load-pass-plugin=%mlir-plugin %s --pass-pipeline='builtin.module(seamscope-instrument{level=foo})' -o %t 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: %mlir-opt --load-pass-plugin=%mlir-plugin %s --pass-pipeline='builtin.module(seamscope-instrument{level=launch})' -o %t 2>&1 | FileCheck %s --check-prefix=NOTHING

// TENSORS: diagnostics.mlir:[[# @LINE + 7]]:{{.*}} error: seamscope-instrument: cannot time an operation on tensors: run seamscope-instrument after bufferization
// LEVEL: error: seamscope-instrument: level=foo is not one of linalg, loops, launch and function
// NOTHING: warning: seamscope-instrument: no captured operators, so groups do not have their names{{.*}}run seamscope-capture before operators are fused
// NOTHING: remark: seamscope-instrument: level=launch found nothing to mark

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
