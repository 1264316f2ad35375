//===- Devices.h - libraries that collect from devices --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_DEVICES_H
#define SEAMSCOPE_CORE_DEVICES_H

namespace seamscope {

/// Makes the library that collects device activity, if any, append its pending entries. Must be
/// called without locks.
void flushDevices();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_DEVICES_H
