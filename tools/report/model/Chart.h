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

/// The way from one time to another, in parts; ns.
struct Waterfall {
  std::string BeginLabel, EndLabel;
  int64_t BeginNs = 0, EndNs = 0;
  std::vector<std::pair<std::string, int64_t>> Steps; ///< signed; BeginNs plus all of them is EndNs
};

/// How many values lie between edges.
struct Histogram {
  std::vector<int64_t> EdgesNs; ///< ascending, one more than the counts
  std::vector<uint64_t> Counts;
};

/// Stacked bars, one for each row; ns.
struct Bars {
  std::vector<std::string> Parts;
  std::vector<std::pair<std::string, std::vector<int64_t>>> Rows;
};

/// A series of values; ns.
struct Series {
  std::vector<std::string> Labels;
  std::vector<std::pair<std::string, std::vector<int64_t>>> Lines;
  std::vector<size_t> Outliers;
  std::optional<int64_t> MedianNs;
};

/// Trees of time, each in preorder; a node's time includes the nodes below it.
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
    std::vector<uint32_t> Events;   ///< event numbers in order of begin, longer ones first
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
  std::string LeftOut; ///< what is left out, and why; empty: nothing
};

/// Kernels by operations for each byte, below the peak of their device.
struct Roofline {
  struct Roof {
    std::string Name;      ///< "fp16 matrix"
    double Peak = 0;       ///< FLOP/s; bytes/s for memory
    bool OfMemory = false; ///< rises with FLOP/byte
  };
  struct Point {
    size_t Row = 0;                     ///< in the kernel table
    std::string Name;                   ///< untrusted
    double FlopPerByte = 0;             ///< above 0
    double FlopPerS = 0;                ///< above 0
    int64_t TotalNs = 0;                ///< over all its calls
    uint64_t Calls = 0, KnownCalls = 0; ///< the latter: calls with known operations
    std::optional<size_t> Unit;         ///< index in Roofs of the unit that it computes with
    std::optional<size_t> Roof;         ///< index in Roofs of the nearest roof
    std::optional<double> Percent;      ///< of the nearest roof
  };
  /// An eager operator that a kernel replaced: its work is by formula, in its own recorded time.
  struct Replaced {
    size_t Point = 0;       ///< the kernel, in Points
    std::string Name;       ///< untrusted
    double FlopPerByte = 0; ///< above 0
    double FlopPerS = 0;    ///< above 0
    int64_t TotalNs = 0;    ///< of the calls that were compared
    uint64_t Calls = 0;
  };
  std::vector<Roof> Roofs;
  std::vector<Point> Points; ///< most time first
  std::vector<Replaced> Operators;
};

/// Ranks side by side: what each did in its wall time; ns.
struct RankBars {
  struct Row {
    std::string Label; ///< untrusted
    int64_t WallNs = 0;
    std::vector<int64_t> PartsNs; ///< one for each of Parts, with the sum WallNs; empty: not known
    std::optional<int64_t> CausedNs; ///< sum of the others' waits for it; nothing: not known
    std::optional<int64_t> WaitNs;   ///< sum of its own waits for others; nothing: not known
    std::string Mark;                ///< "straggler"; empty: it does not stand out
  };
  std::vector<std::string> Parts;
  std::vector<Row> Rows; ///< by rank
};

/// Durations over time: calls in classes of equal length, by their begin.
struct Spread {
  struct Class {
    size_t At = 0; ///< number of the class; those without calls are left out
    uint64_t Calls = 0;
    int64_t LeastNs = 0, MedianNs = 0, MostNs = 0; ///< durations; nearest rank
  };
  int64_t BeginNs = 0, EndNs = 0; ///< of all classes, since the first event of the trace
  size_t Count = 0;               ///< of classes
  std::vector<Class> Classes;
};

struct Chart {
  std::string Id, Title;
  std::variant<Waterfall, Histogram, Bars, Series, Flame, Timeline, Roofline, RankBars, Spread> Of;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_MODEL_CHART_H
