//===- Diff.cpp - renders the difference of two traces --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Diff.h"

#include "report/Table.h"
#include "trace/io/Escape.h"
#include "trace/rewrite/EventsCsv.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string signedTime(int64_t Ns) {
  return Ns < 0 ? "-" + shownTime(-Ns) : (Ns > 0 ? "+" : "") + shownTime(Ns);
}

/// Percent of the whole change; a part can be more than that, and against it.
std::string shareOf(int64_t Part, int64_t Whole) {
  return Whole
             ? fmt::format("{:.1f}", 100.0 * static_cast<double>(Part) / static_cast<double>(Whole))
             : "-";
}

/// Kernels whose loops both traces have.
std::string loopsText(const DiffInput &Input, bool Colours) {
  constexpr size_t NameWidth = 72;
  const Difference &Result = *Input.Result;
  if (Result.FirstHasLoops != Result.SecondHasLoops)
    return fmt::format("\nonly {} was recorded with loops (option loops of the pass): none are "
                       "compared\n",
                       Result.FirstHasLoops ? "A" : "B");
  if (Result.Loops.empty())
    return "";
  Table Rows({"Kernel, loop", "A", "B", "Delta", "B/A", "Self A", "Self B", "A calls", "B calls"});
  Rows.cut(0, NameWidth);
  std::string_view Kernel;
  size_t Shown = 0;
  for (const LoopDiffRow &Row : Input.Result->Loops) {
    if (Shown++ >= Input.Top)
      break;
    if (Kernel != Row.Kernel)
      Rows.add({escaped(Row.Kernel)}, Emphasis::Strong);
    Kernel = Row.Kernel;
    const bool Both = Row.FirstCalls && Row.SecondCalls;
    const auto Side = [](uint64_t Calls, int64_t Ns) {
      return Calls ? shownTime(Ns) : std::string("-");
    };
    Rows.add({std::string(2 * size_t{Row.Depth}, ' ') + escaped(Row.Loop),
              Side(Row.FirstCalls, Row.FirstNs), Side(Row.SecondCalls, Row.SecondNs),
              signedTime(Row.SecondNs - Row.FirstNs),
              Both && Row.FirstNs ? fmt::format("{:.2f}", static_cast<double>(Row.SecondNs) /
                                                              static_cast<double>(Row.FirstNs))
                                  : "-",
              Side(Row.FirstCalls, Row.FirstSelfNs), Side(Row.SecondCalls, Row.SecondSelfNs),
              std::to_string(Row.FirstCalls), std::to_string(Row.SecondCalls)});
  }
  return "\n" + textOfFirst(Rows, Colours, Input.Width, Input.Top, Input.Result->Loops.size(),
                            "more loops");
}

Json loopsJson(const std::vector<LoopDiffRow> &Loops) {
  Json Rows = Json::array();
  for (const LoopDiffRow &Row : Loops)
    Rows.push_back({{"kernel", Row.Kernel},
                    {"loop", Row.Loop},
                    {"depth", Row.Depth},
                    {"a_ns", Row.FirstNs},
                    {"b_ns", Row.SecondNs},
                    {"a_self_ns", Row.FirstSelfNs},
                    {"b_self_ns", Row.SecondSelfNs},
                    {"a_calls", Row.FirstCalls},
                    {"b_calls", Row.SecondCalls}});
  return Rows;
}

Json sideJson(const Trace &Source, int64_t WindowNs) {
  return {{"path", Source.Info.Path}, {"window_ns", WindowNs}};
}

} // namespace

std::string diffText(const DiffInput &Input, bool Colours) {
  constexpr size_t NameWidth = 60;
  const Difference &Result = *Input.Result;
  const int64_t Total = Result.SecondWindowNs - Result.FirstWindowNs;
  std::string Text =
      fmt::format("A: {}, window {}\nB: {}, window {}\n\n", escaped(Input.First->Info.Path),
                  shownTime(Result.FirstWindowNs), escaped(Input.Second->Info.Path),
                  shownTime(Result.SecondWindowNs));
  Table Rows({"Kernel or operator", "A", "B", "Delta", "% of delta", "A calls", "B calls", "Match"},
             {7});
  Rows.cut(0, NameWidth);
  DiffRow Rest;
  size_t Shown = 0;
  for (const DiffRow &Row : Result.Rows) {
    if (Shown++ >= Input.Top) {
      Rest.FirstNs += Row.FirstNs;
      Rest.SecondNs += Row.SecondNs;
      Rest.FirstCalls += Row.FirstCalls;
      Rest.SecondCalls += Row.SecondCalls;
      continue;
    }
    Rows.add({escaped(Row.Key), shownTime(Row.FirstNs), shownTime(Row.SecondNs),
              signedTime(Row.deltaNs()), shareOf(Row.deltaNs(), Total),
              std::to_string(Row.FirstCalls), std::to_string(Row.SecondCalls),
              std::string(diffMatchName(Row.Match))},
             Row.Match == DiffMatch::Unattributed ? Emphasis::Faint : Emphasis::None);
  }
  if (Shown > Input.Top)
    Rows.add({fmt::format("[{} more]", Shown - Input.Top), shownTime(Rest.FirstNs),
              shownTime(Rest.SecondNs), signedTime(Rest.deltaNs()), shareOf(Rest.deltaNs(), Total),
              std::to_string(Rest.FirstCalls), std::to_string(Rest.SecondCalls)},
             Emphasis::Faint);
  Rows.add({"[window]", shownTime(Result.FirstWindowNs), shownTime(Result.SecondWindowNs),
            signedTime(Total), Total ? "100.0" : "-"},
           Emphasis::Faint);
  return Text + Rows.text(Colours, Input.Width) + loopsText(Input, Colours);
}

std::string diffJson(const DiffInput &Input) {
  const Difference &Result = *Input.Result;
  Json Rows = Json::array();
  for (const DiffRow &Row : Result.Rows) {
    if (Rows.size() >= Input.Top)
      break;
    Rows.push_back({{"key", Row.Key},
                    {"match", diffMatchName(Row.Match)},
                    {"a_ns", Row.FirstNs},
                    {"b_ns", Row.SecondNs},
                    {"a_calls", Row.FirstCalls},
                    {"b_calls", Row.SecondCalls},
                    {"delta_ns", Row.deltaNs()}});
  }
  const Json Report = {{"schema", "seamscope.diff/1"},
                       {"a", sideJson(*Input.First, Result.FirstWindowNs)},
                       {"b", sideJson(*Input.Second, Result.SecondWindowNs)},
                       {"total_delta_ns", Result.SecondWindowNs - Result.FirstWindowNs},
                       {"rows", std::move(Rows)},
                       {"loops", loopsJson(Result.Loops)}};
  return Report.dump(2, ' ', true, Json::error_handler_t::replace) + '\n';
}

std::string diffCsv(const DiffInput &Input) {
  std::string Text = "key,match,a_ns,b_ns,a_calls,b_calls,delta_ns\r\n";
  size_t Shown = 0;
  for (const DiffRow &Row : Input.Result->Rows)
    if (Shown++ < Input.Top)
      Text +=
          fmt::format("{},{},{},{},{},{},{}\r\n", csvField(Row.Key), diffMatchName(Row.Match),
                      Row.FirstNs, Row.SecondNs, Row.FirstCalls, Row.SecondCalls, Row.deltaNs());
  return Text;
}

} // namespace seamscope::tools
