/*===- spans.h - calls timed by other libraries ---------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* For bridges to frameworks that report when an operator begins and ends: the
|* bridge reads Seamscope's clock at both ends and passes the closed call on.
|* Spans are in the same trace as kernels, on the same clock.
|*
|* A bridge can also be notified of kernels: see seamscope_set_mirror.
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

/** The site of a span. Text is UTF-8 and copied; null: unknown. The last four are JSON arrays with
 *  an element for each input, as in torch.profiler; a text that is not an array or is longer than
 *  128 KiB is left out. */
typedef struct SeamscopeSpanSite {
  uint32_t kind;       /**< SEAMSCOPE_SITE_OPERATOR, _ANNOTATION or _WAIT */
  const char *name;    /**< `aten::add`; cut after 4096 bytes */
  const char *dims;    /**< `[[2,3],[]]` */
  const char *types;   /**< `["float","Scalar"]` */
  const char *strides; /**< `[[3,1],[]]` */
  const char *values;  /**< `["","1"]` */
} SeamscopeSpanSite;

/** Finds or creates the site. It is slow: keep the id. Returns 0 when there is no room. */
uint32_t seamscope_span_site(const SeamscopeSpanSite *site);

/** A closed call. */
typedef struct SeamscopeSpan {
  uint64_t begin;            /**< seamscope_now() */
  uint64_t end;              /**< seamscope_now() */
  uint32_t site;             /**< seamscope_span_site() */
  uint32_t thread;           /**< seamscope_thread() where it began; 0: this thread */
  int64_t sequence;          /**< links a backward operator to its forward operator; -1: none */
  uint32_t forward_thread;   /**< backward: the framework's number of the forward thread; else 0 */
  uint32_t framework_thread; /**< the framework's number of the thread it began on; 0: none */
} SeamscopeSpan;

/** Reads Seamscope's clock, in ticks, after all earlier instructions. */
uint64_t seamscope_now(void);

/** Seamscope's number of this thread, from 1; 0 when nothing is recorded. Call it before reading
 *  the begin of a span: the first call opens the trace, and its clock starts then. */
uint32_t seamscope_thread(void);

/** Whether this thread is in a recorded call of an instrumented kernel or region. */
int seamscope_in_kernel(void);

/** End, in ticks, of the call that this thread recorded last; 0: unknown, as at the begin of a
 *  block and in modes other than trace. It is slow. */
uint64_t seamscope_last_end(void);

/** Records a span in the mode that was set when the span began. A span that began before this
 *  process was forked belongs to the parent and is dropped. */
void seamscope_span(const SeamscopeSpan *span);

/** Functions that are notified of kernels and regions. `frame` is the same address at begin and
 *  end; dladdr of `site` gives the module of the code. Both run on the kernel's thread, outside of
 *  its recorded time, and must not throw. */
typedef struct SeamscopeMirror {
  void (*begin)(const SeamscopeSite *site, const char *name, const void *frame);
  void (*end)(const void *frame);
} SeamscopeMirror;

/** Sets the mirror of the process; null removes it. The object must stay alive. From then on every
 *  call is timed, unless SEAMSCOPE_THROTTLE is set. */
enum SeamscopeStatus seamscope_set_mirror(const SeamscopeMirror *mirror);

/** Sets whether the mirror is notified of kernels that begin on this thread from now on. Initially
 *  off, which costs a kernel nothing. */
void seamscope_mirror_thread(int on);

struct SeamscopeGpuLaunch;

/** Sets a function that is called before each launch of GPU work, on the launching thread and
 *  outside of the launch's recorded time; null removes it. Its argument describes the kernel
 *  (gpu.h) or is null where that is unknown. It must not throw.
 *
 *  If no observer is set, the first recorded launch loads libseamscope-cuda.so from the folder of
 *  this library and calls its `int seamscope_cuda_start(void)`, which may set one. Other threads do
 *  not wait for that: launches that they make meanwhile are not observed. */
enum SeamscopeStatus seamscope_set_launch_observer(void (*observer)(struct SeamscopeGpuLaunch *));

/** Sets a mirror for every thread, in addition to that of seamscope_set_mirror; null removes it.
 *  Threads use it if they record their first call after it was set. The object must stay alive. */
enum SeamscopeStatus seamscope_mirror_all(const SeamscopeMirror *mirror);

/** Sets the rank of this process in a distributed run, and the number of ranks; -1: unknown. For a
 *  process whose environment does not have them. Does nothing if nothing was recorded yet. */
void seamscope_set_rank(int rank, int world_size);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* SEAMSCOPE_SPANS_H */
