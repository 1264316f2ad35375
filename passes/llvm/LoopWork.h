//===- LoopWork.h - how much a function's loops run ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_LOOPWORK_H
#define SEAMSCOPE_PASSES_LOOPWORK_H

#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace seamscope {

/// An upper bound on the instructions that the loops of a function run in one call; None if a trip
/// count is not bounded at compile time. \p Call is a call of that function whose constant
/// arguments are used.
std::optional<uint64_t> boundedWork(const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
                                    const llvm::CallBase *Call = nullptr);

/// The same for one run of \p Nest and the loops in it.
std::optional<uint64_t> boundedWork(const llvm::Loop &Nest, const llvm::LoopInfo &LI,
                                    llvm::ScalarEvolution &SE);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LOOPWORK_H
