/*===- devices.h - device activity that another library recorded ----------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* For libraries that collect GPU activity (libseamscope-cuda): they append
|* entries of runtime/format/DeviceEntry.h to the spool, and are called before a
|* trace is written.
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

/** Appends an entry of \p size bytes, a multiple of 8; its first four bytes repeat the size. Does
 *  nothing in mode off. Returns 0 where there was no room; the trace then counts it as lost. */
int seamscope_device_append(const void *entry, uint32_t size);

/** The site of the innermost open call of this thread, as entries refer to it; during a launch that
 *  is the launch. 0: no call is open, or it is unknown. */
uint32_t seamscope_open_call(void);

/** Whether instrumented code that launches CUDA graphs was loaded. */
int seamscope_launches_graphs(void);

/** Sets a function that appends pending entries; it is called before a trace is written. */
void seamscope_set_device_source(void (*flush)(void));

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* SEAMSCOPE_DEVICES_H */
