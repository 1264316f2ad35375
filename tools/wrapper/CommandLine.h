//===- CommandLine.h - what a call of the compiler will do -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a clang command line as far as the wrapper must: does it compile, does
// it link, with which linker, and which arguments are files. It never changes
// an argument.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_WRAPPER_COMMANDLINE_H
#define SEAMSCOPE_WRAPPER_COMMANDLINE_H

#include <string>
#include <vector>

namespace seamscope::wrapper {

/// A call of the compiler, looked at.
struct CommandLine {
  /// Neither pass nor runtime: a query, preprocessing only, a precompiled header, and the like.
  bool PassThrough = false;
  /// A precompiled header is made.
  bool Precompiles = false;
  /// A file is included before the source, perhaps as it was precompiled.
  bool Includes = false;
  /// At least one input goes through the optimiser.
  bool Compiles = false;
  /// A program or shared library is made.
  bool Links = false;
  /// An option of the user's decides about debug information, -g0 included.
  bool HasDebug = false;
  /// -static or -static-pie: no shared library can be linked.
  bool Static = false;
  /// Link-time optimisation of either kind.
  bool Lto = false;
  /// The plugin was given by hand.
  bool HasPlugin = false;
  /// Value of the last -fuse-ld= or --ld-path=; empty: the compiler's default.
  std::string Linker;
  /// Inputs that go through the optimiser, in order.
  std::vector<std::string> Sources;
};

/// Looks at \p Args (without the program's name). Response files are read, as clang
/// reads them, only to look inside; one that cannot be read is left to clang.
CommandLine readCommandLine(const std::vector<std::string> &Args);

/// Splits the text of a response file as clang does on Linux: blanks separate,
/// quotes of both kinds hold together, a backslash takes the next character.
std::vector<std::string> splitResponseFile(const std::string &Text);

} // namespace seamscope::wrapper
#endif // SEAMSCOPE_WRAPPER_COMMANDLINE_H
