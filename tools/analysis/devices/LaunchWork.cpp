//===- LaunchWork.cpp - the counted work of launches of GPU kernels -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/LaunchWork.h"

#include "trace/io/JsonParse.h"
#include "trace/model/Trace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ranges>
#include <string_view>
#include <vector>

namespace seamscope::tools {
namespace {

std::optional<int64_t> exact(const Bounds &Of) {
  return Of.isExact() ? std::optional(static_cast<int64_t>(Of.Most)) : std::nullopt;
}

DType typeNamed(std::string_view Name) {
  constexpr std::pair<std::string_view, DType> Types[] = {{"f64", DType::Float64},
                                                          {"f32", DType::Float32},
                                                          {"f16", DType::Float16},
                                                          {"bf16", DType::BFloat16},
                                                          {"f8", DType::Float8}};
  for (const auto &[Known, Type] : Types)
    if (Name == Known)
      return Type;
  return DType::Unknown;
}

/// The unit that does 99 % of the FLOPs, if one does.
void findUnit(const ExecutedWork &Of, uint64_t All, LaunchWork &Into) {
  std::map<std::pair<std::string, bool>, uint64_t> ByUnit;
  for (const auto &[Key, Count] : Of.Counts) {
    const auto [Type, What] = operationOf(Key);
    if (const uint64_t Flop = flopsOf(Key, Count).Most)
      ByUnit[{std::string(Type), What == "mma"}] += Flop;
  }
  for (const auto &[Unit, Flop] : ByUnit)
    if (All && Flop >= All - All / 100) {
      Into.Compute = typeNamed(Unit.first);
      Into.Kind = Unit.second ? OpWorkKind::MatMul : OpWorkKind::Pointwise;
    }
}

LaunchWork workOf(const ExecutedWork &Of) {
  LaunchWork Work;
  Work.Unknown = Of.Unknown;
  if (!Of.Unknown.empty())
    return Work;
  const Bounds Flop = Of.flop(), Bytes = Of.bytes();
  Work.Flop = exact(Flop);
  Work.Bytes = exact(Bytes);
  if (!Work.Flop || !Work.Bytes)
    Work.Unknown.insert("a condition in an innermost loop: compile with work=exact");
  else
    findUnit(Of, Flop.Most, Work);
  return Work;
}

constexpr const char *Unreadable = "a description that cannot be read";

/// None: they are not numbers.
std::vector<uint64_t> wordsOf(std::string_view Text) {
  std::vector<uint64_t> Words;
  for (const nlohmann::json &Word : parseJson(Text)) {
    if (!Word.is_number_unsigned())
      return {};
    Words.push_back(Word.get<uint64_t>());
  }
  return Words;
}

/// What the counters of GPU kernels count.
class Descriptions {
public:
  explicit Descriptions(const Trace &Source) : Source(Source) {
    for (const CountedWork &Of : Source.Work)
      if (!Of.Id.empty())
        Kernels.emplace(Of.Id, WorkDescription(Of));
  }

  /// Nothing: the description is missing, or cannot be read.
  std::optional<KernelWork> workOf(StringId Id, const std::vector<uint64_t> &Words) const {
    const auto Kernel = Kernels.find(Source.text(Id));
    if (Kernel == Kernels.end())
      return std::nullopt;
    std::optional<WorkByName> Inlined = Kernel->second.read(0, Words);
    if (!Inlined)
      return std::nullopt;
    KernelWork Sum;
    for (KernelWork &Each : *Inlined | std::views::values)
      Sum.add(std::move(Each));
    return Sum;
  }

private:
  const Trace &Source;
  std::map<std::string_view, WorkDescription> Kernels;
};

LaunchWork unknown(std::string Why) {
  LaunchWork Work;
  Work.Unknown.insert(std::move(Why));
  return Work;
}

} // namespace

std::unordered_map<uint32_t, LaunchWork> launchWork(const Trace &Source) {
  std::unordered_map<uint32_t, LaunchWork> Found;
  const Descriptions Kernels(Source);
  std::map<std::pair<StringId, StringId>, LaunchWork> Known; // launches often do the same
  for (const LaunchCounters &Row : Source.Details.Counters) {
    if (Row.Unknown) {
      Found.emplace(Row.Event, unknown(std::string(Source.text(Row.Unknown))));
      continue;
    }
    const auto [Place, IsNew] = Known.try_emplace({Row.Counts, Row.Words});
    if (IsNew) {
      const auto Of = Kernels.workOf(Row.Counts, wordsOf(Source.text(Row.Words)));
      Place->second = Of ? workOf(Of->All) : unknown(Unreadable);
    }
    Found.emplace(Row.Event, Place->second);
  }
  return Found;
}

std::map<std::pair<StringId, int32_t>, KernelWork> launchWorkByKernel(const Trace &Source) {
  struct Sum {
    std::vector<uint64_t> Words;
    uint64_t Launches = 0;
    bool IsValid = true;
  };
  using Key = std::pair<StringId, int32_t>;
  std::map<std::pair<Key, StringId>, Sum> Sums; // by kernel and what it counts
  std::map<Key, KernelWork> Found;
  for (const LaunchCounters &Row : Source.Details.Counters) {
    const Site &What = Source.Sites[Source.Events.Site[Row.Event]];
    const Key Kernel = {What.Name, What.Device};
    if (Row.Unknown) {
      Found[Kernel].All.Unknown.insert(std::string(Source.text(Row.Unknown)));
      continue;
    }
    Sum &Into = Sums[{Kernel, Row.Counts}];
    const std::vector<uint64_t> Words = wordsOf(Source.text(Row.Words));
    Into.Words.resize(std::max(Into.Words.size(), Words.size()));
    for (size_t I = 0; I < Words.size(); ++I)
      Into.IsValid &= !__builtin_add_overflow(Into.Words[I], Words[I], &Into.Words[I]);
    ++Into.Launches;
  }
  const Descriptions Kernels(Source);
  for (auto &[Of, Each] : Sums) {
    KernelWork &Into = Found[Of.first];
    auto Work = Each.IsValid ? Kernels.workOf(Of.second, Each.Words) : std::nullopt;
    if (Work)
      Into.add(std::move(*Work));
    else
      Into.All.Unknown.insert(Unreadable);
    Into.Calls += Each.Launches;
  }
  for (auto &[Of, Work] : Found) {
    Work.LacksArrays = true; // distinct bytes are not counted
    Work.sortLines();
  }
  return Found;
}

} // namespace seamscope::tools
