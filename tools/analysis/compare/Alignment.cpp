//===- Alignment.cpp - matches two sequences of operators -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Alignment.h"

#include <algorithm>
#include <span>

namespace seamscope::tools {
namespace {

/// Most differences that are looked for: the cost grows with their square.
constexpr size_t MostDifferences = 2000;

using Matches = std::vector<std::pair<uint32_t, uint32_t>>;

/// The longest common subsequence of [0, Left) and [0, Right) by Myers' algorithm; empty if the two
/// differ too much.
template <typename SameFn> Matches commonParts(size_t Left, size_t Right, SameFn Same) {
  const auto L = static_cast<int64_t>(Left), R = static_cast<int64_t>(Right);
  const int64_t Most = std::min<int64_t>(L + R, MostDifferences);
  // Furthest[k + Most]: how far the left sequence was followed on diagonal k = left - right.
  std::vector<int64_t> Furthest(2 * Most + 2);
  std::vector<std::vector<int64_t>> History; // for each D, its diagonals -D..D
  Matches Found;
  for (int64_t D = 0; D <= Most; ++D) {
    for (int64_t K = -D; K <= D; K += 2) {
      const bool Down = K == -D || (K != D && Furthest[K - 1 + Most] < Furthest[K + 1 + Most]);
      int64_t X = D == 0 ? 0 : Down ? Furthest[K + 1 + Most] : Furthest[K - 1 + Most] + 1;
      while (X < L && X - K < R && X - K >= 0 && Same(X, X - K))
        ++X;
      Furthest[K + Most] = X;
      if (X < L || X - K < R)
        continue;
      // Back along the path.
      for (int64_t Back = D; Back >= 0; --Back) {
        int64_t From = 0, FromK = 0;
        if (Back > 0) {
          const std::vector<int64_t> &Before = History[Back - 1];
          const auto At = [&](int64_t Diagonal) {
            return Diagonal < -(Back - 1) || Diagonal > Back - 1 ? INT64_MIN
                                                                 : Before[Diagonal + Back - 1];
          };
          const bool CameDown = K == -Back || (K != Back && At(K - 1) < At(K + 1));
          FromK = CameDown ? K + 1 : K - 1;
          From = At(FromK) + (CameDown ? 0 : 1);
        }
        while (X > From) {
          --X;
          Found.emplace_back(X, X - K);
        }
        if (Back > 0) {
          X = History[Back - 1][FromK + Back - 1];
          K = FromK;
        }
      }
      std::ranges::reverse(Found);
      return Found;
    }
    History.emplace_back(Furthest.begin() + (Most - D), Furthest.begin() + (Most + D + 1));
  }
  return Found;
}

class Aligner {
public:
  Aligner(const std::vector<ShapedOp> &Expected, const std::vector<ShapedOp> &Calls)
      : Expected(Expected), Calls(Calls), Result(Calls.size()) {}

  std::vector<AlignedOp> run() {
    const Matches Proven = commonParts(Expected.size(), Calls.size(), [&](size_t E, size_t C) {
      return Expected[E].Name == Calls[C].Name && sameShapes(Expected[E], Calls[C]);
    });
    uint32_t E = 0, C = 0;
    for (const auto &[ToE, ToC] : Proven) {
      byName(E, ToE, C, ToC);
      take(ToE, ToC, Aligned::Proven);
      E = ToE + 1;
      C = ToC + 1;
    }
    byName(E, static_cast<uint32_t>(Expected.size()), C, static_cast<uint32_t>(Calls.size()));
    return std::move(Result);
  }

private:
  void take(uint32_t E, uint32_t C, Aligned How) { Result[C] = {How, Expected[E].Owner, E}; }

  /// Between two proven pairs: operators of one name, where shapes are unknown or differ.
  void byName(uint32_t E, uint32_t EndE, uint32_t C, uint32_t EndC) {
    const uint32_t FirstE = E, FirstC = C;
    for (const auto &[StepE, StepC] : commonParts(EndE - E, EndC - C, [&](size_t X, size_t Y) {
           return Expected[FirstE + X].Name == Calls[FirstC + Y].Name;
         })) {
      byOwner(E, FirstE + StepE, C, FirstC + StepC);
      take(FirstE + StepE, FirstC + StepC, Aligned::ByOrder);
      E = FirstE + StepE + 1;
      C = FirstC + StepC + 1;
    }
    byOwner(E, EndE, C, EndC);
  }

  /// Between two pairs of one name: if there are as many calls as expected, of the same shapes,
  /// they pair up in order. Otherwise all go to the one owner of what is expected, or to that of
  /// both neighbours if nothing is expected.
  void byOwner(uint32_t E, uint32_t EndE, uint32_t C, uint32_t EndC) {
    if (C == EndC)
      return;
    bool Fits = EndE - E == EndC - C;
    for (uint32_t I = 0; Fits && I < EndE - E; ++I)
      Fits = sameShapes(Expected[E + I], Calls[C + I]);
    if (Fits) {
      for (uint32_t I = 0; I < EndE - E; ++I)
        take(E + I, C + I, Aligned::ByOrder);
      return;
    }
    uint32_t From = E, To = EndE;
    if (E == EndE) {
      if (E == 0 || E == Expected.size())
        return;
      From = E - 1;
      To = E + 1;
    }
    const int64_t Owner = Expected[From].Owner;
    for (uint32_t I = From; I < To; ++I)
      if (Expected[I].Owner != Owner)
        return;
    if (Owner < 0)
      return;
    for (uint32_t I = C; I < EndC; ++I)
      Result[I] = {Aligned::ByOrder, Owner, {}};
  }

  const std::vector<ShapedOp> &Expected;
  const std::vector<ShapedOp> &Calls;
  std::vector<AlignedOp> Result;
};

} // namespace

std::vector<AlignedOp> align(const std::vector<ShapedOp> &Expected,
                             const std::vector<ShapedOp> &Calls) {
  return Aligner(Expected, Calls).run();
}

std::string shapesIn(std::string_view Dimensions) {
  std::vector<std::string> Shapes;
  size_t Open = std::string_view::npos;
  for (size_t I = 0; I < Dimensions.size(); ++I)
    if (Dimensions[I] == '[') {
      Open = I;
    } else if (Dimensions[I] == ']' && Open != Dimensions.npos) {
      std::string Shape;
      for (const char Each : Dimensions.substr(Open, I + 1 - Open))
        if (Each != ' ')
          Shape += Each;
      if (Shape != "[]")
        Shapes.push_back(std::move(Shape));
      Open = Dimensions.npos;
    }
  std::ranges::sort(Shapes);
  std::string Text;
  for (const std::string &Shape : Shapes)
    Text += Shape;
  return Text;
}

} // namespace seamscope::tools
