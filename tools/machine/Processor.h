//===- Processor.h - this machine's processors and caches -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_MACHINE_PROCESSOR_H
#define SEAMSCOPE_TOOLS_MACHINE_PROCESSOR_H

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace seamscope::tools {

struct KernelSet;

/// A level of caches for data, as the threads that measure use it.
struct CacheLevel {
  unsigned Level = 1;
  uint64_t Bytes = 0;   ///< of one cache
  unsigned Caches = 1;  ///< that the used processors have
  unsigned Sharing = 1; ///< most used processors that share one
  unsigned OfFirst = 1; ///< used processors that share that of the first one
};

/// The processors that this process may use.
struct Processor {
  std::string Cpu;                ///< model
  std::string Affinity;           ///< allowed processors: "0-3,8"
  std::vector<unsigned> Used;     ///< one for each thread that can run at once; those that share
                                  ///< caches are next to each other
  std::vector<CacheLevel> Caches; ///< from L1 on
  std::vector<const KernelSet *>
      Sets; ///< instruction sets with loops, each wider than those before
  /// 16 hexadecimal digits that depend on model, allowed processors, quota, caches, instruction
  /// sets and the compiler of the loops.
  std::string Key;
};

/// Asks the system. \p Allowed: the processors that this thread may run on, else as the system
/// says;
/// \p Root: where to look for /proc and /sys.
Processor thisProcessor(const std::vector<unsigned> &Allowed = {}, const std::string &Root = "");

/// Bytes of memory that a process can take without making others give up theirs: MemAvailable, and
/// what the limits of the control groups leave. 0: unknown.
uint64_t availableMemory(const std::string &Root = "");

/// "0-3,8" of {0, 1, 2, 3, 8}.
std::string rangesOf(std::span<const unsigned> Numbers);

/// The numbers of such a list; stops at what is not one, and at 65536 numbers.
std::vector<unsigned> numbersOf(const std::string &Ranges);

/// Name and version of the compiler that made the loops.
std::string kernelCompiler();

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_MACHINE_PROCESSOR_H
