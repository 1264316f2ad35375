//===- SplitWindow.cpp - the window by row, as reports and diff show it -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/samples/SplitWindow.h"

#include "analysis/samples/SampleRows.h"
#include "analysis/samples/Spinning.h"
#include "analysis/samples/ThrottledShares.h"

#include <algorithm>
#include <utility>

namespace seamscope::tools {

namespace {

/// Moves a part of \p RowNs to \p To: the share \p Of of \p Ns, which that row had. Notes the
/// error.
void take(SplitWindow &From, uint32_t Row, int64_t &RowNs, int64_t Ns, const Proportion &Of,
          std::optional<int64_t> &To) {
  const auto Whole = static_cast<double>(Ns);
  const int64_t Part = std::min(RowNs, static_cast<int64_t>(Whole * Of.Share));
  RowNs -= Part;
  To = To.value_or(0) + Part;
  From.PartErrors.emplace_back(Row, Whole * (Of.High - Of.Low) / 2);
}

/// The shares are of \p Before, the rows' times before samples moved some: samples have those of
/// hooks and of untimed calls, too.
void takeSpinning(const Trace &Input, const KernelRows &Rows, const CodeNames &Names,
                  const std::vector<int64_t> &Before, SplitWindow &From) {
  const auto Shares = spinShares(Input, Rows, Names);
  for (uint32_t Row = 0; Row < Shares.size(); ++Row)
    if (Shares[Row])
      take(From, Row, From.Self.RowNs[Row], Before[Row], *Shares[Row], From.SpinningNs);
}

/// Of the time that threads worked. Below, rows keep what hooks took, and are exact.
constexpr double LeastRecording = 0.01;

void takeRecording(const Trace &Input, const KernelRows &Rows, const CodeNames &Names,
                   SplitWindow &From) {
  std::vector<bool> IsHook;
  for (const CodeName &Code : Names.Codes)
    IsHook.push_back(Code.isHook());
  if (std::ranges::find(IsHook, true) == IsHook.end())
    return;
  const auto Shares = sharesOfRows(Input, Rows, Names, IsHook);
  SelfTimes &Self = From.Self;
  const auto NsOf = [&](size_t Row) {
    return Row < Rows.Sites.size() ? Self.RowNs[Row] : Self.UnattributedNs - Self.IdleNs;
  };
  double All = 0, Hooks = 0;
  for (size_t Row = 0; Row < Shares.size(); ++Row) {
    All += static_cast<double>(NsOf(Row));
    Hooks += Shares[Row] ? Shares[Row]->Share * static_cast<double>(NsOf(Row)) : 0;
  }
  if (!(Hooks > LeastRecording * All))
    return;
  for (uint32_t Row = 0; Row < Shares.size(); ++Row)
    if (Shares[Row])
      take(From, Row, Row < Rows.Sites.size() ? Self.RowNs[Row] : Self.UnattributedNs, NsOf(Row),
           *Shares[Row], From.RecordingNs);
}

} // namespace

SplitWindow placeUntimed(const Trace &Input, const KernelRows &Rows, const CodeNames *Names,
                         SelfTimes Self) {
  SplitWindow Result;
  Result.Self = std::move(Self);
  std::vector<int64_t> &RowNs = Result.Self.RowNs;
  std::vector<double> TimedNs(RowNs.size()); // by the timed calls
  if (Names && !Input.SampledSpans.empty()) {
    const std::vector<int64_t> Before = RowNs;
    takeRecording(Input, Rows, *Names, Result);
    std::vector<int64_t> Moved = RowNs;
    int64_t Outside = Result.Self.UnattributedNs;
    const MovedTimes ByTiming = moveUntimed(Input, Rows.OfSite, Moved, Outside);
    SampledMoves Sampled = moveBySamples(Input, Rows, *Names, ByTiming, Result.Self);
    Result.BySamples = std::move(Sampled.OfRow);
    Result.SampleErrorsNs = std::move(Sampled.ErrorNs);
    takeSpinning(Input, Rows, *Names, Before, Result);
    for (const MovedTime &Each : ByTiming.Moves)
      TimedNs[Each.To] += Each.WholeNs;
  }
  Result.BySamples.resize(RowNs.size());
  std::vector<std::optional<double>> Kept(RowNs.size());
  for (size_t Row = 0; Row < Kept.size(); ++Row)
    if (const auto &Its = Result.BySamples[Row])
      Kept[Row] = TimedNs[Row] > 0 ? static_cast<double>(Its->Ns) / TimedNs[Row] : 1;
  Result.Moved = moveUntimed(Input, Rows.OfSite, RowNs, Result.Self.UnattributedNs, nullptr, &Kept);
  return Result;
}

} // namespace seamscope::tools
