//===- CommandLine.h - reading of the compiler's arguments -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads from a clang command line what the wrapper must know: whether clang compiles and links,
// with which linker, and which arguments are files. Does not change arguments.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_WRAPPER_COMMANDLINE_H
#define SEAMSCOPE_WRAPPER_COMMANDLINE_H

#include <string>
#include <vector>

namespace seamscope::wrapper {

/// What a command line asks the compiler to do.
struct CommandLine {
  /// Add neither pass nor runtime: a query, preprocessing only, a precompiled header, and the like.
  bool PassThrough = false;
  /// The compiler creates a precompiled header.
  bool Precompiles = false;
  /// A file is included before the source, perhaps precompiled.
  bool Includes = false;
  /// At least one input goes through the optimiser.
  bool Compiles = false;
  /// The compiler links a program or shared library.
  bool Links = false;
  /// The user set the amount of debug information, perhaps with -g0.
  bool HasDebug = false;
  /// -static or -static-pie: no shared library can be linked.
  bool Static = false;
  /// Link-time optimisation of either kind.
  bool Lto = false;
  /// The user passed the plugin.
  bool HasPlugin = false;
  /// Value of the last -fuse-ld= or --ld-path=; empty: the compiler's default.
  std::string Linker;
  /// Inputs that go through the optimiser, in order.
  std::vector<std::string> Sources;
};

/// Reads \p Args (without the program's name) and the response files among them. A response file
/// that cannot be read is left to clang.
CommandLine readCommandLine(const std::vector<std::string> &Args);

/// Splits the text of a response file as clang does on Linux: blanks separate words, quotes of both
/// kinds group, a backslash escapes the next character.
std::vector<std::string> splitResponseFile(const std::string &Text);

} // namespace seamscope::wrapper
#endif // SEAMSCOPE_WRAPPER_COMMANDLINE_H
