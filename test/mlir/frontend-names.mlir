// Names and lines from locations as torch-mlir, JAX, TensorFlow and IREE write them.
// REQUIRES: mlir
// RUN: %mlir-opt --load-pass-plugin=%mlir-plugin %s --pass-pipeline='builtin.module(seamscope-capture,seamscope-print-ops)' -o /dev/null 2>&1 | FileCheck %s

func.func @front(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // torch-mlir, TorchScript: the name around the place.
  // CHECK: "name":"aten::exp","result":"tensor<4xf32>","function":"front","file":"/home/user/nets/model.py","line":12,"column":9,"flops":4
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      loc("aten::exp"("/home/user/nets/model.py":12:9))
  // torch-mlir, lazy tensors: the name next to the place, before or after it.
  // CHECK-NEXT: "name":"aten::log",{{.*}},"line":13,
  %1 = linalg.log ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      loc(fused["model.py":13:9, "aten::log"])
  // CHECK-NEXT: "name":"aten::abs",{{.*}},"line":14,
  %2 = linalg.abs ins(%1 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      loc(fused["aten::abs", "model.py":14:9])
  // torch-mlir, FX: a stack without names; the operation's name is shown.
  // CHECK-NEXT: "name":"linalg.ceil",{{.*}},"line":15,
  %3 = linalg.ceil ins(%2 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      loc(callsite("model.py":15:9 at callsite("train.py":80:1 at "main.py":3:1)))
  // CHECK-NEXT: "name":"aten.floor",{{.*}},"line":16,
  %4 = linalg.floor ins(%3 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      loc(callsite("aten.floor"("model.py":16:9) at "main.py":3:1))
  // JAX: a path of scopes; with its parameters; around functions of the stack; in pieces.
  // CHECK-NEXT: "name":"negf",{{.*}},"line":17,
  %5 = linalg.negf ins(%4 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      loc("jit(f)/jit(main)/negf"("model.py":17:3))
  // CHECK-NEXT: "name":"Dense_0/tanh",{{.*}},"line":18,
  %6 = linalg.tanh ins(%5 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      loc("jit(<lambda>)/jit(main)/Dense_0/tanh[accuracy=a/b]"("model.py":18:3))
  // CHECK-NEXT: "name":"exp",{{.*}},"line":19,
  %7 = linalg.exp ins(%6 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      loc("jit(f)/jit(main)/exp"(callsite("f"("model.py":19:3 to :9) at "<module>"("main.py":4:1))))
  // CHECK-NEXT: "name":"sqrt",{{.*}},"line":20,
  %8 = linalg.sqrt ins(%7 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      loc("sqrt"("jit(<lambda>)"("model.py":20:3)))
  // A name that consists only of scopes: the last one is shown.
  // CHECK-NEXT: "name":"jit(g)",{{.*}},"line":21,
  %9 = linalg.square ins(%8 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      loc("jit(f)/jit(g)"("model.py":21:3))
  // TensorFlow: the kind, then the name.
  // CHECK-NEXT: "name":"model/act/Relu@main",
  %10 = linalg.rsqrt ins(%9 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      loc(fused["Relu:", "model/act/Relu@main"])
  // CHECK-NEXT: "name":"jit",{{.*}},"line":22,
  %11 = linalg.round ins(%10 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      loc("jit:"("model.py":22:3))
  // IREE: one operation of several files; the first line is the place.
  // CHECK-NEXT: "name":"linalg.erf",{{.*}},"file":"attention.py","line":23,
  %12 = linalg.erf ins(%11 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      loc(fused["attention.py":23:3, "mlp.py":40:1, "norm.py":7:1])
  return %12 : tensor<4xf32>
}
