//===- Verbs.h - the verbs of the seamscope command -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file for each verb. It adds its options to the command line and runs if
// chosen.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_VERBS_H
#define SEAMSCOPE_TOOLS_CLI_VERBS_H

#include "cli/Messages.h"
#include "cli/Wanted.h"
#include "trace/model/ReadOptions.h"
#include "trace/model/Trace.h"
#include "trace/spool/SpoolToChrome.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// A verb's action; returns the exit status.
using Action = std::function<int()>;

Action addAdopt(CLI::App &Verb);
Action addAugment(CLI::App &Verb);
Action addCheck(CLI::App &Verb);
Action addCombine(CLI::App &Verb);
Action addCompletion(CLI::App &Verb);
Action addReplay(CLI::App &Verb);
Action addReport(CLI::App &Verb);
Action addRoofline(CLI::App &Verb);
Action addDiff(CLI::App &Verb);
Action addKernels(CLI::App &Verb);
Action addMachine(CLI::App &Verb);
Action addMlirBaseline(CLI::App &Verb);
Action addConvert(CLI::App &Verb);
Action addRecover(CLI::App &Verb);
Action addRun(CLI::App &Verb);
Action addSchema(CLI::App &Verb);
Action addSource(CLI::App &Verb);
Action addSpools(CLI::App &Verb);
Action addSql(CLI::App &Verb);
Action addMcp(CLI::App &Verb);

/// Adds options for FLOPs, bytes and their peaks: --dtype and --peaks.
void addWorkOptions(CLI::App &Verb, std::string &Type, std::string &Peaks);

/// Adds --top N|all.
CLI::Option *addTopOption(CLI::App &Verb, RowsWanted &Rows, const std::string &What);

/// Adds --window and --step, which exclude each other.
void addPartOptions(CLI::App &Verb, WantedPart &Part);

/// Adds --rank: of a folder, the trace of that rank.
void addRankOption(CLI::App &Verb, std::optional<int64_t> &Rank);

/// Adds --filter. The verb checks the pattern when it runs.
CLI::Option *addFilterOption(CLI::App &Verb, std::string &Filter);

/// Splits a list at its commas.
std::vector<std::string> splitList(const std::string &Words);

/// Adds -w,--width N|all: 0 if it is not given, SIZE_MAX for all.
CLI::Option *addWidthOption(CLI::App &Verb, size_t &Width);

/// The width of lines for text written to \p Out (empty: standard output), as a Table takes it.
size_t widthToUse(size_t Asked, const std::string &Out);

/// Columns of the terminal: COLUMNS, else the width of the terminal that standard output is, else
/// \p Else. As in git.
size_t terminalWidth(size_t Else);

/// Accepts whole numbers from 0 on.
CLI::Validator notNegative();

/// Adds an option with named values, not numbers.
template <typename Target, typename Value>
CLI::Option *addChoice(CLI::App &Verb, const std::string &Name, Target &Chosen,
                       const std::vector<std::pair<std::string, Value>> &Choices,
                       const std::string &What) {
  std::vector<std::string> Names;
  for (const auto &[Each, Means] : Choices)
    Names.push_back(Each);
  return Verb
      .add_option_function<std::string>(
          Name,
          [&Chosen, Choices](const std::string &Word) {
            for (const auto &[Each, Means] : Choices)
              if (Each == Word)
                Chosen = Means;
          },
          What)
      ->check(CLI::IsMember(Names));
}

/// Adds --root; \p Does: what is done with sources below it ("Also show").
CLI::Option *addRootOption(CLI::App &Verb, std::vector<std::string> &Roots,
                           const std::string &Does);

/// Adds --threads.
void addThreadsOption(CLI::App &Verb, unsigned &Threads);

/// Adds --strict, see reportDamage().
void addStrictOption(CLI::App &Verb, bool &Strict);

/// Shows the share that is done (0 to 1) of work that takes more than a second, on a line of stderr
/// that goes with the last copy of the function. Empty: stderr is not a terminal.
std::function<void(double)> progressLine(const std::string &Path, const char *Doing);

/// How a verb reads its traces: with that many threads, and, on a terminal, with a line on stderr
/// about reading that takes more than a second. \p Keep: what else it needs.
ReadOptions readOptions(const std::string &Path, unsigned Threads, ReadOptions Keep = {});

/// How a verb writes a spool to \p Out: with such a line about writing, and without a limit.
SpoolWriting spoolWriting(const std::string &Out);

/// Whether to use colours on standard output: a terminal that has them, and NO_COLOR is not set.
bool coloursWanted();

/// Writes \p Text to \p Path ("-" or empty: standard output); the exit status.
int writeResult(const std::string &Path, const std::string &Text);

/// Writes the report of the trace at \p Path for people to standard output; the exit status.
int printReport(const std::string &Path);

/// The name in \p Known nearest to \p Wrong, or an empty one if none is near.
std::string nearestName(const std::string &Wrong, const std::vector<std::string> &Known);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_VERBS_H
