//===- Diff.cpp - the verb `diff` -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Diff.h"
#include "analysis/torch/Steps.h"
#include "cli/ReportInputs.h"
#include "cli/Verbs.h"
#include "trace/ReadTrace.h"

#include <algorithm>
#include <memory>

namespace seamscope::tools {
namespace {

struct DiffOptions {
  std::string First, Second, Out;
  bool Json = false, Csv = false, Strict = false;
  RowsWanted Top;
  size_t Width = 0;
  unsigned Threads = 0;
  WantedPart Part; ///< of both
};

int diff(const DiffOptions &Options) {
  const std::string A = oneTraceOf("diff", Options.First);
  const std::string B = A.empty() ? A : oneTraceOf("diff", Options.Second);
  if (B.empty())
    return BadData;
  auto First = readNamed(A, readOptions(A, Options.Threads));
  if (!First)
    return fail(First.error());
  auto Second = readNamed(B, readOptions(B, Options.Threads));
  if (!Second)
    return fail(Second.error());
  for (Trace *Side : {&*First, &*Second}) {
    if (!Side->Profile.empty())
      return fail({Side->Info.Path,
                   {},
                   "holds sums of mode profile, not calls; `diff` needs traces of mode trace"});
    if (const int Failed = cutToPart("diff", Options.Part, *Side))
      return Failed;
    dropOperatorsOfCompilation(*Side);
  }
  Difference Result = difference(*First, *Second);
  addLoopDifference(Result, *First, *Second);
  // A table for people is short, data are whole.
  constexpr size_t UsualRows = 50;
  const DiffInput Input = {&*First, &*Second, &Result,
                           Options.Top.orUsual(Options.Json || Options.Csv ? SIZE_MAX : UsualRows),
                           widthToUse(Options.Width, Options.Out)};
  const int Written = writeResult(
      Options.Out, Options.Json  ? diffJson(Input)
                   : Options.Csv ? diffCsv(Input)
                                 : diffText(Input, Options.Out.empty() && coloursWanted()));
  const int Damage = std::max(reportDamage(First->Info, Options.Strict),
                              reportDamage(Second->Info, Options.Strict));
  return Written ? Written : Damage;
}

} // namespace

Action addDiff(CLI::App &Verb) {
  auto Options = std::make_shared<DiffOptions>();
  Verb.add_option("A", Options->First,
                  "Trace to compare from, or the folder of a run; see `seamscope report --help`")
      ->required();
  Verb.add_option("B", Options->Second, "Trace to compare to")->required();
  auto *Json =
      Verb.add_flag("--json", Options->Json, "Write seamscope.diff/1; times are integers of ns");
  auto *Csv =
      Verb.add_flag("--csv", Options->Csv, "Write one line a row; times in ns")->excludes(Json);
  addTopOption(Verb, Options->Top,
               "Show only the N largest changes; default: 50 of them in the text, all else");
  addWidthOption(Verb, Options->Width)->excludes(Json)->excludes(Csv);
  addPartOptions(Verb, Options->Part);
  addThreadsOption(Verb, Options->Threads);
  Verb.add_flag("--strict", Options->Strict,
                "Fail (exit code 1) also when single events had to be left out");
  Verb.add_option("-o,--output", Options->Out, "Write to a file, not to standard output");
  return [Options] { return diff(*Options); };
}

} // namespace seamscope::tools
