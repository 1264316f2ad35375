/* Preloaded: the runtime sees a file system that is small, or full while a file "full" is there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

static void shrink(struct statvfs *S, const char *Megabytes) {
  S->f_frsize = S->f_bsize = 4096;
  S->f_blocks = S->f_bfree = S->f_bavail = strtoul(Megabytes, 0, 10) * 256;
}

/** What is free in /dev/shm when the spool is made: FREE_AT_START megabytes. */
int statvfs(const char *Path, struct statvfs *S) {
  const char *Free = getenv("FREE_AT_START");
  if (!Free || strcmp(Path, "/dev/shm"))
    return ((int (*)(const char *, struct statvfs *))dlsym(RTLD_NEXT, "statvfs"))(Path, S);
  shrink(S, Free);
  return 0;
}

/** What is free there later: FREE_LATER megabytes. */
int fstatvfs(int Fd, struct statvfs *S) {
  const char *Free = getenv("FREE_LATER");
  if (!Free)
    return ((int (*)(int, struct statvfs *))dlsym(RTLD_NEXT, "fstatvfs"))(Fd, S);
  shrink(S, Free);
  return 0;
}

int fallocate(int Fd, int Mode, off_t Offset, off_t Size) {
  if (access("full", F_OK) == 0) {
    errno = ENOSPC;
    return -1;
  }
  return ((int (*)(int, int, off_t, off_t))dlsym(RTLD_NEXT, "fallocate"))(Fd, Mode, Offset, Size);
}
