//===- Stacks.h - calls for stack viewers ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As in a Table, entries are computed on request and not kept.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_MODEL_STACKS_H
#define SEAMSCOPE_TOOLS_REPORT_MODEL_STACKS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// What is called.
struct StackFrame {
  std::string_view Name, File; ///< no file: not known
  uint32_t Line = 0, Column = 0;
};

/// Nested calls, with their self times.
struct StackCalls {
  struct Call {
    uint32_t Id;     ///< below Ids
    uint32_t Outer;  ///< Id of the enclosing call, which comes before it; NoCall: none
    uint32_t Thread; ///< index of Threads; the calls of one thread are consecutive
    uint32_t Frame;  ///< index of Frames
    int64_t OwnNs;
  };
  static constexpr uint32_t NoCall = UINT32_MAX;

  std::vector<std::string> Threads;
  std::vector<StackFrame> Frames;
  size_t Ids = 0, Count = 0;
  std::function<Call(size_t Number)> At; ///< \p Number: below Count
};

/// Begins and ends of calls, lane by lane.
struct StackLanes {
  struct End {
    bool IsBegin;
    uint32_t Frame; ///< index of Frames
    int64_t Ns;     ///< since the first begin of all lanes
  };
  struct Lane {
    std::string Name;
    int64_t EndNs = 0;                                                   ///< end of the last call
    std::function<void(const std::function<void(const End &)> &)> Visit; ///< in order of begin
  };

  std::string Name; ///< name for all of them
  std::vector<StackFrame> Frames;
  std::vector<Lane> Lanes;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_MODEL_STACKS_H
