/*===- devices.h - what devices did, as somebody else recorded it ---------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* For libraries that collect what GPUs do (libseamscope-cuda): entries of the
|* spool, as runtime/format/DeviceEntry.h has them, and a place in the order of
|* things when a trace is written.
|*
|* Every function may be called from any thread, but not from a signal handler.
|*
\*===----------------------------------------------------------------------===*/
#ifndef SEAMSCOPE_DEVICES_H
#define SEAMSCOPE_DEVICES_H

#include "seamscope/spans.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Appends an entry of \p size bytes, a multiple of 8, which its first four say again. Nothing in
 *  mode off. 0: there was no room, and the trace counts it as lost. */
int seamscope_device_append(const void *entry, uint32_t size);

/** The site of the innermost call that is open on this thread, as entries name it: within the call
 *  of CUDA that a launch is, the launch's. 0: none is open, or it is not known. */
uint32_t seamscope_open_call(void);

/** Whether instrumented code that launches CUDA graphs was loaded. */
int seamscope_launches_graphs(void);

/** Who has entries that are not appended yet: called before a trace is written. Null: nobody. */
void seamscope_set_device_source(void (*flush)(void));

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* SEAMSCOPE_DEVICES_H */
