/*===- abi.h - the contract between instrumented code and the runtime -----===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Version 3 of the site table and of the hooks. This file is all that
|* instrumented code and libseamscope agree on. A change that old object files
|* would notice gets a new version with new symbol and section names, so that a
|* mismatch is a link error and not a wrong number.
|*
|* What an instrumented module does, in C:
|*
|*   static SeamscopeSite site = {...};        // in section seamscope_sites_v3
|*   void kernel(void) {
|*     SeamscopeFrame frame;
|*     frame.outer = 0;
|*     if (__seamscope_gate_v3)                // one hidden int per DSO
|*       __seamscope_enter_v3(&site, &frame);
|*     ...
|*     if (frame.outer)                        // at every exit
|*       __seamscope_exit_v3(&frame);
|*   }
|*
|* On x86-64 the pass inlines the common case of some hooks, as described at
|* __seamscope_enter_v3, __seamscope_exit_v3 and __seamscope_next_v3: it works
|* on the thread's state (SeamscopeThread). In all other cases it calls them.
|*
\*===----------------------------------------------------------------------===*/
#ifndef SEAMSCOPE_ABI_H
#define SEAMSCOPE_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SEAMSCOPE_ABI_VERSION 3

/** Section that holds the SeamscopeSite array of a DSO (a C identifier, so that
 *  linkers provide __start_ and __stop_ symbols for it). */
#define SEAMSCOPE_SITES_SECTION "seamscope_sites_v3"

/** Most sums of one function's work, arrays among them, and numbers (late-work.def). */
#define SEAMSCOPE_WORK_SUMS 256
#define SEAMSCOPE_WORK_ARRAYS 24
#define SEAMSCOPE_WORK_NUMBERS 2048

/** What a site stands for. */
enum SeamscopeSiteKind {
  SEAMSCOPE_SITE_KERNEL = 1, /**< one call of a kernel function */
  SEAMSCOPE_SITE_REGION = 2, /**< one thread's part of an OpenMP parallel region */
  SEAMSCOPE_SITE_SCOPE = 3,  /**< a scope marked by hand (seamscope.h) */
  /* The next three are not in a module's table; see spans.h. */
  SEAMSCOPE_SITE_OPERATOR = 4,   /**< an operator of a framework */
  SEAMSCOPE_SITE_ANNOTATION = 5, /**< a range that a user of a framework named */
  SEAMSCOPE_SITE_WAIT = 6,       /**< a time in which the thread did not run */
  /* The others are in tables. */
  SEAMSCOPE_SITE_LAUNCH = 7, /**< a launch of a GPU kernel or graph; `name` is the kernel */
  SEAMSCOPE_SITE_LOOP = 8,   /**< a loop of the source; `linkage_name` is the function it is from,
                                `ops` the calls through which that was inlined, one per line */
  SEAMSCOPE_SITE_TEAM_WAIT = 9, /**< a call of the OpenMP runtime that may wait for other threads,
                                   or of MPI; `ops` is the construct or function: barrier, for,
                                     critical, ..., MPI_Recv */
  SEAMSCOPE_SITE_TASK = 10,     /**< one run of the body of an OpenMP task */
  SEAMSCOPE_SITE_WORK = 11      /**< the work of a function that has another site; `ops` describes
                                   what its words count (docs/formats.md) */
};

/** SeamscopeSite::flags. */
enum SeamscopeSiteFlags {
  /** The optimiser inlined calls of this kernel, so that these are not timed. The entry may have no
   *  code at all. */
  SEAMSCOPE_SITE_INLINED = 1,
  /** With SEAMSCOPE_SITE_INLINED: stands for `line` more such kernels in headers that `file`
   *  includes. */
  SEAMSCOPE_SITE_COUNT = 2,
  /** A wait whose hooks count calls while the site is throttled, as hooks of kernels and loops
   *  do. */
  SEAMSCOPE_SITE_COUNTED = 4
};

/** One instrumented place. 64 bytes, 16-byte aligned, so that the entries of a
 *  section form an array. site.def lists the fields. A text is the byte offset from
 *  the start of this struct to a NUL-terminated UTF-8 string; 0: unknown. Offsets,
 *  unlike pointers, need no dynamic relocations. */
typedef struct SeamscopeSite {
  uint32_t id; /**< process-wide id, from 1; written once by the runtime */
#define SEAMSCOPE_SITE_NUMBER(type, field, Field) type field;
#define SEAMSCOPE_SITE_TEXT(field, Field) int32_t field;
#include "seamscope/site.def"
  /** Byte offset of the site's countdown from SeamscopeThread::throttles; 0: no thread throttles
   *  the site. Written by the runtime. */
  uint32_t throttle;
  /** Of kind SEAMSCOPE_SITE_WORK: byte offset from the start of this struct to a SeamscopeWork. */
  int32_t work;
  uint32_t reserved[3]; /**< 0 */
} SeamscopeSite;

/** How the sums of a function's work follow from the words of a call. A call keeps in these only
 *  what cannot be known later: how often blocks ran, whether loops were entered, and the values
 *  that numbers of iterations and addresses depend on. The steps of late-work.def follow as
 *  `length` words; with the words of a call, these are at most SEAMSCOPE_WORK_NUMBERS. */
typedef struct SeamscopeWork {
  uint16_t counters; /**< sums */
  /** Sums of distinct bytes, behind these: of each array the smaller of its span and the sum of its
   *  ranges. */
  uint16_t arrays;
  uint16_t words; /**< of a call */
  /** So many, the first ones, are 0 when a call begins, except for the lowest byte of the first:
   *  that is 0 if the call does not count, or was added. */
  uint16_t zeroed;
  uint32_t length;   /**< of the steps */
  uint32_t reserved; /**< 0 */
} SeamscopeWork;

/** One DSO's part of the table; a hidden object that the DSO's constructor registers. */
typedef struct SeamscopeModule {
  uint32_t abi;                 /**< SEAMSCOPE_ABI_VERSION */
  uint32_t site_size;           /**< sizeof(SeamscopeSite) */
  SeamscopeSite *sites;         /**< first site, or null */
  SeamscopeSite *sites_end;     /**< one past the last */
  uint32_t *gate;               /**< this DSO's gate: the runtime writes 0 (off) or 1 */
  struct SeamscopeModule *next; /**< for the runtime */
} SeamscopeModule;

/** One open call, in the instrumented function's stack frame. The hooks fill it;
 *  instrumented code only zeroes and tests `outer`, which is set before the begin
 *  stamp is taken. Addresses order the frames of a thread: the stack grows down, so a
 *  frame below a live one is dead. */
typedef struct SeamscopeFrame {
  uint64_t outer; /**< address of the next outer open frame, or all ones; 0: not recorded */
  uint64_t begin; /**< begin stamp in ticks */
  uint32_t site;  /**< the site's id */
  int32_t thread; /**< OpenMP thread number of a region, else -1 */
} SeamscopeFrame;

/** An open call, in the thread's list in the spool. */
typedef struct SeamscopeOpenCall {
  uint64_t begin; /**< begin stamp in ticks, stored last; 0: not in use */
  uint64_t frame; /**< address of the call's frame */
  uint32_t site;
  int32_t thread; /**< as in the frame */
} SeamscopeOpenCall;

/** A call that has ended, in a block of the spool that only this thread writes. */
typedef struct SeamscopeRecord {
  uint64_t begin;    /**< begin stamp in ticks, stored last; 0: not written */
  uint32_t duration; /**< ticks */
  uint32_t site;
} SeamscopeRecord;

/** On a page that the kernel clears in a forked child. */
typedef struct SeamscopeOwner {
  uint64_t mask; /**< all ones in the process that owns the spool */
  /** Complement of the rdtscp tick from which on calls are traced; 0: calls are not traced, or the
   *  clock is not rdtscp. */
  uint64_t not_before_trace;
} SeamscopeOwner;

/** A thread's state for the hooks. While it is zero, inlined hooks call the runtime. */
typedef struct SeamscopeThread {
#define SEAMSCOPE_THREAD_WORD(type, field, Field) type field;
#define SEAMSCOPE_THREAD_HALF(type, field, Field) type field;
#include "seamscope/thread.def"
} SeamscopeThread;

struct SeamscopeGpuLaunch;

/** Adds a DSO's sites: gives them ids, copies them into the spool, sets the gate.
 *  Called from a constructor of priority 0. May be called again after an unregister. */
void __seamscope_register_v3(SeamscopeModule *module);

/** Forgets the DSO's gate before it is unmapped. Its sites stay in the spool. */
void __seamscope_unregister_v3(SeamscopeModule *module);

/** The state of the calling thread is `__seamscope_thread_v3`, a SeamscopeThread in initial-exec
 *  thread-local storage. Code that uses it declares it. */

/** Opens a call of a kernel, or of a loop, wait and so on in one. Leaves frame->outer 0 when
 * nothing is recorded. The common case, in which site->id and owner->mask have a bit in common,
 * top_frame is above the frame, and next_open is below open_end:
 *   1. Take the entry *next_open++; set frame->outer = top_frame and top_frame = frame.
 *   2. Store the frame's address and {site->id, -1} in the entry, and {site->id, -1} in the frame.
 *   3. Store the stamp of rdtscp in the entry, with release order, and in the frame. */
void __seamscope_enter_v3(const SeamscopeSite *site, SeamscopeFrame *frame);

/** Opens one thread's part of a parallel region; `thread` is its number in the team. */
void __seamscope_region_enter_v3(const SeamscopeSite *site, SeamscopeFrame *frame, int32_t thread);

/** Opens a launch. `launch` describes the kernel (gpu.h); null: unknown. */
void __seamscope_launch_enter_v3(const SeamscopeSite *site, SeamscopeFrame *frame,
                                 struct SeamscopeGpuLaunch *launch);

/** Opens a call of a throttled site whose countdown has run out, and restarts the countdown. Where
 *  neither site->throttle nor the thread's `throttles` is 0, the hook decrements the countdown, an
 *  int32_t: if it is then below 0, the hook calls this function in place of __seamscope_enter_v3,
 *  otherwise it does not open the call. */
void __seamscope_sample_v3(const SeamscopeSite *site, SeamscopeFrame *frame);

/** Closes the frame's call. The common case, in which top_frame is the frame,
 *  owner->not_before_trace is not 0, a region's thread number is team_thread, and the complement of
 *  the begin stamp is below not_before_trace:
 *   1. Read rdtscp; then free the entry *--next_open by a begin of 0, and set top_frame =
 *      frame->outer.
 *   2. Take *cursor++ in one instruction, since a signal handler may do the same.
 *   3. Store the record there, its begin last and with release order. If it is beyond `end`, or its
 *      duration exceeds 32 bits, call __seamscope_record_v3 instead. */
void __seamscope_exit_v3(SeamscopeFrame *frame);

/** Closes the frame's call, and opens one of `site` with the same frame and the same stamp. The
 *  common case, in which the conditions of __seamscope_exit_v3 hold, site->id passes the test of
 *  __seamscope_enter_v3, and the site is not throttled on this thread:
 *   1. Read rdtscp.
 *   2. In the open call's entry, store a begin of 0, then {site->id, -1}, then the stamp with
 *      release order. The frame gets the latter two as well.
 *   3. Store the record as at __seamscope_exit_v3. */
void __seamscope_next_v3(const SeamscopeSite *site, SeamscopeFrame *frame);

/** Stores a record that did not fit; a claim past the end is given back. `place` is the frame's
 *  site and thread, in memory order. */
void __seamscope_record_v3(uint64_t begin, uint64_t duration, uint64_t place);

/** Called before a tail call of the instrumented function, where frame->outer is not 0. If another
 *  call of the same site is open on this thread, closes this one and returns 1: the function can
 *  then jump, so that recursion takes constant stack. Otherwise returns 0: the tail call is part of
 *  this call, and exit follows it. */
int __seamscope_tail_v3(SeamscopeFrame *frame);

/** Adds the work of one call to the sums of the thread, and zeroes the first words, unless it was
 *  added before. Called when the call ends. `site` is of kind SEAMSCOPE_SITE_WORK. */
void __seamscope_add_work_v3(const SeamscopeSite *site, uint64_t *words);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* SEAMSCOPE_ABI_H */
