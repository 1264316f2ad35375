//===- PlaceMatch.cpp - which places of two versions correspond -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/PlaceMatch.h"

#include "analysis/compare/BestOrder.h"
#include "analysis/compare/LineMap.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace seamscope::tools {
namespace {

using Indices = std::vector<uint32_t>;

/// How much two places have in common, in points. If one of several loops was removed, the next one
/// is in its place, and at most one of its distances to the others differs. So an order of pairs
/// that leads by no more than two distances is not proven.
constexpr int64_t SameKind = 50, SameDepth = 30, SameColumn = 10, SameDistance = 20,
                  SameContents = 10, SameSchedule = 10, SameLine = 1000, Enough = 45;
/// Most places of a kernel that are compared pairwise.
constexpr size_t MostCells = 4'000'000;

std::string_view bareName(std::string_view File) { return File.substr(File.rfind('/') + 1); }

/// Two versions of a file.
struct FileVersions : LineMap {
  std::vector<bool> IsDirective; ///< by line of the second one: a preprocessor directive

  /// Whether a line of the first one, although not paired with that of the second, may still be it:
  /// it was changed, or is next to it in an #if, or is the directive of that statement.
  bool canBe(uint32_t First, uint32_t Second) const {
    if (sameHunk(First, Second))
      return true;
    const uint32_t To = second(First);
    for (uint32_t Line = std::min(To, Second); Line < std::max(To, Second); ++Line)
      if (Line >= IsDirective.size() || !IsDirective[Line])
        return false;
    return true;
  }
};

class Versions {
public:
  explicit Versions(const SourceTexts &Texts) : Texts(Texts) {}

  /// Null: one of the texts is not known.
  const FileVersions *between(std::string_view First, std::string_view Second) {
    const auto [Known, New] = Maps.try_emplace({std::string(First), std::string(Second)});
    if (New && Texts.First && Texts.Second && !First.empty() && !Second.empty())
      if (const auto A = Texts.First(First))
        if (const auto B = Texts.Second(Second))
          Known->second = {mapLines(*A, *B), directivesIn(*B)};
    return Known->second ? &*Known->second : nullptr;
  }

private:
  static std::vector<bool> directivesIn(std::string_view Text) {
    std::vector<bool> Lines(1);
    while (!Text.empty()) {
      const size_t End = Text.find('\n'), Begin = Text.find_first_not_of(" \t");
      Lines.push_back(Begin < End && Text[Begin] == '#');
      Text.remove_prefix(End == Text.npos ? Text.size() : End + 1);
    }
    return Lines;
  }

  const SourceTexts &Texts;
  std::map<std::pair<std::string, std::string>, std::optional<FileVersions>> Maps;
};

/// The places of one side, and where each is among its neighbours.
class Side {
public:
  explicit Side(const std::vector<CodePlace> &All) : All(All), Contents(All.size()) {
    for (uint32_t I = 0; I < All.size(); ++I) {
      if (All[I].Parent == CodePlace::None) {
        Kernels.push_back(I);
        continue;
      }
      for (uint32_t Up = All[I].Parent; Up != CodePlace::None; Up = All[Up].Parent)
        ++Contents[Up][All[I].Kind];
    }
  }

  /// The places in \p Kernel without those that belong to the place around them.
  Indices inside(uint32_t Kernel) const {
    Indices Found;
    for (uint32_t I = Kernel + 1; I < All.size() && All[I].Depth; ++I)
      if (!isPartOfParent(All[I].Kind))
        Found.push_back(I);
    return Found;
  }

  const std::vector<CodePlace> &All;
  /// By place: how many places of each kind it contains.
  std::vector<std::map<PlaceKind, uint32_t>> Contents;
  Indices Kernels;
};

/// How far \p To is after \p From, and whether that can be compared: both must be in one function.
std::tuple<PlaceKind, std::string_view, int64_t> distance(const CodePlace &From,
                                                          const CodePlace &To) {
  const bool Comparable = From.Function == To.Function && From.Times.File == To.Times.File;
  return {To.Kind, Comparable ? std::string_view() : std::string_view(To.Function),
          Comparable ? int64_t(To.Times.Line) - int64_t(From.Times.Line) : 0};
}

class Matcher {
public:
  Matcher(const std::vector<CodePlace> &A, const std::vector<CodePlace> &B,
          const SourceTexts &Texts)
      : First(A), Second(B), Known(Texts) {
    Result.ToSecond.assign(A.size(), CodePlace::None);
    Result.ToFirst.assign(B.size(), CodePlace::None);
    Result.OfFirst.assign(A.size(), PlaceMatch::None);
    Result.OfSecond.assign(B.size(), PlaceMatch::None);
  }

  PlacePairs run() {
    kernelsByName();
    renamedKernels();
    for (const uint32_t A : First.Kernels)
      if (const uint32_t B = Result.ToSecond[A]; B != CodePlace::None)
        inKernels(A, B);
    partsOfParents();
    return std::move(Result);
  }

private:
  const CodePlace &a(uint32_t I) const { return First.All[I]; }
  const CodePlace &b(uint32_t I) const { return Second.All[I]; }

  void pair(uint32_t A, uint32_t B, PlaceMatch How) {
    Result.ToSecond[A] = B;
    Result.ToFirst[B] = A;
    Result.OfFirst[A] = Result.OfSecond[B] = How;
  }

  /// Whether the line of \p A is that of \p B in the other version; nothing: not known.
  std::optional<bool> followed(uint32_t A, uint32_t B) {
    const FileVersions *Lines = Known.between(a(A).Times.File, b(B).Times.File);
    if (!Lines || !a(A).Times.Line || !b(B).Times.Line)
      return std::nullopt;
    return Lines->second(a(A).Times.Line) == b(B).Times.Line;
  }

  /// Whether the texts, as far as known, allow a pair by order.
  bool canBe(const PlaceTimes &A, const PlaceTimes &B) {
    const FileVersions *Lines = Known.between(A.File, B.File);
    return !Lines || Lines->canBe(A.Line, B.Line);
  }

  /// Numbers in names (main::$_1) change when code is added, so such names are matched as a
  /// sequence.
  void kernelsByName() {
    std::map<std::string_view, std::pair<Indices, Indices>> Numbered;
    std::map<std::string_view, uint32_t> Names;
    for (const uint32_t B : Second.Kernels)
      if (b(B).Name == b(B).Function)
        Names.emplace(b(B).Name, B);
      else
        Numbered[b(B).Function].second.push_back(B);
    for (const uint32_t A : First.Kernels)
      if (a(A).Name != a(A).Function)
        Numbered[a(A).Function].first.push_back(A);
      else if (const auto Same = Names.find(a(A).Name);
               Same != Names.end() && Result.ToFirst[Same->second] == CodePlace::None)
        pair(A, Same->second, PlaceMatch::Name);
    for (const auto &[Name, Some] : Numbered)
      take(Some.first, Some.second, [&](size_t I, size_t J) {
        const uint32_t A = Some.first[I], B = Some.second[J];
        const std::optional<bool> Same = followed(A, B);
        return Same && !*Same ? 0
                              : SameKind + SameLine * Same.value_or(false) +
                                    SameContents * (First.Contents[A] == Second.Contents[B]);
      });
  }

  /// Pairs \p A and \p B in order. Proven pairs have a score of at least SameLine.
  template <typename ScoreFn> void take(const Indices &A, const Indices &B, ScoreFn Score) {
    if (A.empty() || B.empty() || A.size() * B.size() > MostCells)
      return;
    const BestOrder Best = bestOrder(A.size(), B.size(), Score);
    for (size_t I = 0; I < A.size(); ++I) {
      const uint32_t J = Best.ToSecond[I];
      const bool Certain = Best.FirstLead[I] >= Enough;
      if (J == BestOrder::None) {
        if (!Certain)
          Result.OfFirst[A[I]] = PlaceMatch::Ambiguous;
        continue;
      }
      const CodePlace &X = a(A[I]), &Y = b(B[J]);
      pair(A[I], B[J],
           !Certain || Best.SecondLead[J] < Enough ? PlaceMatch::Ambiguous
           : Score(I, J) >= SameLine               ? PlaceMatch::Source
           : !canBe(X.Times, Y.Times)              ? PlaceMatch::Ambiguous
           : X.Position == Y.Position              ? PlaceMatch::Line
                                                   : PlaceMatch::Order);
    }
    for (size_t J = 0; J < B.size(); ++J)
      if (Best.ToFirst[J] == BestOrder::None && Best.SecondLead[J] < Enough)
        Result.OfSecond[B[J]] = PlaceMatch::Ambiguous;
  }

  /// For each of \p Some, its functions, with the kernel's under its other name.
  static std::vector<std::string> functions(const std::vector<CodePlace> &All, const Indices &Some,
                                            uint32_t Kernel) {
    std::vector<std::string> Names;
    for (const uint32_t I : Some) {
      std::string &Name = Names.emplace_back();
      for (std::string_view Rest = All[I].Function; !Rest.empty();) {
        const std::string_view Each = Rest.substr(0, Rest.find('\n'));
        Name += Each == All[Kernel].Function ? "kernel" : Each;
        Name += '\n';
        Rest.remove_prefix(std::min(Each.size() + 1, Rest.size()));
      }
    }
    return Names;
  }

  using Lookup =
      std::map<std::tuple<PlaceKind, std::string_view, std::string_view, uint32_t>, Indices>;

  static Lookup byLine(const std::vector<CodePlace> &All, const Indices &Some) {
    Lookup Found;
    for (const uint32_t I : Some)
      if (const PlaceTimes &At = All[I].Times; At.Line)
        Found[{All[I].Kind, All[I].Construct, At.File, At.Line}].push_back(I);
    return Found;
  }

  /// Pairs places whose lines correspond, in any order, if one of them is at the line.
  void takeProven(const Lookup &AtA, const Lookup &AtB) {
    std::set<std::string_view> Files;
    for (const auto &[At, Some] : AtB)
      Files.insert(std::get<2>(At));
    for (const auto &[At, Some] : AtA)
      for (const std::string_view File : Files) {
        const auto &[Kind, Construct, Before, Line] = At;
        const FileVersions *Lines = Known.between(Before, File);
        const auto There =
            Lines ? AtB.find({Kind, Construct, File, Lines->second(Line)}) : AtB.end();
        if (There != AtB.end() && Some.size() == 1 && There->second.size() == 1 &&
            Result.ToFirst[There->second[0]] == CodePlace::None)
          pair(Some[0], There->second[0], PlaceMatch::Source);
      }
  }

  /// Pairs the places of two kernels. A line that moved in the other version is not a candidate for
  /// other places.
  void inKernels(uint32_t KernelA, uint32_t KernelB) {
    Indices A = First.inside(KernelA), B = Second.inside(KernelB);
    const Lookup AtA = byLine(First.All, A), AtB = byLine(Second.All, B);
    takeProven(AtA, AtB);
    std::erase_if(A, [&](uint32_t I) { return Result.ToSecond[I] != CodePlace::None; });
    std::erase_if(B, [&](uint32_t I) { return Result.ToFirst[I] != CodePlace::None; });
    const std::vector<std::string> NamesA = functions(First.All, A, KernelA),
                                   NamesB = functions(Second.All, B, KernelB);
    const auto IsElsewhere = [&](const CodePlace &X, const CodePlace &Y, const LineMap &Lines) {
      const uint32_t To = Lines.second(X.Times.Line), From = Lines.first(Y.Times.Line);
      return (To && AtB.contains({X.Kind, X.Construct, Y.Times.File, To})) ||
             (From && AtA.contains({Y.Kind, Y.Construct, X.Times.File, From}));
    };
    const auto Neighbour = [](const std::vector<CodePlace> &All, const Indices &Of, uint32_t Kernel,
                              size_t At, bool Behind) {
      const CodePlace &Here = All[Of[At]];
      if (Behind)
        return At + 1 == Of.size() ? distance(Here, Here) : distance(Here, All[Of[At + 1]]);
      const auto [Kind, Name, Ns] = distance(At ? All[Of[At - 1]] : All[Kernel], Here);
      return std::tuple(At ? All[Of[At - 1]].Kind : PlaceKind::Kernel, Name, Ns);
    };
    take(A, B, [&](size_t I, size_t J) -> int64_t {
      const CodePlace &X = a(A[I]), &Y = b(B[J]);
      if (X.Kind != Y.Kind || X.Construct != Y.Construct)
        return 0;
      int64_t Points = SameKind;
      if (followed(A[I], B[J]).value_or(false))
        Points += SameLine;
      else if (NamesA[I] != NamesB[J])
        return 0;
      else if (const FileVersions *Lines = Known.between(X.Times.File, Y.Times.File);
               Lines && IsElsewhere(X, Y, *Lines))
        return 0;
      const auto IsLast = [](const Indices &Of, size_t At) { return At + 1 == Of.size(); };
      Points += SameDepth * (X.Depth == Y.Depth) + SameColumn * (X.Times.Column == Y.Times.Column) +
                SameSchedule * (X.Schedule == Y.Schedule) +
                SameContents * (First.Contents[A[I]] == Second.Contents[B[J]]);
      Points += SameDistance * (Neighbour(First.All, A, KernelA, I, false) ==
                                Neighbour(Second.All, B, KernelB, J, false));
      Points += SameDistance *
                (IsLast(A, I) == IsLast(B, J) && Neighbour(First.All, A, KernelA, I, true) ==
                                                     Neighbour(Second.All, B, KernelB, J, true));
      return Points;
    });
  }

  /// Whether two kernels of different names are one that was renamed: most of its places
  /// correspond, or the lines after its head do. Without texts, all places must, at the same
  /// distances.
  bool isRenamed(uint32_t A, uint32_t B) {
    const CodePlace &X = a(A), &Y = b(B);
    const Indices InA = First.inside(A), InB = Second.inside(B);
    if (const FileVersions *Lines = Known.between(X.Times.File, Y.Times.File)) {
      size_t Same = 0;
      for (const uint32_t I : InA)
        Same += std::ranges::any_of(InB, [&](uint32_t J) {
          return a(I).Kind == b(J).Kind && followed(I, J).value_or(false);
        });
      constexpr uint32_t Behind = 2; // lines
      bool Body = X.Times.Line && Y.Times.Line;
      for (uint32_t I = 1; I <= Behind; ++I)
        Body = Body && Lines->second(X.Times.Line + I) == Y.Times.Line + I;
      return Body || (Same && 2 * Same >= std::max(InA.size(), InB.size()));
    }
    const auto Shape = [](const CodePlace &Kernel, const std::vector<CodePlace> &All,
                          const Indices &Of) {
      std::vector<std::tuple<PlaceKind, std::string, int64_t, uint32_t>> Shape;
      for (const uint32_t I : Of)
        Shape.emplace_back(All[I].Kind, All[I].Construct,
                           int64_t(All[I].Position[0].first) - Kernel.Times.Line,
                           All[I].Times.Column);
      return Shape;
    };
    return !InA.empty() && X.Times.Line && Y.Times.Line &&
           Shape(X, First.All, InA) == Shape(Y, Second.All, InB);
  }

  void renamedKernels() {
    std::map<uint32_t, Indices> Fits[2];
    for (const uint32_t A : First.Kernels)
      for (const uint32_t B : Second.Kernels)
        if (Result.ToSecond[A] == CodePlace::None && Result.ToFirst[B] == CodePlace::None &&
            !a(A).Times.File.empty() && bareName(a(A).Times.File) == bareName(b(B).Times.File) &&
            isRenamed(A, B)) {
          Fits[0][A].push_back(B);
          Fits[1][B].push_back(A);
        }
    for (const auto &[A, Some] : Fits[0])
      if (Some.size() == 1 && Fits[1][Some[0]].size() == 1)
        pair(A, Some[0], PlaceMatch::Renamed);
  }

  void partsOfParents() {
    for (uint32_t A = 0; A < First.All.size(); ++A) {
      if (!isPartOfParent(a(A).Kind))
        continue;
      const uint32_t Around = Result.ToSecond[a(A).Parent];
      for (uint32_t B = Around + 1;
           Around != CodePlace::None && B < Second.All.size() && b(B).Depth > b(Around).Depth; ++B)
        if (b(B).Parent == Around && b(B).Kind == a(A).Kind)
          pair(A, B, Result.OfFirst[a(A).Parent]);
    }
  }

  const Side First, Second;
  Versions Known;
  PlacePairs Result;
};

} // namespace

std::string_view placeMatchName(PlaceMatch Match) {
  static constexpr std::string_view Names[] = {"none",      "source", "line",   "order",
                                               "ambiguous", "name",   "renamed"};
  return Names[static_cast<size_t>(Match)];
}

PlacePairs matchPlaces(const std::vector<CodePlace> &First, const std::vector<CodePlace> &Second,
                       const SourceTexts &Texts) {
  return Matcher(First, Second, Texts).run();
}

} // namespace seamscope::tools
