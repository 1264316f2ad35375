/*===- target-region.h - names of OpenMP target regions -------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Compilers put each `omp target` region into a function
|*
|*   __omp_offloading_<device>_<inode>_<function>_l<line>[_<number>][_debug__]
|*
|* The first two are those of the source file, in hexadecimal: another machine,
|* or another copy of the file, has others. Without a device, LLVM appends
|* `.<number>` to the second of two equal names.
|*
\*===----------------------------------------------------------------------===*/
#ifndef SEAMSCOPE_TARGET_REGION_H
#define SEAMSCOPE_TARGET_REGION_H

#include <stdint.h>
#include <string.h>

typedef struct SeamscopeTargetRegion {
  const char *function; /* the symbol of the function around it; not terminated */
  size_t function_size;
  uint32_t line;
  uint32_t number; /* of the regions at that line, from 0 */
} SeamscopeTargetRegion;

/* Takes the digits at the end of the SIZE characters at TEXT, at most nine, and
   what stands before them; whether there are any behind BEFORE. */
static inline int seamscope_take_number(const char *text, size_t *size, const char *before,
                                        uint32_t *number) {
  size_t at = *size;
  const size_t length = strlen(before);
  uint32_t value = 0, power = 1;
  while (at && text[at - 1] >= '0' && text[at - 1] <= '9' && *size - at < 9) {
    value += power * (uint32_t)(text[--at] - '0');
    power *= 10;
  }
  if (at == *size || at < length || memcmp(text + at - length, before, length) != 0)
    return 0;
  *size = at - length;
  *number = value;
  return 1;
}

/* Whether the SIZE characters at NAME are the symbol of a target region. */
static inline int seamscope_target_region(const char *name, size_t size,
                                          SeamscopeTargetRegion *region) {
  static const char prefix[] = "__omp_offloading_", debug[] = "_debug__";
  const size_t ahead = sizeof(prefix) - 1, behind = sizeof(debug) - 1;
  size_t at = ahead;
  int part;
  if (size < ahead || memcmp(name, prefix, ahead) != 0)
    return 0;
  for (part = 0; part < 2; ++part) {
    const size_t begin = at;
    while (at < size &&
           ((name[at] >= '0' && name[at] <= '9') || (name[at] >= 'a' && name[at] <= 'f')))
      ++at;
    if (at == begin || at == size || name[at++] != '_')
      return 0;
  }
  region->number = 0;
  seamscope_take_number(name, &size, ".", &region->number);
  if (size > at + behind && memcmp(name + size - behind, debug, behind) == 0)
    size -= behind;
  if (!seamscope_take_number(name, &size, "_l", &region->line) &&
      (!seamscope_take_number(name, &size, "_", &region->number) ||
       !seamscope_take_number(name, &size, "_l", &region->line)))
    return 0;
  if (size <= at)
    return 0;
  region->function = name + at;
  region->function_size = size - at;
  return 1;
}

#endif /* SEAMSCOPE_TARGET_REGION_H */
