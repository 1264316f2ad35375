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

/// Adds what nsys and nvprof record, named and laid out as torch's profiler does it with what it
/// has of the same source: a device's work lies on a track of (device, stream), calls on their
/// (process, thread).
class CudaActivity {
public:
  explicit CudaActivity(TraceBuilder &Builder) : Builder(Builder) {}

  /// A row with a begin and an end, as it stands in its table.
  struct Row {
    std::string_view Table;
    int64_t Number = 0;
    std::optional<int64_t> BeginNs, EndNs;
  };

  /// Adds it; false: its times are impossible, and it is skipped and reported.
  bool add(const Row &What, SiteId Site, TrackId Track, std::optional<int64_t> Correlation = {});

  /// The columns of a kernel's table that say how it was launched: grid and block (x, y, z),
  /// registers of a thread, static and dynamic shared bytes of a block.
  static std::span<const SqliteColumn> launchColumns();

  /// Adds how the kernel that was added last was launched, by its row, in which launchColumns()
  /// begin at \p First; and its stream.
  void addLaunch(const SqliteRows &Row, int First, std::optional<int64_t> Stream);

  /// How much the copy or fill that was added last moved; below 0 it is not known.
  void addCopySize(std::optional<int64_t> Bytes) {
    if (Bytes.value_or(-1) >= 0)
      Builder.add(CopySize{0, *Bytes});
  }

  /// Reports a row that is left out.
  void skip(const Row &What, std::string_view Why);

  /// The number of the device, where \p Id can be one.
  static std::optional<int32_t> device(std::optional<int64_t> Id);

  SiteId kernel(std::string_view Name, int32_t Device);
  /// \p Kind: CUPTI's number; \p From and \p To: kinds of memory, empty where not known.
  SiteId copy(std::optional<int64_t> Kind, std::string_view From, std::string_view To,
              int32_t Device);
  SiteId fill(std::string_view Of, int32_t Device);
  /// A call of the runtime ("cudaLaunchKernel_v7000") or driver ("cuLaunchKernel").
  SiteId call(std::string_view Name);
  /// A range of NVTX: an operator where torch made it, else a span. \p Domain: empty for the
  /// default one.
  SiteId range(std::string_view Text, std::string_view Domain);

  /// The track of a stream. \p Owner distinguishes streams of different processes: 0, or the
  /// process.
  TrackId stream(int32_t Device, std::optional<int64_t> Stream, int64_t Owner);
  TrackId thread(int64_t Process, int64_t Thread);

private:
  SiteId siteOf(std::string_view Name, std::string_view Category, int32_t Device);

  TraceBuilder &Builder;
};

/// Numbers that stand for something else: a memo that most often is asked for the same one again.
template <typename T> class Memo {
public:
  /// What \p Make gave, or gives now, for \p Key.
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
