//===- Arrays.h - the arrays of a level of the memory ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_MACHINE_ARRAYS_H
#define SEAMSCOPE_TOOLS_MACHINE_ARRAYS_H

#include "machine/Processor.h"
#include "machine/Team.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// The sizes of the working sets for a level.
struct LevelPlan {
  std::string Level;       ///< "L1", ..., "DRAM"
  uint64_t PartBytes = 0;  ///< of each thread, if all measure
  unsigned FirstParts = 1; ///< parts that the first thread has if it measures alone
  uint64_t CapacityOne = 0, CapacityAll = 0; ///< caches that one thread uses, and all; 0: memory
};

/// Plans the levels of \p On: half of a cache for the threads that share it, and for DRAM eight
/// times the last level, or that for each thread, up to 1 GB. L3 has a second, smaller set, four times a thread's share of L2: where L3
/// is large, or shared with other machines, data of half its size are served more slowly. \p
/// Memory: what may be used (bytes). Adds a sentence to \p LeftOut for a level that cannot be
/// measured.
std::vector<LevelPlan> planLevels(const Processor &On, uint64_t Memory,
                                  std::vector<std::string> &LeftOut);

/// Memory in parts, one for each thread.
class Arrays {
public:
  using Kernel = void (*)(double *A, double *B, double *C, size_t Count);

  /// Allocates the parts and has each thread of \p By touch its own; nothing if there is not as
  /// much memory.
  static std::unique_ptr<Arrays> create(Team &By, unsigned Threads, uint64_t PartBytes);
  ~Arrays();
  Arrays(const Arrays &) = delete;
  Arrays &operator=(const Arrays &) = delete;

  /// A thread's walk through arrays of equal size in neighbouring parts, again and again. In lines
  /// of its own, since each thread writes its place.
  class alignas(128) Walk {
  public:
    /// \p Count arrays in \p Parts parts from \p First on.
    Walk(const Arrays &In, unsigned First, unsigned Parts, unsigned Count);

    /// Calls \p Run with the next \p Elements of each array, rounded up to 64.
    void go(Kernel Run, uint64_t Elements) {
      for (uint64_t Left = (Elements + 63) / 64 * 64; Left;) {
        const uint64_t Now = Left < Length - At ? Left : Length - At;
        Run(A + At, B + At, C + At, Now);
        Left -= Now;
        At = At + Now == Length ? 0 : At + Now;
      }
    }

  private:
    double *A, *B, *C;
    uint64_t Length, At = 0; ///< in elements
  };

private:
  Arrays() = default;

  double *Begin = nullptr;
  size_t Bytes = 0, PartElements = 0;
  size_t Stride = 0; ///< elements from a part to the next; a gap keeps prefetchers out of that one
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_MACHINE_ARRAYS_H
