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
  // Counters and stamps must cover the same calls.
  if (!In.Input.Roofs || !In.Input.Loops || !Counted ||
      (Counted->Calls && Counted->Calls != Row.Times.Calls))
    return;
  struct Loops {
    KernelWork Work;
    int64_t Ns = 0;
    unsigned Threads = 1;
    std::set<std::string_view> Names;
    bool IsKnown = true;
  };
  std::map<uint32_t, Loops> Lines;
  for (const LoopNode &Node : In.Input.Loops->of(Row.Site)) {
    const Site &What = In.site(Node.Site);
    if (What.Kind != SiteKind::Loop || In.Source.text(What.File) != File || What.Line < Of.First ||
        What.Line >= Of.First + Of.Lines.size())
      continue;
    Loops &Here = Lines[What.Line];
    const auto Work = Counted->Loops.find(In.name(Node.Site));
    if (!Node.SelfNs || Node.Untimed.Calls || Work == Counted->Loops.end()) {
      Here.IsKnown = false;
      continue;
    }
    Here.Ns += *Node.SelfNs;
    Here.Threads = std::max(Here.Threads, static_cast<unsigned>(std::min<size_t>(
                                              std::max<size_t>(Node.Threads.size(), 1), 65536)));
    // The count of a loop is of all places that it was inlined to.
    if (Here.Names.insert(In.name(Node.Site)).second)
      Here.Work.All.add(Work->second);
  }
  for (auto &[Line, Here] : Lines) {
    Here.Work.LacksArrays = true;
    if (!Here.IsKnown || Here.Ns <= 0)
      continue;
    const double Seconds = static_cast<double>(Here.Ns) / 1e9 / Here.Threads;
    const auto [Name, Share] =
        roofShares(Here.Work, Row.Times.Calls, *In.Input.Roofs, Here.Threads, Seconds).nearest();
    if (!Share)
      continue;
    Of.Roofs.resize(Of.Lines.size());
    Of.Roofs[Line - Of.First] = fmt::format("{} {:.0f} %", Name, 100 * *Share);
  }
}

std::string workText(const ExecutedWork &Of) {
  return fmt::format("{} FLOPs, {} read, {} written", shownBounds(Of.flop(), true, shownFlop),
                     shownBounds(Of.bytesRead(), true, shownBytes),
                     shownBounds(Of.bytesWritten(), true, shownBytes));
}

} // namespace seamscope::tools
