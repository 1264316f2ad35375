//===- Toolchain.h - choice of compiler, plugin and linker -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_WRAPPER_TOOLCHAIN_H
#define SEAMSCOPE_WRAPPER_TOOLCHAIN_H

#include <map>
#include <string>

namespace seamscope::wrapper {

/// Where Seamscope is installed, and its plugins.
struct Installation {
  std::string LibraryFolder;          ///< absolute, with libseamscope.so and the plugins
  std::map<int, std::string> Plugins; ///< LLVM major to path

  /// Finds the installation of the running program.
  static Installation find();

  /// For messages: "22 and 19", or "none (...)" without a plugin.
  std::string majors() const;
};

/// The compiler that does the work.
struct Compiler {
  std::string Path; ///< "" if there is none
  int Major = 0;    ///< 0 if it is unknown
};

/// The names of a compiler.
struct CompilerNames {
  const char *Name;
  const char *Family;   ///< in messages
  const char *Variable; ///< environment variable that overrides it
  const char *Older;    ///< the name before LLVM 20, or null
};
inline constexpr CompilerNames ForC{"clang", "clang", "SEAMSCOPE_CLANG", nullptr},
    ForCxx{"clang++", "clang", "SEAMSCOPE_CLANGXX", nullptr},
    ForFortran{"flang", "flang", "SEAMSCOPE_FLANG", "flang-new"};

/// The compiler to run: the one that the environment variable names, else the newest with a plugin,
/// else, if \p Any, the one on PATH. Without one, exits with a message.
Compiler findCompiler(const Installation &Here, const CompilerNames &Names, bool Any);

/// The LLVM program \p Name, such as llvm-ar, for \p Clang: next to it, by its major, or on PATH;
/// "" if there is none.
std::string findCompanion(const Compiler &Clang, const std::string &Name);

/// The features of a linker.
struct LinkerFeatures {
  bool StartStopGc = false; ///< knows -z start-stop-gc
  int LldMajor = 0;    ///< LLVM major of lld, which knows --load-pass-plugin; 0: another linker
  std::string Program; ///< its path; "" if it was not found
};

/// Queries the linker that \p Clang will run. \p Name is the value of -fuse-ld= or --ld-path=; ""
/// is the compiler's default.
LinkerFeatures askLinker(const Compiler &Clang, const std::string &Name);

} // namespace seamscope::wrapper
#endif // SEAMSCOPE_WRAPPER_TOOLCHAIN_H
