//===- SourcePoint.h - places in the source --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_SOURCEPOINT_H
#define SEAMSCOPE_PASSES_SOURCEPOINT_H

#include <string>

namespace llvm {
class DIFile;
class DILocation;
class DISubprogram;
class Function;
class Module;
} // namespace llvm

namespace seamscope {

/// A place in the source. Line and Column count from 1; 0 is unknown.
struct SourcePoint {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;
};

/// The path of \p File, absolute where the compiler knew it; empty for null.
std::string pathOf(const llvm::DIFile *File);

/// The place of a function of \p M; \p Subprogram is null without debug information.
SourcePoint sourceOf(const llvm::DISubprogram *Subprogram, const llvm::Module &M);
SourcePoint sourceOf(const llvm::Function &F);
SourcePoint sourceOf(const llvm::DILocation &Place);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_SOURCEPOINT_H
