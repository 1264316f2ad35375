//===- Gradients.cpp - which calls compute an operator's gradient ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Gradients.h"
#include "analysis/compare/Parts.h"

#include <map>

namespace seamscope::tools {
namespace {

class Gradient {
public:
  Gradient(const std::vector<ShapedOp> &Expected, const std::vector<ShapedOp> &Calls)
      : Expected(Expected), Calls(Calls), Taken(Expected.size()), Result(Calls.size()) {}

  std::vector<AlignedOp> run() {
    take(Aligned::Proven, sameShapes);
    take(Aligned::ByOrder, [](const ShapedOp &, const ShapedOp &) { return true; });
    const int64_t Owner = mainOwner();
    if (Owner < 0)
      return std::move(Result);
    for (size_t I = 0; I < Calls.size(); ++I)
      if (Result[I].How == Aligned::No && !isView(Calls[I].Name))
        Result[I] = {Aligned::ByOrder, Owner, {}};
    giveViews(Owner);
    return std::move(Result);
  }

private:
  /// Pairs calls with expected operators of the same name.
  template <typename FitsFn> void take(Aligned How, FitsFn Fits) {
    for (size_t I = 0; I < Calls.size(); ++I)
      for (uint32_t E = 0; Result[I].How == Aligned::No && E < Expected.size(); ++E)
        if (!Taken[E] && Expected[E].Name == Calls[I].Name && Fits(Expected[E], Calls[I])) {
          Taken[E] = true;
          Result[I] = {How, Expected[E].Owner, E};
        }
  }

  /// The owner that computes most of what has no paired call; if all has one, most of everything.
  int64_t mainOwner() const {
    std::map<int64_t, std::pair<size_t, size_t>> Counts; // left, all
    for (size_t E = 0; E < Expected.size(); ++E) {
      auto &[Left, All] = Counts[Expected[E].Owner];
      Left += !Taken[E];
      ++All;
    }
    int64_t Best = -1;
    std::pair<size_t, size_t> Most = {0, 0};
    for (const auto &[Owner, Count] : Counts)
      if (Owner >= 0 && Count >= Most) {
        Best = Owner;
        Most = Count;
      }
    return Best;
  }

  void giveViews(int64_t Owner) {
    int64_t Next = -1;
    for (size_t I = Calls.size(); I-- > 0;)
      if (!isView(Calls[I].Name))
        Next = Result[I].Owner;
      else if (Result[I].How == Aligned::No && Next >= 0)
        Result[I] = {Aligned::ByOrder, Next, {}};
    int64_t Last = Owner;
    for (size_t I = 0; I < Calls.size(); ++I)
      if (Result[I].How == Aligned::No)
        Result[I] = {Aligned::ByOrder, Last, {}};
      else
        Last = Result[I].Owner;
  }

  const std::vector<ShapedOp> &Expected;
  const std::vector<ShapedOp> &Calls;
  std::vector<bool> Taken; ///< by Expected
  std::vector<AlignedOp> Result;
};

} // namespace

std::vector<AlignedOp> alignGradient(const std::vector<ShapedOp> &Expected,
                                     const std::vector<ShapedOp> &Calls) {
  return Gradient(Expected, Calls).run();
}

} // namespace seamscope::tools
