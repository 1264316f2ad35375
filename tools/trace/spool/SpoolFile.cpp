//===- SpoolFile.cpp - spool files on disk --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/spool/SpoolFile.h"

#include "trace/io/FileUse.h"
#include "trace/io/InputFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {

using namespace format;

namespace {

uint64_t monotonicNs() {
  timespec Now{};
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1000000000u + static_cast<uint64_t>(Now.tv_nsec);
}

/// Whether no process holds the lock of the open file. Uses a shared lock, so that readers do not
/// take each other for the process.
bool isUnlocked(int Fd, const std::string &Path) {
  int Code;
  do
    Code = flock(Fd, LOCK_SH | LOCK_NB);
  while (Code && errno == EINTR);
  // Some file systems have no locks: then every process counts as alive.
  if (Code && errno != EWOULDBLOCK && errno != ENOLCK && errno != ENOSYS && errno != ENOTSUP)
    noteUnread(Path, errno);
  return !Code;
}

/// The blocks of an open spool with contents, among the \p Claimed ones. A file can have any
/// length, and claim any number of blocks, without using space: the other blocks are in its holes.
std::vector<uint64_t> writtenBlocks(int Fd, uint64_t Claimed, uint64_t FileBytes) {
  const uint64_t Whole = (std::max<uint64_t>(FileBytes, HeaderBytes) - HeaderBytes) / BlockBytes;
  std::vector<uint64_t> Blocks;
  for (uint64_t I = 0; I < std::min(Claimed, Whole); ++I) {
    const off_t Data = lseek(Fd, static_cast<off_t>(HeaderBytes + I * BlockBytes), SEEK_DATA);
    if (Data < 0 && errno == ENXIO)
      break; // only a hole follows
    if (Data >= 0)
      I = std::max(I, (static_cast<uint64_t>(Data) - HeaderBytes) / BlockBytes);
    if (I < std::min(Claimed, Whole))
      Blocks.push_back(I);
  }
  return Blocks;
}

} // namespace

bool isSpool(const std::string &Path) {
  return Path != "-" && beginsWith(Path, {SpoolMagic, sizeof(SpoolMagic)});
}

/// Reads the header, and the blocks with contents as if they were consecutive.
std::optional<Error> SpoolFile::readFrom(int Fd, const std::string &Path) {
  Data.resize(HeaderBytes / sizeof(uint64_t));
  const int64_t Size = readUpTo(Fd, Data.data(), HeaderBytes);
  if (Size < 0)
    return Error{Path, 0, std::strerror(errno)};
  UsedBytes = static_cast<size_t>(Size);
  if (UsedBytes < HeaderBytes)
    return std::nullopt;
  const uint64_t Claimed = reinterpret_cast<const SpoolHeader *>(Data.data())->BlocksClaimed;
  const std::vector<uint64_t> Blocks = writtenBlocks(Fd, Claimed, FileBytes);
  // If the file was cut off, the rest of a block shows where.
  const uint64_t Tail =
      Claimed > (FileBytes - HeaderBytes) / BlockBytes ? (FileBytes - HeaderBytes) % BlockBytes : 0;
  const uint64_t Bytes = HeaderBytes + Blocks.size() * BlockBytes + Tail;
  const auto Memory =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  if (Bytes > Memory)
    return Error{
        Path, {}, fmt::format("needs {} GB of memory, more than is available", Bytes >> 30)};
  Data.resize((Bytes + 7) / sizeof(uint64_t));
  char *At = reinterpret_cast<char *>(Data.data()) + HeaderBytes;
  for (const uint64_t Block : Blocks) {
    if (lseek(Fd, static_cast<off_t>(HeaderBytes + Block * BlockBytes), SEEK_SET) < 0 ||
        readUpTo(Fd, At, BlockBytes) != BlockBytes)
      return Error{Path, HeaderBytes + Block * BlockBytes, "cannot be read"};
    At += BlockBytes;
  }
  if (Tail && (lseek(Fd, static_cast<off_t>(FileBytes - Tail), SEEK_SET) < 0 ||
               readUpTo(Fd, At, Tail) != static_cast<int64_t>(Tail)))
    return Error{Path, FileBytes - Tail, "cannot be read"};
  UsedBytes = static_cast<size_t>(Bytes);
  return std::nullopt;
}

Result<std::unique_ptr<SpoolFile>> SpoolFile::open(const std::string &Path) {
  const auto Opened = openRegular(Path);
  if (!Opened)
    return Opened.error();
  const int Fd = Opened->number();
  struct stat S;
  if (fstat(Fd, &S))
    return Error{Path, {}, std::strerror(errno)};
  // For a running process, calls open in the copy were open when copying began.
  const bool Runs = !isUnlocked(Fd, Path);
  const uint64_t Now = monotonicNs();
  auto Spool = std::make_unique<SpoolFile>();
  Spool->FileBytes = static_cast<uint64_t>(S.st_size);
  if (auto Failure = Spool->readFrom(Fd, Path))
    return *Failure;
  const SpoolError Wrong = Spool->Reader.open(Spool->Data.data(), Spool->UsedBytes);
  if (!Spool->Reader.valid())
    return Error{Path, Wrong.Offset, Wrong.Reason};
  if (Wrong.Reason)
    Spool->Damage = Error{Path, Wrong.Offset, Wrong.Reason};
  if (const SpoolError Site = Spool->Reader.forEachSite([](const SiteView &) {});
      Site.Reason && !Spool->Damage)
    Spool->Damage = Error{Path, Site.Offset, Site.Reason};
  const SpoolHeader &Whole = Spool->Reader.header();
  if (Whole.Flags & SpoolExited) {
    Spool->End = RecordingEnd::Exit;
  } else if (Whole.Flags & SpoolCopy) {
    Spool->End = RecordingEnd::Running;
  } else if (Runs) {
    Spool->End = RecordingEnd::Running;
    Spool->EndNs = Now > Whole.First.MonotonicNs ? Now - Whole.First.MonotonicNs : 0;
  }
  return Spool;
}

void SpoolFile::setKilled(uint64_t MonotonicNs) {
  const uint64_t Start = Reader.header().First.MonotonicNs;
  if (End != RecordingEnd::LastSignOfLife || MonotonicNs < Start)
    return;
  End = RecordingEnd::Killed;
  EndNs = MonotonicNs - Start;
}

bool isAbandoned(const std::string &Path) {
  const auto File = openRegular(Path, O_NOFOLLOW);
  return File && isUnlocked(File->number(), Path);
}

namespace {

/// The number of calls listed as open in the live blocks of an open spool.
uint64_t countOpenCalls(int Fd, const std::vector<uint64_t> &Blocks) {
  uint64_t Count = 0;
  std::vector<LiveThread> Threads(LivePerBlock);
  for (const uint64_t I : Blocks) {
    const auto At = static_cast<off_t>(HeaderBytes + I * BlockBytes);
    BlockHeader Head;
    if (pread(Fd, &Head, sizeof(Head), At) != sizeof(Head))
      break;
    const size_t Size = LivePerBlock * sizeof(LiveThread);
    if (Head.Kind != BlockKind::Live ||
        pread(Fd, Threads.data(), Size, At + static_cast<off_t>(sizeof(Head))) !=
            static_cast<ssize_t>(Size))
      continue;
    for (const LiveThread &Thread : Threads)
      if (Thread.Thread)
        Count += static_cast<uint64_t>(
            std::ranges::count_if(Thread.Open, [](const auto &Call) { return Call.Begin != 0; }));
  }
  return Count;
}

} // namespace

SpoolSummary summarizeSpool(const std::string &Path) {
  SpoolSummary Summary;
  Summary.Path = Path;
  const auto File = openRegular(Path, O_NOFOLLOW);
  struct stat S;
  if (!File || fstat(File->number(), &S)) {
    Summary.Problem = File ? std::strerror(errno) : File.error().Reason;
    return Summary;
  }
  const int Fd = File->number();
  Summary.Alive = !isUnlocked(Fd, Path);
  Summary.StoredBytes = static_cast<uint64_t>(S.st_blocks) * 512;
  SpoolHeader Header{};
  const ssize_t Size = pread(Fd, &Header, sizeof(Header), 0);
  if (Size < 0)
    Summary.Problem = std::strerror(errno);
  if (!Summary.Problem.empty())
    return Summary;
  if (Size != sizeof(Header) || std::memcmp(Header.Magic, SpoolMagic, sizeof(SpoolMagic)))
    Summary.Problem = "holds no spool: its process was killed while it made the file";
  else if (Header.Version != SpoolVersion || Header.HeaderSize != sizeof(Header) ||
           Header.BlockSize != BlockBytes)
    Summary.Problem = "is of another version of Seamscope";
  if (!Summary.Problem.empty())
    return Summary;
  const auto Bounded = [](const char *Text, size_t Most) {
    return std::string(Text, strnlen(Text, Most));
  };
  Summary.Pid = Header.Pid;
  Summary.Exited = Header.Flags & SpoolExited;
  Summary.StartRealtimeNs = Header.First.RealtimeNs;
  Summary.Program = Bounded(Header.CommandLine, sizeof(Header.CommandLine));
  if (Summary.Program.empty())
    Summary.Program = Bounded(Header.ProcessName, sizeof(Header.ProcessName));
  Summary.OpenCalls =
      countOpenCalls(Fd, writtenBlocks(Fd, Header.BlocksClaimed, static_cast<uint64_t>(S.st_size)));
  return Summary;
}

std::optional<Error> removeSpool(const std::string &Path) {
  const auto File = openRegular(Path, O_NOFOLLOW);
  struct stat Opened, Named;
  if (!File && std::filesystem::is_symlink(Path))
    return Error{
        Path, {}, "is not removed: it is a symbolic link, and the spool is the file behind it"};
  if (!File) {
    takeUnread(); // reported here
    return Error{Path, {}, "cannot be removed: " + File.error().Reason};
  }
  if (fstat(File->number(), &Opened))
    return Error{Path, {}, std::string("cannot be removed: ") + std::strerror(errno)};
  if (Opened.st_uid != getuid())
    return Error{Path, {}, "is not removed: it is not a file of this user"};
  if (!isUnlocked(File->number(), Path)) {
    const auto Unread = takeUnread();
    return Unread ? *Unread : Error{Path, {}, "is not removed: its process still records into it"};
  }
  if (lstat(Path.c_str(), &Named) || Named.st_dev != Opened.st_dev || Named.st_ino != Opened.st_ino)
    return Error{Path, {}, "is not removed: another file has its name now"};
  if (unlink(Path.c_str()))
    return Error{Path, {}, std::string("cannot be removed: ") + std::strerror(errno)};
  return std::nullopt;
}

std::vector<std::string> spoolFolders() {
  std::vector<std::string> Folders;
  const auto Add = [&](const char *Folder) {
    if (Folder && *Folder && std::ranges::find(Folders, Folder) == Folders.end())
      Folders.emplace_back(Folder);
  };
  Add(std::getenv("SEAMSCOPE_SPOOL_DIR"));
  if (!Folders.empty())
    return Folders; // then the runtime tries no other
  Add("/dev/shm");
  Add(std::getenv("TMPDIR"));
  Add("/tmp");
  return Folders;
}

std::vector<std::string> findSpools(int64_t SinceNs) {
  namespace fs = std::filesystem;
  const std::string Prefix = fmt::format("seamscope-{}-", getuid());
  std::vector<std::pair<__int128, std::string>> Found;
  for (const std::string &Folder : spoolFolders()) {
    for (const fs::path &Path : entriesIn(Folder)) {
      const std::string Name = Path.filename().string();
      // Another user's file with this name must not be trusted.
      struct stat S;
      if (Name.starts_with(Prefix) && Name.ends_with(".spool") && lstat(Path.c_str(), &S) == 0 &&
          S_ISREG(S.st_mode) && S.st_uid == getuid())
        if (const __int128 Ns = __int128{S.st_mtim.tv_sec} * 1'000'000'000 + S.st_mtim.tv_nsec;
            Ns >= SinceNs)
          Found.emplace_back(Ns, Path.string());
    }
  }
  std::ranges::sort(Found, std::greater<>());
  std::vector<std::string> Paths;
  for (auto &[Time, Path] : Found)
    Paths.push_back(std::move(Path));
  return Paths;
}

} // namespace seamscope::tools
