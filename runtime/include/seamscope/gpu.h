/*===- gpu.h - the contract between instrumented GPU kernels and the host -===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Version 1. A device module whose kernels the pass instruments has one control
|* block, which the host fills in once the module is loaded, and a table entry
|* for each of its kernels. While the control block is zero a kernel does
|* nothing but test it.
|*
|* Each warp of a kernel writes into a slot of its own, without atomics: the
|* slots are a ring of segments, of which a launch has that of its number
|* (%gridid), and in it a warp has
|*
|*   index = (block >> block_shift) * warps + warp
|*
|* where `block` is its block's number in the grid, in the order x, y, z, and
|* `warps` is a block's number of them, at most `most_warps`. Some blocks are
|* kept (see SeamscopeGpuControl), and no warps whose index is beyond the
|* segment. The host knows geometry and number of a launch, and with them which
|* slots are its own, how many warps were not kept, and which slots a later
|* launch took. Numbers have 32 bits: of a grid with more blocks the later ones
|* have those of earlier ones.
|*
|* A kernel whose loops are timed adds what its warps spent in them to records
|* beside the ring, SEAMSCOPE_GPU_MOST_LOOPS of them for each slot, at the slot's
|* number. All that a module has for that is a symbol of its own: the rest of the
|* contract is the same with loops and without.
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

/** Before the symbol of a kernel: that of its SeamscopeGpuKernel. */
#define SEAMSCOPE_GPU_KERNEL "__seamscope_gpu_kernel_v1_"

/** Symbol of a device module that has timed loops: 8 bytes, 8-byte aligned, the device address of
 *  the first SeamscopeGpuLoop; 0: record no loops. Set before `slots` is. */
#define SEAMSCOPE_GPU_LOOPS "__seamscope_gpu_loops_v1"

/** Loops of a kernel that are timed, at most. */
#define SEAMSCOPE_GPU_MOST_LOOPS 8

/** What a device module is told. 16 bytes, 16-byte aligned; all zero: record nothing. Small, since
 *  what a kernel reads at its entry takes registers. */
typedef struct {
  uint64_t slots;      /**< device address of the ring; 0: record nothing */
  uint8_t block_shift; /**< blocks are kept whose number is a multiple of 2 to the power of this; at
                            most 31 */
  uint8_t segment_shift; /**< binary logarithm of the slots of a segment; at most 26 */
  uint8_t ring_shift;    /**< binary logarithm of the segments; both together at most 31 */
  uint8_t most_warps;    /**< of a block that are recorded; 1: its first one, 32: all */
  uint32_t reserved;     /**< zero */
} SeamscopeGpuControl;

/** What a warp writes: all at its entry, with `end` of zero, and `end` whenever threads of it leave
 *  the kernel, so that the last ones' stays. 64 bytes, 16-byte aligned. */
typedef struct {
  uint64_t begin_ns;    /**< %globaltimer at entry */
  uint64_t begin_clock; /**< %clock64 at entry, behind it */
  uint64_t end_clock;   /**< %clock64 at the exit; 0: has not left, or by a trap */
  uint64_t end_ns;      /**< %globaltimer at the exit, behind it */
  uint32_t grid;        /**< lower half of %gridid: which launch */
  uint32_t kernel;      /**< SeamscopeGpuKernel::id */
  uint32_t block;       /**< number of the block in the grid */
  uint32_t warp;        /**< number of the warp in the block, by thread numbers */
  uint32_t sm;          /**< %smid at entry */
  uint32_t loops;       /**< loops of the kernel that are timed; the warp zeroed as many records */
  uint32_t threads;     /**< of the warp; not written by a kernel without such loops */
  uint32_t reserved;    /**< not written */
} SeamscopeGpuSlot;

/** What the threads of a warp spent in a loop, added up by atomics: threads of a warp need not
 * enter or leave together. Whoever enters takes the clock from `clocks`, and whoever leaves adds
 * it, once for each thread, modulo 2 to the power of 64: a sum while no thread is inside. 16 bytes.
 */
typedef struct {
  uint64_t clocks;  /**< %clock64, sum over threads of what they spent inside */
  uint32_t entries; /**< by threads that entered together, or by one alone */
  uint32_t inside;  /**< threads that have entered and not left */
} SeamscopeGpuLoop;

/** What is known of a kernel. Its texts follow, each with a zero behind it; offsets are from the
 *  begin of this, 0: not known. */
typedef struct {
  uint32_t size;         /**< of all, in bytes */
  uint32_t id;           /**< seamscope_gpu_kernel_id() of its symbol */
  uint32_t line;         /**< from 1; 0: not known */
  uint32_t name;         /**< to show */
  uint32_t linkage_name; /**< symbol */
  uint32_t file;         /**< absolute where the compiler knew it */
  uint32_t ops;          /**< comma-separated operators that it stands for */
  uint32_t loops;        /**< a number N and N SeamscopeGpuKernelLoop, in the order of records */
} SeamscopeGpuKernel;

/** A timed loop of a kernel. Offsets as in SeamscopeGpuKernel. */
typedef struct {
  uint32_t name;         /**< to show */
  uint32_t file;         /**< absolute where the compiler knew it */
  uint32_t line, column; /**< from 1; 0: not known */
  uint32_t parent;       /**< of the loops, from 1: the timed loop around it; 0: the kernel */
  uint32_t inlined_from; /**< the calls that led there, innermost first, a line each */
} SeamscopeGpuKernelLoop;

/** What host code has for each kernel that it launches: how to reach the kernel's device code, and
 *  with it the control block. Zero-initialised but for the first four. */
typedef struct SeamscopeGpuLaunch {
  uint32_t abi;       /**< SEAMSCOPE_GPU_ABI_VERSION */
  uint32_t reserved;  /**< 0 */
  const void *kernel; /**< what the host knows the kernel by: its stub */
  /** The program's cudaGetFuncBySymbol: it may have a CUDA runtime of its own, linked statically.
   *  Gives a CUfunction; 0: done. */
  int (*function_of)(void **function, const void *kernel);
  void *context;                   /**< for the runtime: of the last launch */
  struct SeamscopeGpuLaunch *next; /**< for the runtime */
} SeamscopeGpuLaunch;

/** The number of a kernel with the symbol \p name: FNV-1a, never 0. The same in all modules, so
 * that a link of device code keeps it. */
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
