//===- Devices.h - libraries that collect from devices --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_DEVICES_H
#define SEAMSCOPE_CORE_DEVICES_H

namespace seamscope {

/// Has the library that collects from devices, if any, append what is left. With no lock held.
void flushDevices();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_DEVICES_H
