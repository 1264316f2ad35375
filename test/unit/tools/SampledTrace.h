//===- SampledTrace.h - traces with samples, for tests --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_UNIT_TOOLS_SAMPLEDTRACE_H
#define SEAMSCOPE_TEST_UNIT_TOOLS_SAMPLEDTRACE_H

#include "TestFile.h"
#include "analysis/core/Statistics.h"
#include "analysis/samples/CodeNames.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace seamscope::tools {

inline constexpr int64_t Us = 1000;

/// Times in us.
inline std::string call(const char *Name, int Tid, int Begin, int Duration, const char *More = "") {
  return fmt::format(R"({{"ph": "X", "cat": "cpu_op", "name": "{0}", "pid": 1, "tid": {1}, )"
                     R"("ts": {2}, "dur": {3}, "args": {{"kernel": "{0}"{4}}}}})",
                     Name, Tid, Begin, Duration, More);
}

/// A trace whose threads are sampled from 0 to \p UntilUs.
class Sampled {
public:
  Sampled(const std::vector<std::string> &Events, const std::vector<std::string> &Tids, int UntilUs,
          const std::string &Throttled = "")
      : Of(traceOf(fmt::format(R"({{"seamscope": {{"version": "1", "format": 1, "mode": "trace", )"
                               R"("throttled": [{}]}}, "traceEvents": [{}]}})",
                               Throttled, fmt::join(Events, ",")))) {
    for (const std::string &Tid : Tids) {
      track(Tid);
      Of.SampledSpans.push_back({track(Tid), 0, UntilUs * Us});
    }
    Names.Codes.resize(1);
  }

  TrackId track(const std::string &Tid) {
    for (TrackId Id = 0; Id < Of.Tracks.size(); ++Id)
      if (Of.text(Of.Tracks[Id].Thread) == Tid)
        return Id;
    Of.Tracks.push_back({Of.Strings.intern("1"), Of.Strings.intern(Tid), 0});
    return static_cast<TrackId>(Of.Tracks.size() - 1);
  }

  /// Calls must come by track and time.
  void off(const std::string &Tid, int Begin, int End, OffKind Kind = OffKind::Blocked,
           int64_t OffUs = -1, int64_t Wait = -1) {
    Of.OffCpu.BeginNs.push_back(Begin * Us);
    Of.OffCpu.EndNs.push_back(End * Us);
    Of.OffCpu.OffNs.push_back((OffUs < 0 ? End - Begin : OffUs) * Us);
    Of.OffCpu.Track.push_back(track(Tid));
    Of.OffCpu.Kind.push_back(static_cast<int64_t>(Kind));
    Of.OffCpu.Wait.push_back(Wait);
  }

  void sample(const std::string &Tid, int At, const std::string &Symbol, int Times = 1,
              const std::string &Library = "a.out") {
    size_t Code = 0;
    while (Code < Names.Codes.size() &&
           (Names.Codes[Code].Symbol != Symbol || Names.Codes[Code].Library != Library))
      ++Code;
    if (Code == Names.Codes.size()) {
      Names.Codes.push_back({Library, Symbol, {{Symbol, "/src/k.cpp", 7}}});
    }
    for (; Times > 0; --Times) {
      Of.Samples.Ns.push_back(At * Us);
      Of.Samples.Track.push_back(track(Tid));
      Of.Samples.Address.push_back(0);
      Of.Samples.Module.push_back(-1);
      Names.OfSample.push_back(static_cast<uint32_t>(Code));
    }
  }

  Statistics numbers() const { return computeStatistics(Of, {}, &Names); }

  Trace Of;
  CodeNames Names;
};

/// A function that is throttled: of 1,002 calls on thread 1, two are timed.
inline constexpr const char *ThrottledDist =
    R"({"cat": "cpu_op", "name": "dist", "pid": 1, "tid": 1, "ts": 0, "every": 500, "timed": 2, )"
    R"("untimed": 1000, "args": {"kernel": "dist"}})";

} // namespace seamscope::tools
#endif // SEAMSCOPE_TEST_UNIT_TOOLS_SAMPLEDTRACE_H
