//===- LibraryCalls.h - library calls of compiled graphs ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inductor writes a library call in one of these forms:
//
//   extern_kernels.mm(buf0, arg1_1, out=buf1)                     # for a matrix product
//   buf1 = torch.ops.aten.sort.stable(buf0, stable=False, dim=0)  # ATen's own: a fallback
//   aten.scatter_reduce_.two(buf0, 0, arg0_1, buf1, reduce='sum') # the same, in place
//   aoti_torch_cpu_scatter_reduce_two_out(buf0, buf0, 0, ...);    // the same in C++
//
// Calls that change a tensor in place lack provenance (CallsWithoutProvenance.h).
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_LIBRARYCALLS_H
#define SEAMSCOPE_TOOLS_TORCH_LIBRARYCALLS_H

#include <string>
#include <string_view>

namespace seamscope::tools {

/// The library function that a line of output code calls, "aten.scatter_reduce_.two"; empty if
/// none.
std::string libraryCalledIn(std::string_view Line);

/// Whether \p Kernel is the name of a library kernel, "extern_kernels.addmm".
bool isLibraryCall(std::string_view Kernel);

/// The name in traces of the operator of a library kernel: "extern_kernels.addmm" is "aten::addmm".
/// For C++ functions the overload stays in the name: "aten::sort_stable".
std::string operatorOfExtern(std::string_view Kernel);

/// Whether the library kernel \p Kernel runs \p Operator, "aten::sort".
bool runsOperator(std::string_view Kernel, std::string_view Operator);

/// Whether the library kernel \p Kernel is ATen's own code for an operator without generated code.
bool fallsBackToAten(std::string_view Kernel);

/// The common name of operators that do the same: "index_put" for "aten::index_put_" and
/// "aten::_unsafe_index_put".
std::string_view operatorFamily(std::string_view Operator);

/// The same for a library kernel; \p Operator: operatorOfExtern(Kernel), which it may refer to.
std::string_view operatorFamilyOfExtern(std::string_view Kernel, std::string_view Operator);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_LIBRARYCALLS_H
