//===- ReplayResult.cpp - a kernel alone, and in its program --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/replay/ReplayResult.h"
#include "analysis/core/Statistics.h"
#include "analysis/samples/ThreadTimes.h"
#include "kernels/InductorNames.h"
#include "trace/io/InputFile.h"
#include "trace/io/JsonParse.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr uint64_t LargestOutput = 1u << 20;

/// Times beyond are those of no call.
constexpr int64_t LongestNs = int64_t{1} << 60;

/// Below, two times are the same.
constexpr double Same = 0.1;

/// Of the time with hot caches: causes of less are not listed.
constexpr double Least = 0.02;

/// "ckvt5" of "/cache/kv/ckvt5.main.so".
std::string hashOf(const std::string &Path) {
  const std::string Name = fs::path(Path).filename().string();
  return Name.substr(0, Name.find('.'));
}

std::optional<int64_t> timeIn(const Json &Of, const char *Key) {
  const auto Found = Of.find(Key);
  if (Found == Of.end() || !Found->is_number_unsigned() ||
      Found->get<uint64_t>() > static_cast<uint64_t>(LongestNs))
    return std::nullopt;
  return Found->get<int64_t>();
}

std::optional<ReplayVariant> variantOf(const Json &Entry) {
  if (!Entry.is_object())
    return std::nullopt;
  const auto Name = Entry.find("name");
  const auto Median = timeIn(Entry, "median_ns"), Low = timeIn(Entry, "low_ns"),
             High = timeIn(Entry, "high_ns"), Min = timeIn(Entry, "min_ns"),
             Calls = timeIn(Entry, "calls");
  if (Name == Entry.end() || !Name->is_string() || !Median || !Low || !High || !Min || !Calls)
    return std::nullopt;
  return ReplayVariant{Name->get<std::string>(),
                       {*Median, *Low, *High, *Min, static_cast<uint64_t>(*Calls)}};
}

} // namespace

ReplayTimes replayTimes(std::vector<int64_t> Ns) {
  std::ranges::sort(Ns);
  const auto N = static_cast<double>(Ns.size()), Half = 0.98 * std::sqrt(N);
  const auto At = [&](double Rank) {
    return Ns[static_cast<size_t>(std::clamp(Rank, 0.0, N - 1))];
  };
  return {At(N / 2), At(std::floor(N / 2 - Half) - 1), At(std::ceil(N / 2 + Half)), Ns.front(),
          Ns.size()};
}

const ReplayTimes *Replayed::find(std::string_view Name) const {
  const auto Found = std::ranges::find(Variants, Name, &ReplayVariant::Name);
  return Found == Variants.end() ? nullptr : &Found->Times;
}

void ReplayVaried::add(int64_t BaseNs, int64_t ChangedNs) {
  Ns.push_back(ChangedNs);
  Ratios.push_back(static_cast<double>(ChangedNs) / static_cast<double>(BaseNs));
}

std::optional<int64_t> ReplayVaried::medianNs() const {
  return Ns.empty() ? std::nullopt : std::optional(replayTimes(Ns).MedianNs);
}

/// By round, the time of the program as it was next to the changed one.
static std::vector<int64_t> basesOf(const ReplayVaried &Of) {
  std::vector<int64_t> Bases;
  for (size_t I = 0; I < Of.Ns.size(); ++I)
    Bases.push_back(std::llround(static_cast<double>(Of.Ns[I]) / Of.Ratios[I]));
  return Bases;
}

std::optional<ReplayVaried::Part> ReplayVaried::part() const {
  if (Ns.empty())
    return std::nullopt;
  std::vector<int64_t> Less = basesOf(*this);
  for (size_t I = 0; I < Ns.size(); ++I)
    Less[I] -= Ns[I];
  std::ranges::sort(Less);
  return Part{Less[Less.size() / 2], Less.front(), Less.back()};
}

std::optional<int64_t> ReplayAblation::kernelNs() const {
  std::vector<int64_t> All = basesOf(Floor);
  for (const ReplayVaried &Each : Operators) {
    const std::vector<int64_t> Its = basesOf(Each);
    All.insert(All.end(), Its.begin(), Its.end());
  }
  return All.empty() ? std::nullopt : std::optional(replayTimes(std::move(All)).MedianNs);
}

std::optional<int64_t> ReplayAblation::overlappedNs() const {
  const auto Kernel = kernelNs(), Least = Floor.medianNs();
  if (!Kernel || !Least)
    return std::nullopt;
  int64_t Rest = *Kernel - *Least;
  for (const ReplayVaried &Each : Operators)
    if (const auto Part = Each.part())
      Rest -= Part->Median;
  return Rest;
}

std::optional<ReplayVaried::Ratio> ReplayVaried::ratio() const {
  if (Ratios.empty())
    return std::nullopt;
  std::vector<double> Sorted = Ratios;
  std::ranges::sort(Sorted);
  return Ratio{Sorted[Sorted.size() / 2], Sorted.front(), Sorted.back()};
}

std::string ReplayVaried::verdict() const {
  constexpr double Noise = 0.02;
  const auto Its = ratio();
  if (!Its)
    return "-";
  return Its->High < 1 - Noise ? "faster" : Its->Low > 1 + Noise ? "slower" : "same";
}

std::optional<Error> addMeasured(Replayed &To, const std::string &Path) {
  const auto Text = readRegular(Path, LargestOutput);
  if (!Text)
    return Text.error();
  const Json Found = parseJson(*Text);
  const Error Wrong = {Path, {}, "is not what the replayed program prints"};
  if (!Found.is_object() || !Found.contains("variants") || !Found["variants"].is_array())
    return Wrong;
  for (const Json &Entry : Found["variants"]) {
    auto Variant = variantOf(Entry);
    if (!Variant)
      return Wrong;
    To.Variants.push_back(std::move(*Variant));
  }
  const auto Threads = timeIn(Found, "threads"), Preempted = timeIn(Found, "preempted");
  if (To.Variants.empty() || To.Variants[0].Name != "hot" || !Threads || !Preempted)
    return Wrong;
  To.Threads = static_cast<int>(std::min<int64_t>(*Threads, INT32_MAX));
  To.Preempted = static_cast<uint64_t>(*Preempted);
  // Of an operator, whose results only torch knows.
  if (const auto Read = timeIn(Found, "read"), Written = timeIn(Found, "written");
      Read && Written) {
    To.ReadBytes = static_cast<uint64_t>(*Read);
    To.WrittenBytes = static_cast<uint64_t>(*Written);
  }
  return std::nullopt;
}

std::vector<bool> sitesOf(const Trace &Of, const KernelCall &Call) {
  const std::string Hash = hashOf(Call.Library);
  std::vector<bool> Its(Of.Sites.size());
  for (SiteId Id = 0; Id < Of.Sites.size(); ++Id) {
    const Site &What = Of.Sites[Id];
    // Graphs have kernels of equal names; each has a file of its own.
    Its[Id] = What.Kind == SiteKind::Kernel && What.Device < 0 &&
              (Call.Image ? Of.text(What.Name) : inductorName(Of.text(What.Name))) == Call.Kernel &&
              (Hash.empty() || hashOf(std::string(Of.text(What.File))) == Hash);
  }
  return Its;
}

/// The calls of that kernel, by their begin.
static std::vector<size_t> eventsOf(const Trace &Of, const KernelCall &Call) {
  const std::vector<bool> Its = sitesOf(Of, Call);
  std::vector<size_t> Found;
  for (size_t I = 0; I < Of.Events.size(); ++I)
    if (Its[Of.Events.Site[I]])
      Found.push_back(I);
  std::ranges::stable_sort(Found, {}, [&](size_t I) { return Of.Events.BeginNs[I]; });
  return Found;
}

int64_t totalInPlace(const Trace &Of, const KernelCall &Call) {
  int64_t Ns = 0;
  for (const size_t I : eventsOf(Of, Call))
    Ns = saturatingSum(Ns, Of.Events.DurationNs[I]);
  return Ns;
}

/// How long, in the mean of calls and threads, these kernels' threads waited for each other.
static std::optional<int64_t> waitOf(const Trace &Of, const std::vector<bool> &Its) {
  double Ns = 0;
  uint64_t Calls = 0;
  bool IsKnown = false;
  for (const KernelRow &Kernel : computeStatistics(Of).Kernels) {
    if (!Its[Kernel.Site])
      continue;
    Calls += Kernel.Times.Calls;
    for (const RegionRow &Region : Kernel.Regions) {
      IsKnown = IsKnown || Region.Threads.size() > 1;
      Ns += static_cast<double>(Region.WaitNs) /
            static_cast<double>(std::max<size_t>(1, Region.Threads.size()));
    }
  }
  return IsKnown && Calls ? std::optional(std::llround(Ns / static_cast<double>(Calls)))
                          : std::nullopt;
}

void addInPlace(Replayed &To, const Trace &Of, const KernelCall &Call) {
  std::vector<size_t> Events = eventsOf(Of, Call);
  // The call that was captured ran on memory that had just been shared with a copy of the process.
  if (Call.Image && Call.Number <= Events.size())
    Events.erase(Events.begin() + static_cast<ptrdiff_t>(Call.Number - 1));
  std::vector<int64_t> Ns;
  const ThreadTimes Times(Of);
  OffTime Off;
  bool IsKnown = true;
  for (const size_t I : Events) {
    Ns.push_back(Of.Events.DurationNs[I]);
    IsKnown = IsKnown && Times.knows(Of.Events.Track[I]);
    if (IsKnown)
      Off += Times.between(Of.Events.Track[I], Of.Events.BeginNs[I], Of.Events.endNs(I));
  }
  if (Ns.empty())
    return;
  if (IsKnown) {
    const auto Calls = static_cast<int64_t>(Ns.size());
    To.PreemptedNs = Off.PreemptedNs / Calls;
    To.BlockedNs = Off.BlockedNs / Calls;
  }
  To.WaitNs = waitOf(Of, sitesOf(Of, Call));
  To.InPlace = replayTimes(std::move(Ns));
}

std::vector<ReplayCause> explain(const Replayed &Of) {
  const ReplayTimes *const Hot = Of.find("hot");
  std::vector<ReplayCause> Causes;
  if (!Hot || !Of.InPlace)
    return Causes;
  const int64_t Gap = Of.InPlace->MedianNs - Hot->MedianNs;
  const auto Add = [&](const char *Cause, int64_t Ns) {
    // Of a tensor, a part may be in that state.
    Ns = std::min(Ns, Gap);
    if (static_cast<double>(Ns) > Least * static_cast<double>(Hot->MedianNs))
      Causes.push_back({Cause, Ns});
  };
  const auto AddState = [&](const char *Name, const char *Cause) {
    if (const ReplayTimes *const State = Of.find(Name))
      Add(Cause, State->MedianNs - Hot->MedianNs);
  };
  AddState("cold", "tensors in no cache");
  AddState("new", "results in new memory");
  if (Of.PreemptedNs)
    Add("another program had the processor", *Of.PreemptedNs);
  if (Of.BlockedNs)
    Add("the thread was blocked", *Of.BlockedNs);
  if (Of.WaitNs)
    Add("threads waited for the slowest of their team", *Of.WaitNs);
  std::ranges::stable_sort(Causes, std::greater(), &ReplayCause::Ns);
  return Causes;
}

std::string verdict(const Replayed &Of) {
  const ReplayTimes *const Hot = Of.find("hot");
  if (!Hot || !Of.InPlace || Hot->MedianNs <= 0 || Of.InPlace->MedianNs <= 0)
    return {};
  const auto Ratio = [&](const ReplayTimes &Other) {
    return static_cast<double>(Other.MedianNs) / static_cast<double>(Hot->MedianNs);
  };
  const double InPlace = Ratio(*Of.InPlace);
  const auto IsLike = [&](const ReplayVariant &Each) {
    return std::abs(Ratio(Each.Times) / InPlace - 1) <= Same ||
           (Of.InPlace->LowNs <= Each.Times.HighNs && Each.Times.LowNs <= Of.InPlace->HighNs);
  };
  const std::string Text =
      fmt::format("in place a call takes {:.2f} times as long as alone with hot caches", InPlace);
  if (std::abs(InPlace - 1) <= Same)
    return Text + ": the same, to 10 %";
  const auto Distance = [&](const ReplayVariant &Each) {
    return std::abs(std::log(Ratio(Each.Times) / InPlace));
  };
  const ReplayVariant &Nearest = *std::ranges::min_element(Of.Variants, {}, Distance);
  if (IsLike(Nearest))
    return Text + (&Nearest.Times == Hot ? ", which is within its interval"
                                         : fmt::format(", as with the memory '{}' ({:.2f})",
                                                       Nearest.Name, Ratio(Nearest.Times)));
  const ReplayVariant &Slowest = *std::ranges::max_element(
      Of.Variants, {}, [](const ReplayVariant &Each) { return Each.Times.MedianNs; });
  if (InPlace < 1)
    return Text + ", which no state of the memory explains: was the machine busy during the "
                  "replay, or are these other calls?";
  if (InPlace < Ratio(Slowest.Times))
    return Text + fmt::format(": less than with the memory '{}' ({:.2f}), so that the "
                              "state of the memory can be the reason",
                              Slowest.Name, Ratio(Slowest.Times));
  return Text +
         fmt::format("; the state of the memory explains at most {:.2f}", Ratio(Slowest.Times));
}

} // namespace seamscope::tools
