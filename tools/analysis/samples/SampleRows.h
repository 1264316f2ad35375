//===- SampleRows.h - samples by kernel, function and line -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_SAMPLEROWS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_SAMPLEROWS_H

#include "analysis/core/KernelRows.h"
#include "analysis/samples/CodeNames.h"
#include "analysis/samples/Proportion.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// By sample, the row of KernelRows of the innermost call that was open on its thread; None: none
/// was.
std::vector<uint32_t> rowsOfSamples(const Trace &Input, const KernelRows &Rows);

/// By row (None: no row) and thread, how long the thread ran in it and in no inner kernel. Threads
/// whose switches are not known have nothing.
std::map<std::pair<uint32_t, TrackId>, int64_t> runningOfRows(const Trace &Input,
                                                              const KernelRows &Rows);

/// By row, and at the end outside of rows, the part of its running time in codes of \p Names that
/// \p Is has, by index; nothing: fewer than LeastSamples hit them.
std::vector<std::optional<Proportion>> sharesOfRows(const Trace &Input, const KernelRows &Rows,
                                                    const CodeNames &Names,
                                                    const std::vector<bool> &Is);

/// Samples of one kind of code, and the running time that they stand for.
struct SampleRow {
  SiteId Kernel = 0;             ///< the first site of its row
  std::string Key;               ///< for rows of --by
  std::string Function, Library; ///< innermost, inlined or not; empty: not known
  std::string Symbol;            ///< the function whose code it is
  std::string File;
  uint32_t Line = 0; ///< of Function
  uint64_t Samples = 0;
  double Weight = 0; ///< of these samples: those of a thread share its exact running time
  int64_t Ns = 0, LowNs = 0, HighNs = 0; ///< an estimate with its 95 % interval
  std::vector<std::string> Kernels;      ///< for rows of --by: with samples in it, by number
};

/// What kernels consist of: by kernel, function and line, the most samples first in each kernel.
/// The rows of a kernel add up to its own running time.
std::vector<SampleRow> samplesOfKernels(const Trace &Input, const CodeNames &Names);

enum class SamplesBy : uint8_t { Symbol, Library, Line };

/// All samples, by one property; the rows add up to the running time of all threads.
std::vector<SampleRow> samplesBy(const Trace &Input, const CodeNames &Names, SamplesBy Key);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_SAMPLEROWS_H
