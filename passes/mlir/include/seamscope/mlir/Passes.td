//===- Passes.td - Seamscope's passes over MLIR ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_MLIR_PASSES_TD
#define SEAMSCOPE_MLIR_PASSES_TD

include "mlir/Pass/PassBase.td"

def CapturePass : Pass<"seamscope-capture", "::mlir::ModuleOp"> {
  let summary = "Number operators so that the numbers survive fusion";
  let description = [{
    Writes a table of all operators that compute into the module's attribute `seamscope.ops`: the
    operator's name (from its `NameLoc`, if it has one), the types of its results, its place in the
    source, its FLOPs and the bytes that it reads and writes. The locations of the operator and of
    the scalar operations in its body become `fused<{seamscope.op = N}>[place]`, where N is the
    operator's number in the table. Passes that fuse, tile, bufferize, inline or outline code keep
    locations.

    If a location names several places (`FusedLoc`), the first file and line is kept, so that
    debug information does not have line 0.

    Run it early, on linalg, tensor or a front end's operators, before operators are fused. It
    changes only locations and the module's attribute. If it runs again, operators keep their
    numbers.
  }];
  let statistics = [
    Statistic<"captured", "captured", "Operators in the table">
  ];
}

def InstrumentPass : Pass<"seamscope-instrument", "::mlir::ModuleOp"> {
  let summary = "Mark fused groups of operators to time each under the names of its operators";
  let description = [{
    Puts a begin and an end marker around each group: an outermost loop nest, a linalg operator on
    buffers, or the launch of a GPU kernel. A group is named after the operators that
    seamscope-capture numbered and that the locations inside refer to. Markers are calls of
    `__seamscope_group_enter_v1` and `__seamscope_group_exit_v1` (seamscope/group.h). Seamscope's
    LLVM plugin replaces them with its own hooks; without it they call libseamscope.

    Run it late: after fusion, tiling and bufferization, and before loops are lowered to branches.

    Functions get the names of their operators too (as the LLVM function attribute
    `seamscope-ops`), for functions that are timed as a whole, on the host or a GPU.
  }];
  let options = [
    Option<"level", "level", "std::string", "\"linalg\"",
           "Code to mark: linalg (loop nests and linalg operators that contain captured "
           "operators), loops (outermost loop nests of scf, affine and omp), launch "
           "(gpu.launch_func and gpu.launch), function (none: only functions get names)">
  ];
  let statistics = [
    Statistic<"groups", "groups", "Groups that got markers">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def PrintOpsPass : Pass<"seamscope-print-ops", "::mlir::ModuleOp"> {
  let summary = "Print the operators that seamscope-capture numbered";
  let description = [{
    Writes the table to the error stream, in the order of the numbers, one JSON object per line:
    `op`, `name`, `result`, `function`, `file`, `line`, `column`, `part_of`, `flops`, `reads` and
    `writes`. Unknown keys are absent. A value is `N.R`, result R of operator N, or `vK`, which no
    captured operator produces. Nothing is changed.
  }];
}

#endif // SEAMSCOPE_MLIR_PASSES_TD
