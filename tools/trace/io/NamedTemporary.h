//===- NamedTemporary.h - a file's name until it has its own --------------===//
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

/// A name next to that of a file which is being written. It goes with its owner, and with a signal
/// that ends the process; only SIGKILL and a crash leave it.
class NamedTemporary {
public:
  /// Calls \p Create with new names, NAME.XXXXXX for \p Target, until one is not taken. Nothing,
  /// with errno set, where it returns -1 for another reason than EEXIST; its result is in \p
  /// Created.
  static std::unique_ptr<NamedTemporary> create(const std::string &Target,
                                                const std::function<int(const char *Name)> &Create,
                                                int &Created);

  ~NamedTemporary();
  NamedTemporary(const NamedTemporary &) = delete;
  NamedTemporary &operator=(const NamedTemporary &) = delete;

  const std::string &name() const { return Name; }

  /// The name now means another file, or none: it stays as it is.
  void forget();

private:
  explicit NamedTemporary(std::string Name);

  const std::string Name;
  unsigned Slot;
  bool Owned = true;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_IO_NAMEDTEMPORARY_H
