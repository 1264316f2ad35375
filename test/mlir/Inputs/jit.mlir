func.func @twice(%a: tensor<64xf32>) -> tensor<64xf32> attributes {no_inline} {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  } -> tensor<64xf32> loc("twice"("model.py":5:3))
  return %r : tensor<64xf32>
}
func.func @main() -> f32 attributes {llvm.emit_c_interface} {
  %c3 = arith.constant 3 : index
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %a = func.call @twice(%half) : (tensor<64xf32>) -> tensor<64xf32>
  %b = func.call @twice(%a) : (tensor<64xf32>) -> tensor<64xf32>
  %c = func.call @twice(%b) : (tensor<64xf32>) -> tensor<64xf32>
  %x = tensor.extract %c[%c3] : tensor<64xf32>
  return %x : f32
}
