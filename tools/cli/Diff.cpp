//===- Diff.cpp - the verb `diff` -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Diff.h"
#include "analysis/torch/Steps.h"
#include "cli/Output.h"
#include "cli/ReportInputs.h"
#include "cli/Verbs.h"
#include "trace/ReadTrace.h"

#include <algorithm>
#include <memory>

namespace seamscope::tools {
namespace {

struct DiffOptions {
  std::string First, Second;
  OutputWanted Output;
  bool Strict = false;
  RowsWanted Top;
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
                           Options.Top.orUsual(Options.Output.isData() ? SIZE_MAX : UsualRows)};
  const int Written = writeDocument(diffDocument(Input), Options.Output, "diff");
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
  addOutputOptions(Verb, Options->Output, "seamscope.diff/1", "a row");
  addTopOption(Verb, Options->Top,
               "Show only the N largest changes; default: 50 of them in the text, all else");
  addPartOptions(Verb, Options->Part);
  addThreadsOption(Verb, Options->Threads);
  Verb.add_flag("--strict", Options->Strict,
                "Fail (exit code 1) also when single events had to be left out");
  return [Options] { return diff(*Options); };
}

} // namespace seamscope::tools
