// Two linalg functions whose operators become three GPU kernels: the four of chain are fused into one; mlp has two
// kernels with one name. The caller owns all buffers. check-gpu-road.py finds lines by the comments at their ends.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
module {
  func.func @chain(%a: memref<32x64xf32>, %b: memref<32x64xf32>, %out: memref<32x64xf32>) {
    %x = bufferization.to_tensor %a restrict : memref<32x64xf32> to tensor<32x64xf32>
    %y = bufferization.to_tensor %b restrict : memref<32x64xf32> to tensor<32x64xf32>
    %r = tensor.empty() : tensor<32x64xf32>
    %0 = linalg.add ins(%x, %y : tensor<32x64xf32>, tensor<32x64xf32>) outs(%r : tensor<32x64xf32>) -> tensor<32x64xf32> // first add
    %1 = linalg.add ins(%0, %y : tensor<32x64xf32>, tensor<32x64xf32>) outs(%r : tensor<32x64xf32>) -> tensor<32x64xf32>
    %2 = linalg.mul ins(%1, %x : tensor<32x64xf32>, tensor<32x64xf32>) outs(%r : tensor<32x64xf32>) -> tensor<32x64xf32>
    %3 = linalg.add ins(%2, %y : tensor<32x64xf32>, tensor<32x64xf32>) outs(%r : tensor<32x64xf32>) -> tensor<32x64xf32> // last add
    bufferization.materialize_in_destination %3 in restrict writable %out : (tensor<32x64xf32>, memref<32x64xf32>) -> ()
    return
  }
  func.func @mlp(%a: memref<32x16xf32>, %b: memref<16x64xf32>, %bias: memref<64xf32>, %sum: memref<32x64xf32>,
                 %out: memref<32x64xf32>) {
    %x = bufferization.to_tensor %a restrict : memref<32x16xf32> to tensor<32x16xf32>
    %w = bufferization.to_tensor %b restrict : memref<16x64xf32> to tensor<16x64xf32>
    %v = bufferization.to_tensor %bias restrict : memref<64xf32> to tensor<64xf32>
    %s = bufferization.to_tensor %sum restrict writable : memref<32x64xf32> to tensor<32x64xf32>
    %r = tensor.empty() : tensor<32x64xf32>
    %zero = arith.constant 0.0 : f32
    %0 = linalg.matmul ins(%x, %w : tensor<32x16xf32>, tensor<16x64xf32>) outs(%s : tensor<32x64xf32>) -> tensor<32x64xf32> // matmul
    %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} // bias
        ins(%0, %v : tensor<32x64xf32>, tensor<64xf32>) outs(%r : tensor<32x64xf32>) {
      ^bb0(%p: f32, %q: f32, %o: f32):
        %t = arith.addf %p, %q : f32
        linalg.yield %t : f32
    } -> tensor<32x64xf32>
    %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} // relu
        ins(%1 : tensor<32x64xf32>) outs(%r : tensor<32x64xf32>) {
      ^bb0(%p: f32, %o: f32):
        %t = arith.maximumf %p, %zero : f32
        linalg.yield %t : f32
    } -> tensor<32x64xf32>
    bufferization.materialize_in_destination %2 in restrict writable %out : (tensor<32x64xf32>, memref<32x64xf32>) -> ()
    return
  }
}
