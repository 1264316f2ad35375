//===- Page.h - what only the page shows --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_PAGE_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_PAGE_H

#include "analysis/core/KernelRows.h"
#include "report/sections/Sections.h"

#include <span>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// What is wrong with the trace; comes first, on the first screen.
void addHealthFirst(Section &To, const Context &In);
/// Sentences on what ran, where the time went and what to do about it. \p Path: what held it up.
void addStory(Section &To, const Context &In, const std::string &Path);
void addTimeline(Section &To, const Context &In);
void addFlame(Section &To, const Context &In);
void addModules(Section &To, const Context &In);
void addRankBars(Section &To, const Context &In);
/// Kernels below the roofs of their devices. Returns why there is nothing to draw; empty: there is.
std::string addRoofline(Section &To, const Context &In);

/// Durations of \p Calls, at least one and in order of begin, over time. \p OriginNs: the trace's
/// first begin.
Spread spreadOf(const Trace &Source, std::span<const uint32_t> Calls, int64_t OriginNs);
/// A sentence on the calls other than the first \p Shown of the \p Longest, for a kernel that was
/// called \p Calls times; empty: no others.
std::string othersText(const Trace &Source, std::span<const uint32_t> Longest, size_t Shown,
                       uint64_t Calls);

/// The events of kernels, in order of begin.
class KernelCalls {
public:
  explicit KernelCalls(const ReportContext &In);
  /// The events of the row with \p Site.
  std::span<const uint32_t> of(SiteId Site) const;
  /// Begin of the trace's first event; 0 without events.
  int64_t firstNs() const { return FirstNs; }

private:
  int64_t FirstNs;
  KernelRows Rows; ///< several kernels may have one name
  std::vector<std::vector<uint32_t>> OfRow;
};

/// Details of a kernel: how long its calls took, its threads, launches, the eager operators that it
/// replaced, and source.
std::vector<Item> kernelDetails(const Context &In, const KernelCalls &Known, size_t Row);
/// Durations of its calls in order, as some dozens of means.
Field<KernelRow> durationsField(const Context &In, const std::shared_ptr<const KernelCalls> &Known);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_PAGE_H
