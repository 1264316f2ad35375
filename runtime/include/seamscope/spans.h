/*===- spans.h - calls that somebody else timed ---------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* For bridges to frameworks that already say when an operator begins and ends:
|* the bridge reads Seamscope's clock at both ends and hands the closed call
|* over. Spans lie in the same trace as kernels, on the same clock.
|*
|* The other way round, a bridge can be notified of kernels: seamscope_set_mirror.
|*
|* Every function may be called from any thread.
|*
\*===----------------------------------------------------------------------===*/
#ifndef SEAMSCOPE_SPANS_H
#define SEAMSCOPE_SPANS_H

#include "seamscope/seamscope.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a span is. Text is UTF-8 and copied; null: not known. The four about the inputs are JSON
 *  arrays with one element an input, as torch.profiler writes them; one that is no array, or longer
 *  than 128 KiB, is left out. */
typedef struct SeamscopeSpanSite {
  uint32_t kind;       /**< SEAMSCOPE_SITE_OPERATOR, _ANNOTATION or _WAIT */
  const char *name;    /**< `aten::add`; what follows its first 4096 bytes is cut */
  const char *dims;    /**< `[[2,3],[]]` */
  const char *types;   /**< `["float","Scalar"]` */
  const char *strides; /**< `[[3,1],[]]` */
  const char *values;  /**< `["","1"]` */
} SeamscopeSpanSite;

/** Finds or makes the site. Not for the hot path: keep the id. 0 when there is no room. */
uint32_t seamscope_span_site(const SeamscopeSpanSite *site);

/** A closed call. */
typedef struct SeamscopeSpan {
  uint64_t begin;            /**< seamscope_now() */
  uint64_t end;              /**< seamscope_now() */
  uint32_t site;             /**< seamscope_span_site() */
  uint32_t thread;           /**< seamscope_thread() where it began; 0: this thread */
  int64_t sequence;          /**< ties a backward operator to its forward one; -1: none */
  uint32_t forward_thread;   /**< backward: the framework's number of the forward thread; else 0 */
  uint32_t framework_thread; /**< the framework's number of the thread it began on; 0: none */
} SeamscopeSpan;

/** Ticks of Seamscope's clock, after all older instructions. */
uint64_t seamscope_now(void);

/** Seamscope's number of this thread, from 1; 0 when nothing is recorded. To be asked before the
 *  begin of a span is read: the first one opens the trace, whose clock begins then. */
uint32_t seamscope_thread(void);

/** Whether this thread is in a call of an instrumented kernel or region that is being recorded. */
int seamscope_in_kernel(void);

/** Ticks at which the call ended that this thread recorded last; 0: it is not known, as at a
 * block's begin and in any mode but trace. Not for the hot path. */
uint64_t seamscope_last_end(void);

/** Records a span in the mode that was in force when it began. One that began before this process
 * was forked is its parent's, and dropped. */
void seamscope_span(const SeamscopeSpan *span);

/** Who is notified of kernels and regions. `begin` gets the site's name and the frame, an address
 * that is the same at the end; the table itself tells where the code comes from (dladdr). Both run
 * on the kernel's thread, outside of the time that is recorded for it, and must not throw. */
typedef struct SeamscopeMirror {
  void (*begin)(const SeamscopeSite *site, const char *name, const void *frame);
  void (*end)(const void *frame);
} SeamscopeMirror;

/** Sets the mirror of the process; null takes it away. The object must live on. */
enum SeamscopeStatus seamscope_set_mirror(const SeamscopeMirror *mirror);

/** Whether kernels that begin on this thread from now on are reported to the mirror. Off at first,
 * and then without any cost to a kernel. */
void seamscope_mirror_thread(int on);

struct SeamscopeGpuLaunch;

/** Sets who is told of a launch of GPU work before it is made, on the thread that makes it and
 *  outside of the time that is recorded for it; null takes it away. It gets what the call's module
 *  knows of the kernel (gpu.h), or null where it knows nothing, and must not throw.
 *
 *  As long as nobody was set, the first launch that is recorded looks for libseamscope-cuda.so
 *  beside this library, and calls its `int seamscope_cuda_start(void)`, which may set an observer.
 *  Other threads do not wait for it: what they launch meanwhile nobody is told of. */
enum SeamscopeStatus seamscope_set_launch_observer(void (*observer)(struct SeamscopeGpuLaunch *));
/** The same for every thread, beside the mirror of those that asked for one; null takes it away.
 * For threads that record their first call after it was set. The object must live on. */
enum SeamscopeStatus seamscope_mirror_all(const SeamscopeMirror *mirror);

/** Tells the rank of this process in a distributed run, and how many there are; -1: not known. For
 *  a process whose environment did not name it. Nothing while nothing was ever recorded. */
void seamscope_set_rank(int rank, int world_size);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* SEAMSCOPE_SPANS_H */
