/*===- group.h - groups of operators that were fused into one -------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What the passes over MLIR put around a fused group of operators: calls that
|* the plugin for LLVM turns into the hooks of abi.h. Where that plugin is not
|* used (a JIT, another back end) the calls are made, and do the same.
|*
\*===----------------------------------------------------------------------===*/
#ifndef SEAMSCOPE_GROUP_H
#define SEAMSCOPE_GROUP_H

#include "seamscope/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a group stands for; one object in the module of the code, 4-byte aligned, which must live
 * as long as the code. One string, so that a compiler has one global a group to carry along. */
typedef struct SeamscopeGroup {
  uint32_t id;       /**< 0; the site's id once the runtime has one */
  uint32_t reserved; /**< 0 */
  /** Six texts, each with its NUL, empty where not known: the line and the column, in decimal; the
   *  name of the operators, `aten.add.Tensor+aten.exp`; the symbol of the function that it is in;
   * the file; a JSON object with the operators and their work (docs/formats.md). */
  char text[];
} SeamscopeGroup;

/** Opens a call of the group in \p frame, which must live, unmoved, until the exit. Leaves
 *  frame->outer 0 when nothing is recorded. */
void __seamscope_group_enter_v1(SeamscopeGroup *group, SeamscopeFrame *frame);

/** Closes it where it is open; on the same thread. */
void __seamscope_group_exit_v1(SeamscopeFrame *frame);

/** The site of \p group, from 1; 0 when there is no room. */
uint32_t seamscope_group_site(SeamscopeGroup *group);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* SEAMSCOPE_GROUP_H */
