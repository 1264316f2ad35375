/*===- gpu.h - the contract between instrumented GPU kernels and the host -===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Version 1. An instrumented device module has one control block, which the
|* host fills in after the module is loaded, and a table entry for each of its
|* kernels. While the control block is zero, a kernel only tests it.
|*
|* Each warp of a kernel writes into its own slot, without atomics. The slots
|* are a ring of segments. A launch uses the segment of its number (%gridid);
|* in the segment a warp has the slot
|*
|*   index = (block >> block_shift) * warps + warp
|*
|* where `block` is the number of its block in the grid, in the order x, y, z,
|* and `warps` is the number of warps of a block, at most `most_warps`. Only
|* some blocks are recorded (see SeamscopeGpuControl), and no warps with an
|* index beyond the segment. From the geometry and the number of a launch the
|* host knows which slots belong to it, how many warps were not recorded, and
|* which slots a later launch has overwritten. Block numbers have 32 bits, so
|* that they repeat in larger grids.
|*
|* A kernel with timed loops adds the time of its warps in them to records next
|* to the ring: SEAMSCOPE_GPU_MOST_LOOPS for each slot, at the slot's number.
|* Such a module has one more symbol; the rest of the contract is the same.
|*
|* A kernel that counts its work has a SeamscopeGpuCounts, and its module one
|* more symbol, SEAMSCOPE_GPU_WORK. Each thread counts for itself. Threads that
|* leave the kernel together add their counters to the sums of their launch,
|* and then their number. The threads that complete the launch move its sums to
|* a record and leave zeros. So a record is of a whole launch, and a launch of
|* which a thread is missing has none.
|*
\*===----------------------------------------------------------------------===*/
#ifndef SEAMSCOPE_GPU_H
#define SEAMSCOPE_GPU_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SEAMSCOPE_GPU_ABI_VERSION 1

/** Symbol of a device module's SeamscopeGpuControl. */
#define SEAMSCOPE_GPU_CONTROL "__seamscope_gpu_control_v1"

/** Symbol of a kernel's SeamscopeGpuKernel, without the kernel's symbol at its end. */
#define SEAMSCOPE_GPU_KERNEL "__seamscope_gpu_kernel_v1_"

/** Symbol in device modules with timed loops: the device address of the first SeamscopeGpuLoop, 8
 *  bytes, 8-byte aligned; 0: record no loops. The host sets it before `slots`. */
#define SEAMSCOPE_GPU_LOOPS "__seamscope_gpu_loops_v1"

/** Symbol in device modules with kernels that count work: the device address of the
 *  SeamscopeGpuWork, 8 bytes, 8-byte aligned; 0: add nothing. */
#define SEAMSCOPE_GPU_WORK "__seamscope_gpu_work_v1"

/** Symbol of a kernel's SeamscopeGpuCounts, without the kernel's symbol at its end. */
#define SEAMSCOPE_GPU_COUNTS "__seamscope_gpu_counts_v1_"

/** Largest number of counters of a kernel. */
#define SEAMSCOPE_GPU_WORK_WORDS 64

/** Number of launches that a SeamscopeGpuWork has sums of at a time, and of its records. */
#define SEAMSCOPE_GPU_WORK_LAUNCHES 4096

/** Largest number of timed loops of a kernel. */
#define SEAMSCOPE_GPU_MOST_LOOPS 8

/** Control block of a device module. 16 bytes, 16-byte aligned; all zero: record nothing. It is
 *  small because a kernel keeps what it reads at its entry in registers. */
typedef struct {
  uint64_t slots;        /**< device address of the ring; 0: record nothing */
  uint8_t block_shift;   /**< record blocks whose number is a multiple of 1 << this; at most 31 */
  uint8_t segment_shift; /**< binary logarithm of the slots of a segment; at most 26 */
  uint8_t ring_shift;    /**< binary logarithm of the segments; both together at most 31 */
  uint8_t most_warps;    /**< recorded warps of a block; 1: the first one, 32: all */
  uint32_t reserved;     /**< zero */
} SeamscopeGpuControl;

/** What a warp writes. It writes all fields at its entry, with `end_*` 0, and `end_*` again
 * whenever some of its threads leave the kernel, so that the last ones' stay. 64 bytes, 16-byte
 * aligned. */
typedef struct {
  uint64_t begin_ns;    /**< %globaltimer at entry */
  uint64_t begin_clock; /**< %clock64 at entry, read after begin_ns */
  uint64_t end_clock;   /**< %clock64 at the exit; 0: has not left, or left by a trap */
  uint64_t end_ns;      /**< %globaltimer at the exit, read after end_clock */
  uint32_t grid;        /**< lower half of %gridid, the number of the launch */
  uint32_t kernel;      /**< SeamscopeGpuKernel::id */
  uint32_t block;       /**< number of the block in the grid */
  uint32_t warp;        /**< number of the warp in the block, by thread numbers */
  uint32_t sm;          /**< %smid at entry */
  uint32_t loops;       /**< timed loops of the kernel; the warp zeroed as many records */
  uint32_t threads;     /**< threads of the warp; not written by a kernel without timed loops */
  uint32_t reserved;    /**< not written */
} SeamscopeGpuSlot;

/** Time of a warp's threads in a loop, added by atomics, since threads of a warp may enter and
 *  leave at different times. Each thread subtracts the clock from `clocks` when it enters and adds
 *  it when it leaves, modulo 1 << 64; the sum is valid while no thread is inside. 16 bytes. */
typedef struct {
  uint64_t clocks;  /**< %clock64, sum over threads of their time inside */
  uint32_t entries; /**< threads that enter together count once */
  uint32_t inside;  /**< threads that have entered and not left */
} SeamscopeGpuLoop;

/** The counters of a launch that is running, at its number modulo SEAMSCOPE_GPU_WORK_LAUNCHES. All
 *  zero: of none. While another launch owns it, threads add nothing. */
typedef struct {
  uint64_t owner;   /**< number of the launch, lower half of %gridid, times 1 << 32, and
                         SeamscopeGpuKernel::id */
  uint64_t threads; /**< that have left the kernel, and added their counters */
  uint64_t words[SEAMSCOPE_GPU_WORK_WORDS];
} SeamscopeGpuWorkSums;

/** The counters of a launch that ended. */
typedef struct {
  uint64_t ticket; /**< 1 and the number of records before it, over all time; written last */
  uint64_t owner;  /**< as in SeamscopeGpuWorkSums */
  uint64_t counts; /**< SeamscopeGpuCounts::id */
  uint64_t ns;     /**< %globaltimer when the last threads left */
  uint64_t words[SEAMSCOPE_GPU_WORK_WORDS];
} SeamscopeGpuWorkRecord;

/** All of a context. The host zeroes it once. */
typedef struct {
  uint64_t tickets; /**< records begun; number n is in records[n % SEAMSCOPE_GPU_WORK_LAUNCHES] */
  uint64_t reserved;
  SeamscopeGpuWorkSums sums[SEAMSCOPE_GPU_WORK_LAUNCHES];
  SeamscopeGpuWorkRecord records[SEAMSCOPE_GPU_WORK_LAUNCHES];
} SeamscopeGpuWork;

/** What a kernel's counters count. A text follows, with a null byte at its end: the JSON of a site
 *  of kind SEAMSCOPE_SITE_WORK. */
typedef struct {
  uint32_t size;  /**< with the text, in bytes */
  uint32_t words; /**< number of counters; the first counts threads */
  uint64_t id;    /**< hash of the text: kernels of one name may count differently */
} SeamscopeGpuCounts;

/** Description of a kernel. Its texts follow, each with a null byte at its end; text fields are
 *  offsets from the begin of this struct, 0: unknown. */
typedef struct {
  uint32_t size;         /**< with the texts, in bytes */
  uint32_t id;           /**< seamscope_gpu_kernel_id() of its symbol */
  uint32_t line;         /**< from 1; 0: unknown */
  uint32_t name;         /**< to show */
  uint32_t linkage_name; /**< symbol */
  uint32_t file;         /**< absolute where the compiler knew it */
  uint32_t ops;          /**< operators that it computes, comma-separated */
  uint32_t loops; /**< offset of a number N and N SeamscopeGpuKernelLoop, ordered as records */
} SeamscopeGpuKernel;

/** A timed loop of a kernel. Offsets as in SeamscopeGpuKernel. */
typedef struct {
  uint32_t name;         /**< to show */
  uint32_t file;         /**< absolute where the compiler knew it */
  uint32_t line, column; /**< from 1; 0: unknown */
  uint32_t parent;       /**< number of the timed loop around it, from 1; 0: none */
  uint32_t
      inlined_from; /**< the calls that it was inlined through, innermost first, one per line */
} SeamscopeGpuKernelLoop;

/** In host code, for each kernel that it launches: leads to the kernel's device code, and so to the
 *  control block. Only the first four fields are initialised to other values than zero. */
typedef struct SeamscopeGpuLaunch {
  uint32_t abi;       /**< SEAMSCOPE_GPU_ABI_VERSION */
  uint32_t reserved;  /**< 0 */
  const void *kernel; /**< the kernel's stub in host code */
  /** The program's cudaGetFuncBySymbol, since it may have its own, statically linked CUDA runtime.
   *  Sets a CUfunction and returns 0 on success. */
  int (*function_of)(void **function, const void *kernel);
  void *context;                   /**< for the runtime: of the last launch */
  struct SeamscopeGpuLaunch *next; /**< for the runtime */
} SeamscopeGpuLaunch;

/** The number of a kernel with the symbol \p name: FNV-1a, never 0. It does not depend on the
 *  module, so that it stays valid when device code is linked. */
static inline uint32_t seamscope_gpu_kernel_id(const char *name) {
  uint32_t id = 2166136261u;
  for (; *name; ++name)
    id = (id ^ (uint8_t)*name) * 16777619u;
  return id ? id : 1;
}

#ifdef __cplusplus
}
#endif

#endif /* SEAMSCOPE_GPU_H */
