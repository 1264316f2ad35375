//===- Regions.cpp - parallel regions and their threads, in a report -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Regions.h"

#include "report/FileNames.h"
#include "report/Table.h"
#include "report/Untimed.h"
#include "trace/io/Escape.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t NameWidth = 48;
constexpr size_t SourceWidth = 40;
/// Kernels and lines where --top does not say: a region has a line for each thread.
constexpr size_t UsualKernels = 50;
constexpr size_t UsualLines = 100;
constexpr size_t UsualPlaces = 5; ///< of a region, at which threads wait; likewise bodies of tasks

class RegionTable {
public:
  RegionTable(const ReportInput &Input, bool Colours)
      : Input(Input), Source(*Input.Source), Files(Source), Colours(Colours) {
    for (const KernelRow &Kernel : Input.Numbers->Kernels)
      for (const RegionRow &Region : Kernel.Regions)
        HasWaits |= !Region.Waits.empty() || Region.Join.Calls;
  }

  std::string text() const {
    std::vector<std::string> Heads = {"Parallel region", "Thread", "Calls", "Busy",
                                      "Imbalance",       "Source"};
    if (HasWaits)
      Heads.insert(Heads.begin() + 4, "Wait");
    const size_t Place = Heads.size() - 1;
    Table Rows(Heads, {Place});
    Rows.cut(0, NameWidth);
    Rows.cut(Place, SourceWidth);
    const size_t Most = Input.rowsOf(UsualKernels);
    // Threads are not left out of a region that is shown, nor where rows were asked for.
    const size_t MostLines = Input.Top == SIZE_MAX ? Input.rowsOf(UsualLines) : SIZE_MAX;
    size_t Kernels = 0, Lines = 0, Left = 0;
    for (const KernelRow &Kernel : Input.Numbers->Kernels) {
      const bool Shows = Kernels++ < Most;
      for (const RegionRow &Region : Kernel.Regions) {
        if (!Shows || Lines >= MostLines) {
          ++Left;
          continue;
        }
        Lines += 1 + Region.Threads.size() + linesBelow(Region);
        addRegion(Rows, Region);
      }
    }
    if (Lines && Left)
      Rows.add({fmt::format("[{} more]", Left)}, Emphasis::Faint);
    return Lines ? '\n' + Rows.text(Colours, Input.Width) : std::string();
  }

private:
  void add(Table &Rows, std::string Name, std::string Thread, uint64_t Calls, std::string Busy,
           std::string Wait, std::string Imbalance = "", std::string Place = "") const {
    std::vector<std::string> Cells = {std::move(Name), std::move(Thread), std::to_string(Calls),
                                      std::move(Busy)};
    if (HasWaits)
      Cells.push_back(std::move(Wait));
    Cells.push_back(std::move(Imbalance));
    Cells.push_back(std::move(Place));
    Rows.add(std::move(Cells));
  }

  void addRegion(Table &Rows, const RegionRow &Region) const {
    const Site &What = Source.Sites[Region.Site];
    add(Rows, escaped(Source.text(What.Name)), "all", Region.Calls,
        shownTime(Region.TotalNs - Region.WaitNs), shownTime(Region.WaitNs),
        Region.Imbalance ? fmt::format("{:.2f}", *Region.Imbalance) : "-", Files.place(What));
    for (const ThreadShare &Share : Region.Threads)
      add(Rows, "", shownThread(Share), Share.Calls, shownTime(Share.BusyNs),
          shownTime(Share.WaitNs));
    places(Rows, "  wait: ", Region.Waits);
    places(Rows, "  task", Region.Tasks);
    if (Region.Fork.Calls)
      place(Rows, "  fork", Region.Fork);
    if (Region.Join.Calls)
      place(Rows, "  join", Region.Join);
    if (Region.Ambiguous)
      Rows.add({fmt::format("  [fork and join of {} calls are unknown: teams overlap]",
                            Region.Ambiguous)},
               Emphasis::Faint);
  }

  static size_t linesBelow(const RegionRow &Region) {
    return std::min(UsualPlaces, Region.Waits.size()) + std::min(UsualPlaces, Region.Tasks.size()) +
           (Region.Fork.Calls ? 2 : 0);
  }

  /// The longest ones. A wait is known by its construct.
  void places(Table &Rows, const std::string &Title, const std::vector<PlaceRow> &Places) const {
    for (size_t I = 0; I < std::min(UsualPlaces, Places.size()); ++I)
      place(Rows, Title + escaped(Source.text(Source.Sites[Places[I].Site].Ops)), Places[I]);
    if (Places.size() > UsualPlaces)
      Rows.add({fmt::format("  [{} more]", Places.size() - UsualPlaces)}, Emphasis::Faint);
  }

  void place(Table &Rows, std::string Title, const PlaceRow &Row) const {
    const bool IsWork = Source.Sites[Row.Site].Kind == SiteKind::Task;
    const std::string Time = (Row.Untimed.Calls ? "~" : "") + shownTime(Row.TotalNs);
    add(Rows, std::move(Title), mostly(Row), Row.Calls, IsWork ? Time : "", IsWork ? "" : Time, "",
        Files.place(Source.Sites[Row.Site]));
    if (Row.Untimed.Calls)
      Rows.add({"    " + shownUntimed(Row.Untimed)}, Emphasis::Faint);
  }

  static std::string shownThread(const ThreadShare &Share) {
    return Share.Thread ? std::to_string(*Share.Thread) : "?";
  }

  /// The thread that has more than half of it.
  static std::string mostly(const PlaceRow &Row) {
    for (const ThreadShare &Share : Row.Threads)
      if (Row.Threads.size() > 1 && 2 * (Share.WaitNs + Share.BusyNs) > Row.TotalNs)
        return "mostly " + shownThread(Share);
    return "all";
  }

  const ReportInput &Input;
  const Trace &Source;
  const FileNames Files;
  const bool Colours;
  bool HasWaits = false;
};

} // namespace

std::string regionsText(const ReportInput &Input, bool Colours) {
  return RegionTable(Input, Colours).text();
}

} // namespace seamscope::tools
