//===- CallWork.cpp - the work of each call of a kernel --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/work/CallWork.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

namespace seamscope::tools {
namespace {

/// The calls of one kernel, and of the functions whose work is its.
class CallsOfKernel {
public:
  explicit CallsOfKernel(const Trace &Source) : Source(Source) {}

  void addFunction(const CountedWork &Of) {
    Functions.push_back({&Of, WorkDescription(Of), {}, {}});
  }

  /// Whether calls of \p What, which is the kernel or a part of it, are needed.
  bool wants(const Site &What) { return isCall(What) || functionOf(What); }

  void addEvent(uint32_t Event) {
    const Site &What = Source.Sites[Source.Events.Site[Event]];
    if (isCall(What))
      Calls.push_back(Event);
    if (Function *const Of = functionOf(What))
      Of->Events[Source.Events.Track[Event]].push_back(Event);
  }

  /// Returns nothing if the work of some call is not known.
  std::optional<CountedCalls> find() {
    const auto ByBegin = [&](uint32_t A, uint32_t B) {
      return Source.Events.BeginNs[A] < Source.Events.BeginNs[B];
    };
    std::ranges::stable_sort(Calls, ByBegin);
    for (size_t I = 1; I < Calls.size(); ++I)
      if (Source.Events.BeginNs[Calls[I]] < Source.Events.endNs(Calls[I - 1]))
        return std::nullopt;
    Parts.resize(Calls.size());
    for (Function &Of : Functions)
      if (!addParts(Of, ByBegin))
        return std::nullopt;
    CountedCalls Found;
    Found.Events = Calls;
    std::map<std::vector<uint32_t>, uint32_t> Known;
    for (std::vector<uint32_t> &Of : Parts) {
      std::ranges::sort(Of);
      const auto [At, New] = Known.try_emplace(Of, static_cast<uint32_t>(Found.Works.size()));
      if (New) {
        ExecutedWork Sum;
        for (const uint32_t Each : Of)
          Sum.add(Works[Each]);
        Found.Works.push_back(std::move(Sum));
      }
      Found.WorkOf.push_back(At->second);
    }
    return Found;
  }

private:
  struct Function {
    const CountedWork *Of;
    WorkDescription Text;
    std::map<TrackId, std::vector<uint32_t>> Events;
    std::map<std::vector<uint64_t>, uint32_t> Known; ///< numbers of `Works`, by the words of a call
  };

  bool isCall(const Site &What) const { return What.Kind == SiteKind::Kernel && What.Device < 0; }

  Function *functionOf(const Site &What) {
    const bool IsKernel = What.Kind == SiteKind::Kernel;
    if (!IsKernel && What.Kind != SiteKind::Region && What.Kind != SiteKind::Task)
      return nullptr;
    const auto Found = std::ranges::find_if(Functions, [&](const Function &Each) {
      return (Each.Of->Name == Each.Of->Kernel) == IsKernel &&
             Source.text(What.File) == Each.Of->File && What.Line == Each.Of->Line;
    });
    return Found == Functions.end() ? nullptr : &*Found;
  }

  /// Gives the function's calls their work, and the kernel's calls around them.
  template <typename LessT> bool addParts(Function &Of, LessT ByBegin) {
    std::map<TrackId, std::vector<const WorkRun *>> Runs;
    for (const WorkRun &Run : Of.Of->Runs)
      Runs[Run.Track].push_back(&Run);
    if (Runs.empty() || Runs.size() != Of.Events.size())
      return false;
    for (auto &[Track, Events] : Of.Events) {
      std::ranges::stable_sort(Events, ByBegin);
      size_t Next = 0;
      for (const WorkRun *Run : Runs[Track]) {
        const std::optional<uint32_t> Work = workOf(Of, *Run);
        if (!Work || Run->Calls > Events.size() - Next)
          return false;
        for (uint64_t I = 0; I < Run->Calls; ++I)
          if (!add(Events[Next++], *Work))
            return false;
      }
      if (Next != Events.size())
        return false;
    }
    return true;
  }

  bool add(uint32_t Event, uint32_t Work) {
    const int64_t At = Source.Events.BeginNs[Event];
    const auto Behind = std::ranges::upper_bound(
        Calls, At, {}, [&](uint32_t Call) { return Source.Events.BeginNs[Call]; });
    if (Behind == Calls.begin() || Source.Events.endNs(Event) > Source.Events.endNs(Behind[-1]))
      return false;
    Parts[static_cast<size_t>(Behind - Calls.begin()) - 1].push_back(Work);
    return true;
  }

  /// The number of the work that each call of a run did; nothing: the calls differ, or not all is
  /// the kernel's own. Equal work has one number.
  std::optional<uint32_t> workOf(Function &Of, const WorkRun &Run) {
    if (Run.IsMixed || !Run.Calls)
      return std::nullopt;
    std::vector<uint64_t> Words = Run.Words;
    for (uint64_t &Word : Words)
      Word /= Run.Calls;
    if (const auto Found = Of.Known.find(Words); Found != Of.Known.end())
      return Found->second;
    std::optional<WorkByName> Work = Of.Text.read(1, Words);
    if (!Work || Work->size() != 1)
      return std::nullopt;
    Works.push_back(std::move(Work->begin()->second.All));
    return Of.Known[std::move(Words)] = static_cast<uint32_t>(Works.size() - 1);
  }

  const Trace &Source;
  std::vector<Function> Functions;
  std::vector<uint32_t> Calls;
  std::vector<std::vector<uint32_t>> Parts; ///< of each call, numbers of `Works`
  std::vector<ExecutedWork> Works;
};

} // namespace

CallWorkByKernel workOfCalls(const Trace &Source) {
  if (Source.Work.empty())
    return {};
  std::map<KernelId, CallsOfKernel> Kernels;
  const KernelIds Ids(Source);
  std::set<std::string> Incomplete;
  for (const CountedWork &Of : Source.Work)
    if (Of.isOfOneKernel())
      Kernels.try_emplace(Ids.of(Of.shownKernel(), Of.fileOfKernel()), Source)
          .first->second.addFunction(Of);
    else
      std::ranges::copy(Of.shown(Of.Kernel), std::inserter(Incomplete, Incomplete.end()));
  std::erase_if(Kernels, [&](const auto &Each) { return Incomplete.contains(Each.first.Name); });
  std::unordered_map<SiteId, CallsOfKernel *> Wanted;
  for (SiteId Id = 0; Id < Source.Sites.size(); ++Id) {
    const Site &What = Source.Sites[Id];
    const auto Found = Kernels.find(Ids.of(What));
    if (Found != Kernels.end() && Found->second.wants(What))
      Wanted[Id] = &Found->second;
  }
  for (uint32_t Event = 0; Event < Source.Events.size(); ++Event)
    if (const auto Found = Wanted.find(Source.Events.Site[Event]); Found != Wanted.end())
      Found->second->addEvent(Event);
  CallWorkByKernel Result;
  for (auto &[Id, Of] : Kernels)
    if (std::optional<CountedCalls> Found = Of.find(); Found && !Found->Events.empty())
      Result[Id] = std::move(*Found);
  return Result;
}

} // namespace seamscope::tools
