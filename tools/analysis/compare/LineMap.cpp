//===- LineMap.cpp - maps lines between versions of a file ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/LineMap.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>

namespace seamscope::tools {
namespace {

using Range = std::pair<uint32_t, uint32_t>; ///< [first, last)
using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

/// Most lines between anchors that are compared pairwise.
constexpr size_t MostCells = 4'000'000;

std::string withoutBlanks(std::string_view Line) {
  std::string Text;
  for (const char C : Line)
    if (!std::isspace(static_cast<unsigned char>(C)))
      Text += C;
  return Text;
}

class Mapper {
public:
  Mapper(std::string_view A, std::string_view B) {
    const std::vector<uint32_t> Lines[2] = {numbered(A), numbered(B)};
    First = Lines[0];
    Second = Lines[1];
    Result.ToSecond.resize(First.size() + 1);
    Result.ToFirst.resize(Second.size() + 1);
  }

  LineMap run() {
    const Range A = {0, First.size()}, B = {0, Second.size()};
    const Pairs Unique = uniqueIn(A, B);
    between(A, B);
    for (const auto &[X, Y] : Unique)
      if (isFree(X, Y))
        move(X, Y);
    return std::move(Result);
  }

private:
  std::vector<uint32_t> numbered(std::string_view Text) {
    std::vector<uint32_t> Lines;
    while (!Text.empty()) {
      const size_t End = Text.find('\n');
      std::string Line = withoutBlanks(Text.substr(0, End));
      Text.remove_prefix(End == Text.npos ? Text.size() : End + 1);
      const bool Says =
          std::ranges::count_if(Line, [](unsigned char C) { return std::isalnum(C); }) >= 3;
      const auto [Known, New] =
          Numbers.try_emplace(std::move(Line), static_cast<uint32_t>(Numbers.size()));
      if (New)
        CanAnchor.push_back(Says);
      Lines.push_back(Known->second);
    }
    return Lines;
  }

  bool isFree(uint32_t X, uint32_t Y) const {
    return !Result.ToSecond[X + 1] && !Result.ToFirst[Y + 1] && First[X] == Second[Y];
  }

  void take(uint32_t X, uint32_t Y) {
    Result.ToSecond[X + 1] = Y + 1;
    Result.ToFirst[Y + 1] = X + 1;
  }

  /// Lines that occur once in each of the two ranges, in the order of the first.
  Pairs uniqueIn(Range A, Range B) const {
    struct Seen {
      uint32_t InA = 0, InB = 0, AtB = 0;
    };
    std::map<uint32_t, Seen> Count;
    for (uint32_t X = A.first; X < A.second; ++X)
      ++Count[First[X]].InA;
    for (uint32_t Y = B.first; Y < B.second; ++Y) {
      Seen &Line = Count[Second[Y]];
      ++Line.InB;
      Line.AtB = Y;
    }
    Pairs Found;
    for (uint32_t X = A.first; X < A.second; ++X)
      if (const Seen &Line = Count[First[X]]; Line.InA == 1 && Line.InB == 1 && CanAnchor[First[X]])
        Found.emplace_back(X, Line.AtB);
    return Found;
  }

  /// The longest part of \p All that rises on both sides.
  static Pairs rising(const Pairs &All) {
    std::vector<size_t> Last; // for rising parts of each length, the least end
    std::vector<size_t> Before(All.size(), SIZE_MAX);
    for (size_t I = 0; I < All.size(); ++I) {
      const auto At = std::ranges::lower_bound(Last, All[I].second, {},
                                               [&](size_t Each) { return All[Each].second; });
      if (At != Last.begin())
        Before[I] = *std::prev(At);
      if (At == Last.end())
        Last.push_back(I);
      else
        *At = I;
    }
    Pairs Kept;
    for (size_t I = Last.empty() ? SIZE_MAX : Last.back(); I != SIZE_MAX; I = Before[I])
      Kept.push_back(All[I]);
    std::ranges::reverse(Kept);
    return Kept;
  }

  void between(Range A, Range B) {
    if (A.first == A.second || B.first == B.second)
      return;
    const Pairs Anchors = rising(uniqueIn(A, B));
    if (Anchors.empty())
      return common(A, B);
    Range LeftA = A, LeftB = B;
    for (const auto &[X, Y] : Anchors) {
      between({LeftA.first, X}, {LeftB.first, Y});
      take(X, Y);
      LeftA.first = X + 1;
      LeftB.first = Y + 1;
    }
    between(LeftA, LeftB);
  }

  /// A longest common subsequence; if there are several, the one with the last lines.
  void common(Range A, Range B) {
    const size_t N = A.second - A.first, M = B.second - B.first;
    if (N * M > MostCells)
      return;
    std::vector<uint32_t> Length((N + 1) * (M + 1));
    const auto At = [&](size_t I, size_t J) -> uint32_t & { return Length[I * (M + 1) + J]; };
    for (size_t I = 1; I <= N; ++I)
      for (size_t J = 1; J <= M; ++J)
        At(I, J) = First[A.first + I - 1] == Second[B.first + J - 1]
                       ? At(I - 1, J - 1) + 1
                       : std::max(At(I - 1, J), At(I, J - 1));
    for (size_t I = N, J = M; I && J;) {
      const auto X = static_cast<uint32_t>(A.first + I - 1),
                 Y = static_cast<uint32_t>(B.first + J - 1);
      if (First[X] == Second[Y]) {
        take(X, Y);
        --I;
        --J;
      } else if (At(I - 1, J) >= At(I, J - 1)) {
        --I;
      } else {
        --J;
      }
    }
  }

  /// An anchor that moved, with the lines around it.
  void move(uint32_t X, uint32_t Y) {
    take(X, Y);
    for (uint32_t Up = 1; Up <= X && Up <= Y && isFree(X - Up, Y - Up); ++Up)
      take(X - Up, Y - Up);
    for (uint32_t Down = 1;
         X + Down < First.size() && Y + Down < Second.size() && isFree(X + Down, Y + Down); ++Down)
      take(X + Down, Y + Down);
  }

  std::map<std::string, uint32_t> Numbers; ///< equal lines have the same number
  std::vector<bool> CanAnchor;             ///< by number: the line is more than a brace
  std::vector<uint32_t> First, Second;     ///< numbers, by line from 0
  LineMap Result;
};

} // namespace

bool LineMap::sameHunk(uint32_t First, uint32_t Second) const {
  if (First >= ToSecond.size() || Second >= ToFirst.size() || ToSecond[First] || ToFirst[Second])
    return false;
  const auto Next = [](const std::vector<uint32_t> &To, uint32_t Line, int Step) {
    int64_t At = Line;
    while (At > 0 && At < static_cast<int64_t>(To.size()) && !To[At])
      At += Step;
    return At > 0 && At < static_cast<int64_t>(To.size()) ? std::pair<int64_t, int64_t>(At, To[At])
                                                          : std::pair<int64_t, int64_t>(0, 0);
  };
  const auto Swapped = [](std::pair<int64_t, int64_t> Of) {
    return std::pair(Of.second, Of.first);
  };
  return Next(ToSecond, First, -1) == Swapped(Next(ToFirst, Second, -1)) &&
         Next(ToSecond, First, 1) == Swapped(Next(ToFirst, Second, 1));
}

LineMap mapLines(std::string_view First, std::string_view Second) {
  return Mapper(First, Second).run();
}

} // namespace seamscope::tools
