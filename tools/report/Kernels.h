//===- Kernels.h - renders the table of kernel launches -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_KERNELS_H
#define SEAMSCOPE_TOOLS_REPORT_KERNELS_H

#include "analysis/groups/KernelLaunches.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// The columns, in the order of PyProf.
enum class KernelColumn : uint8_t {
  Idx,
  Seq,
  AltSeq,
  Tid,
  Layer,
  Trace,
  Dir,
  Sub,
  Mod,
  Op,
  Kernel,
  Params,
  Sil,
  TC,
  Device,
  Stream,
  Grid,
  Block,
  Flops,
  Bytes,
};

/// The names that options and JSON have for the columns, in their order.
const std::vector<std::string> &kernelColumnNames();
std::optional<KernelColumn> kernelColumnOf(std::string_view Name);
std::vector<KernelColumn> allKernelColumns();
/// What the text shows when nothing else is asked for; PyProf's choice.
std::vector<KernelColumn> usualKernelColumns();

struct KernelsInput {
  const Trace *Source;
  const KernelLaunches *Launches;
  std::vector<uint32_t> Rows; ///< those shown, by index of KernelLaunches::Rows
  std::vector<KernelColumn> Columns;
};

/// The narrowest that kernelsText() can make these rows.
size_t leastKernelsWidth(const KernelsInput &Input);

/// For people: lines of at most \p Width characters if they can be. Text gives way, numbers are
/// shown whole. Bytes of the input that a terminal would obey are escaped.
std::string kernelsText(const KernelsInput &Input, size_t Width, bool Colours);

/// One line a kernel, with a line of names; every value whole, "-" where not known.
std::string kernelsCsv(const KernelsInput &Input);

/// seamscope.kernels/1, described in docs/formats.md.
std::string kernelsJson(const KernelsInput &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_KERNELS_H
