/*===- abi.h - the contract between instrumented code and the runtime -----===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Version 2 of the site table and of the hooks. Code that the pass instruments
|* and libseamscope agree on this page and on nothing else. A change that an old
|* object file would notice gets a new version, and with it new symbol and
|* section names, so that a mismatch is a link error and not a wrong number.
|*
|* How an instrumented module uses it, in C:
|*
|*   static SeamscopeSite site = {...};        // in section seamscope_sites_v2
|*   void kernel(void) {
|*     SeamscopeFrame frame;
|*     frame.outer = 0;
|*     if (__seamscope_gate_v2)                // one hidden int a DSO
|*       __seamscope_enter_v2(&site, &frame);
|*     ...
|*     if (frame.outer)                        // on every way out
|*       __seamscope_exit_v2(&frame);
|*   }
|*
|* The hooks may be called, and on x86-64 the pass writes what they do in the common case into the
|* module itself: on the state of the thread (SeamscopeThread), in the steps that are described at
|* __seamscope_enter_v2 and __seamscope_exit_v2. Whatever else there is goes to the call.
|*
\*===----------------------------------------------------------------------===*/
#ifndef SEAMSCOPE_ABI_H
#define SEAMSCOPE_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SEAMSCOPE_ABI_VERSION 2

/** Section that holds the SeamscopeSite array of a DSO (a C identifier, so that
 *  linkers provide __start_ and __stop_ symbols for it). */
#define SEAMSCOPE_SITES_SECTION "seamscope_sites_v2"

/** What a site stands for. */
enum SeamscopeSiteKind {
  SEAMSCOPE_SITE_KERNEL = 1, /**< one call of a kernel function */
  SEAMSCOPE_SITE_REGION = 2, /**< one thread's part of an OpenMP parallel region */
  SEAMSCOPE_SITE_SCOPE = 3,  /**< a scope marked by hand (seamscope.h) */
  /* In no module's table: spans.h. */
  SEAMSCOPE_SITE_OPERATOR = 4,   /**< an operator of a framework */
  SEAMSCOPE_SITE_ANNOTATION = 5, /**< a stretch that a user of a framework named */
  SEAMSCOPE_SITE_WAIT = 6,       /**< a stretch in which the thread did not run */
  /* In tables again. */
  SEAMSCOPE_SITE_LAUNCH =
      7, /**< a call that has a GPU run a kernel or a graph: `name` is the kernel's */
  SEAMSCOPE_SITE_LOOP = 8, /**< a loop of the source; `linkage_name` is the function's that it is
                                from, `ops` the calls through which that was inlined, a line each */
  SEAMSCOPE_SITE_TEAM_WAIT = 9, /**< a call of the OpenMP runtime that may wait for other threads;
                                     `ops` is the construct: barrier, for, critical, ... */
  SEAMSCOPE_SITE_TASK = 10      /**< one run of the body of an OpenMP task */
};

/** SeamscopeSite::flags. */
enum SeamscopeSiteFlags {
  /** The optimiser inlined calls of this kernel, which are thus not timed. The entry may belong to
   *  no code at all. */
  SEAMSCOPE_SITE_INLINED = 1,
  /** With the other one: stands for `line` more such kernels of headers that `file` uses. */
  SEAMSCOPE_SITE_COUNT = 2,
  /** The hooks of this wait count the calls while the site is throttled, as those of kernels and
   *  loops do. */
  SEAMSCOPE_SITE_COUNTED = 4
};

/** One instrumented place. 48 bytes, 16-byte aligned, so that the entries of a
 *  section form an array. Its fields are those of site.def; text is a byte offset
 *  from the start of this struct to a NUL-terminated UTF-8 string, 0 where it is
 *  not known. Offsets rather than pointers: no dynamic relocation for each site. */
typedef struct SeamscopeSite {
  uint32_t id; /**< process-wide id, from 1; written once by the runtime */
#define SEAMSCOPE_SITE_NUMBER(type, field, Field) type field;
#define SEAMSCOPE_SITE_TEXT(field, Field) int32_t field;
#include "seamscope/site.def"
  /** Where the site's countdown is in what SeamscopeThread::throttles points to, in bytes; 0: no
   *  thread throttles the site. Written by the runtime. */
  uint32_t throttle;
  uint32_t reserved[2]; /**< 0 */
} SeamscopeSite;

/** One DSO's part of the table; a hidden object that its constructor registers. */
typedef struct SeamscopeModule {
  uint32_t abi;                 /**< SEAMSCOPE_ABI_VERSION */
  uint32_t site_size;           /**< sizeof(SeamscopeSite) */
  SeamscopeSite *sites;         /**< first site, or null */
  SeamscopeSite *sites_end;     /**< one past the last */
  uint32_t *gate;               /**< this DSO's gate: the runtime writes 0 (off) or 1 */
  struct SeamscopeModule *next; /**< for the runtime */
} SeamscopeModule;

/** One open call, in the instrumented function's stack frame. The hooks fill it;
 *  instrumented code only zeroes and tests `outer`, which is known before the begin
 *  stamp is taken. The address tells frames of a thread apart: the stack grows down,
 *  so a frame below a live one is dead. */
typedef struct SeamscopeFrame {
  uint64_t outer; /**< address of the frame open before, or all ones; 0: not being recorded */
  uint64_t begin; /**< begin stamp in ticks */
  uint32_t site;  /**< the site's id */
  int32_t thread; /**< OpenMP thread number of a region, else -1 */
} SeamscopeFrame;

/** A call that has begun and not ended, in the thread's list in the spool. */
typedef struct SeamscopeOpenCall {
  uint64_t begin; /**< begin stamp in ticks, stored last; 0: not in use */
  uint64_t frame; /**< address of the call's frame */
  uint32_t site;
  int32_t thread; /**< as in the frame */
} SeamscopeOpenCall;

/** A call that has ended, in a block of the spool that the thread alone writes. */
typedef struct SeamscopeRecord {
  uint64_t begin;    /**< begin stamp in ticks, stored last; 0: not written */
  uint32_t duration; /**< ticks */
  uint32_t site;
} SeamscopeRecord;

/** On a page that the kernel clears in a forked child. */
typedef struct SeamscopeOwner {
  uint64_t mask; /**< all ones in the process that has the spool */
  /** Complement of the tick of rdtscp from which on calls are traced; 0: none is, or the clock is
   *  another one. */
  uint64_t not_before_trace;
} SeamscopeOwner;

/** What the hooks need of their thread. Zero: nothing can be recorded without a call. */
typedef struct SeamscopeThread {
#define SEAMSCOPE_THREAD_WORD(type, field, Field) type field;
#define SEAMSCOPE_THREAD_HALF(type, field, Field) type field;
#include "seamscope/thread.def"
} SeamscopeThread;

struct SeamscopeGpuLaunch;

/** Adds a DSO's sites: gives them ids, copies them into the spool, sets the gate.
 *  Called from a constructor of priority 0, again after an unregister is allowed. */
void __seamscope_register_v2(SeamscopeModule *module);

/** Forgets the DSO's gate before it is unmapped. Its sites stay in the spool. */
void __seamscope_unregister_v2(SeamscopeModule *module);

/** The state of the calling thread is `__seamscope_thread_v2`, a SeamscopeThread in initial-exec
 *  thread-local storage. It is declared by those who use it. */

/** Opens a call of a kernel, or of a loop, wait, ... in one. Leaves frame->outer 0 when nothing is
 *  recorded. Where site->id and owner->mask have a bit in common, top_frame is above the frame and
 *  next_open below open_end, it does this: takes *next_open, with frame->outer = top_frame and
 *  top_frame = frame; stores the frame and {site->id, -1} there, and the latter in the frame; then
 *  the stamp of rdtscp in both, in the list last and with release order. */
void __seamscope_enter_v2(const SeamscopeSite *site, SeamscopeFrame *frame);

/** Opens one thread's part of a parallel region; `thread` is its number in the team. */
void __seamscope_region_enter_v2(const SeamscopeSite *site, SeamscopeFrame *frame, int32_t thread);

/** Opens a launch. `launch` tells which kernel's (gpu.h); null: it is not known here. */
void __seamscope_launch_enter_v2(const SeamscopeSite *site, SeamscopeFrame *frame,
                                 struct SeamscopeGpuLaunch *launch);

/** Opens a call of a throttled site whose countdown went below 0, and begins a new one. A hook of a
 *  site with `throttle` on a thread with `throttles` does not open the call unless the countdown,
 *  an int32_t less one, is below 0; then it calls this in place of __seamscope_enter_v2. */
void __seamscope_sample_v2(const SeamscopeSite *site, SeamscopeFrame *frame);

/** Closes what one of them opened. Where top_frame is the frame, owner->not_before_trace is not 0,
 *  and a region's thread number is team_thread, it does this: reads rdtscp; where the complement of
 *  the begin is below not_before_trace, gives *--next_open back by a begin of 0, with top_frame =
 *  frame->outer; takes *cursor++ by one instruction, since a signal handler may do the same; stores
 *  the record there, its begin last and with release order. A record beyond `end`, or whose
 * duration takes more than 32 bits, goes to __seamscope_record_v2. */
void __seamscope_exit_v2(SeamscopeFrame *frame);

/** Closes the call that the frame is open for, and opens one of `site` with the same frame and the
 * same stamp. Where __seamscope_exit_v2 needs no call, the site has an id as at
 * __seamscope_enter_v2 and is not throttled on this thread, it does this: one stamp of rdtscp; the
 * listed call gets a begin of 0, then the site's {id, -1}, which the frame gets as well, then the
 * stamp, with release order; the record is stored. */
void __seamscope_next_v2(const SeamscopeSite *site, SeamscopeFrame *frame);

/** Stores a record for which there was no room: a claim past the end is given back. `place` is the
 *  frame's site and thread, in memory order. */
void __seamscope_record_v2(uint64_t begin, uint64_t duration, uint64_t place);

/** Before a call that ends the instrumented function, where frame->outer is not 0. Closes the call
 *  and returns 1 where one of the same site is open further out on this thread: the function can
 *  then jump, and recursion through such calls takes constant stack. Else 0: the call that follows
 * is part of this one, and exit comes after it. */
int __seamscope_tail_v2(SeamscopeFrame *frame);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* SEAMSCOPE_ABI_H */
