//===- BaselineFolder.h - the runs that are compared, in a folder --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run with a baseline has more folders than other runs:
//
//   DIR/eager/N/      the same program without compiling, from 1
//   DIR/compiled/N/   the same again, from 2: the first is DIR itself
//   DIR/unrecorded/eager/, DIR/unrecorded/compiled/
//                     both again, half of the steps recorded, for their times alone (StepLog.h)
//   DIR/own-compiler/ nothing recorded; the compiler and the OpenMP runtime are torch's own choice
//   DIR/own-compiler/eager/
//                     nothing recorded, eager, with that runtime: the base of the speedup
//   DIR/own-compiler/N/ and the like
//                     these again, from 2
//   .../output.txt    what the program wrote to its terminal
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_BASELINEFOLDER_H
#define SEAMSCOPE_TOOLS_RUN_BASELINEFOLDER_H

#include <string>
#include <vector>

namespace seamscope::tools {

std::string eagerIn(const std::string &Folder);
std::string compiledIn(const std::string &Folder);
std::string unrecordedEagerIn(const std::string &Folder);
std::string unrecordedCompiledIn(const std::string &Folder);
std::string ownCompilerIn(const std::string &Folder);
std::string ownEagerIn(const std::string &Folder);
std::string outputIn(const std::string &Folder);
std::string numbered(const std::string &Folder, unsigned Number);
/// The first is \p Folder itself.
std::string repeated(const std::string &Folder, unsigned Number);
/// \p First, and the folders of its repetitions, in the order of their numbers.
std::vector<std::string> repeatsOf(const std::string &First);

/// Empties the folder of an earlier run, or makes a new one; returns why that failed, or nothing.
std::string prepareFolder(const std::string &Folder);

/// A compiled run and the eager one that followed it, as folders.
struct RunPair {
  std::string Compiled;
  std::string Eager;
};

/// The pairs in the folder of a run whose traces exist, in the order of their numbers. Eager runs
/// without a compiled one of their number are paired with the first.
std::vector<RunPair> baselinesIn(const std::string &Folder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_BASELINEFOLDER_H
