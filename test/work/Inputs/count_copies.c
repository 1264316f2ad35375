// Preloaded: counts the bytes that a program's own calls of memcpy, memmove and memset move, and writes
// `ADDRESS READ WRITTEN` for each place that calls to the file that COPIES names. ADDRESS is that behind the call,
// in the program's file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 1 << 14 };
static struct {
  uintptr_t caller;
  unsigned long read, written;
} places[PLACES];
static uintptr_t bias, first = UINTPTR_MAX, last;
static void *(*next_memcpy)(void *, const void *, size_t);
static void *(*next_memmove)(void *, const void *, size_t);
static void *(*next_memset)(void *, int, size_t);

static int find_program(struct dl_phdr_info *info, size_t size, void *data) {
  bias = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD) {
      uintptr_t begin = bias + info->dlpi_phdr[i].p_vaddr, end = begin + info->dlpi_phdr[i].p_memsz;
      first = begin < first ? begin : first;
      last = end > last ? end : last;
    }
  return 1; // the first one is the program
}

static void count(void *caller, unsigned long read, unsigned long written) {
  uintptr_t at = (uintptr_t)caller;
  if (!last)
    dl_iterate_phdr(find_program, NULL);
  if (at < first || at >= last)
    return;
  for (size_t i = at % PLACES;; i = (i + 1) % PLACES) {
    uintptr_t none = 0;
    __atomic_compare_exchange_n(&places[i].caller, &none, at, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (!none || none == at) {
      __atomic_fetch_add(&places[i].read, read, __ATOMIC_RELAXED);
      __atomic_fetch_add(&places[i].written, written, __ATOMIC_RELAXED);
      return;
    }
  }
}

#define NEXT(name)                                                                                                     \
  if (!next_##name)                                                                                                    \
    *(void **)&next_##name = dlsym(RTLD_NEXT, #name);

void *memcpy(void *to, const void *from, size_t bytes) {
  NEXT(memcpy)
  count(__builtin_return_address(0), bytes, bytes);
  return next_memcpy(to, from, bytes);
}

void *memmove(void *to, const void *from, size_t bytes) {
  NEXT(memmove)
  count(__builtin_return_address(0), bytes, bytes);
  return next_memmove(to, from, bytes);
}

void *memset(void *to, int value, size_t bytes) {
  NEXT(memset)
  count(__builtin_return_address(0), 0, bytes);
  return next_memset(to, value, bytes);
}

__attribute__((destructor)) static void write_places(void) {
  FILE *file = fopen(getenv("COPIES"), "w");
  for (size_t i = 0; i < PLACES; ++i)
    if (places[i].caller)
      fprintf(file, "%lx %lu %lu\n", (unsigned long)(places[i].caller - bias), places[i].read, places[i].written);
  fclose(file);
}
