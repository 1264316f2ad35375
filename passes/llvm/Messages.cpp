//===- Messages.cpp - calls of MPI ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By name: the functions have no other mark, and each implementation has its own types.
//
//===----------------------------------------------------------------------===//
#include "Messages.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace seamscope {

/// Lower-case names without the prefix. Not in the list are calls that only answer (Comm_rank,
/// Type_size), and tests: a loop of them waits, one of them does not.
static constexpr StringLiteral Functions[] = {"abort",
                                              "allgather",
                                              "allgatherv",
                                              "allreduce",
                                              "alltoall",
                                              "alltoallv",
                                              "alltoallw",
                                              "barrier",
                                              "bcast",
                                              "bsend",
                                              "buffer_detach",
                                              "comm_accept",
                                              "comm_connect",
                                              "comm_create",
                                              "comm_disconnect",
                                              "comm_dup",
                                              "comm_free",
                                              "comm_spawn",
                                              "comm_split",
                                              "comm_split_type",
                                              "exscan",
                                              "file_close",
                                              "file_open",
                                              "file_read",
                                              "file_read_all",
                                              "file_read_at",
                                              "file_read_at_all",
                                              "file_sync",
                                              "file_write",
                                              "file_write_all",
                                              "file_write_at",
                                              "file_write_at_all",
                                              "finalize",
                                              "gather",
                                              "gatherv",
                                              "get",
                                              "iallreduce",
                                              "ibarrier",
                                              "ibcast",
                                              "init",
                                              "init_thread",
                                              "irecv",
                                              "isend",
                                              "mprobe",
                                              "mrecv",
                                              "neighbor_allgather",
                                              "neighbor_allgatherv",
                                              "neighbor_alltoall",
                                              "neighbor_alltoallv",
                                              "neighbor_alltoallw",
                                              "probe",
                                              "put",
                                              "accumulate",
                                              "recv",
                                              "reduce",
                                              "reduce_scatter",
                                              "reduce_scatter_block",
                                              "rsend",
                                              "scan",
                                              "scatter",
                                              "scatterv",
                                              "send",
                                              "sendrecv",
                                              "sendrecv_replace",
                                              "ssend",
                                              "start",
                                              "startall",
                                              "wait",
                                              "waitall",
                                              "waitany",
                                              "waitsome",
                                              "win_complete",
                                              "win_create",
                                              "win_fence",
                                              "win_flush",
                                              "win_flush_all",
                                              "win_flush_local",
                                              "win_free",
                                              "win_lock",
                                              "win_lock_all",
                                              "win_post",
                                              "win_start",
                                              "win_unlock",
                                              "win_unlock_all",
                                              "win_wait"};

std::string messageFunction(StringRef Symbol) {
  StringRef Name = Symbol;
  const bool IsC = Name.consume_front("MPI_") || Name.consume_front("PMPI_");
  if (IsC) {
    Name.consume_back("_c"); // large counts
  } else {
    // Fortran: lower case with underscores behind, and f08 for the module mpi_f08.
    if (!Name.consume_front("mpi_") && !Name.consume_front("pmpi_"))
      return {};
    if (!Name.consume_back("_"))
      return {};
    Name.consume_back("_");
    for (StringRef Suffix : {"_f08ts", "_f08", "_c"})
      Name.consume_back(Suffix);
  }
  const std::string Lower = Name.lower();
  if (!is_contained(Functions, Lower))
    return {};
  return "MPI_" + std::string(1, toUpper(Lower[0])) + Lower.substr(1);
}

SmallVector<MessageCall> messageCalls(const Module &M) {
  StringMap<std::string> Declared;
  DenseSet<const Function *> Callers;
  for (const Function &F : M)
    if (F.isDeclaration())
      if (std::string Name = messageFunction(F.getName()); !Name.empty()) {
        Declared[F.getName()] = std::move(Name);
        for (const User *U : F.users())
          if (const auto *Call = dyn_cast<CallBase>(U))
            Callers.insert(Call->getFunction());
      }
  SmallVector<MessageCall> Result;
  if (Declared.empty())
    return Result;
  for (const Function &F : M)
    if (Callers.contains(&F))
      for (const Instruction &I : instructions(F))
        if (const auto *Call = dyn_cast<CallBase>(&I);
            Call && !Call->isMustTailCall() && !isa<CallBrInst>(Call) && Call->getCalledFunction())
          if (const auto Found = Declared.find(Call->getCalledFunction()->getName());
              Found != Declared.end())
            Result.push_back({const_cast<CallBase *>(Call), Found->second});
  return Result;
}

} // namespace seamscope
