//===- Messages.h - calls of MPI --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_MESSAGES_H
#define SEAMSCOPE_PASSES_MESSAGES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

namespace seamscope {

/// The function of MPI, such as MPI_Recv, that \p Symbol calls from C or Fortran, if it moves data
/// or waits for other processes; else an empty string. The names of MPI and PMPI are one function.
std::string messageFunction(llvm::StringRef Symbol);

struct MessageCall {
  llvm::CallBase *Call;
  std::string Function; ///< of MPI
};

/// All such calls of \p M, in its order.
llvm::SmallVector<MessageCall> messageCalls(const llvm::Module &M);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_MESSAGES_H
