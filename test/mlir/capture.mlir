// The table has each operator's name, place, types, work, and the readers of its results; locations
// keep the operator's number.
// REQUIRES: mlir
// RUN: %mlir-opt --load-pass-plugin=%mlir-plugin %s --pass-pipeline='builtin.module(seamscope-capture)' \
// RUN:   --mlir-print-debuginfo | FileCheck %s
// RUN: %mlir-opt --load-pass-plugin=%mlir-plugin %s --pass-pipeline='builtin.module(seamscope-capture,seamscope-print-ops)' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=TABLE

// CHECK: module attributes {seamscope.ops = {records = array<i64: {{.*}}, version = 1 : i64}}
// The product: 2 m n k FLOPs; it reads a, b and the result of fill.
// TABLE: {"op":"linalg.fill","name":"aten.fill","result":"tensor<8x16xf32>","function":"mlp","file":"model.py","line":10,"column":5,"flops":0,
// TABLE-SAME: "writes":[{"value":"0.0","bytes":512,"readers":[1],"escapes":false}]}
// TABLE-NEXT: {"op":"linalg.matmul","name":"aten.mm","result":"tensor<8x16xf32>","function":"mlp","file":"model.py","line":11,"column":5,"flops":8192,"reads":[{"value":"v{{[0-9]+}}","bytes":1024},{"value":"v{{[0-9]+}}","bytes":2048},{"value":"0.0","bytes":512}],"writes":[{"value":"1.0","bytes":512,"readers":[2],"escapes":false}]}
// The readers of the result are unknown here.
// TABLE-NEXT: "name":"linalg.generic(maximumf)"
// TABLE-SAME: "writes":[{"value":"2.0","bytes":512,"readers":[],"escapes":true}]}
func.func @mlp(%a: tensor<8x32xf32>, %b: tensor<32x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
      loc("aten.fill"("model.py":10:5))
  %m = linalg.matmul ins(%a, %b : tensor<8x32xf32>, tensor<32x16xf32>) outs(%f : tensor<8x16xf32>)
      -> tensor<8x16xf32> loc("aten.mm"("model.py":11:5))
  // CHECK: arith.maximumf {{.*}} loc(#[[BODY:loc[0-9]*]])
  // CHECK: } -> tensor<8x16xf32> loc(#[[BODY]])
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %zero : f32 loc(unknown)
    linalg.yield %y : f32 loc(unknown)
  } -> tensor<8x16xf32> loc(fused["lib.py":3:1, "model.py":12:5])
  return %r : tensor<8x16xf32>
}
// The first of several places is kept, so that debug information has a line.
// CHECK-DAG: #[[PLACE:loc[0-9]*]] = loc("lib.py":3:1)
// CHECK-DAG: #[[BODY]] = loc(fused<{seamscope.op = 2 : i64}>[#[[PLACE]]])
