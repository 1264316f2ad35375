//===- Pager.h - shows text in a pager -------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_PAGER_H
#define SEAMSCOPE_TOOLS_CLI_PAGER_H

#include <memory>
#include <string_view>

#include <sys/types.h>

namespace seamscope::tools {

/// A program that shows the output.
class Pager {
public:
  /// Starts the program in SEAMSCOPE_PAGER, else in PAGER, else less. Null: standard output is not
  /// a terminal, the name is empty or `cat`, or the program does not exist.
  static std::unique_ptr<Pager> start();

  /// Waits for the program's end: until then it owns the terminal.
  ~Pager();
  Pager(const Pager &) = delete;
  Pager &operator=(const Pager &) = delete;

  /// A user who leaves the pager early needs no more text: that is not an error.
  void write(std::string_view Text);

private:
  Pager(pid_t Program, int Input) : Program(Program), Input(Input) {}

  pid_t Program;
  int Input;
  bool Left = false; ///< the pager has ended
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_PAGER_H
