/*===- group.h - fused groups of operators --------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The MLIR passes put these calls around a fused group of operators. The LLVM
|* plugin turns them into the hooks of abi.h. Where that plugin does not run (a
|* JIT, another back end), the calls themselves do the same work.
|*
\*===----------------------------------------------------------------------===*/
#ifndef SEAMSCOPE_GROUP_H
#define SEAMSCOPE_GROUP_H

#include "seamscope/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Description of a group: one 4-byte aligned object in the module, which must live as long as the
 *  code. All texts are one string, so that a compiler has one global per group. */
typedef struct SeamscopeGroup {
  uint32_t id;       /**< initially 0; the runtime stores the site's id */
  uint32_t reserved; /**< 0 */
  /** Six NUL-terminated texts, empty where unknown: line and column, in decimal; the operators,
   * such as `aten.add.Tensor+aten.exp`; the symbol of the function around the group; the file; a
   * JSON object with the operators and their work (docs/formats.md). */
  char text[];
} SeamscopeGroup;

/** Opens a call of the group in \p frame, which must stay at its address until the exit. Leaves
 *  frame->outer 0 when nothing is recorded. */
void __seamscope_group_enter_v1(SeamscopeGroup *group, SeamscopeFrame *frame);

/** Closes the call if it is open; must run on the same thread. */
void __seamscope_group_exit_v1(SeamscopeFrame *frame);

/** The site of \p group, from 1; 0 when there is no room. */
uint32_t seamscope_group_site(SeamscopeGroup *group);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* SEAMSCOPE_GROUP_H */
