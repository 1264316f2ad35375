//===- TargetRegion.h - names of OpenMP target regions --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_KERNELS_TARGETREGION_H
#define SEAMSCOPE_TOOLS_KERNELS_TARGETREGION_H

#include <optional>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// The name to show for the function that a compiler makes of an `omp target` region: `relax
/// [target relax.cpp:5]`, as the pass names it, or `relax [target line 5]` without \p File.
/// Nothing: \p Symbol is not such a function.
std::optional<std::string> targetRegionName(std::string_view Symbol, std::string_view File);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_KERNELS_TARGETREGION_H
