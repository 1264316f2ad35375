//===- SourcePoint.cpp - places in the source ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SourcePoint.h"

#include "Conventions.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace seamscope {

std::string pathOf(const DIFile *File) {
  if (!File)
    return {};
  SmallString<256> Path;
  if (!sys::path::is_absolute(File->getFilename()))
    Path = File->getDirectory();
  sys::path::append(Path, File->getFilename());
  sys::path::remove_dots(Path, /*remove_dot_dot=*/false);
  return std::string(Path);
}

SourcePoint sourceOf(const DISubprogram *SP, const Module &M) {
  if (SP)
    return {pathOf(SP->getFile()), SP->getLine(), 0};
  return {isSourceFile(M.getSourceFileName()) ? M.getSourceFileName() : "", 0, 0};
}

SourcePoint sourceOf(const Function &F) { return sourceOf(F.getSubprogram(), *F.getParent()); }

SourcePoint sourceOf(const DILocation &Place) {
  return {pathOf(Place.getFile()), Place.getLine(), Place.getColumn()};
}

} // namespace seamscope
