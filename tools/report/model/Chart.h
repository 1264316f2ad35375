//===- Chart.h - what the page draws, as numbers ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_MODEL_CHART_H
#define SEAMSCOPE_TOOLS_REPORT_MODEL_CHART_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace seamscope::tools {

/// From one time to another, in parts; all in ns.
struct Waterfall {
  std::string BeginLabel, EndLabel;
  int64_t BeginNs = 0, EndNs = 0;
  std::vector<std::pair<std::string, int64_t>> Steps; ///< signed; BeginNs and they make EndNs
};

/// How often values lie between edges.
struct Histogram {
  std::vector<int64_t> EdgesNs; ///< ascending, one more than counts
  std::vector<uint64_t> Counts;
};

/// Stacked bars, one a row; ns.
struct Bars {
  std::vector<std::string> Parts;
  std::vector<std::pair<std::string, std::vector<int64_t>>> Rows;
};

/// Values one after another; ns.
struct Series {
  std::vector<std::string> Labels;
  std::vector<std::pair<std::string, std::vector<int64_t>>> Lines;
  std::vector<size_t> Outliers;
  std::optional<int64_t> MedianNs;
};

/// Trees of time, each in preorder; a node's time is its own and that of what is below it.
struct Flame {
  struct Node {
    int32_t Parent; ///< -1: a root
    uint32_t Name;
    int64_t SelfNs;
    uint64_t Calls;
  };
  struct View {
    std::string Title;
    std::vector<std::string> Names;
    std::vector<Node> Nodes;
  };
  std::vector<View> Views;
};

/// What ran where and when.
struct Timeline {
  struct Lane {
    std::string Title, Group, Kind; ///< of \p Kind "thread", "stream" or "idle"
    std::vector<uint32_t> Events;   ///< numbers of events in order of begin, the longer first
  };
  struct Event {
    int64_t BeginNs, DurationNs;
    uint32_t Name; ///< index of Names
  };
  int64_t EndNs = 0; ///< begins count from 0
  std::vector<std::string> Names;
  std::vector<uint8_t> KindOfName; ///< index of Kinds
  std::vector<std::string> Kinds;
  std::vector<Event> Events;
  std::vector<Lane> Lanes;
  std::string LeftOut; ///< what is not there, and why; empty: all is
};

struct Chart {
  std::string Id, Title;
  std::variant<Waterfall, Histogram, Bars, Series, Flame, Timeline> Of;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_MODEL_CHART_H
