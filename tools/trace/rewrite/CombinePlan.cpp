//===- CombinePlan.cpp - how traces are kept apart in a common one --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/CombinePlan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace seamscope::tools {
namespace {

std::optional<int64_t> numberOf(std::string_view Pid) {
  int64_t Number = 0;
  const auto [End, Code] = std::from_chars(Pid.data(), Pid.data() + Pid.size(), Number);
  if (Pid.empty() || Code != std::errc() || End != Pid.data() + Pid.size())
    return std::nullopt;
  return Number;
}

class Planner {
public:
  Planner(const std::vector<TraceSurvey> &Surveys, const std::vector<std::string> &Paths,
          const CombineOptions &Options)
      : Surveys(Surveys), Paths(Paths), Options(Options) {
    Plan.Inputs.resize(Surveys.size());
  }

  Result<CombinePlan> run() {
    giveLabels();
    givePids();
    if (auto Failure = giveDevices())
      return *Failure;
    if (auto Failure = giveIds())
      return *Failure;
    if (auto Failure = alignTimes())
      return *Failure;
    return std::move(Plan);
  }

private:
  /// The process of the host that a trace is of; empty: it has several, or none.
  static std::string onlyProcess(const TraceSurvey &Survey) {
    std::string Only;
    for (const auto &[Pid, Use] : Survey.Pids) {
      const auto Number = numberOf(Pid);
      if (!Use.HasEvents || !Number || *Number < 0 ||
          (*Number <= std::numeric_limits<int32_t>::max() &&
           Survey.Devices.contains(static_cast<int32_t>(*Number))))
        continue;
      if (!Only.empty())
        return {};
      Only = Pid;
    }
    return Only;
  }

  void giveLabels() {
    std::map<std::string, size_t> Count;
    for (size_t I = 0; I < Surveys.size(); ++I) {
      std::string &Label = Plan.Inputs[I].Label;
      if (Surveys[I].Rank)
        Label = fmt::format("rank {}", *Surveys[I].Rank);
      else if (const std::string Pid = onlyProcess(Surveys[I]); !Pid.empty())
        Label = "process " + Pid;
      ++Count[Label];
    }
    for (size_t I = 0; I < Surveys.size(); ++I) {
      std::string &Label = Plan.Inputs[I].Label;
      if (Label.empty() || Count[Label] > 1)
        Label += fmt::format("{}input {}", Label.empty() ? "" : ", ", I + 1);
    }
  }

  void givePids() {
    // A new number is none that any input has.
    std::set<std::string> Taken;
    int64_t Next = 0;
    for (const TraceSurvey &Survey : Surveys)
      for (const auto &[Pid, Use] : Survey.Pids) {
        Taken.insert(Pid);
        // Process ids of Linux are below 2^22; others would leave no room.
        if (const auto Number = numberOf(Pid);
            Number && *Number < std::numeric_limits<int32_t>::max())
          Next = std::max(Next, *Number + 1);
      }
    std::set<std::string> Given;
    for (size_t I = 0; I < Surveys.size(); ++I) {
      auto &Pids = Plan.Inputs[I].Pids;
      for (const auto &[Pid, Use] : Surveys[I].Pids) {
        std::string &New = Pids[Pid];
        New = Pid;
        if (!Given.contains(Pid))
          continue;
        const bool IsWord = !Pid.empty() && !numberOf(Pid);
        for (uint64_t Try = I + 1; Taken.contains(New); ++Try)
          New = IsWord ? fmt::format("{} [{}]", Pid, Try) : fmt::to_string(Next++);
        Taken.insert(New);
      }
      for (const auto &[Pid, New] : Pids)
        Given.insert(New);
    }
  }

  std::optional<Error> giveDevices() {
    std::set<int32_t> Given;
    for (size_t I = 0; I < Surveys.size(); ++I) {
      const std::set<int32_t> &Used = Surveys[I].Devices;
      const bool Keep = Options.SameDevices ||
                        std::ranges::none_of(Used, [&](int32_t Id) { return Given.contains(Id); });
      // All move together: the numbers of one input stay neighbours.
      int64_t Next = Given.empty() ? 0 : int64_t{*Given.rbegin()} + 1;
      for (const int32_t Id : Used) {
        if (!Keep && Next > std::numeric_limits<int32_t>::max())
          return Error{Paths[I], {}, "device numbers are too large to be kept apart"};
        Plan.Inputs[I].Devices[Id] = Keep ? Id : static_cast<int32_t>(Next++);
      }
      for (const auto &[Id, New] : Plan.Inputs[I].Devices)
        Given.insert(New);
    }
    return std::nullopt;
  }

  std::optional<Error> giveIds() {
    std::optional<int64_t> Last;
    for (size_t I = 0; I < Surveys.size(); ++I) {
      InputPlan &Its = Plan.Inputs[I];
      // Spread over the bits below those that make a number a hash.
      Its.HashMask = I * 0x9e3779b97f4a7c15u & static_cast<uint64_t>(HashNumbers - 1);
      const TraceSurvey &Survey = Surveys[I];
      if (!Survey.FirstId)
        continue;
      if (Last && *Survey.FirstId <= *Last)
        Its.IdShift = *Last + 1 - *Survey.FirstId;
      Last = *Survey.LastId + Its.IdShift;
      if (*Last >= HashNumbers)
        return Error{Paths[I], {}, "correlation and other ids are too large to be kept apart"};
    }
    return std::nullopt;
  }

  std::optional<Error> alignTimes() {
    if (Options.Align == Alignment::None)
      Plan.NotAligned = "times are as recorded";
    else if (Options.Align == Alignment::Start)
      return alignStarts();
    else
      return alignClocks();
    return std::nullopt;
  }

  std::optional<Error> shift(size_t I, __int128 Ns) {
    if (!isPlausible(Ns))
      return Error{Paths[I], {}, "lies too far from the other traces in time"};
    Plan.Inputs[I].Time.ShiftNs = static_cast<int64_t>(Ns);
    return std::nullopt;
  }

  std::optional<Error> alignStarts() {
    const auto First = std::ranges::find_if(
        Surveys, [](const TraceSurvey &Survey) { return Survey.FirstNs.has_value(); });
    if (First == Surveys.end())
      return std::nullopt;
    Plan.BaseNs = First->BaseNs;
    for (size_t I = 0; I < Surveys.size(); ++I)
      if (Surveys[I].FirstNs)
        if (auto Failure = shift(I, __int128{*First->FirstNs} - *Surveys[I].FirstNs))
          return Failure;
    return std::nullopt;
  }

  /// When ts 0 was, in ns since 1970. Writers before 2024 give no base, and times since 1970.
  static std::optional<int64_t> originOf(const TraceSurvey &Survey) {
    constexpr int64_t In2001 = 1'000'000'000'000'000'000;
    if (Survey.BaseNs)
      return Survey.BaseNs;
    return Survey.FirstNs && *Survey.FirstNs >= In2001 ? std::optional<int64_t>(0) : std::nullopt;
  }

  std::optional<Error> alignClocks() {
    for (size_t I = 0; I < Surveys.size(); ++I) {
      const TraceSurvey &Survey = Surveys[I];
      if (!Survey.FirstNs)
        continue;
      if (!originOf(Survey)) {
        Plan.NotAligned = fmt::format("{} does not say when its times begin", Paths[I]);
        Plan.BaseNs.reset();
        return std::nullopt;
      }
      // Of the bases that are given the earliest; times since 1970 would lose digits elsewhere.
      if (Survey.BaseNs)
        Plan.BaseNs = std::min(*Survey.BaseNs, Plan.BaseNs.value_or(*Survey.BaseNs));
    }
    for (size_t I = 0; I < Surveys.size(); ++I)
      if (Surveys[I].FirstNs)
        if (auto Failure = shift(I, __int128{*originOf(Surveys[I])} - Plan.BaseNs.value_or(0)))
          return Failure;
    return std::nullopt;
  }

  const std::vector<TraceSurvey> &Surveys;
  const std::vector<std::string> &Paths;
  const CombineOptions &Options;
  CombinePlan Plan;
};

} // namespace

__int128 InputPlan::id(__int128 Old) const {
  if (Old > -HashNumbers && Old < HashNumbers)
    return Old + IdShift;
  return static_cast<__int128>(static_cast<unsigned __int128>(Old) ^ HashMask);
}

Result<CombinePlan> planCombination(const std::vector<TraceSurvey> &Surveys,
                                    const std::vector<std::string> &Paths,
                                    const CombineOptions &Options) {
  return Planner(Surveys, Paths, Options).run();
}

} // namespace seamscope::tools
