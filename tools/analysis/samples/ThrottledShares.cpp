//===- ThrottledShares.cpp - the part of throttled sites, by samples --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/samples/ThrottledShares.h"

#include "analysis/samples/Proportion.h"
#include "analysis/samples/SampleRows.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace seamscope::tools {
namespace {

/// Samples of a row by what they are of.
struct Counts {
  std::map<uint32_t, uint64_t> Of; ///< by throttled row
  uint64_t Own = 0, Other = 0;

  uint64_t all() const {
    uint64_t Sum = Own + Other;
    for (const auto &[Row, Count] : Of)
      Sum += Count;
    return Sum;
  }
};

/// A part of a row's time that belongs to the untimed calls of another row.
struct SampledPart {
  uint32_t From = 0;                   ///< the row of the calls around; KernelRows::None: no row
  double Share = 0, Low = 0, High = 0; ///< of that row's own time, with its 95 % interval
};

/// Of a throttled row whose own samples say how much of its callers it is.
struct ThrottledBySamples {
  std::vector<SampledPart> Parts;
  uint64_t Samples = 0;
};

/// Fewer samples say too little; none at all may mean that the function was inlined and has no
/// debug information.
constexpr uint64_t LeastSamples = 5;

/// Rows by the names of their functions. A name that several rows have names none.
class RowsByName {
public:
  void add(std::string_view Name, uint32_t Row) {
    put(ByName, Name, Row);
    put(ByBase, Name.substr(0, argumentsIn(Name)), Row);
  }

  /// \p Function: as a symbol has it. Sites have the arguments of a template or not.
  uint32_t rowOf(const std::string &Function) const {
    const std::string Name = functionNameOf(Function);
    if (const auto Found = ByName.find(Name); Found != ByName.end())
      return Found->second;
    const auto Found = ByBase.find(Name.substr(0, argumentsIn(Name)));
    return Found == ByBase.end() ? KernelRows::None : Found->second;
  }

private:
  using Map = std::map<std::string, uint32_t, std::less<>>;
  static void put(Map &To, std::string_view Name, uint32_t Row) {
    const auto [Known, New] = To.try_emplace(std::string(Name), Row);
    if (!New && Known->second != Row)
      Known->second = KernelRows::None;
  }
  Map ByName, ByBase;
};

/// By row, for throttled rows with enough samples.
std::vector<std::optional<ThrottledBySamples>>
throttledBySamples(const Trace &Input, const KernelRows &Rows, const CodeNames &Names) {
  std::vector<std::optional<ThrottledBySamples>> Result(Rows.Sites.size());
  if (Input.Throttled.empty() || !Input.Samples.size())
    return Result;
  RowsByName ByName;
  std::set<uint32_t> Throttled;
  for (uint32_t Row = 0; Row < Rows.Sites.size(); ++Row)
    ByName.add(Input.text(Input.Sites[Rows.Sites[Row]].Name), Row);
  for (const ThrottledCalls &Calls : Input.Throttled)
    if (const uint32_t Row = Rows.OfSite[Calls.Site]; Row != KernelRows::None && Calls.Untimed)
      Throttled.insert(Row);

  // Of each code, the innermost function that is a row: throttled, or any.
  struct Named {
    uint32_t Row = KernelRows::None;
    bool IsHook = false;
  };
  std::vector<Named> OfCode;
  for (const CodeName &Code : Names.Codes) {
    Named &Its = OfCode.emplace_back();
    Its.IsHook = Code.Library.starts_with("libseamscope") ||
                 Code.Symbol.starts_with("seamscope.") || Code.Symbol.starts_with("__seamscope_");
    const auto Find = [&](const std::string &Function) {
      if (Its.Row == KernelRows::None)
        Its.Row = ByName.rowOf(Function);
    };
    for (const CodeName::Frame &Frame : Code.Frames)
      Find(Frame.Function);
    Find(Code.Symbol);
  }

  std::map<uint32_t, Counts> In; // by row around
  const std::vector<uint32_t> RowOf = rowsOfSamples(Input, Rows);
  for (size_t I = 0; I < RowOf.size(); ++I) {
    const Named &Code = OfCode[Names.OfSample[I]];
    Counts &Its = In[RowOf[I]];
    if (Code.IsHook)
      continue; // the cost of recording, of all in proportion
    if (Throttled.contains(Code.Row) && Code.Row != RowOf[I])
      ++Its.Of[Code.Row];
    else if (Code.Row == RowOf[I])
      ++Its.Own;
    else
      ++Its.Other;
  }
  for (const auto &[Around, Counted] : In) {
    const uint64_t All = Counted.all();
    // Outside of kernels, other code is not that of the throttled functions.
    const uint64_t Open = Around == KernelRows::None ? 0 : Counted.Other;
    for (const auto &[Row, Count] : Counted.Of) {
      const Proportion Point = proportionOf(Count, All - Open);
      SampledPart Part{Around, Point.Share, proportionOf(Count, All).Low,
                       proportionOf(Count + Open, All).High};
      auto &Its = Result[Row];
      if (!Its)
        Its.emplace();
      Its->Parts.push_back(Part);
      Its->Samples += Count;
    }
  }
  for (auto &Its : Result)
    if (Its && Its->Samples < LeastSamples)
      Its.reset();
  return Result;
}

} // namespace

std::vector<std::optional<UntimedCalls>> moveBySamples(const Trace &Input, const KernelRows &Rows,
                                                       const CodeNames &Names,
                                                       std::vector<int64_t> &RowNs,
                                                       int64_t &UnattributedNs) {
  std::vector<std::optional<UntimedCalls>> Result(RowNs.size());
  const auto Sampled = throttledBySamples(Input, Rows, Names);
  if (std::ranges::none_of(Sampled, [](const auto &Its) { return Its.has_value(); }))
    return Result;
  std::map<uint32_t, int64_t> Running;
  for (const auto &[Key, Ns] : runningOfRows(Input, Rows))
    Running[Key.first] += Ns;
  const std::vector<UntimedCalls> Untimed = untimedCalls(Input, Rows.OfSite, Rows.Sites.size());
  const std::vector<int64_t> Before = RowNs;
  const int64_t Outside = UnattributedNs;
  const auto PartOf = [](int64_t Ns, double Share) {
    return static_cast<int64_t>(static_cast<double>(Ns) * Share);
  };
  for (size_t Row = 0; Row < Sampled.size(); ++Row) {
    if (!Sampled[Row] || !Untimed[Row].Calls)
      continue;
    UntimedCalls &Its = Result[Row].emplace(Untimed[Row]);
    Its.IsSampled = true;
    Its.Ns = Its.LowNs = Its.HighNs = 0;
    for (const SampledPart &Part : Sampled[Row]->Parts) {
      const bool IsOutside = Part.From == KernelRows::None;
      int64_t &From = IsOutside ? UnattributedNs : RowNs[Part.From];
      const int64_t Ns =
          std::min(From, PartOf(IsOutside ? Outside : Before[Part.From], Part.Share));
      From -= Ns;
      RowNs[Row] += Ns;
      const int64_t All = Running[Part.From];
      Its.Ns += PartOf(All, Part.Share);
      Its.LowNs += PartOf(All, Part.Low);
      Its.HighNs += PartOf(All, Part.High);
    }
  }
  return Result;
}

} // namespace seamscope::tools
