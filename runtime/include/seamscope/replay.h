/*===- replay.h - code that lets a kernel be taken out of its program -----===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* With the pass's option `replay`, a kernel begins with, in C:
|*
|*   if (unit.wanted)
|*     __seamscope_capture_v3(&unit, &arguments, 0);
|*
|* `arguments` is a struct of what the kernel gets. A region of a function that
|* is not a kernel (main) has the same code before its fork.
|*
\*===----------------------------------------------------------------------===*/
#ifndef SEAMSCOPE_REPLAY_H
#define SEAMSCOPE_REPLAY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum SeamscopeReplayDataKind {
  SEAMSCOPE_REPLAY_DECLARED = 0, /**< a variable of another file or library */
  SEAMSCOPE_REPLAY_DEFINED = 1,  /**< a variable of the kernel's file */
  SEAMSCOPE_REPLAY_FUNCTION = 2  /**< a function that may be called through a pointer */
};

/** What the kernel's code may access. */
typedef struct SeamscopeReplayData {
  const char *name; /**< of its symbol */
  void *address;    /**< null: the optimiser removed it */
  uint64_t kind;    /**< SeamscopeReplayDataKind */
} SeamscopeReplayData;

/** A kernel that can be taken out of its program. */
typedef struct SeamscopeReplayUnit {
  uint32_t wanted; /**< 1 until the runtime has seen enough calls */
  uint32_t number; /**< of calls so far, by the runtime */
  const char *kernel;
  const char *entry;   /**< function in `code`: void entry(void *arguments, void *result) */
  const char *code;    /**< the kernel as it is before the inliner, in LLVM assembly */
  const char *options; /**< of clang, to compile it as it was: "-O3" */
  const char *llvm;    /**< major of the compiler: "22" */
  const char *problem; /**< why it cannot be taken out; null: nothing is in the way */
  void (*invoke)(void *arguments); /**< calls the kernel of the program */
  uint64_t arguments_size;         /**< bytes */
  const SeamscopeReplayData *data;
  uint64_t data_count;
} SeamscopeReplayUnit;

/** Writes what this call needs, if it is the one that SEAMSCOPE_CAPTURE names. \p threads: of the
 *  team that the kernel asks for; 0: it does not say. */
void __seamscope_capture_v3(SeamscopeReplayUnit *unit, void *arguments, uint32_t threads);

#ifdef __cplusplus
}
#endif
#endif /* SEAMSCOPE_REPLAY_H */
