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
  uint32_t From = 0; ///< the row of the calls around; KernelRows::None: no row
  /// Of that row's own time, with its 95 % interval. Samples of third functions may be of either:
  /// a share from Least to Most.
  double Share = 0, Low = 0, High = 0;
  double Least = 0, Most = 0;

  /// Takes what timed calls say of the samples that may be of either.
  void narrow(double Likely, double TimedLow, double TimedHigh);
};

/// A timed call waits for the code before it, and the code behind it waits for the call. What runs
/// at once else is at most what a processor holds at a time: some 500 instructions, or 100 to 250
/// ns of code that waits for data now and then.
constexpr double OverlapNs = 250;

/// Fewer timed calls say too little.
constexpr uint64_t LeastTimed = 30;

void SampledPart::narrow(double Likely, double TimedLow, double TimedHigh) {
  if (!(Least < Most))
    return;
  Share = std::clamp(Likely, Least, Most);
  Low += std::clamp(TimedLow, Least, Share) - Least;
  High -= Most - std::clamp(TimedHigh, Share, Most);
}

/// Of a throttled row whose own samples say how much of its callers it is.
struct ThrottledBySamples {
  std::vector<SampledPart> Parts;
  uint64_t Samples = 0;
};

struct BySamples {
  std::vector<std::optional<ThrottledBySamples>> OfRow;
  /// By row, and at the end outside of rows: what part of its time is its own at least and at most,
  /// by its own samples and those of third functions.
  std::vector<double> LeastOwn, MostOwn;
};

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

/// For throttled rows with enough samples.
BySamples throttledBySamples(const Trace &Input, const KernelRows &Rows, const CodeNames &Names) {
  BySamples Found{std::vector<std::optional<ThrottledBySamples>>(Rows.Sites.size()),
                  std::vector<double>(Rows.Sites.size() + 1),
                  std::vector<double>(Rows.Sites.size() + 1, 1.0)};
  auto &Result = Found.OfRow;
  if (Input.Throttled.empty() || !Input.Samples.size())
    return Found;
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
    Its.IsHook = Code.isHook();
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
      continue; // the cost of recording
    if (Throttled.contains(Code.Row) && Code.Row != RowOf[I])
      ++Its.Of[Code.Row];
    else if (Code.Row == RowOf[I] && Code.Row != KernelRows::None)
      ++Its.Own;
    else
      ++Its.Other;
  }
  for (const auto &[Around, Counted] : In) {
    const uint64_t All = Counted.all();
    const bool IsOutside = Around == KernelRows::None;
    const size_t From = IsOutside ? Rows.Sites.size() : Around;
    Found.LeastOwn[From] = proportionOf(Counted.Own, All).Low;
    Found.MostOwn[From] = proportionOf(Counted.Own + Counted.Other, All).High;
    for (const auto &[Row, Count] : Counted.Of) {
      // Outside of rows nothing is the caller's for sure: other code is more likely its own.
      const Proportion Point = proportionOf(Count, IsOutside ? All : All - Counted.Other);
      const Proportion Least = proportionOf(Count, All);
      const Proportion Most = proportionOf(Count + Counted.Other, All);
      const SampledPart Part{Around, Point.Share, Least.Low, Most.High, Least.Share, Most.Share};
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
  return Found;
}

class SampledMoving {
public:
  SampledMoving(const Trace &Input, const KernelRows &Rows, const CodeNames &Names,
                const MovedTimes &ByTiming, SelfTimes &Self)
      : Input(Input), Rows(Rows), Self(Self), Count(Rows.Sites.size()),
        Found(throttledBySamples(Input, Rows, Names)), Lost(Count + 1), LostLeast(Count + 1),
        LostMost(Count + 1) {
    for (const MovedTime &Each : ByTiming.Moves)
      Timed[{Each.From, Each.To}] = Each;
  }

  SampledMoves run() {
    SampledMoves Result{std::vector<std::optional<UntimedCalls>>(Self.RowNs.size()),
                        std::vector<double>(Count + 1)};
    if (std::ranges::none_of(Found.OfRow, [](const auto &Its) { return Its.has_value(); }))
      return Result;
    for (const auto &[Key, Ns] : runningOfRows(Input, Rows))
      Running[Key.first] += Ns;
    Untimed = untimedCalls(Input, Rows.OfSite, Count);
    Before = Self.RowNs;
    OutsideNs = Self.UnattributedNs - Self.IdleNs;
    for (uint32_t Row = 0; Row < Count; ++Row)
      if (Found.OfRow[Row] && Untimed[Row].Calls)
        Result.OfRow[Row] = move(Row);
    for (size_t From = 0; From <= Count; ++From)
      Result.ErrorNs[From] = errorOf(From);
    return Result;
  }

private:
  UntimedCalls move(uint32_t Row) {
    UntimedCalls Its = Untimed[Row];
    Its.IsSampled = true;
    Its.Ns = Its.LowNs = Its.HighNs = 0;
    for (SampledPart Part : Found.OfRow[Row]->Parts) {
      const bool IsOutside = Part.From == KernelRows::None;
      const auto Has = static_cast<double>(IsOutside ? OutsideNs : Before[Part.From]);
      narrow(Part, Row, Has);
      int64_t &From = IsOutside ? Self.UnattributedNs : Self.RowNs[Part.From];
      const int64_t Moved = std::min(From, static_cast<int64_t>(Has * Part.Share));
      From -= Moved;
      Self.RowNs[Row] += Moved;
      const size_t At = IsOutside ? Count : Part.From;
      Lost[At] += static_cast<double>(Moved);
      LostLeast[At] += Has * Part.Low;
      LostMost[At] += Has * Part.High;
      const auto All = static_cast<double>(Running[Part.From]);
      Its.Ns += static_cast<int64_t>(All * Part.Share);
      Its.LowNs += static_cast<int64_t>(All * Part.Low);
      Its.HighNs += static_cast<int64_t>(All * Part.High);
    }
    return Its;
  }

  /// By the timed calls.
  void narrow(SampledPart &Part, uint32_t Row, double Ns) const {
    const bool IsOutside = Part.From == KernelRows::None;
    const auto Around = IsOutside ? static_cast<uint32_t>(Self.RowNs.size()) : Part.From;
    const auto Found = Timed.find({Around, Row});
    const UntimedCalls &All = Untimed[Row];
    if (Found == Timed.end() || !(Ns > 0) || All.Timed < LeastTimed)
      return;
    const auto &[From, To, MovedNs, Calls, WholeNs] = Found->second;
    const double Scatter = All.Ns > 0 ? All.ScatterNs / static_cast<double>(All.Ns) : 1;
    const auto Share = [&](double LessNs) { return std::max(0.0, WholeNs - Calls * LessNs) / Ns; };
    Part.narrow(Share(Input.Info.CallCostNs), Share(OverlapNs) * std::max(0.0, 1 - Scatter),
                Share(0) * (1 + Scatter));
  }

  /// A row keeps what its own samples say that it has, and what the others can have left to it.
  double errorOf(size_t From) const {
    if (!(LostMost[From] > 0))
      return 0;
    const auto Has = static_cast<double>(From == Count ? OutsideNs : Before[From]);
    const double Most = std::min(LostMost[From], Has * (1 - Found.LeastOwn[From]));
    const double Least = std::max(LostLeast[From], Has * (1 - Found.MostOwn[From]));
    return std::max({0.0, Most - Lost[From], Lost[From] - Least});
  }

  const Trace &Input;
  const KernelRows &Rows;
  SelfTimes &Self;
  const size_t Count;
  const BySamples Found;
  std::map<std::pair<uint32_t, uint32_t>, MovedTime> Timed; ///< by row of the calls around, and row
  std::vector<double> Lost, LostLeast, LostMost; ///< by row, and at the end outside of rows
  std::map<uint32_t, int64_t> Running;
  std::vector<UntimedCalls> Untimed;
  std::vector<int64_t> Before;
  int64_t OutsideNs = 0;
};

} // namespace

SampledMoves moveBySamples(const Trace &Input, const KernelRows &Rows, const CodeNames &Names,
                           const MovedTimes &ByTiming, SelfTimes &Self) {
  return SampledMoving(Input, Rows, Names, ByTiming, Self).run();
}

} // namespace seamscope::tools
