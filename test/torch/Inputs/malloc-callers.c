// Preloaded: counts calls of malloc and its kin that have a library of Seamscope's on their stack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static struct {
  uintptr_t Begin, End;
} Libraries[8];
static int LibraryCount;

static int keepOurs(struct dl_phdr_info *Library, size_t Size, void *Nothing) {
  (void)Size, (void)Nothing;
  if (!strstr(Library->dlpi_name, "libseamscope"))
    return 0;
  for (int I = 0; I < Library->dlpi_phnum && LibraryCount < 8; ++I) {
    const ElfW(Phdr) *Header = &Library->dlpi_phdr[I];
    if (Header->p_type != PT_LOAD || !(Header->p_flags & PF_X))
      continue;
    Libraries[LibraryCount].Begin = Library->dlpi_addr + Header->p_vaddr;
    Libraries[LibraryCount].End = Libraries[LibraryCount].Begin + Header->p_memsz;
    ++LibraryCount;
  }
  return 0;
}

static int isOurs(const void *Frame) {
  for (int I = 0; I < LibraryCount; ++I)
    if ((uintptr_t)Frame - Libraries[I].Begin < Libraries[I].End - Libraries[I].Begin)
      return 1;
  return 0;
}

static int Watching;
static unsigned long Ours, All;
static __thread int Inside;

static void look(const char *What) {
  if (!Watching || Inside)
    return;
  Inside = 1;
  __atomic_add_fetch(&All, 1, __ATOMIC_RELAXED);
  void *Frames[16];
  const int Count = backtrace(Frames, 16);
  for (int I = 2; I < Count; ++I) {
    if (!isOurs(Frames[I]))
      continue;
    if (__atomic_add_fetch(&Ours, 1, __ATOMIC_RELAXED) <= 10)
      fprintf(stderr, "a call of %s\n", What);
    break;
  }
  Inside = 0;
}

void *malloc(size_t Size) {
  look("malloc");
  return __libc_malloc(Size);
}
void *calloc(size_t Count, size_t Size) {
  look("calloc");
  return __libc_calloc(Count, Size);
}
void *realloc(void *Old, size_t Size) {
  look("realloc");
  return __libc_realloc(Old, Size);
}
int posix_memalign(void **Result, size_t Alignment, size_t Size) {
  look("posix_memalign");
  *Result = __libc_memalign(Alignment, Size);
  return *Result ? 0 : ENOMEM;
}
void free(void *Block) {
  if (Block)
    look("free");
  __libc_free(Block);
}

/// From now on, or with 0 until now, with a line on stdout.
void watch(int On) {
  void *Frames[1];
  Inside = 1;
  backtrace(Frames, 1); // loads a library the first time
  if (On)
    dl_iterate_phdr(keepOurs, NULL);
  Inside = 0;
  Watching = On;
  if (On)
    return;
  printf("%s of Seamscope's libraries watched\n", LibraryCount >= 2 ? "both" : "NOT ALL");
  printf("%s calls of malloc, %lu of Seamscope's\n", All > 1000 ? "many" : "few", Ours);
  fflush(stdout);
}
