//===- Toolchain.h - which clang, which plugin, which linker ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_WRAPPER_TOOLCHAIN_H
#define SEAMSCOPE_WRAPPER_TOOLCHAIN_H

#include <map>
#include <string>

namespace seamscope::wrapper {

/// Where Seamscope lies, and what is there.
struct Installation {
  std::string LibraryFolder;          ///< absolute, with libseamscope.so and the plugins
  std::map<int, std::string> Plugins; ///< LLVM major to path

  /// Looks beside the running program.
  static Installation find();

  /// "22 and 19", for messages; "none" when there is no plugin.
  std::string majors() const;
};

/// The compiler that does the work.
struct Compiler {
  std::string Path; ///< "" when there is none
  int Major = 0;    ///< 0 when it was not asked for or could not be determined
};

/// Picks the clang or clang++ to run: the one that SEAMSCOPE_CLANG or SEAMSCOPE_CLANGXX
/// names, else the newest with a plugin here, else, if \p Any, whatever PATH has. Exits
/// with a line on stderr when there is none.
Compiler findCompiler(const Installation &Here, bool Cxx, bool Any);

/// The program \p Name of LLVM, such as llvm-ar, that goes with \p Clang: beside it, by its major,
/// or the plain one on PATH; "" when there is none.
std::string findCompanion(const Compiler &Clang, const std::string &Name);

/// What the linker of a call can do.
struct LinkerFeatures {
  bool StartStopGc = false; ///< knows -z start-stop-gc
  int LldMajor = 0;    ///< LLVM major of lld, which knows --load-pass-plugin; 0: another linker
  std::string Program; ///< its path; "" when it was not found
};

/// Asks the linker that \p Clang will run. \p Name is the value of -fuse-ld= or
/// --ld-path=; "" is the compiler's default.
LinkerFeatures askLinker(const Compiler &Clang, const std::string &Name);

} // namespace seamscope::wrapper
#endif // SEAMSCOPE_WRAPPER_TOOLCHAIN_H
