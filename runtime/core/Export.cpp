//===- Export.cpp - the trace at the end of a process ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Export.h"

#include "core/Clock.h"
#include "core/Process.h"
#include "format/ChromeTrace.h"
#include "samples/Samples.h"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace seamscope {
namespace {

/// A progress line on a terminal, shown if writing takes more than a second and removed at the end.
class ProgressLine {
public:
  /// \p Path must outlive this object. \p Whole: the approximate number of bytes.
  ProgressLine(const char *Path, uint64_t Whole)
      : Path(Path), Whole(Whole ? Whole : 1), Wanted(isatty(STDERR_FILENO)),
        Next(clock::readClock(CLOCK_MONOTONIC) + Second) {}
  ~ProgressLine() {
    if (Shown)
      dprintf(STDERR_FILENO, "\r\x1b[K");
  }
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  void add(uint64_t Bytes) {
    Done += Bytes;
    if (!Wanted)
      return;
    const uint64_t Now = clock::readClock(CLOCK_MONOTONIC);
    if (Now < Next)
      return;
    Next = Now + Second / 10;
    Shown = true;
    const uint64_t Percent = Done < Whole ? Done * 100 / Whole : 100;
    dprintf(STDERR_FILENO, "\r\x1b[Kseamscope: writing %s: %u %%", Path,
            static_cast<unsigned>(Percent));
  }

private:
  static constexpr uint64_t Second = 1000000000;
  const char *Path;
  uint64_t Whole, Done = 0;
  bool Wanted, Shown = false;
  uint64_t Next;
};

/// Writes to a descriptor, compressed or not; remembers the first errno.
class Output {
public:
  Output(int Fd, bool Compressed, ProgressLine &Progress)
      : Fd(Fd), Compressed(Compressed), Progress(Progress) {
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
    Progress.add(Size);
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
      if (Written < 0 && (errno == EINTR || (errno == EAGAIN && isRead())))
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

  /// Waits until a pipe has room, for a limited time: a reader that stopped must not keep the
  /// program from ending.
  bool isRead() const {
    constexpr int TenSeconds = 10000;
    pollfd Pipe = {Fd, POLLOUT, 0};
    int Ready;
    do
      Ready = poll(&Pipe, 1, TenSeconds);
    while (Ready < 0 && errno == EINTR);
    if (!Ready)
      errno = ENXIO;
    return Ready > 0;
  }

  int Fd;
  bool Compressed;
  ProgressLine &Progress;
  int Error = 0;
  z_stream Stream{};
};

bool endsWith(const char *Text, const char *Ending) {
  const size_t Length = strlen(Text), Tail = strlen(Ending);
  return Length >= Tail && !strcmp(Text + Length - Tail, Ending);
}

/// Whether another process of the program wrote \p Path.
bool isOtherProcessTrace(const char *Path) {
  struct stat S;
  if (TheProcess.WroteOutput || stat(Path, &S) || !S_ISREG(S.st_mode))
    return false;
  const uint64_t Written = static_cast<uint64_t>(S.st_mtim.tv_sec) * 1000000000u +
                           static_cast<uint64_t>(S.st_mtim.tv_nsec);
  return Written > TheProcess.Settings.RunSinceNs;
}

/// Opens a named pipe for writes that do not block. Waits a limited time for a reader that starts
/// together with the program.
int openPipe(const char *Path) {
  const timespec Pause = {0, 10000000};
  int Fd = -1;
  for (unsigned Try = 0; Try < 100; ++Try) {
    Fd = open(Path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (Fd >= 0 || errno != ENXIO)
      break;
    nanosleep(&Pause, nullptr);
    errno = ENXIO;
  }
  return Fd;
}

/// Opens a temporary file next to \p Path. If somebody named the path (\p IsNamed) and it is not a
/// regular file (a pipe, a terminal, /dev/null), opens the path itself: it must not be replaced.
int openOutput(const char *Path, bool IsNamed, char (&Temporary)[PATH_MAX]) {
  struct stat S;
  Temporary[0] = 0;
  if (IsNamed && stat(Path, &S) == 0 && !S_ISREG(S.st_mode))
    return S_ISFIFO(S.st_mode) ? openPipe(Path) : open(Path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  // The name may exist: a killed process left it, or a process of another container uses it.
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

/// Locks the folder of \p Path while it lives: of several processes that end together, one at a
/// time checks for a trace and renames its own. Does nothing if the folder cannot be locked.
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
    // A lock held by another process must not keep a program from ending.
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

/// The part of the spool to write, and its path.
struct Export {
  format::SpoolReader Reader;
  ExportWindows Windows;
  bool IsNamed; ///< somebody chose the path
  format::ChromeTracePlan Plan;
  char AllIn[PATH_MAX] = ""; ///< the file with all calls, if Plan leaves some out
};

/// The path of a copy of the spool next to the trace \p Path: NAME.spool for NAME.json. Returns
/// false if it is too long.
static bool spoolPathBeside(const char *Path, char (&Beside)[PATH_MAX]) {
  size_t Length = strlen(Path);
  static constexpr const char *Endings[] = {".gz", ".json"};
  for (const char *Ending : Endings)
    if (const size_t Tail = strlen(Ending);
        Length > Tail && !strncmp(Path + Length - Tail, Ending, Tail))
      Length -= Tail;
  return snprintf(Beside, sizeof(Beside), "%.*s.spool", static_cast<int>(Length), Path) <
         static_cast<int>(sizeof(Beside));
}

/// Copies the used part of the spool to \p Path, whole or not at all: the spool itself may take up
/// memory (/dev/shm) until somebody removes it. Returns 0 or errno.
static int copySpool(const char *Path) {
  const Arena &Spool = TheProcess.Spool;
  char Temporary[PATH_MAX];
  const int Fd = openOutput(Path, false, Temporary);
  if (Fd < 0)
    return errno;
  union {
    format::SpoolHeader Header;
    char Page[format::HeaderBytes];
  } First = {};
  memcpy(First.Page, Spool.data(), sizeof(First.Page));
  First.Header.Flags |= format::SpoolCopy;
  const size_t Blocks = loadAcquire(&Spool.header()->BlocksClaimed);
  const uint64_t Bytes = Blocks * format::BlockBytes;
  ProgressLine Progress(Path, Bytes);
  Output Out(Fd, false, Progress);
  bool Written = Out.write(First.Page, sizeof(First.Page));
  for (size_t I = 0; Written && I < Blocks; ++I)
    Written = Out.write(reinterpret_cast<const char *>(Spool.data()) + format::HeaderBytes +
                            I * format::BlockBytes,
                        format::BlockBytes);
  int Error = Out.error();
  if (close(Fd) && !Error)
    Error = errno;
  if (!Error && *Temporary && rename(Temporary, Path))
    Error = errno;
  if (Error && *Temporary)
    unlink(Temporary);
  return Error;
}

/// Writes the trace to \p Path, whole or not at all. Returns 0 or errno; with \p KeepOthers, EEXIST
/// if another process's trace is there.
static int writeTo(const char *Path, bool KeepOthers, Export &What) {
  const Process &P = TheProcess;
  struct stat S;
  char Beside[PATH_MAX];
  if (What.Plan.LeftOut && !*What.AllIn) {
    const bool IsFile = stat(Path, &S) || S_ISREG(S.st_mode);
    if (IsFile && spoolPathBeside(Path, Beside) && copySpool(Beside) == 0) {
      strcpy(What.AllIn, Beside);
    } else {
      strcpy(What.AllIn, P.Spool.path());
      TheProcess.SpoolStays = true;
    }
  }
  char Temporary[PATH_MAX];
  const int Fd = openOutput(Path, What.IsNamed, Temporary);
  if (Fd < 0)
    return errno;
  int Error = 0;
  ProgressLine Progress(Path, What.Plan.Bytes);
  Output Out(Fd, endsWith(Path, ".gz"), Progress);
  const char *Slash = strrchr(Path, '/');
  format::ChromeTraceOptions Options;
  Options.TraceName = Slash ? Slash + 1 : Path;
  Options.Version = SEAMSCOPE_VERSION;
  Options.Facts.End = loadRelaxed(&P.Spool.header()->Flags) & format::SpoolExited
                          ? format::RecordingEnd::Exit
                          : format::RecordingEnd::Running;
  Options.Facts.Windows = What.Windows.First;
  Options.Facts.WindowCount = What.Windows.Count;
  Options.Facts.Plan = &What.Plan;
  Options.AllIn = What.AllIn;
  const format::ByteSink Sink = {[](void *Context, const char *Text, size_t Size) {
                                   return static_cast<Output *>(Context)->write(Text, Size);
                                 },
                                 &Out};
  const bool Written = format::writeChromeTrace(What.Reader, Options, Sink);
  if (!(Written && Out.finish()))
    Error = Out.error() ? Out.error() : ENOMEM;
  if (close(Fd) && !Error)
    Error = errno;
  if (!*Temporary)
    return Error;
  if (!Error) {
    const FolderLock Lock(Path);
    if (KeepOthers && isOtherProcessTrace(Path))
      Error = EEXIST;
    else if (rename(Temporary, Path))
      Error = errno;
  }
  if (Error)
    unlink(Temporary);
  return Error;
}

/// Prints where all calls are if the trace at \p Path is only a part.
static void reportPart(const char *Path, const Export &What) {
  if (!What.Plan.LeftOut)
    return;
  char Limit[32];
  const uint64_t Bytes = TheProcess.Settings.OutLimitBytes;
  const bool Mega = Bytes % (1u << 20) == 0;
  snprintf(Limit, sizeof(Limit), "%llu%s",
           static_cast<unsigned long long>(Mega ? Bytes >> 20 : Bytes), Mega ? "M" : "");
  warn("'%s' has the first %llu of %llu calls%s, and sums of the others (SEAMSCOPE_OUT_LIMIT=%s); "
       "all are in '%s', which `seamscope report` reads and `seamscope convert` converts",
       Path, static_cast<unsigned long long>(What.Plan.Calls),
       static_cast<unsigned long long>(What.Plan.Calls + What.Plan.LeftOut),
       What.Plan.OfDevices ? " and GPU events" : "", Limit, What.AllIn);
}

static bool exportLocked(const char *Given, ExportWindows Windows) {
  Process &P = TheProcess;
  P.Spool.updateClock(32);
  // The helper may have found room again without storing the sites that had none.
  {
    SignalBlocker Blocker;
    SpinGuard Guard(P.Lock);
    P.Sites.copyMissing(P.Spool);
  }
  char Path[PATH_MAX];
  Export What;
  What.Windows = Windows;
  What.IsNamed = Given || P.Settings.OutGiven;
  // Windows that the program asks for are written in full.
  if (What.Reader.open(P.Spool.data(), P.Spool.mappedBytes()).Reason ||
      !format::planChromeTrace(What.Reader, Windows.First ? 0 : P.Settings.OutLimitBytes,
                               What.Plan)) {
    warn("cannot write the trace: not enough memory; `seamscope recover '%s' -o OUT` writes it",
         P.Spool.path());
    return false;
  }
  int Error = EEXIST;
  if (Given) {
    if (snprintf(Path, sizeof(Path), "%s", Given) >= static_cast<int>(sizeof(Path))) {
      warn("cannot write the trace: its path is longer than %u bytes",
           static_cast<unsigned>(sizeof(Path) - 1));
      return false;
    }
    Error = writeTo(Path, false, What);
  } else {
    // Processes that this one starts inherit SEAMSCOPE_OUT, and none may overwrite another's trace.
    outputPath(P.Settings, P.Pid, P.Owner, Path);
    // A name that nobody chose may get another extension.
    constexpr uint64_t LargeBytes = 64 << 20;
    if (!P.Settings.OutGiven && What.Plan.Bytes > LargeBytes && strlen(Path) + 4 < sizeof(Path)) {
      strcat(Path, ".gz");
      Error = writeTo(Path, false, What);
      if (!Error)
        warn("the trace is compressed: %s", Path);
    } else if (!isOtherProcessTrace(Path)) {
      Error = writeTo(Path, true, What);
    }
    if (Error == EEXIST) {
      outputPath(P.Settings, P.Pid, 0, Path);
      Error = writeTo(Path, false, What);
    }
  }
  if (Error) {
    warn("cannot write the trace '%s': %s; `seamscope recover '%s' -o OUT` writes it elsewhere",
         Path, Error == ENXIO ? "nobody reads it" : strerror(Error), P.Spool.path());
    return false;
  }
  reportPart(Path, What);
  if (!Given)
    P.WroteOutput = true;
  return true;
}

bool exportTrace(const char *Path, ExportWindows Windows) {
  const MsanCheckPause Pause;
  const WriteSignalsHeld Held;
  pthread_mutex_lock(&ExportLock);
  bool Written;
  {
    const SamplesHeld Samples;
    Written = exportLocked(Path, Windows);
  }
  pthread_mutex_unlock(&ExportLock);
  return Written;
}

} // namespace seamscope
