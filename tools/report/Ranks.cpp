//===- Ranks.cpp - the processes of a run, in a report --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Ranks.h"

#include "analysis/core/Ranks.h"
#include "report/Table.h"
#include "trace/io/Escape.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t NameWidth = 48;

std::string fileName(std::string_view Path) { return escaped(Path.substr(Path.rfind('/') + 1)); }

/// "3", or "3..4" where they differ.
template <typename T, typename Show> std::string span(T Least, T Most, Show &&Text) {
  return Least == Most ? Text(Least) : Text(Least) + ".." + Text(Most);
}

std::string processTable(const RankReport &Ranks, bool Colours) {
  Table Rows({"Process", "Events", "Window", "Kernel calls", "Kernels", "Kernels %", "Trace"}, {6});
  for (size_t I = 0; I < Ranks.Inputs.size(); ++I) {
    const RankRow &Row = Ranks.Rows[I];
    Rows.add({escaped(Ranks.Inputs[I].Label), std::to_string(Row.Events), shownTime(Row.WindowNs),
              std::to_string(Row.KernelCalls), shownTime(Row.KernelNs),
              shownShare(Row.KernelNs, Row.WindowNs), fileName(Ranks.Inputs[I].Path)});
  }
  return Rows.text(Colours);
}

std::string kernelTable(const ReportInput &Input, bool Colours) {
  const RankReport &Ranks = *Input.Ranks;
  Table Rows({"Kernel, process by process", "In", "Calls", "Total", "Mean", "Slowest"}, {5});
  Rows.cut(0, NameWidth);
  const size_t Most = Input.rowsOf(20);
  for (size_t I = 0; I < std::min(Most, Ranks.Kernels.size()); ++I) {
    const RankKernel &Kernel = Ranks.Kernels[I];
    size_t In = 0, Slowest = 0;
    uint64_t LeastCalls = UINT64_MAX, MostCalls = 0;
    int64_t LeastTotal = INT64_MAX, MostTotal = 0, LeastMean = INT64_MAX, MostMean = -1;
    for (size_t Each = 0; Each < Kernel.Shares.size(); ++Each) {
      const RankShare &Share = Kernel.Shares[Each];
      if (!Share.Calls)
        continue;
      ++In;
      const int64_t Mean = roundedMean(Share.SumNs, Share.Calls);
      if (Mean > MostMean)
        Slowest = Each;
      LeastCalls = std::min(LeastCalls, Share.Calls);
      MostCalls = std::max(MostCalls, Share.Calls);
      LeastTotal = std::min(LeastTotal, Share.TotalNs);
      MostTotal = std::max(MostTotal, Share.TotalNs);
      LeastMean = std::min(LeastMean, Mean);
      MostMean = std::max(MostMean, Mean);
    }
    Rows.add({escaped(Input.Source->text(Kernel.Name)),
              fmt::format("{} of {}", In, Kernel.Shares.size()),
              span(LeastCalls, MostCalls, [](uint64_t N) { return std::to_string(N); }),
              span(LeastTotal, MostTotal, shownTime), span(LeastMean, MostMean, shownTime),
              escaped(Ranks.Inputs[Slowest].Label)});
  }
  if (Ranks.Kernels.size() > Most)
    Rows.add({fmt::format("[{} more]", Ranks.Kernels.size() - Most)}, Emphasis::Faint);
  return Rows.text(Colours, Input.Width);
}

} // namespace

std::string ranksText(const ReportInput &Input, bool Colours) {
  if (!Input.Ranks)
    return {};
  std::string Text = processTable(*Input.Ranks, Colours);
  if (!Input.Ranks->Kernels.empty())
    Text += '\n' + kernelTable(Input, Colours);
  const bool Named = std::ranges::any_of(
      Input.Ranks->Inputs, [](const RankInput &Each) { return Each.Rank.has_value(); });
  return Text + fmt::format("\nBelow, all of them together; {} shows one alone.\n\n",
                            Named ? "--rank N" : "the name of its trace");
}

void addRanksJson(nlohmann::ordered_json &Report, const ReportInput &Input) {
  if (!Input.Ranks)
    return;
  using Json = nlohmann::ordered_json;
  const RankReport &Ranks = *Input.Ranks;
  Report["clocks"] = Ranks.NotAligned.empty() ? "aligned" : Ranks.NotAligned;
  Json &Unread = Report["ranks_unread"] = Json::array();
  for (const Error &Why : Ranks.Unread)
    Unread.push_back({{"trace", Why.Path}, {"reason", Why.message()}});
  Json &Rows = Report["ranks"] = Json::array();
  for (size_t I = 0; I < Ranks.Inputs.size(); ++I) {
    const RankInput &From = Ranks.Inputs[I];
    const RankRow &Row = Ranks.Rows[I];
    Json Kernels = Json::array();
    for (const RankKernel &Kernel : Ranks.Kernels)
      if (const RankShare &Share = Kernel.Shares[I]; Share.Calls)
        Kernels.push_back({{"name", Input.Source->text(Kernel.Name)},
                           {"file", Input.Source->text(Kernel.File)},
                           {"line", Kernel.Line},
                           {"calls", Share.Calls},
                           {"total_ns", Share.TotalNs}});
    Rows.push_back({{"rank", From.Rank ? Json(*From.Rank) : Json()},
                    {"label", From.Label},
                    {"trace", From.Path},
                    {"pids", From.Pids},
                    {"damage", From.Damage.empty() ? Json() : Json(From.Damage)},
                    {"events", Row.Events},
                    {"window_ns", Row.WindowNs},
                    {"kernel_calls", Row.KernelCalls},
                    {"kernel_ns", Row.KernelNs},
                    {"unattributed_ns", Row.UnattributedNs},
                    {"kernels", std::move(Kernels)}});
  }
}

} // namespace seamscope::tools
