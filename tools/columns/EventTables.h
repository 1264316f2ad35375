//===- EventTables.h - the events of a trace as tables ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names are those that Perfetto gave such tables: trace, process, thread, track, slice, args,
// flow. docs/formats.md has their columns.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_COLUMNS_EVENTTABLES_H
#define SEAMSCOPE_TOOLS_COLUMNS_EVENTTABLES_H

#include "analysis/core/Ranks.h"
#include "analysis/devices/Devices.h"
#include "analysis/devices/Work.h"
#include "analysis/groups/Modules.h"
#include "columns/ArrowTable.h"
#include "trace/model/Trace.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace seamscope::tools {

/// What the tables are made from; must outlive EventTables, but not the tables.
struct EventInput {
  Trace *Source; ///< its strings become the dictionary; words of our own are added
  std::span<const TraceInfo> Infos;
  std::span<const RankInput> Ranks; ///< of a trace joined from several
  std::span<const Origin> Links;    ///< linkWork()
  std::span<const IdleGap> Gaps;
  const TraceWork *Work;
  const ModulePaths *Modules;
};

class EventTables {
public:
  explicit EventTables(const EventInput &From);

  static std::vector<std::string> names();

  /// Null: no such table.
  std::shared_ptr<const ArrowTable> make(std::string_view Name) const;

private:
  struct Maker;

  ArrowTable trace() const;
  ArrowTable process() const;
  ArrowTable thread() const;
  ArrowTable track() const;
  ArrowTable slice() const;
  ArrowTable args() const;
  ArrowTable flow() const;
  ArrowTable memoryChange() const;

  StringId word(std::string_view Text) { return From.Source->Strings.intern(Text); }
  void numberProcesses();
  void fillArgs();

  /// An argument of all events of a site.
  struct Arg {
    SiteId Set;
    StringId Key, Text;
    int64_t Number; ///< without Text
  };

  const EventInput From;
  std::shared_ptr<const ArrowTexts> Names;
  std::vector<StringId> KindNames;   ///< by SiteKind
  std::vector<StringId> CauseNames;  ///< of gaps
  std::vector<StringId> ModuleNames; ///< by PathId
  StringId LaunchName = 0;
  std::vector<StringId> Pids;     ///< by number of a process
  std::vector<int32_t> ProcessOf; ///< by track
  std::vector<int32_t> RankOf;    ///< by process; -1: none
  std::vector<Arg> Args;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_COLUMNS_EVENTTABLES_H
