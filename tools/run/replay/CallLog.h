//===- CallLog.h - what calls of kernels need, by a run's folder -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_CALLLOG_H
#define SEAMSCOPE_TOOLS_RUN_CALLLOG_H

#include "trace/io/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// What a tensor holds, as the harness names it (Type in call.h).
struct ElementType {
  const char *Torch, *Harness;
  unsigned Bytes;
};

/// Null: a type that cannot be replayed.
const ElementType *elementType(std::string_view OfTorch);

/// An argument of a call: a tensor, or a number.
struct CallArgument {
  std::string Name; ///< of the parameter
  // Of a tensor.
  const ElementType *Type = nullptr; ///< null: a number
  std::vector<int64_t> Shape;
  uint64_t Offset = 0; ///< in its storage, in bytes
  uint64_t Bytes = 0;  ///< of its storage
  size_t Storage = 0;  ///< tensors that share memory have one
  bool Reads = true, Writes = true;
  std::optional<std::pair<int64_t, int64_t>> Limits; ///< of its integers
  // Of a number.
  bool IsReal = false;
  std::string Value;

  /// Bytes of its elements, each counted once.
  uint64_t usedBytes() const;
};

/// A part of the program's memory.
struct ImagePart {
  uint64_t Address, Bytes;
  bool Reads, Writes;
};

/// What a call of a kernel of any program needs: its code, and the memory that it touches, at the
/// same addresses.
struct CallImage {
  std::string Entry; ///< function of the code: void entry(void *arguments, void *result)
  std::vector<std::string> Options; ///< of the compiler: "-O3"
  std::string Llvm;                 ///< its major
  std::vector<ImagePart> Memory;    ///< by address
  /// Variables and where they are; those that the program has lost are left out.
  std::vector<std::pair<std::string, uint64_t>> Data;
  /// Functions that it may call through pointers, and where they were.
  std::vector<std::pair<std::string, uint64_t>> Functions;
};

/// A call of a kernel of Triton.
struct TritonCall {
  std::string Symbol; ///< name of the kernel on its device
  std::string Device; ///< "cuda:0"
  std::string Text;   ///< what triton_kernel.py needs, as JSON
};

/// A call of a kernel: of torch.compile's as torch/start/calls.py or triton_calls.py noted it, or
/// one that the runtime captured.
struct KernelCall {
  std::string Kernel;
  uint64_t Number = 0; ///< from 1 on
  std::string Library; ///< path
  std::string Code;    ///< C++, or Python of Triton
  std::vector<std::string> Command;
  std::string Torch; ///< version
  int Threads = 0;
  std::string Captured; ///< folder with the contents, in that of captured ones; empty: not captured
  std::vector<CallArgument> Arguments;
  std::optional<CallImage> Image; ///< nothing: a kernel of torch.compile
  std::optional<TritonCall> Triton;

  size_t storages() const;
  /// Bytes that it reads and writes.
  std::pair<uint64_t, uint64_t> bytes() const;
};

struct CallLog {
  std::vector<KernelCall> Calls;
  /// Calls that cannot be replayed: the kernel, and why.
  std::vector<std::pair<std::string, std::string>> Refused;
};

/// Names inside a run's folder: the file, the folder of captured contents, that of replayed
/// kernels.
std::string callLogIn(const std::string &Folder);
std::string capturedIn(const std::string &Folder);
std::string replaysIn(const std::string &Folder);

/// The calls that the folder of a run has. None of it is trusted to fit together, but the code is
/// the program's, and runs if it is replayed.
Result<CallLog> readCallLog(const std::string &Folder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_CALLLOG_H
