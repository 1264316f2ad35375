//===- PlaceDiff.cpp - places in the kernels of two traces ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/PlaceDiff.h"

#include <algorithm>
#include <cstdlib>
#include <ranges>
#include <set>
#include <utility>

namespace seamscope::tools {
namespace {

bool hasLoops(const Trace &Input) {
  return std::ranges::any_of(Input.Events.Site,
                             [&](SiteId Id) { return Input.Sites[Id].Kind == SiteKind::Loop; });
}

class Rows {
  static auto kernels(const std::vector<CodePlace> &Of) {
    return std::views::iota(uint32_t(0), static_cast<uint32_t>(Of.size())) |
           std::views::filter([&Of](uint32_t I) { return Of[I].Parent == CodePlace::None; });
  }

public:
  Rows(const std::vector<CodePlace> &First, const std::vector<CodePlace> &Second,
       const PlacePairs &Pairs)
      : First(First), Second(Second), Pairs(Pairs) {}

  /// The names of rows, and how kernels with other names were found.
  std::map<std::string, PlaceMatch> name(RowNames &Names) {
    std::map<std::string, PlaceMatch> Found;
    std::set<std::string_view> Held[2]; // names that no kernel of the other side can have
    for (const uint32_t A : kernels(First))
      Held[0].insert(First[A].Name);
    for (const uint32_t B : kernels(Second))
      Held[1].insert(Second[B].Name);
    for (const uint32_t A : kernels(First)) {
      const std::string &Name = First[A].Name;
      const uint32_t B = Pairs.ToSecond[A];
      const PlaceMatch How = Pairs.OfFirst[A];
      std::string Key = Name;
      if (B != CodePlace::None && Second[B].Name != Name)
        Key += " -> " + Second[B].Name;
      else if (B == CodePlace::None && Held[1].contains(Name))
        Key += " (A)";
      if (B != CodePlace::None && Key != Second[B].Name)
        Names.Second[Second[B].Name] = Key;
      if (Key != Name)
        Names.First[Name] = Key;
      if (B != CodePlace::None && How != PlaceMatch::Name)
        Found.emplace(Key, How);
      Keys[A] = std::move(Key);
    }
    for (const uint32_t B : kernels(Second))
      if (const std::string &Name = Second[B].Name;
          Pairs.ToFirst[B] == CodePlace::None && Held[0].contains(Name))
        Names.Second[Name] = Name + " (B)";
    return Found;
  }

  /// For each pair of kernels, all places of both, in the order of the first one. Places that only
  /// the second one has come after what precedes them there.
  void add(std::vector<PlaceDiffRow> &To) {
    std::vector<std::pair<int64_t, std::vector<PlaceDiffRow>>> Kernels;
    for (const uint32_t A : kernels(First))
      if (const uint32_t B = Pairs.ToSecond[A]; B != CodePlace::None)
        if (std::vector<PlaceDiffRow> Some = inside(A, B); Some.size() > 1)
          Kernels.emplace_back(changeOf(Some), std::move(Some));
    std::ranges::stable_sort(Kernels, [](const auto &A, const auto &B) {
      return A.first != B.first ? A.first > B.first : A.second[0].Kernel < B.second[0].Kernel;
    });
    for (auto &[Change, Some] : Kernels)
      std::ranges::move(Some, std::back_inserter(To));
  }

private:
  static uint32_t endOf(const std::vector<CodePlace> &Of, uint32_t Kernel) {
    uint32_t End = Kernel + 1;
    while (End < Of.size() && Of[End].Depth)
      ++End;
    return End;
  }

  std::vector<PlaceDiffRow> inside(uint32_t KernelA, uint32_t KernelB) {
    std::vector<PlaceDiffRow> Found;
    const std::string &Key = Keys[KernelA];
    const auto Add = [&](const CodePlace &Of, PlaceMatch How) -> PlaceDiffRow & {
      PlaceDiffRow &Row = Found.emplace_back();
      Row.Kind = Of.Kind;
      Row.Kernel = Key;
      Row.Name = Of.Name;
      Row.Depth = Of.Depth;
      Row.Match = How;
      return Row;
    };
    const uint32_t EndB = endOf(Second, KernelB);
    uint32_t Next = KernelB;
    const auto AddSecondAlone = [&](uint32_t End) {
      for (; Next < End; ++Next)
        if (Pairs.ToFirst[Next] == CodePlace::None)
          Add(Second[Next], Pairs.OfSecond[Next]).Second = Second[Next].Times;
    };
    for (uint32_t A = KernelA; A < endOf(First, KernelA); ++A) {
      const uint32_t B = Pairs.ToSecond[A];
      if (B != CodePlace::None)
        AddSecondAlone(B);
      PlaceDiffRow &Row = Add(First[A], Pairs.OfFirst[A]);
      Row.First = First[A].Times;
      if (B == CodePlace::None)
        continue;
      Row.Second = Second[B].Times;
      if (Second[B].Name != Row.Name)
        Row.SecondName = Second[B].Name;
    }
    AddSecondAlone(EndB);
    return Found;
  }

  static int64_t changeOf(const std::vector<PlaceDiffRow> &Of) {
    int64_t Change = 0;
    for (const PlaceDiffRow &Row : Of)
      Change += std::abs(Row.Second.SelfNs.value_or(0) - Row.First.SelfNs.value_or(0));
    return Change;
  }

  const std::vector<CodePlace> &First, &Second;
  const PlacePairs &Pairs;
  std::map<uint32_t, std::string> Keys; ///< by kernel of the first side
};

} // namespace

std::map<std::string, PlaceMatch> addPlaces(Difference &To, const Trace &First, const Trace &Second,
                                            const SourceTexts &Texts, bool SplitOff) {
  To.FirstHasLoops = hasLoops(First);
  To.SecondHasLoops = hasLoops(Second);
  const bool WithLoops = To.FirstHasLoops && To.SecondHasLoops;
  const std::vector<CodePlace> A = placesOf(First, WithLoops, SplitOff),
                               B = placesOf(Second, WithLoops, SplitOff);
  const PlacePairs Pairs = matchPlaces(A, B, Texts);
  Rows Made(A, B, Pairs);
  std::map<std::string, PlaceMatch> Found = Made.name(To.Names);
  Made.add(To.Places);
  return Found;
}

} // namespace seamscope::tools
