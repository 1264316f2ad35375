//===- Toolchain.h - which compiler, which plugin, which linker ------------===//
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

/// How a compiler is called.
struct CompilerNames {
  const char *Name;
  const char *Family;   ///< in messages
  const char *Variable; ///< of the environment, which names another
  const char *Older;    ///< how it was called before 20, or null
};
inline constexpr CompilerNames ForC{"clang", "clang", "SEAMSCOPE_CLANG", nullptr},
    ForCxx{"clang++", "clang", "SEAMSCOPE_CLANGXX", nullptr},
    ForFortran{"flang", "flang", "SEAMSCOPE_FLANG", "flang-new"};

/// Picks the compiler to run: the one that the variable names, else the newest with a plugin here,
/// else, if \p Any, whatever PATH has. Exits with a line on stderr when there is none.
Compiler findCompiler(const Installation &Here, const CompilerNames &Names, bool Any);

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
