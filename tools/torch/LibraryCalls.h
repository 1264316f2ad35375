//===- LibraryCalls.h - what compiled graphs leave to libraries -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inductor writes a library's call in one of these forms:
//
//   extern_kernels.mm(buf0, arg1_1, out=buf1)                     # chosen for a product
//   buf1 = torch.ops.aten.sort.stable(buf0, stable=False, dim=0)  # ATen's own: a fallback
//   aten.scatter_reduce_.two(buf0, 0, arg0_1, buf1, reduce='sum') # the same, in place
//   aoti_torch_cpu_scatter_reduce_two_out(buf0, buf0, 0, ...);    // the same in C++
//
// Calls that change a tensor in place have no provenance.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_LIBRARYCALLS_H
#define SEAMSCOPE_TOOLS_TORCH_LIBRARYCALLS_H

#include "torch/FxGraph.h"
#include "torch/OutputCode.h"
#include "torch/Provenance.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// The function that a line of output code calls if it is a library's, "aten.scatter_reduce_.two";
/// empty: it calls none.
std::string libraryCalledIn(std::string_view Line);

/// How a trace names the operator of a library's kernel: "extern_kernels.addmm" is "aten::addmm".
/// Of the C++ functions the operator's overload stays in the name: "aten::sort_stable".
std::string operatorOfExtern(std::string_view Kernel);

/// Whether \p Kernel, a library's, runs \p Operator, "aten::sort".
bool runsOperator(std::string_view Kernel, std::string_view Operator);

/// Whether \p Kernel, a library's, is ATen's own code for an operator, which Inductor generates no
/// code for.
bool fallsBackToAten(std::string_view Kernel);

/// By call of \p Code for which \p Map has no entry, the node of \p PostGrad that it computes. Only
/// where the calls and the nodes of such operators pair up without doubt.
std::map<uint32_t, uint32_t> nodesWithoutProvenance(const OutputCode &Code, const FxGraph &PostGrad,
                                                    const Provenance &Map);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_LIBRARYCALLS_H
