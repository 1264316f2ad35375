//===- ExecutedWork.h - what kernels computed and moved, as counted --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled kernels count how often their blocks ran, and the compiler says what one run of a block
// computes (docs/work.md). Products of both are exact, except where a condition decides inside an
// innermost loop: then there is a least and a most.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_EXECUTEDWORK_H
#define SEAMSCOPE_TOOLS_ANALYSIS_EXECUTEDWORK_H

#include "analysis/core/KernelIds.h"
#include "trace/model/Trace.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// A number that is known within bounds.
struct Bounds {
  static constexpr uint64_t Largest = uint64_t{1} << 62; ///< larger numbers become this one

  uint64_t Least = 0, Most = 0;

  bool isExact() const { return Least == Most && Most < Largest; }
  Bounds &operator+=(const Bounds &More) {
    Least = std::min(Least + More.Least, Largest);
    Most = std::min(Most + More.Most, Largest);
    return *this;
  }
  Bounds operator*(uint64_t Factor) const {
    const auto Times = [&](uint64_t Of) {
      uint64_t Product = 0;
      return __builtin_mul_overflow(Of, Factor, &Product) ? Largest : std::min(Product, Largest);
    };
    return {Times(Least), Times(Most)};
  }
};

/// "f32" and "add" of the key of an operation, "f32.add"; the first is empty for other keys.
std::pair<std::string_view, std::string_view> operationOf(std::string_view Key);

/// The FLOPs of so many operations of one key.
Bounds flopsOf(std::string_view Key, const Bounds &Count);

/// The sums over all calls of some code.
struct ExecutedWork {
  using Sums = std::map<std::string, Bounds, std::less<>>;

  /// Operations by key, "f32.add" (seamscope/work.def), values of math functions, "call.expf", and
  /// bytes, "read" and "write".
  Sums Counts;
  /// Parts of these: "vector.expf" and "vector.f32.add", values that functions and instructions of
  /// vectors computed; "streamed_read" and "streamed_write", bytes that are others each time;
  /// "scattered_read" and "scattered_write", those that perhaps are not. Other bytes are in ranges
  /// of arrays.
  Sums Parts;
  std::set<std::string> Unknown; ///< why there is more work than that; empty: there is not

  Bounds flop() const;
  /// FLOPs by element type. Types without FLOPs are left out.
  std::map<std::string, Bounds> flopByType() const;
  /// Values of math functions, by function.
  std::map<std::string, Bounds> mathCalls() const;
  Bounds bytesRead() const { return count("read"); }
  Bounds bytesWritten() const { return count("write"); }
  Bounds bytes() const {
    Bounds Sum = bytesRead();
    return Sum += bytesWritten();
  }
  /// Whether all of it is known.
  bool isExact() const;

  Bounds count(std::string_view Key) const { return sumIn(Counts, Key); }
  Bounds part(std::string_view Key) const { return sumIn(Parts, Key); }
  void add(const ExecutedWork &More);

private:
  static Bounds sumIn(const Sums &Of, std::string_view Key) {
    const auto Found = Of.find(Key);
    return Found == Of.end() ? Bounds() : Found->second;
  }
};

/// What was reached through one pointer, by loads or by stores.
struct TouchedArray {
  std::string Name; ///< of the variable; empty: the compiler did not know it
  std::string File; ///< of a load or store; empty: unknown
  uint32_t Line = 0;
  bool IsWritten = false;
  uint64_t Bytes = 0; ///< distinct ones of each call and thread, summed up; at most
};

/// Distinct bytes of each call and thread, summed up; at most.
struct FootprintSum {
  uint64_t Bytes = 0;
  uint64_t Scattered = 0; ///< of these, counted each time

  /// Whether a tenth at most counts each time.
  bool isClose() const { return Scattered <= Bytes / 10; }
};

/// The same for one line of the source.
struct LineWork {
  std::string File; ///< empty: the compiler did not know it
  uint32_t Line;    ///< 0: unknown
  ExecutedWork Work;
};

/// The work of one kernel: the loops and lines of its own code, its parallel regions and tasks.
struct KernelWork {
  uint64_t Calls = 0; ///< of the kernel's function that were counted; 0: only parts of it were
  ExecutedWork All;
  std::map<std::string, ExecutedWork, std::less<>>
      Loops;                               ///< by name; outer ones without inner ones
  std::vector<LineWork> Lines;             ///< by file and line
  std::vector<TouchedArray> Arrays;        ///< also of kernels that are inlined in it
  bool LacksArrays = false;                ///< of some part the footprint was not counted
  std::map<TrackId, ExecutedWork> Threads; ///< their parts of `All`
  bool LacksThreads = false;               ///< of some part it is not known which threads did it

  /// What was read, or written; nothing: not known.
  std::optional<FootprintSum> footprint(bool IsWritten) const;
  /// Both.
  std::optional<FootprintSum> footprint() const;
  /// That of the work that is counted, where there may be more.
  std::optional<FootprintSum> countedFootprint() const;

  /// That of a line, which is added if it is new.
  ExecutedWork &line(const std::string &File, uint32_t Line);
  void add(KernelWork &&More);
  void sortLines();

private:
  std::optional<FootprintSum> countedFootprint(bool IsWritten) const;
};

using WorkByKernel = std::map<KernelId, KernelWork>;
using WorkByName = std::map<std::string, KernelWork, std::less<>>; ///< of the kernel

/// What the words of one function count. Its text is parsed once.
class WorkDescription {
public:
  /// \p Of must outlive it.
  explicit WorkDescription(const CountedWork &Of);
  WorkDescription(WorkDescription &&) noexcept;
  ~WorkDescription();

  /// The work that so many calls and these words mean, also of kernels that were inlined; nothing
  /// for text that no compiler plugin wrote.
  std::optional<WorkByName> read(uint64_t Calls, const std::vector<uint64_t> &Words) const;

private:
  class Parsed;
  std::unique_ptr<Parsed> Text;
};

/// The counted work of a trace's host code. What cannot be given to one of several kernels of its
/// name makes all of these unknown, as does a description that cannot be read.
WorkByKernel executedWork(const Trace &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_EXECUTEDWORK_H
