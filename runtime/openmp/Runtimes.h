//===- Runtimes.h - detects two live OpenMP runtimes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_OPENMP_RUNTIMES_H
#define SEAMSCOPE_OPENMP_RUNTIMES_H

namespace seamscope {

/// Warns once when two OpenMP runtimes are live in this process.
void checkOpenMP();

} // namespace seamscope
#endif // SEAMSCOPE_OPENMP_RUNTIMES_H
