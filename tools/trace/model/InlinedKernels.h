//===- InlinedKernels.h - kernels without events, inlined ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_MODEL_INLINEDKERNELS_H
#define SEAMSCOPE_TOOLS_TRACE_MODEL_INLINEDKERNELS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Kernels that the optimiser inlined, so that no calls were recorded.
class InlinedKernels {
public:
  struct Kernel {
    std::string Name, File;
    int64_t Line; ///< 0: not known
    bool operator==(const Kernel &) const = default;
  };

  /// Adds one, unless it was added before. \p Line: below 1 means not known.
  void add(std::string_view Name, std::string_view File, int64_t Line);

  /// Adds \p Count more kernels of headers, whose names were not kept.
  void addUnnamed(uint64_t Count) {
    Unnamed = Unnamed + Count < Unnamed ? UINT64_MAX : Unnamed + Count;
  }

  /// Adds those of another trace of the same program; kernels of headers count once.
  void add(const InlinedKernels &Others);

  const std::vector<Kernel> &named() const { return Named; }
  uint64_t unnamed() const { return Unnamed; }

  bool empty() const { return Named.empty(); }

  /// A sentence that names the first of them and what to do; names as in the trace, unescaped.
  std::string sentence() const;

private:
  std::vector<Kernel> Named;
  uint64_t Unnamed = 0;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_MODEL_INLINEDKERNELS_H
