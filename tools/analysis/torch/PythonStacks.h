//===- PythonStacks.h - the Python code that led to a call ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PYTHONSTACKS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PYTHONSTACKS_H

#include "analysis/core/HostNesting.h"
#include "analysis/core/PathTree.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A frame as torch names it: "model.py(12): forward".
struct PythonFrameName {
  std::string_view File; ///< empty: none, as for "<built-in ...>" and "nn.Module: Linear_0"
  uint32_t Line = 0;
  std::string_view Function; ///< without a file, the whole name
};
PythonFrameName parseFrameName(std::string_view Name);

/// Whether, by its path, a file is not part of torch or Python's library, not installed and not
/// generated.
bool isUserFile(std::string_view File);

/// The Python stacks around host calls, from frames (ReadOptions::Stacks), or from texts at the
/// operators if there are such.
class PythonStacks {
public:
  PythonStacks(const Trace &Input, const HostNesting &Nesting);

  /// The stack around a host event; 0: none is known.
  PathId of(uint32_t Event) const { return Event == NoEvent ? 0 : Stacks[Event]; }

  /// "file.py:12" of the innermost frame of the user's code; without one, of the innermost frame
  /// with a file. Empty: none.
  std::string line(PathId Stack) const;

  /// "file.py:12: forward" of the same frame.
  std::string frame(PathId Stack) const;

  /// A stack with the same line(); 0 if that is empty.
  PathId lineStack(PathId Stack) const;

  /// "a.py:1: main > b.py:2: forward", outermost first. Of a deep stack the outer frames are left
  /// out: "... > ".
  std::string path(PathId Stack) const;

private:
  PathId push(PathId Outer, std::string_view Name);
  void addFrames(const HostNesting &Nesting);
  void addTexts(const HostNesting &Nesting);
  PathId parseText(std::string_view Frames);

  const Trace &Input;
  PathTree Frames;
  std::vector<PathId> Lines{0};    ///< by stack, lineStack()
  std::vector<bool> IsUser{false}; ///< by stack, whether that line is the user's
  std::vector<PathId> Stacks;      ///< by event
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PYTHONSTACKS_H
