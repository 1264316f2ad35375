/* Preloaded: the runtime sees a file system that is small, or full while a file "full" is there, and with
   NO_POPULATE a kernel before Linux 5.14. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#define POPULATE_WRITE 23

/** Free space in /dev/shm: FREE_AT_START MB when the spool is created, FREE_LATER MB afterwards. */
int statfs(const char *Path, struct statfs *S) {
  const int Result = ((int (*)(const char *, struct statfs *))dlsym(RTLD_NEXT, "statfs"))(Path, S);
  const char *Free = getenv(strcmp(Path, "/dev/shm") ? "FREE_LATER" : "FREE_AT_START");
  if (Free && !strncmp(Path, "/dev/shm", 8)) {
    S->f_frsize = S->f_bsize = 4096;
    S->f_blocks = S->f_bfree = S->f_bavail = strtoul(Free, 0, 10) * 256;
  }
  return Result;
}

static int isFull(void) { return access("full", F_OK) == 0; }

int madvise(void *Begin, size_t Size, int Advice) {
  if (Advice == POPULATE_WRITE && (getenv("NO_POPULATE") || isFull())) {
    errno = getenv("NO_POPULATE") ? EINVAL : EFAULT;
    return -1;
  }
  return ((int (*)(void *, size_t, int))dlsym(RTLD_NEXT, "madvise"))(Begin, Size, Advice);
}

int posix_fallocate(int Fd, off_t Offset, off_t Size) {
  return isFull() ? ENOSPC
                  : ((int (*)(int, off_t, off_t))dlsym(RTLD_NEXT, "posix_fallocate"))(Fd, Offset, Size);
}
