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
  uint32_t loops;       /**< zero: room for what is recorded of loop nests */
  uint32_t reserved[2]; /**< not written */
} SeamscopeGpuSlot;

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
  uint32_t loops;        /**< 0: room for a list of loop nests */
} SeamscopeGpuKernel;

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
