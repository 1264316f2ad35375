//===- Export.cpp - the trace at the end of a process ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Clock.h"
#include "core/Process.h"
#include "format/ChromeTrace.h"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace seamscope {
namespace {

/// Writes to a descriptor, compressed or not; remembers the first errno.
class Output {
public:
  Output(int Fd, bool Compressed) : Fd(Fd), Compressed(Compressed) {
    // 15 + 16: the largest window, and gzip's header.
    if (Compressed &&
        deflateInit2(&Stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      Error = ENOMEM;
  }
  ~Output() {
    if (Compressed)
      deflateEnd(&Stream);
  }

  bool write(const char *Text, size_t Size) {
    if (Error)
      return false;
    if (!Compressed)
      return put(Text, Size);
    Stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Text));
    Stream.avail_in = static_cast<uInt>(Size);
    return deflateAll(Z_NO_FLUSH);
  }

  bool finish() { return !Error && (!Compressed || deflateAll(Z_FINISH)); }
  int error() const { return Error; }

private:
  bool deflateAll(int Flush) {
    char Chunk[32 * 1024];
    do {
      Stream.next_out = reinterpret_cast<Bytef *>(Chunk);
      Stream.avail_out = sizeof(Chunk);
      deflate(&Stream, Flush);
      if (!put(Chunk, sizeof(Chunk) - Stream.avail_out))
        return false;
    } while (Stream.avail_out == 0);
    return true;
  }

  bool put(const char *Text, size_t Size) {
    while (Size) {
      const ssize_t Written = ::write(Fd, Text, Size);
      if (Written < 0 && errno == EINTR)
        continue;
      if (Written <= 0) {
        Error = Written < 0 ? errno : EIO;
        return false;
      }
      Text += Written;
      Size -= static_cast<size_t>(Written);
    }
    return true;
  }

  int Fd;
  bool Compressed;
  int Error = 0;
  z_stream Stream{};
};

bool endsWith(const char *Text, const char *Ending) {
  const size_t Length = strlen(Text), Tail = strlen(Ending);
  return Length >= Tail && !strcmp(Text + Length - Tail, Ending);
}

/// Whether \p Path holds something that another process of the program wrote.
bool isAnothers(const char *Path) {
  struct stat S;
  if (TheProcess.WroteOutput || stat(Path, &S) || !S_ISREG(S.st_mode))
    return false;
  const uint64_t Written = static_cast<uint64_t>(S.st_mtim.tv_sec) * 1000000000u +
                           static_cast<uint64_t>(S.st_mtim.tv_nsec);
  return Written > TheProcess.Settings.OursSinceNs;
}

/// Opens a temporary file beside \p Path, or \p Path itself where that is no regular file (a pipe,
/// a terminal, /dev/null), which must not be replaced.
int openOutput(const char *Path, char (&Temporary)[PATH_MAX]) {
  struct stat S;
  Temporary[0] = 0;
  if (stat(Path, &S) == 0 && !S_ISREG(S.st_mode))
    return open(Path, O_WRONLY | O_CLOEXEC);
  // A name can be taken: by what a killed process left, or by a process of another container.
  int Fd = -1;
  for (unsigned Try = 0; Fd < 0 && Try < 100; ++Try) {
    const int Length = snprintf(Temporary, sizeof(Temporary), "%s.tmp.%u.%u", Path,
                                static_cast<unsigned>(getpid()), Try);
    if (Length < 0 || static_cast<size_t>(Length) >= sizeof(Temporary)) {
      errno = ENAMETOOLONG;
      return -1;
    }
    Fd = open(Temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (Fd < 0 && errno != EEXIST)
      break;
  }
  return Fd;
}

/// Locks the folder of \p Path for as long as it lives, so that of several processes that end
/// together one looks and renames at a time. Where a folder cannot be locked it does nothing.
class FolderLock {
public:
  explicit FolderLock(const char *Path) {
    char Folder[PATH_MAX];
    const char *Slash = strrchr(Path, '/');
    const size_t Length = Slash ? static_cast<size_t>(Slash - Path) : 0;
    if (!Slash)
      strcpy(Folder, ".");
    else if (!Length)
      strcpy(Folder, "/");
    else if (Length < sizeof(Folder)) {
      memcpy(Folder, Path, Length);
      Folder[Length] = 0;
    } else
      return;
    Fd = open(Folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // Whoever else locks the folder must not keep a program from ending.
    const timespec Millisecond = {0, 1000000};
    for (unsigned Try = 0; Fd >= 0 && Try < 1000 && flock(Fd, LOCK_EX | LOCK_NB); ++Try)
      if (errno == EWOULDBLOCK)
        nanosleep(&Millisecond, nullptr);
      else if (errno != EINTR)
        break;
  }
  ~FolderLock() {
    if (Fd >= 0)
      close(Fd);
  }
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;

private:
  int Fd = -1;
};

/// Held while a trace is written.
pthread_mutex_t ExportLock = PTHREAD_MUTEX_INITIALIZER;

} // namespace

void forgetExport() { pthread_mutex_init(&ExportLock, nullptr); }

/// Writes the trace to \p Path, whole or not at all; 0, or why it could not be, as errno. With
/// \p KeepAnothers EEXIST: another process's trace is there.
static int writeTo(const char *Path, bool KeepAnothers, ExportWindows Windows) {
  Process &P = TheProcess;
  char Temporary[PATH_MAX];
  const int Fd = openOutput(Path, Temporary);
  if (Fd < 0)
    return errno;
  int Error = 0;
  format::SpoolReader Reader;
  const format::SpoolError Bad = Reader.open(P.Spool.data(), P.Spool.mappedBytes());
  Output Out(Fd, endsWith(Path, ".gz"));
  const char *Slash = strrchr(Path, '/');
  const format::ChromeTraceOptions Options = {Slash ? Slash + 1 : Path, SEAMSCOPE_VERSION, false,
                                              Windows.First, Windows.Count};
  const format::ByteSink Sink = {[](void *Context, const char *Text, size_t Size) {
                                   return static_cast<Output *>(Context)->write(Text, Size);
                                 },
                                 &Out};
  const bool Written = !Bad.Reason && format::writeChromeTrace(Reader, Options, Sink);
  if (!(Written && Out.finish()))
    Error = Out.error() ? Out.error() : ENOMEM;
  if (close(Fd) && !Error)
    Error = errno;
  if (!*Temporary)
    return Error;
  if (!Error) {
    const FolderLock Lock(Path);
    if (KeepAnothers && isAnothers(Path))
      Error = EEXIST;
    else if (rename(Temporary, Path))
      Error = errno;
  }
  if (Error)
    unlink(Temporary);
  return Error;
}

static bool exportLocked(const char *Given, ExportWindows Windows) {
  Process &P = TheProcess;
  P.Spool.updateClock(32);
  char Path[PATH_MAX];
  int Error = EEXIST;
  if (Given) {
    if (snprintf(Path, sizeof(Path), "%s", Given) >= static_cast<int>(sizeof(Path))) {
      say("cannot write the trace: its path is longer than %u bytes",
          static_cast<unsigned>(sizeof(Path) - 1));
      return false;
    }
    Error = writeTo(Path, false, Windows);
  } else {
    // Processes started by this one inherit SEAMSCOPE_OUT: none may overwrite the other's trace.
    outputPath(P.Settings, P.Pid, P.Owner, Path);
    if (!isAnothers(Path))
      Error = writeTo(Path, true, Windows);
    if (Error == EEXIST) {
      outputPath(P.Settings, P.Pid, 0, Path);
      Error = writeTo(Path, false, Windows);
    }
  }
  if (Error) {
    say("cannot write the trace '%s': %s; `seamscope recover '%s' -o OUT` writes it elsewhere",
        Path, strerror(Error), P.Spool.path());
    return false;
  }
  if (!Given)
    P.WroteOutput = true;
  return true;
}

bool exportTrace(const char *Path, ExportWindows Windows) {
  // A reader that went away or a file size limit is an error to tell of, not the program's end.
  sigset_t Ours, Before, Old;
  sigemptyset(&Ours);
  sigaddset(&Ours, SIGPIPE);
  sigaddset(&Ours, SIGXFSZ);
  sigpending(&Before);
  pthread_sigmask(SIG_BLOCK, &Ours, &Old);
  pthread_mutex_lock(&ExportLock);
  const bool Written = exportLocked(Path, Windows);
  pthread_mutex_unlock(&ExportLock);
  // One that waited before is the program's.
  if (sigismember(&Before, SIGPIPE))
    sigdelset(&Ours, SIGPIPE);
  if (sigismember(&Before, SIGXFSZ))
    sigdelset(&Ours, SIGXFSZ);
  const timespec Now = {};
  while (sigtimedwait(&Ours, nullptr, &Now) > 0)
    ;
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
  return Written;
}

} // namespace seamscope
