//===- CudaActivity.h - rows of NVIDIA's profilers as a trace -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CUDAACTIVITY_H
#define SEAMSCOPE_TOOLS_TRACE_CUDAACTIVITY_H

#include "trace/io/SeededHash.h"
#include "trace/io/SqliteFile.h"
#include "trace/model/TraceBuilder.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

namespace seamscope::tools {

/// Adds what nsys and nvprof record, with names and tracks as torch's profiler gives to data from
/// the same source: device work is on a track of (device, stream), calls are on their (process,
/// thread).
class CudaActivity {
public:
  explicit CudaActivity(TraceBuilder &Builder) : Builder(Builder) {}

  /// A row with a begin and an end, as in its table.
  struct Row {
    std::string_view Table;
    int64_t Number = 0;
    std::optional<int64_t> BeginNs, EndNs;
  };

  /// Adds it; false: its times are impossible, and it is skipped and reported.
  bool add(const Row &What, SiteId Site, TrackId Track, std::optional<int64_t> Correlation = {});

  /// The columns of a kernel's table that describe its launch: grid and block (x, y, z), registers
  /// of a thread, static and dynamic shared bytes of a block.
  static std::span<const SqliteColumn> launchColumns();

  /// Adds the launch of the last added kernel and its stream, from its row, in which
  /// launchColumns() begin at \p First.
  void addLaunch(const SqliteRows &Row, int First, std::optional<int64_t> Stream);

  /// The size of the last added copy or fill; below 0: not known.
  void addCopySize(std::optional<int64_t> Bytes) {
    if (Bytes.value_or(-1) >= 0)
      Builder.add(CopySize{0, *Bytes});
  }

  /// Reports a row that is left out.
  void skip(const Row &What, std::string_view Why);

  /// The device number, if \p Id can be one.
  static std::optional<int32_t> device(std::optional<int64_t> Id);

  SiteId kernel(std::string_view Name, int32_t Device);
  /// \p Kind: CUPTI's number; \p From and \p To: kinds of memory, empty if not known.
  SiteId copy(std::optional<int64_t> Kind, std::string_view From, std::string_view To,
              int32_t Device);
  SiteId fill(std::string_view Of, int32_t Device);
  /// A call of the runtime ("cudaLaunchKernel_v7000") or driver ("cuLaunchKernel").
  SiteId call(std::string_view Name);
  /// A range of NVTX: an operator if torch made it, else a span. \p Domain: empty for the default
  /// one.
  SiteId range(std::string_view Text, std::string_view Domain);

  /// The track of a stream. \p Owner distinguishes streams of different processes: 0, or the
  /// process.
  TrackId stream(int32_t Device, std::optional<int64_t> Stream, int64_t Owner);
  TrackId thread(int64_t Process, int64_t Thread);

private:
  SiteId siteOf(std::string_view Name, std::string_view Category, int32_t Device);

  TraceBuilder &Builder;
};

/// A map from numbers that remembers the last one, as the same number is often requested again.
template <typename T> class Memo {
public:
  /// The stored result of \p Make for \p Key, or a new one.
  template <typename F> T get(int64_t Key, F Make) {
    if (HasLast && Key == LastKey)
      return Last;
    const auto [Entry, New] = Known.try_emplace(Key);
    if (New)
      Entry->second = Make();
    LastKey = Key;
    HasLast = true;
    return Last = Entry->second;
  }
  const std::unordered_map<int64_t, T, SeededHash> &all() const { return Known; }

private:
  std::unordered_map<int64_t, T, SeededHash> Known;
  int64_t LastKey = 0;
  T Last{};
  bool HasLast = false;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CUDAACTIVITY_H
