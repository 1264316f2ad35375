//===- Passes.td - Seamscope's passes over MLIR ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_MLIR_PASSES_TD
#define SEAMSCOPE_MLIR_PASSES_TD

include "mlir/Pass/PassBase.td"

def CapturePass : Pass<"seamscope-capture", "::mlir::ModuleOp"> {
  let summary = "Give each operator that computes an identity that fusion keeps";
  let description = [{
    Writes what is known of each operator that computes into one table, the module's attribute
    `seamscope.ops`: its name (that of its `NameLoc`, where it has one), the types of its results,
    its place in the source, its FLOPs and the bytes that it reads and writes. The operator's
    location becomes `fused<{seamscope.op = N}>[place]`, and so do those of the scalar operators in
    its body: whatever fuses, tiles, bufferizes, inlines or outlines code keeps locations, and N is
    the operator's number in the table.

    The place of a location that names several (`FusedLoc`) is the first of them that is a line of
    a file, so that debug information has a line in place of line 0.

    Run it early, on linalg, tensor or the operators of a front end, before anything is fused. It
    changes locations and the module's attribute, and nothing else. What was captured before keeps
    its number when it runs again.
  }];
  let statistics = [
    Statistic<"captured", "captured", "Operators in the table">
  ];
}

def InstrumentPass : Pass<"seamscope-instrument", "::mlir::ModuleOp"> {
  let summary = "Mark fused groups of operators, so that each is timed under its operators' names";
  let description = [{
    Puts a begin and an end marker around each group: an outermost loop nest, an operator of linalg
    on buffers, or the launch of a GPU kernel, with the operators that seamscope-capture numbered
    and that are found in the locations inside. Markers are calls of
    `__seamscope_group_enter_v1` and `__seamscope_group_exit_v1` (seamscope/group.h). Seamscope's
    plugin for LLVM makes its own hooks of them; without it the calls reach libseamscope.

    Run it late: behind fusion, tiling and bufferization, and before loops are lowered to branches.

    Functions get the names of their operators, too (as the LLVM function attribute
    `seamscope-ops`), for those that are timed as a whole, on the host or a GPU.
  }];
  let options = [
    Option<"level", "level", "std::string", "\"linalg\"",
           "What is marked: linalg (loop nests and operators of linalg that hold captured "
           "operators), loops (outermost loop nests of scf, affine and omp), launch "
           "(gpu.launch_func and gpu.launch), function (nothing: only functions get names)">
  ];
  let statistics = [
    Statistic<"groups", "groups", "Groups that got markers">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def PrintOpsPass : Pass<"seamscope-print-ops", "::mlir::ModuleOp"> {
  let summary = "Print what seamscope-capture noted of each operator";
  let description = [{
    Writes the table to the error stream, one operator a line as a JSON object, in the order of
    their numbers: `op`, `name`, `result`, `function`, `file`, `line`, `column`, `part_of`, `flops`,
    `reads` and `writes`. Keys of what is not known are absent. Values are `N.R`, result R of
    operator N, or `vK`, which no captured operator makes. It changes nothing.
  }];
}

#endif // SEAMSCOPE_MLIR_PASSES_TD
