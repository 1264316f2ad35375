// level=loops marks outermost loop nests, with or without captured operators; level=launch marks
// launches of GPU kernels; level=function adds only names to functions. Marked nests do not contain
// markers, and neither does device code.
// REQUIRES: mlir
// RUN: %mlir-opt --load-pass-plugin=%mlir-plugin %s --pass-pipeline='builtin.module(seamscope-capture,seamscope-instrument{level=loops})' \
// RUN:   | FileCheck %s --check-prefix=LOOPS
// RUN: %mlir-opt --load-pass-plugin=%mlir-plugin %s --pass-pipeline='builtin.module(seamscope-capture,seamscope-instrument{level=launch})' \
// RUN:   | FileCheck %s --check-prefix=LAUNCH
// RUN: %mlir-opt --load-pass-plugin=%mlir-plugin %s --pass-pipeline='builtin.module(seamscope-capture,seamscope-instrument{level=function})' \
// RUN:   | FileCheck %s --check-prefix=FUNCTION

module attributes {gpu.container_module} {

// LOOPS-LABEL: func.func @nest
// LOOPS-COUNT-2: llvm.call @__seamscope_group_enter_v1
// LOOPS-NOT: llvm.call @__seamscope_group_enter_v1
// LAUNCH-LABEL: func.func @nest
// LAUNCH-NOT: llvm.call
// FUNCTION-NOT: llvm.call
// FUNCTION-LABEL: func.func @nest
// FUNCTION-SAME: attributes {passthrough = {{.}}["seamscope-ops", "{\22ops\22:[{\22column\22:7,\22file\22:\22k.py\22,\22line\22:3,\22name\22:\22scale\22,
func.func @nest(%a: memref<8x8xf32>, %c: i1, %k: f32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<8x8xf32>
      %y = arith.mulf %x, %k : f32 loc("scale"("k.py":3:7))
      affine.store %y, %a[%i, %j] : memref<8x8xf32>
    }
  }
  scf.if %c {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
      memref.store %k, %a[%i, %i] : memref<8x8xf32>
      scf.reduce
    }
  }
  return
}

gpu.module @device {
  // LAUNCH-LABEL: gpu.func @kernel
  // LAUNCH-SAME: passthrough = {{.}}["seamscope-ops", "{\22ops\22:[{{.*}}\22name\22:\22twice\22
  // LAUNCH-NOT: llvm.call
  gpu.func @kernel(%a: memref<8xf32>) kernel {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<8xf32>
    %y = arith.addf %x, %x : f32 loc("twice"("k.py":9:7))
    memref.store %y, %a[%i] : memref<8xf32>
    gpu.return
  }
}

// LAUNCH-LABEL: func.func @host
// LAUNCH: llvm.call @__seamscope_group_enter_v1
// LAUNCH-NEXT: gpu.launch_func
// LAUNCH-NEXT: llvm.call @__seamscope_group_exit_v1
func.func @host(%a: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch_func @device::@kernel blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%a : memref<8xf32>)
  return
}

}
