// The LLVM plugin adds stamps to MLIR kernels between bitcode and PTX, and libseamscope-mlir-cuda runs
// them; a failed launch ends the program.
// REQUIRES: mlir, llvm-22, cuda
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %mlir-opt %s --gpu-lower-to-nvvm-pipeline="cubin-chip=sm_80 cubin-features=+ptx80 cubin-format=llvm" -o binary.mlir
// RUN: %python %S/../../tools/mlir/seamscope-mlir-gpu.py %plugin-22 binary.mlir ptx.mlir
// RUN: %mlir-translate --mlir-to-llvmir ptx.mlir -o host.ll
// RUN: FileCheck %s --input-file=host.ll --check-prefix=PTX
// PTX: kernels_binary = {{.*}}__seamscope_gpu_control_v1{{.*}}globaltimer
// RUN: %clang-22 -w -shared -fPIC -I%cuda/include %S/Inputs/standin-driver.c -o libcuda.so.1
// RUN: %clang-22 -O1 -w host.ll %S/Inputs/gpu-main.c -L%runtime-lib -lseamscope-mlir-cuda -Wl,-rpath,%runtime-lib -o program
// RUN: env LD_LIBRARY_PATH=%t ./program | FileCheck %s --check-prefix=RIGHT
// RIGHT: registered 256 bytes
// RIGHT: right
// RUN: env LD_LIBRARY_PATH=%t STANDIN_FAIL=1 not ./program 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: seamscope: launching a kernel failed: cuLaunchKernel says CUDA_ERROR_LAUNCH_FAILED (719)
// FAILS-NOT: right
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @twice(%a: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %v = memref.load %a[%t] : memref<64xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %a[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func @run(%a: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %u = memref.cast %a : memref<64xf32> to memref<*xf32>
    gpu.host_register %u : memref<*xf32>
    gpu.launch_func @kernels::@twice blocks in (%c1,%c1,%c1) threads in (%c64,%c1,%c1) args(%a : memref<64xf32>)
    gpu.host_unregister %u : memref<*xf32>
    return
  }
  func.func @more(%h: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %z = arith.constant 0.0 : f32
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memcpy async [%t1] %d, %h : memref<64xf32>, memref<64xf32>
    %t3 = gpu.launch_func async [%t2] @kernels::@twice blocks in (%c1,%c1,%c1) threads in (%c64,%c1,%c1) args(%d : memref<64xf32>)
    %t4 = gpu.memcpy async [%t3] %h, %d : memref<64xf32>, memref<64xf32>
    %t5 = gpu.memset async [%t4] %d, %z : memref<64xf32>, f32
    %t6 = gpu.dealloc async [%t5] %d : memref<64xf32>
    gpu.wait [%t6]
    return
  }
}
