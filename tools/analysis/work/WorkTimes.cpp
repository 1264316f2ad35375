//===- WorkTimes.cpp - the time in which counted work was executed --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/work/WorkTimes.h"

#include <algorithm>
#include <limits>

namespace seamscope::tools {
namespace {

/// Whether \p Part makes rates over \p Ns wrong by more than a twentieth.
bool matters(double Part, int64_t Ns) { return Part * 20 > static_cast<double>(Ns); }

} // namespace

unsigned threadsOf(const KernelRow &Row) {
  size_t Most = 1;
  for (const RegionRow &Region : Row.Regions)
    Most = std::max(Most, Region.Threads.size());
  return static_cast<unsigned>(std::min<size_t>(Most, 65536));
}

WorkTimes::WorkTimes(const Trace &Input, const LoopTree &All, const RecordingCost *Recording)
    : Input(Input), Tree(All), Recording(Recording), CallsInside(All.Nodes.size()) {
  for (const LoopNode &Node : Tree.Nodes)
    if (Node.Parent != LoopNode::None)
      CallsInside[Node.Parent] += Node.Calls;
  for (const auto &[Key, Calls] : Tree.Inner)
    CallsInside[Key.second] += Calls.Calls;
  for (const auto &[Key, Wait] : Tree.Waits)
    CallsInside[Key.second] += Wait.Calls;
  const KernelIds Ids(Input);
  for (uint32_t I = 0; I < Tree.Nodes.size(); ++I) {
    const Site &What = Input.Sites[Tree.Nodes[I].Site];
    if (What.Kind != SiteKind::Loop)
      continue;
    const std::optional<WorkTime> Own = nodeTime(I);
    const auto [Known, IsNew] = Loops.try_emplace({Ids.of(What), Input.text(What.Name)}, Own);
    std::optional<WorkTime> &Sum = Known->second;
    if (IsNew || !Sum)
      continue;
    if (!Own) {
      Sum.reset();
      continue;
    }
    Sum->add(*Own);
  }
}

std::optional<WorkTime> WorkTimes::nodeTime(uint32_t Id) const {
  const LoopNode &Node = Tree.Nodes[Id];
  if (!Node.SelfNs || Node.Untimed.Calls || Node.Open)
    return std::nullopt;
  WorkTime Made = {*Node.SelfNs};
  if (!Node.Threads.empty()) {
    Made.Ns = std::ranges::max(Node.Threads, {}, &ThreadShare::SelfNs).SelfNs;
    Made.Threads = static_cast<unsigned>(std::max<int64_t>(
        1, std::ranges::count_if(
               Node.Threads, [](int64_t Ns) { return Ns > 0; }, &ThreadShare::SelfNs)));
  }
  if (Recording) {
    const double Took = static_cast<double>(Node.Calls) * static_cast<double>(Recording->BiasNs) +
                        static_cast<double>(CallsInside[Id]) * Recording->CallNs;
    Made.IsAtMost = matters(Took, *Node.SelfNs);
  }
  return Made;
}

std::optional<WorkTime> WorkTimes::ofLoop(const KernelId &Kernel, std::string_view Loop) const {
  const auto Found = Loops.find({Kernel, Loop});
  return Found == Loops.end() ? std::nullopt : Found->second;
}

bool WorkTimes::isInRegion(uint32_t Node) const {
  for (; Node != LoopNode::None; Node = Tree.Nodes[Node].Parent)
    if (Input.Sites[Tree.Nodes[Node].Site].Kind == SiteKind::Region)
      return true;
  return false;
}

/// The time of kernels within others is known where these run on one thread.
void WorkTimes::takeInnerKernels(const KernelRow &Row, WorkTime &From) const {
  const auto Own = Tree.Kernels.find(Row.Site);
  if (Own == Tree.Kernels.end())
    return;
  const uint32_t End = Tree.endOf(Own->second);
  for (const auto &[Key, Calls] : Tree.Inner) {
    if (Key.second < Own->second || Key.second >= End)
      continue;
    const UntimedCalls &Untimed = Tree.Nodes[Key.first].Untimed;
    // Of a kernel that calls itself through others, a part of their time is its own.
    if (!Untimed.Calls && !Row.Times.Untimed && !isInRegion(Key.second) &&
        !Tree.Nodes[Own->second].Recurses)
      From.Ns -= Calls.Ns;
    else
      From.IsAtMost |= matters(static_cast<double>(Calls.Ns) + static_cast<double>(Untimed.Ns),
                               Row.Times.TotalNs);
  }
  From.Ns = std::max<int64_t>(0, From.Ns);
}

/// Whether sums leave open that other kernels ran within the calls of \p Row.
bool WorkTimes::mayContainSums(const KernelRow &Row) const {
  int64_t FirstNs = std::numeric_limits<int64_t>::max(), LastNs = 0, LongestNs = 0;
  const std::string_view Name = Input.text(Input.Sites[Row.Site].Name);
  const auto IsOwn = [&](const ProfileRow &Each) {
    return Input.text(Input.Sites[Each.Site].Name) == Name;
  };
  for (const ProfileRow &Each : Input.Profile)
    if (IsOwn(Each)) {
      FirstNs = std::min(FirstNs, Each.FirstNs);
      LastNs = std::max(LastNs, Each.LastNs);
      LongestNs = std::max(LongestNs, Each.MaxNs);
    }
  double Others = 0;
  for (const ProfileRow &Each : Input.Profile)
    if (const Site &What = Input.Sites[Each.Site];
        What.Kind == SiteKind::Kernel && What.Device < 0 && !IsOwn(Each) && Each.FirstNs < LastNs &&
        Each.LastNs > FirstNs && Each.MinNs <= LongestNs)
      Others += static_cast<double>(Each.TotalNs);
  return matters(Others, Row.Times.TotalNs);
}

WorkTime WorkTimes::ofKernel(const KernelRow &Row) const {
  WorkTime Made = {Row.Times.TotalNs, threadsOf(Row)};
  if (Recording)
    if (const auto Found = Recording->Rows.find(Row.Site); Found != Recording->Rows.end())
      Made.IsAtMost = matters(static_cast<double>(Found->second.InsideNs), Row.Times.TotalNs);
  takeInnerKernels(Row, Made);
  Made.IsAtMost |= mayContainSums(Row);
  return Made;
}

} // namespace seamscope::tools
