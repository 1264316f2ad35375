//===- Samples.h - what the processor did, for reports -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_SAMPLES_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_SAMPLES_H

#include "analysis/samples/SampleRows.h"
#include "analysis/samples/Unattributed.h"
#include "report/model/Document.h"
#include "report/sections/Context.h"
#include "report/sections/Filter.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// What samples and switches of threads say of a trace.
struct SampledReport {
  std::vector<UnattributedRow> Outside;
  std::vector<BlockedRow> Blocked;
  std::vector<ThreadRow> Threads;
  std::vector<SampleRow> Kernels;
  std::vector<std::string> Complaints; ///< files that could not be used, a sentence each
};

/// All of it. \p Names: of the trace's samples.
SampledReport sampledReport(const Trace &Input, const Statistics &Numbers, const CodeNames &Names);

/// For the page's panel of a kernel.
std::vector<Item> sampledDetails(const Context &In, SiteId Kernel);

/// The keys of --by that need samples; `line` does where no loops were recorded.
std::vector<std::string> sampleKeyNames();
std::optional<SamplesBy> sampleKeyOf(std::string_view Name);

struct SampleGroupsInput {
  const Trace *Source;
  const std::vector<SampleRow> *Rows;
  const std::vector<std::string> *Complaints;
  std::string By; ///< name of the key
  int64_t WindowNs;
  size_t Top = SIZE_MAX;     ///< rows shown
  FilteredOut Filtered = {}; ///< rows that filters removed
};

/// `seamscope.groups/1`, of samples.
Document sampleGroupsDocument(const SampleGroupsInput &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_SAMPLES_H
