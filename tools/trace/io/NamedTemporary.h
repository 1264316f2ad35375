//===- NamedTemporary.h - a file's temporary name -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_IO_NAMEDTEMPORARY_H
#define SEAMSCOPE_TOOLS_TRACE_IO_NAMEDTEMPORARY_H

#include <functional>
#include <memory>
#include <string>

namespace seamscope::tools {

/// A temporary name next to a file that is being written. It is removed with its owner, and by a
/// signal that ends the process; only SIGKILL and a crash leave it.
class NamedTemporary {
public:
  /// Calls \p Create with new names, NAME.XXXXXX for \p Target, until one is free. Its result is in
  /// \p Created. Nothing, with errno set, if it returns -1 for another reason than EEXIST.
  static std::unique_ptr<NamedTemporary> create(const std::string &Target,
                                                const std::function<int(const char *Name)> &Create,
                                                int &Created);

  ~NamedTemporary();
  NamedTemporary(const NamedTemporary &) = delete;
  NamedTemporary &operator=(const NamedTemporary &) = delete;

  const std::string &name() const { return Name; }

  /// The name now means another file, or none, and is not removed.
  void forget();

private:
  explicit NamedTemporary(std::string Name);

  const std::string Name;
  unsigned Slot;
  bool Owned = true;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_IO_NAMEDTEMPORARY_H
