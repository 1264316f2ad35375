//===- SourceLines.cpp - the time of each line of compiled code -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/SourceLines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace seamscope::tools {

void LineTime::add(const LineTime &Other) {
  Calls += Other.Calls;
  TotalNs += Other.TotalNs;
  SelfNs += Other.SelfNs;
  WaitNs += Other.WaitNs;
  PreemptedNs += Other.PreemptedNs;
}

std::map<KernelLine, LineTime> lineTimes(const Trace &Input, const LoopTree &Tree) {
  std::map<KernelLine, LineTime> Lines;
  if (!Input.Profile.empty())
    return Lines;
  const auto LineOf = [&](SiteId Kernel, const Site &What) -> LineTime & {
    return Lines[{Kernel, What.Line ? What.File : 0, What.File ? What.Line : 0}];
  };
  std::vector<SiteId> KernelOf; // by node
  for (const LoopNode &Node : Tree.Nodes) {
    KernelOf.push_back(Node.Parent == LoopNode::None ? Node.Site : KernelOf[Node.Parent]);
    if (Node.Calls) // else an unrecorded kernel with recorded loops
      LineOf(KernelOf.back(), Input.Sites[Node.Site])
          .add({Node.Calls, Node.TotalNs, Node.SelfNs.value_or(0), Node.OwnBlockedNs,
                Node.OwnPreemptedNs});
  }
  for (const auto &[Key, Task] : Tree.Tasks) {
    const auto &[Body, Node] = Key;
    const SiteId Kernel = KernelOf[Node];
    LineTime &Around = LineOf(Kernel, Input.Sites[Tree.Nodes[Node].Site]);
    // Estimates for untimed calls may have taken a part of it.
    const int64_t Ns = std::clamp<int64_t>(Task.Ns, 0, std::max<int64_t>(Around.SelfNs, 0));
    Around.SelfNs -= Ns;
    LineOf(Kernel, Input.Sites[Body]).add({Task.Calls, Task.Ns, Ns});
  }
  for (const auto &[Key, Wait] : Tree.Waits)
    LineOf(KernelOf[Key.second], Input.Sites[Key.first]).add({Wait.Calls, Wait.Ns, 0, Wait.Ns});
  return Lines;
}

Grouping groupByLine(const Trace &Input, const LoopTree &Tree) {
  struct Line {
    LineTime Time;
    std::set<std::string_view> Kernels;
  };
  std::map<std::pair<StringId, uint32_t>, Line> Lines;
  for (const auto &[Place, Time] : lineTimes(Input, Tree)) {
    Line &Of = Lines[{Place.File, Place.Line}];
    Of.Time.add(Time);
    const Site &Kernel = Input.Sites[Place.Kernel];
    Of.Kernels.insert(Input.text(Kernel.Kernel ? Kernel.Kernel : Kernel.Name));
  }
  Grouping Result;
  Result.What = GroupedTime::Lines;
  Result.HasSwitches = !Input.SampledSpans.empty();
  for (const auto &[Place, Of] : Lines) {
    const LineTime &Time = Of.Time;
    GroupRow &Row = Result.Rows.emplace_back();
    Row.Key = Place.second ? fmt::format("{}:{}", Input.text(Place.first), Place.second)
                           : "[unknown line]";
    Row.Calls = Time.Calls;
    Row.TotalNs = Time.TotalNs;
    Row.SumNs = Time.TotalNs;
    Row.SelfNs = Time.SelfNs;
    Row.WaitNs = Time.WaitNs;
    Row.PreemptedNs = Time.PreemptedNs;
    Row.Kernels.assign(Of.Kernels.begin(), Of.Kernels.end());
    Result.Calls += Time.Calls;
    Result.SelfNs += Time.SelfNs;
  }
  std::ranges::stable_sort(Result.Rows, std::greater(),
                           [](const GroupRow &Row) { return Row.SelfNs + Row.WaitNs; });
  return Result;
}

} // namespace seamscope::tools
