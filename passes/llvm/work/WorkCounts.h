//===- WorkCounts.h - the work of an instruction ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one execution of an instruction computes and moves, by operation and type of its elements
// (seamscope/work.def). Counted after the optimiser: a vector instruction has the work of all lanes
// that its users read.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_WORKCOUNTS_H
#define SEAMSCOPE_PASSES_WORKCOUNTS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <string>

namespace llvm {
class CallBase;
class Instruction;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace seamscope {

/// Counts by key: "f32.add", "call.expf", and bytes as "read" and "write". "masked_read" and
/// "masked_write" are bytes of lanes that a mask selects at run time: the most that may be moved.
class WorkCounts {
public:
  void add(llvm::StringRef Key, uint64_t Count) {
    if (Count)
      Counts[Key.str()] += Count;
  }
  void add(const WorkCounts &Other, uint64_t Times = 1) {
    for (const auto &[Key, Count] : Other.Counts)
      add(Key, Count * Times);
  }
  bool empty() const { return Counts.empty(); }
  auto begin() const { return Counts.begin(); }
  auto end() const { return Counts.end(); }

private:
  std::map<std::string, uint64_t> Counts; ///< sorted, so that a compiler's output is reproducible
};

/// Metadata of loads that Seamscope inserts. They are not counted.
constexpr const char *CopyOfLoad = "seamscope.copy";

/// The work of one execution of \p I, without that of functions that it calls. For a call whose
/// work is not known, sets \p Unknown to the reason. Bytes of the function's own stack are left
/// out.
WorkCounts workOf(const llvm::Instruction &I, const llvm::TargetLibraryInfo &Library,
                  std::string &Unknown);

/// Whether \p Pointer is to a value on the stack of this function: a register that was spilled, or
/// an array that the optimiser could not split up. Its bytes are no traffic of the kernel's data.
bool isOnStack(const llvm::Value *Pointer);

/// If \p I moves a number of bytes that is known at run time alone, returns that number (memcpy,
/// memmove, memset), and sets \p OfByte to the work of each of these bytes. Otherwise null.
llvm::Value *dynamicBytes(const llvm::Instruction &I, WorkCounts &OfByte);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_WORKCOUNTS_H
