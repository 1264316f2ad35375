//===- Context.h - what the sections of a report share ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_CONTEXT_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_CONTEXT_H

#include "analysis/devices/CollectiveRanks.h"
#include "analysis/groups/SourceLines.h"
#include "analysis/work/CallWork.h"
#include "analysis/work/WorkTimes.h"
#include "report/Report.h"
#include "report/model/Document.h"
#include "report/model/Numbers.h"
#include "report/sections/FileNames.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

struct FusedKernel;

/// The collectives of a trace.
struct RankedCollectives {
  std::vector<Collective> Found;
  CollectiveMatch Match; ///< across ranks; empty if these are not known
};

/// What sections read. Columns keep it; what it refers to must outlive the document.
struct ReportContext {
  explicit ReportContext(const ReportInput &Of)
      : Input(Of), Source(*Of.Source), Numbers(*Of.Numbers), Files(Source) {}

  const ReportInput Input;
  const Trace &Source;
  const Statistics &Numbers;
  const FileNames Files;

  const Site &site(SiteId Id) const { return Source.Sites[Id]; }
  std::string_view name(SiteId Id) const { return Source.text(site(Id).Name); }
  /// \p Else: shown to people if there is no name.
  Cell textOr(StringId Name, const char *Else) const {
    return Name ? Cell(Source.text(Name)) : Cell(Value(), std::string(Else));
  }
  /// Begin of the first event; 0 without events. Reads all events.
  int64_t firstNs() const;
  /// Computed at the first request. Of devices and the host.
  const RankedCollectives &collectives() const;
  /// Computed at the first request. Of host kernels.
  const std::map<KernelLine, LineTime> &lines() const;
  /// Computed at the first request.
  const WorkByKernel &work() const;
  /// Computed at the first request. Reads all events.
  const WorkTimes &workTimes() const;
  /// Computed at the first request. Reads all events.
  const CallWorkByKernel &workOfCalls() const;
  /// The same of GPU kernels; null: it counted nothing.
  const KernelWork *launchWork(const KernelRow &Row) const;
  /// The operators of a kernel that torch generated and that counted its work, computed at the
  /// first request; null: they are not known. In FusedOperators.cpp.
  const FusedKernel *fusedKernel(const KernelRow &Row) const;
  /// The kernels of the host.
  const KernelIds &ids() const;
  Place place(const Site &What) const { return {Source.text(What.File), What.Line, What.Column}; }
  /// For people, with as few folders as distinguish the files.
  Cell source(const Site &What) const { return {place(What), Files.place(What)}; }

private:
  /// Of all kernels, computed at the first request. Reads all events.
  const LoopTree &tree() const;

  mutable std::optional<LoopTree> Tree;
  mutable std::optional<WorkTimes> Times;
  mutable std::optional<RankedCollectives> Collectives;
  mutable std::optional<std::map<KernelLine, LineTime>> Lines;
  mutable std::optional<WorkByKernel> Work;
  mutable std::optional<CallWorkByKernel> WorkOfCalls;
  mutable std::optional<std::map<std::pair<StringId, int32_t>, KernelWork>> LaunchWork;
  mutable std::optional<KernelIds> Ids;
  mutable std::map<SiteId, std::shared_ptr<const FusedKernel>> Fused; ///< null: not known
};
using Context = std::shared_ptr<const ReportContext>;

/// Whether kernels ran on more than one device: then their rows say on which.
bool severalDevices(const ReportContext &In);

/// `sampled`, for a row with calls that were counted but not timed.
Fields<UntimedCalls> sampledFields();
/// The line below such a row.
std::string untimedText(const UntimedCalls &Untimed);
/// A time, marked if it is an estimate.
Cell timeCell(int64_t Ns, bool IsEstimate);

/// What the threads of a team did.
Field<ThreadShare> teamField();
Fields<ThreadShare> threadFields();
/// "1", or "team 0: 1" in a region with several teams.
std::string shownThread(const ThreadShare &Share);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_CONTEXT_H
