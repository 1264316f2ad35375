//===- Machine.h - measured roofs of a machine ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_MACHINE_MACHINE_H
#define SEAMSCOPE_TOOLS_MACHINE_MACHINE_H

#include "trace/io/Error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Transfer rates of a level of the memory, in bytes/s, counted as STREAM does: the bytes that the
/// program reads and writes, without the lines that a store fetches first (McCalpin, "Memory
/// Bandwidth and Machine Balance in Current High Performance Computers", 1995).
struct MemoryRates {
  std::string Level; ///< "L1", "L2", "L3" or "DRAM"
  unsigned Threads = 1;
  uint64_t Bytes = 0;    ///< working set of all threads
  uint64_t Capacity = 0; ///< bytes of the level's caches that the threads use; 0: memory
  double Read = 0, Write = 0, Copy = 0, Triad = 0;
  double SpreadPercent = 0; ///< of the runs, the largest of the four: Rates.h
  double best() const;
};

/// Peak rate of arithmetic in registers.
struct ComputeRate {
  std::string Type;  ///< "f32" or "f64"
  unsigned Bits = 0; ///< width of the registers; that of the type: scalar
  bool Fma = false;  ///< multiply-adds, which count 2; else additions and multiplications
  unsigned Threads = 1;
  double FlopPerS = 0;
  double SpreadPercent = 0;
};

/// The width of an element of that type: 32 of "f32"; 0: it has no number.
unsigned bitsOfType(std::string_view Type);

/// Time of a function in a loop over an array in L1, on one thread.
struct MathCost {
  /// For nsPerValue(): registers of any width, and single values.
  static constexpr unsigned AnyWidth = 0, SingleValues = 1;

  /// Of libm ("expf"), or "div", "sqrt", or of a chain: "sum" in a register, "stored_sum" in
  /// memory, "max" of vectors, which is NaN after a NaN. "independent_max": such maxima that do not
  /// wait for each other. Of vectors of integers in registers: "shift" by a constant, "mul", and of
  /// i32 "add", "mul_shift", one of each, and "mul_4_add", a product and four additions.
  std::string Function;
  std::string Type;  ///< "f32", "f64", or "i8" to "i64"
  unsigned Bits = 0; ///< width of the registers; that of the type: scalar
  double NsPerValue = 0;
  double SpreadPercent = 0;
};

/// What `seamscope machine` measured, and where.
struct Machine {
  std::string Cpu;         ///< model
  unsigned Processors = 1; ///< threads that can run at once, by affinity and quota
  std::string Affinity;    ///< allowed processors: "0-3,8"
  std::string Key;         ///< Processor::Key of the machine
  std::string Compiler;    ///< of the loops
  int64_t MeasuredNs = 0;  ///< ns since 1970
  bool Quick = false;      ///< by --quick
  bool Busy = false;       ///< other work took processor time or bandwidth
  std::vector<std::string> Warnings;
  std::vector<MemoryRates> Memory;  ///< levels from L1 on, each for 1 thread and for all
  std::vector<ComputeRate> Compute; ///< by type and width, each for 1 thread and for all
  std::vector<MathCost> Math;

  /// The peak of \p Type ("f32") in FLOP/s: the best of all widths and instructions. 0: unknown.
  /// For a number of threads that was not measured: as many as that of one thread, up to that of
  /// all.
  double peakFlops(std::string_view Type, unsigned Threads) const;

  /// The best of reading, writing, copying and the triad, in bytes/s; 0: unknown. For a number of
  /// threads that was not measured: as for peakFlops().
  double memoryRoof(std::string_view Level, unsigned Threads) const;

  /// The time that \p Threads threads take to read and write so many bytes of data that \p Level
  /// holds, in s of all threads added up. The time of a byte is linear in the share of writes,
  /// between those of reading (0), triad (1/3), copying (1/2) and writing (1). Between two measured
  /// sizes of working sets that of \p Footprint bytes is linear in the logarithm of the size. 0:
  /// unknown.
  double transferSeconds(std::string_view Level, unsigned Threads, uint64_t Footprint, double Read,
                         double Written) const;

  /// Values of MathCost::Function in ns each on one thread, in registers of \p Bits bits: the best
  /// of these. \p Type: of all but math functions, whose name says it. 0: unknown.
  double nsPerValue(std::string_view Function, std::string_view Type, unsigned Bits) const;

  /// The first level whose caches hold \p Bytes of data that \p Threads threads use, else "DRAM".
  std::string_view levelOf(uint64_t Bytes, unsigned Threads) const;
};

/// Reads what the verb wrote. The file is untrusted: each value is checked.
Result<Machine> readMachine(const std::string &Path);

/// Where to look for the file.
struct MachineEnvironment {
  std::string File;   ///< that the user named; empty: the file of this machine in Folder
  std::string Folder; ///< of caches: ownCache() of run/folder/OwnCache.h
  std::string Key;    ///< Processor::Key of this machine
};

/// The file of this machine: Folder/machine-KEY.json, or the named one.
std::string machinePath(const MachineEnvironment &Environment);

/// Reads that file. An error where it does not exist, or where the default file has another key.
Result<Machine> machineFor(const MachineEnvironment &Environment);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_MACHINE_MACHINE_H
