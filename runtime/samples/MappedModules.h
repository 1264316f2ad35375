//===- MappedModules.h - executable memory of the process -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_SAMPLES_MAPPEDMODULES_H
#define SEAMSCOPE_SAMPLES_MAPPEDMODULES_H

#include "format/SampleEntry.h"
#include "samples/Events.h"

namespace seamscope::samples {

/// Takes a module. Only the fields behind the head are set. \p Path need not live on.
using AddModule = void (*)(format::SampledModuleEntry &Module, const char *Path);

/// Reports all that is mapped now.
void findMappedModules(uint64_t Ns, AddModule Add);

/// Reports what a record of type PERF_RECORD_MMAP2 says of process \p Pid.
void addMapping(const EventRecord &Record, uint32_t Pid, AddModule Add);

} // namespace seamscope::samples
#endif // SEAMSCOPE_SAMPLES_MAPPEDMODULES_H
