//===- SiteJson.h - places and threads, in a report for scripts -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SITEJSON_H
#define SEAMSCOPE_TOOLS_REPORT_SITEJSON_H

#include "analysis/core/Statistics.h"

#include <nlohmann/json.hpp>

namespace seamscope::tools {

/// `{file, line, column}`; null what is not known.
inline nlohmann::ordered_json sourceJson(std::string_view File, uint32_t Line, uint32_t Column) {
  using Json = nlohmann::ordered_json;
  return {{"file", File.empty() ? Json() : Json(File)},
          {"line", Line ? Json(Line) : Json()},
          {"column", Column ? Json(Column) : Json()}};
}

inline nlohmann::ordered_json sourceJson(const Trace &Source, const Site &What) {
  return sourceJson(Source.text(What.File), What.Line, What.Column);
}

/// `[{thread, calls, busy_ns}]`, of a region also `wait_ns`
inline nlohmann::ordered_json threadsJson(const std::vector<ThreadShare> &Threads,
                                          bool Waits = false) {
  using Json = nlohmann::ordered_json;
  Json Rows = Json::array();
  for (const ThreadShare &Share : Threads) {
    Rows.push_back({{"thread", Share.Thread ? Json(*Share.Thread) : Json()},
                    {"calls", Share.Calls},
                    {"busy_ns", Share.BusyNs}});
    if (Waits)
      Rows.back()["wait_ns"] = Share.WaitNs;
  }
  return Rows;
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SITEJSON_H
