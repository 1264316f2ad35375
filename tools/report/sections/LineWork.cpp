//===- LineWork.cpp - counted work next to lines of code --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/LineWork.h"

#include "analysis/core/LoopTree.h"
#include "machine/Machine.h"
#include "report/sections/CountedWork.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {

void addLinesOf(WorkByLine &To, const ReportContext &In, const KernelRow &Row,
                std::string_view File) {
  if (const KernelWork *const Counted = anyWork(In, Row))
    for (const LineWork &Line : Counted->Lines)
      if (Line.File == File && Line.Line)
        To[Line.Line].add(Line.Work);
}

void addLineWork(Code &Of, const WorkByLine &Lines) {
  const auto Shown = [](const Bounds &Sum, std::string (*Show)(double)) {
    return Sum.Most ? shownBounds(Sum, true, Show) : std::string();
  };
  for (auto At = Lines.lower_bound(Of.First);
       At != Lines.end() && At->first < Of.First + Of.Lines.size(); ++At) {
    const ExecutedWork &Work = At->second;
    Of.Work.resize(Of.Lines.size());
    Of.Work[At->first - Of.First] = {Shown(Work.flop(), shownFlop),
                                     Shown(Work.bytesRead(), shownBytes),
                                     Shown(Work.bytesWritten(), shownBytes), shownMath(Work)};
  }
}

void addLineRoofs(Code &Of, const ReportContext &In, const KernelRow &Row, std::string_view File) {
  const KernelWork *const Counted = countedWork(In, Row);
  if (!In.Input.Roofs || !In.Input.Loops || !Counted)
    return;
  struct Loops {
    ExecutedWork Work;
    std::optional<WorkTime> Time = WorkTime();
    std::set<std::string_view> Names;
  };
  std::map<uint32_t, Loops> Lines;
  for (const LoopNode &Node : In.Input.Loops->of(Row.Site)) {
    const Site &What = In.site(Node.Site);
    if (What.Kind != SiteKind::Loop || In.Source.text(What.File) != File || What.Line < Of.First ||
        What.Line >= Of.First + Of.Lines.size())
      continue;
    Loops &Here = Lines[What.Line];
    // Work and time of a loop are of all places that it was inlined to.
    const std::string_view Name = In.name(Node.Site);
    if (!Here.Names.insert(Name).second)
      continue;
    const auto Work = Counted->Loops.find(Name);
    const auto Time = loopTime(In, Row, Name);
    if (!Here.Time || !Time || Work == Counted->Loops.end()) {
      Here.Time.reset();
      continue;
    }
    Here.Work.add(Work->second);
    Here.Time->add(*Time);
  }
  for (const auto &[Line, Here] : Lines) {
    if (!Here.Time)
      continue;
    const RoofShares Shares = Here.Names.size() == 1
                                  ? loopRoofs(In, Row, *Here.Names.begin())
                                  : roofShares(Here.Work, *In.Input.Roofs, *Here.Time);
    if (!Shares.isKnown())
      continue;
    Of.Roofs.resize(Of.Lines.size());
    Of.Roofs[Line - Of.First] = shownRoof(Shares);
  }
}

std::string workText(const ExecutedWork &Of) {
  return fmt::format("{} FLOPs, {} read, {} written", shownBounds(Of.flop(), true, shownFlop),
                     shownBounds(Of.bytesRead(), true, shownBytes),
                     shownBounds(Of.bytesWritten(), true, shownBytes));
}

} // namespace seamscope::tools
