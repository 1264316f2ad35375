//===- ReportInputs.h - the input traces of a report ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_REPORTINPUTS_H
#define SEAMSCOPE_TOOLS_CLI_REPORTINPUTS_H

#include "analysis/core/Cut.h"
#include "analysis/core/Ranks.h"
#include "cli/Wanted.h"
#include "run/join/TorchRun.h"
#include "trace/ReadTrace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace seamscope::tools {

/// The traces that \p Path stands for: itself, or those in the folder, or that of one rank. Sorted
/// by rank. Empty, after a line on stderr, when there is none.
std::vector<std::string> tracesToReport(const std::string &Path, std::optional<int64_t> Rank);

/// The one trace that \p Path stands for: itself, the one in the folder of a run, or that of
/// \p Rank. Empty, after a line of \p Verb on stderr, for a folder that holds none or several.
std::string oneTraceOf(const char *Verb, const std::string &Path,
                       std::optional<int64_t> Rank = std::nullopt);

/// Reads a trace. If it is in the folder of a run, kernels get their names from the logs there: a
/// library from a cache has the name of the program that first compiled it.
Result<Trace> readNamed(const std::string &Path, const ReadOptions &Keep);

/// Reads what torch compiled in the run in \p Folder, and gives the kernels of \p Source their
/// names from there. Nothing if \p Folder is empty, or torch compiled nothing. Generated files are
/// read from \p Roots too.
Result<std::optional<TorchRun>> loadAndName(const std::string &Folder, Trace &Source,
                                            const std::vector<std::string> &Roots = {});

/// Sets \p Range to the wanted part of the trace. Returns the exit status, after a line of \p Verb
/// on stderr if there is no such part.
int rangeOfPart(const char *Verb, const WantedPart &Part, const Trace &Source, TimeRange &Range);

/// Keeps the wanted part of the trace. Returns the exit status, as above.
int cutToPart(const char *Verb, const WantedPart &Part, Trace &Source);

/// Reads the calls of a trace with readNamed() and keeps the requested part; else the exit status,
/// after a line on stderr. \p Needs: what \p Verb says about traces with sums of mode profile.
std::variant<Trace, int> readCalls(const char *Verb, const char *Needs, const std::string &Path,
                                   const WantedPart &Part, const ReadOptions &Keep);

/// The reported trace, and the traces that it was joined from, if several.
struct ReportedTrace {
  Trace Source;
  std::vector<RankInput> Ranks;
  std::vector<TraceInfo> Infos; ///< of each trace by itself
  std::vector<Error> Unread;    ///< why some of several could not be read
  std::string NotAligned; ///< why the own times of several cannot be compared; empty: they can
  std::vector<RankClock> Clocks; ///< by rank of Ranks
};

/// Reads \p Paths; several become one trace named \p Name. Unreadable ones of several are left out;
/// notes say what that and their clocks mean for the report.
Result<ReportedTrace> readToReport(const std::vector<std::string> &Paths, const std::string &Name,
                                   const ReadOptions &Keep);

/// Says on stderr what is missing from the traces; returns the exit status. A damaged or unreadable
/// one of several fails with \p Strict only: the report covers the others.
int warnOfDamage(const ReportedTrace &Reported, bool Strict);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_REPORTINPUTS_H
