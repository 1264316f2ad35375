//===- ExecutedTable.cpp - the table of the work that kernels counted --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/CountedWork.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Rows of the text without --top.
constexpr size_t UsualRows = 30;

/// A row of the table for people.
struct WorkRow {
  std::string Name;
  const ExecutedWork *Work;
  std::optional<WorkTime> Time;
  RoofShares Roofs = {};
  const KernelWork *Kernel = nullptr; ///< null: a loop
};

/// A quotient between \p Least and \p Most; nothing where these do not look the same.
Cell quotientCell(double Least, double Most, bool IsAtLeast = false) {
  std::string Text = shownRate(Most, 1);
  if (shownRate(Least, 1) != Text)
    return {};
  return {Value(Most), (IsAtLeast ? ">=" : "") + std::move(Text)};
}

/// A rate in 10^9 a second; nothing where the amount or the time is not known.
Cell rateCell(const WorkRow &Row, const Bounds &Of) {
  if (!Row.Time || Row.Time->Ns <= 0 || !Row.Work->Unknown.empty() || !Of.Most ||
      Of.Most >= Bounds::Largest)
    return {};
  const auto Rate = [Ns = static_cast<double>(Row.Time->Ns)](uint64_t Amount) {
    return static_cast<double>(Amount) / Ns;
  };
  return quotientCell(Rate(Of.Least), Rate(Of.Most), Row.Time->IsAtMost);
}

constexpr const char *BoundTitle = "Bound";

/// Distinct bytes; `<=` where most of them were counted each time.
Cell footprintCell(const KernelWork *Of) {
  const auto Sum = Of ? Of->footprint() : std::nullopt;
  if (!Sum)
    return {};
  return {Value(Sum->Bytes),
          (Sum->isClose() ? "" : "<=") + shownBytes(static_cast<double>(Sum->Bytes))};
}

Fields<WorkRow> rowFields() {
  const auto Whole = [](const WorkRow &R) { return R.Work->Unknown.empty(); };
  const auto Moved = [](const WorkRow &R) { return R.Work->bytes(); };
  return {
      {column::name("Kernel"), &WorkRow::Name},
      {{"flop", "FLOPs", Unit::Flop, "executed, over all calls"},
       [Whole](const WorkRow &R) { return boundsCell(R.Work->flop(), Whole(R), shownFlop); }},
      {{"gflop_per_s", "GFLOP/s", Unit::Rate, "over the time of the calls"},
       [](const WorkRow &R) { return rateCell(R, R.Work->flop()); }},
      {{"bytes_read", "Read", Unit::Bytes, "loaded, also from caches"},
       [Whole](const WorkRow &R) { return boundsCell(R.Work->bytesRead(), Whole(R), shownBytes); }},
      {{"bytes_written", "Written", Unit::Bytes, "stored"},
       [Whole](const WorkRow &R) {
         return boundsCell(R.Work->bytesWritten(), Whole(R), shownBytes);
       }},
      {{"gb_per_s", "GB/s", Unit::Rate, "loaded and stored, also from and to caches"},
       [Moved](const WorkRow &R) { return rateCell(R, Moved(R)); }},
      {{"flop_per_byte", "FLOP/B", Unit::Rate, "executed FLOPs over bytes loaded and stored"},
       [Moved](const WorkRow &R) -> Cell {
         const Bounds Flop = R.Work->flop(), Bytes = Moved(R);
         if (!R.Work->Unknown.empty() || !Bytes.Least || !Flop.Most ||
             std::max(Bytes.Most, Flop.Most) >= Bounds::Largest)
           return {};
         const auto Ratio = [](uint64_t Of, uint64_t Over) {
           return static_cast<double>(Of) / static_cast<double>(Over);
         };
         return quotientCell(Ratio(Flop.Least, Bytes.Most), Ratio(Flop.Most, Bytes.Least));
       }},
      {{"footprint", "Distinct", Unit::Bytes, "bytes read and written, each counted once a call"},
       [](const WorkRow &R) { return footprintCell(R.Kernel); }},
      {Column("bound", BoundTitle, Unit::Text, "the nearest roof of the machine").left(),
       [](const WorkRow &R) { return shownRoof(R.Roofs); }},
      {Column("math", "Math functions", Unit::Text, "values that they computed").left(),
       [](const WorkRow &R) { return shownMath(*R.Work); }},
  };
}

/// Reasons why work is not known, by kernel.
std::vector<std::string> unknownLines(const ReportContext &In) {
  std::vector<std::string> Lines;
  const auto Add = [&](std::string_view Kernel, const KernelWork &Work) {
    if (!Work.All.Unknown.empty())
      Lines.push_back(fmt::format("{}: more work is not known, in {}", fit(Kernel, 60),
                                  fmt::join(Work.All.Unknown, ", ")));
  };
  for (const auto &[Kernel, Work] : In.work())
    Add(Kernel.Name, Work);
  for (const KernelRow &Row : In.Numbers.Kernels)
    if (const KernelWork *const Work = In.launchWork(Row))
      Add(In.name(Row.Site), *Work);
  return Lines;
}

/// Rows of the kernels and of their loops.
std::vector<WorkRow> workRows(const ReportContext &In) {
  std::vector<WorkRow> Rows;
  for (const KernelRow &Row : In.Numbers.Kernels) {
    const KernelWork *const Of = anyWork(In, Row);
    if (!Of)
      continue;
    Rows.push_back(
        {std::string(In.name(Row.Site)), &Of->All, kernelTime(In, Row), kernelRoofs(In, Row), Of});
    if (Of->Loops.size() > 1)
      for (const auto &[Name, Work] : Of->Loops)
        Rows.push_back(
            {"  " + Name, &Work, loopTime(In, Row, Name), loopRoofs(In, Row, Name), nullptr});
  }
  return Rows;
}

} // namespace

void addCountedWork(Section &To, const Context &In) {
  if (In->Source.Work.empty())
    return;
  auto Rows = workRows(*In);
  if (Rows.empty())
    return;
  Fields<WorkRow> Columns = rowFields();
  if (!In->Input.Roofs)
    std::erase_if(Columns, [](const Field<WorkRow> &Each) { return Each.Title == BoundTitle; });
  Table Made = makeTable("", "Executed work (counted)", std::move(Rows), std::move(Columns));
  Made.In = ForPeople;
  Made.Top = In->Input.rowsOf(UsualRows);
  To.add(std::move(Made));
  for (const std::string &Line : unknownLines(*In))
    To.say(Line);
  if (In->Input.CanMeasureRoofs)
    To.say("The roofs of this machine are not known: run `seamscope machine` once to see how near "
           "kernels come to them.");
}

} // namespace seamscope::tools
