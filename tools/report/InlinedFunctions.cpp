//===- InlinedFunctions.cpp - inlined functions, in a report --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/InlinedFunctions.h"

#include "analysis/groups/InlinedFunctions.h"
#include "report/FileNames.h"
#include "report/SiteJson.h"
#include "report/Table.h"
#include "trace/io/Escape.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {

using Json = nlohmann::ordered_json;

std::string inlinedFunctionsText(const ReportInput &Input, bool Colours) {
  constexpr size_t UsualRows = 20, NameWidth = 60, KernelsWidth = 40;
  if (!Input.Loops)
    return {};
  const auto Functions = inlinedFunctions(*Input.Source, *Input.Loops);
  const FileNames Files(*Input.Source);
  const size_t Most = Input.rowsOf(UsualRows);
  Table Rows({"Inlined function, by its loops", "Loops", "Entered", "Total", "In", "First loop"},
             {4, 5});
  Rows.cut(0, NameWidth);
  Rows.cut(4, KernelsWidth);
  for (size_t I = 0; I < std::min(Most, Functions.size()); ++I) {
    const InlinedFunction &Row = Functions[I];
    Rows.add({escaped(Row.Name), fmt::to_string(Row.Loops), fmt::to_string(Row.Calls),
              shownTime(Row.TotalNs), escaped(fmt::format("{}", fmt::join(Row.Kernels, ", "))),
              Files.place(Input.Source->Sites[Row.Place])});
  }
  std::string Text =
      textOfFirst(Rows, Colours, Input.Width, Most, Functions.size(), "more functions");
  if (!Text.empty())
    Text += "their time is in that of the kernels they are in, too\n";
  return Text;
}

Json inlinedFunctionsJson(const ReportInput &Input) {
  Json Rows = Json::array();
  if (Input.Loops)
    for (const InlinedFunction &Row : inlinedFunctions(*Input.Source, *Input.Loops))
      Rows.push_back({{"name", Row.Name},
                      {"source", sourceJson(*Input.Source, Input.Source->Sites[Row.Place])},
                      {"loops", Row.Loops},
                      {"calls", Row.Calls},
                      {"total_ns", Row.TotalNs},
                      {"kernels", Row.Kernels}});
  return Rows;
}

} // namespace seamscope::tools
