//===- SpoolFile.cpp - spool files on disk --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/SpoolFile.h"

#include "format/ChromeTrace.h"
#include "seamscope/abi.h"
#include "trace/TraceBuilder.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {

using namespace format;

namespace {

/// A file descriptor that closes itself.
struct Descriptor {
  int Fd;
  ~Descriptor() {
    if (Fd >= 0)
      close(Fd);
  }
};

/// Reads up to \p Size bytes; fewer at the end of the file, -1 on an error.
ssize_t readAll(int Fd, void *Into, size_t Size) {
  size_t Done = 0;
  while (Done < Size) {
    const ssize_t Got = read(Fd, static_cast<char *>(Into) + Done, Size - Done);
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      return -1;
    if (Got == 0)
      break;
    Done += static_cast<size_t>(Got);
  }
  return static_cast<ssize_t>(Done);
}

} // namespace

bool isSpool(const std::string &Path) {
  if (Path == "-")
    return false;
  const Descriptor File = {::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  char Magic[sizeof(SpoolMagic)];
  struct stat S;
  return File.Fd >= 0 && fstat(File.Fd, &S) == 0 && S_ISREG(S.st_mode) &&
         readAll(File.Fd, Magic, sizeof(Magic)) == sizeof(Magic) &&
         !memcmp(Magic, SpoolMagic, sizeof(Magic));
}

Result<std::unique_ptr<SpoolFile>> SpoolFile::open(const std::string &Path) {
  const Descriptor File = {::open(Path.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat S;
  if (File.Fd < 0 || fstat(File.Fd, &S))
    return Error{Path, {}, std::strerror(errno)};
  auto Spool = std::make_unique<SpoolFile>();
  // A spool is as long as it may grow; only the blocks handed out hold anything.
  SpoolHeader Header{};
  const ssize_t HeaderSize = readAll(File.Fd, &Header, sizeof(Header));
  if (HeaderSize < 0)
    return Error{Path, 0, std::strerror(errno)};
  Spool->FileBytes = static_cast<uint64_t>(S.st_size);
  uint64_t Used = Spool->FileBytes;
  if (HeaderSize == sizeof(Header) && Header.BlocksClaimed < Used / BlockBytes)
    Used = std::min(Used, HeaderBytes + Header.BlocksClaimed * BlockBytes);
  Spool->Data.resize((Used + 7) / 8);
  lseek(File.Fd, 0, SEEK_SET);
  const ssize_t Size = readAll(File.Fd, Spool->Data.data(), Used);
  if (Size < 0)
    return Error{Path, 0, std::strerror(errno)};
  const SpoolError Wrong = Spool->Reader.open(Spool->Data.data(), static_cast<size_t>(Size));
  if (!Spool->Reader.valid())
    return Error{Path, Wrong.Offset, Wrong.Reason};
  if (Wrong.Reason)
    Spool->Damage = Error{Path, Wrong.Offset, Wrong.Reason};
  if (const SpoolError Site = Spool->Reader.forEachSite([](const SiteView &) {});
      Site.Reason && !Spool->Damage)
    Spool->Damage = Error{Path, Site.Offset, Site.Reason};
  return Spool;
}

Trace readSpool(const SpoolFile &File, const std::string &Path) {
  const SpoolReader &Reader = File.reader();
  const SpoolHeader &H = Reader.header();
  TraceBuilder Builder;
  TraceInfo &Info = Builder.info();
  const auto Bounded = [](const char *Text, size_t Size) {
    return std::string(Text, strnlen(Text, Size));
  };
  Info.Path = Path;
  Info.Bytes = File.bytes();
  Info.Producer = "seamscope spool";
  Info.Mode = H.Mode == 1 ? "profile" : "trace";
  Info.CommandLine = Bounded(H.CommandLine, sizeof(H.CommandLine));
  Info.HostName = Bounded(H.HostName, sizeof(H.HostName));
  if (H.Rank >= 0)
    Info.Rank = H.Rank;
  if (H.WorldSize >= 0)
    Info.WorldSize = H.WorldSize;
  Info.LostEvents = H.LostEvents;
  Info.TwoOpenMP = H.Flags & SpoolTwoOpenMP;
  if (File.damage())
    Builder.note(File.damage()->Reason);

  StringTable &Strings = Builder.strings();
  const StringId Pid = Strings.intern(std::to_string(H.Pid));
  Builder.process(Pid).Name = Strings.intern(Bounded(H.ProcessName, sizeof(H.ProcessName)));

  std::unordered_map<uint32_t, SiteId> Sites;
  std::unordered_map<uint32_t, StringId> SiteNames;
  Reader.forEachSite([&](const SiteView &View) {
    Site S;
    S.Name = Strings.intern(View.Name);
    S.Category = Strings.intern(format::categoryOfKind(View.Kind));
    if (View.Kind < SEAMSCOPE_SITE_OPERATOR)
      S.Kernel = Strings.intern(*View.Kernel ? View.Kernel : View.Name);
    const auto OrNull = [](const char *Json) { return *Json ? Json : "null"; };
    if (*View.Dims)
      S.Inputs = Strings.intern(fmt::format(R"({{"dims":{},"types":{},"strides":{},"values":{}}})",
                                            View.Dims, OrNull(View.Types), OrNull(View.Strides),
                                            OrNull(View.Values)));
    if (View.Kind == SEAMSCOPE_SITE_REGION)
      S.Region = S.Name;
    S.File = Strings.intern(View.File);
    S.Ops = Strings.intern(View.Ops);
    if (*View.LinkageName && std::strcmp(View.LinkageName, View.Name))
      S.LinkageName = Strings.intern(View.LinkageName);
    S.Line = View.Line;
    S.Column = View.Column;
    Sites[View.Id] = Builder.site(S);
    SiteNames[View.Id] = S.Name;
  });
  const auto SiteOf = [&](uint32_t Id) {
    if (const auto Found = Sites.find(Id); Found != Sites.end())
      return Found->second;
    Site S;
    S.Name = S.Kernel = Strings.intern("site " + std::to_string(Id));
    S.Category = Strings.intern("cpu_op");
    return Sites[Id] = Builder.site(S);
  };
  std::unordered_map<uint32_t, TrackId> Tracks;
  Reader.forEachThread([&](uint32_t Index, const ThreadEntry &Entry) {
    const TrackId Track = Builder.track(Pid, Strings.intern(std::to_string(Entry.Tid)));
    Tracks[Index] = Track;
    std::string Name = Bounded(Entry.Name, sizeof(Entry.Name));
    if (Entry.Tid == H.Pid)
      Name = "main";
    else if (Entry.TeamThread > 0)
      Name = fmt::format("OpenMP worker {}", Entry.TeamThread);
    Builder.nameThread(Track, Strings.intern(Name));
  });
  const auto TrackOf = [&](uint32_t Index) {
    if (const auto Found = Tracks.find(Index); Found != Tracks.end())
      return Found->second;
    return Tracks[Index] =
               Builder.track(Pid, Strings.intern(std::to_string(uint64_t{0x80000000u} + Index)));
  };

  uint64_t Refused = 0;
  const auto Check = [&](bool Added) { Refused += !Added; };
  std::unordered_map<uint32_t, int64_t> Abandoned;
  const auto AddAbandoned = [&](uint32_t Site, int64_t Calls) {
    int64_t &Sum = Abandoned[Site];
    if (__builtin_add_overflow(Sum, Calls, &Sum))
      Sum = std::numeric_limits<int64_t>::max();
  };
  Reader.forEachCall(
      [&](const CallView &Call) {
        const uint64_t Begin = Reader.nsSinceStart(Call.BeginTick);
        const uint64_t End = Reader.nsSinceStart(Call.BeginTick + Call.DurationTicks);
        Check(End >= Begin && End <= std::numeric_limits<int64_t>::max() &&
              Builder.addCall(static_cast<int64_t>(Begin), static_cast<int64_t>(End - Begin),
                              SiteOf(Call.Site), TrackOf(Call.Thread), Call.TeamThread));
      },
      [&](Escape Kind, uint64_t, uint32_t Value, uint32_t) {
        if (Kind != EscapeLost)
          AddAbandoned(Value, Kind == EscapeAbandoned ? 1 : -1);
      });
  Reader.forEachOpen([&](uint32_t Thread, const format::OpenCall &Call) {
    Check(Builder.addOpen({static_cast<int64_t>(Reader.nsSinceStart(Call.Begin)), SiteOf(Call.Site),
                           TrackOf(Thread), Call.TeamThread}));
  });
  Reader.forEachProfile([&](const SiteProfile &P) {
    AddAbandoned(P.Site, static_cast<int64_t>(
                             std::min<uint64_t>(P.Abandoned, std::numeric_limits<int64_t>::max())));
    ProfileRow Row;
    Row.Site = SiteOf(P.Site);
    if (!P.Calls)
      return;
    Row.Track = TrackOf(P.Thread);
    Row.TeamThread = P.TeamThread;
    Row.Calls = P.Calls;
    Row.TotalNs = static_cast<int64_t>(Reader.nsOf(P.SumTicks));
    Row.MinNs = static_cast<int64_t>(Reader.nsOf(P.MinTicks));
    Row.MaxNs = static_cast<int64_t>(Reader.nsOf(P.MaxTicks));
    Row.FirstNs = static_cast<int64_t>(Reader.nsSinceStart(P.FirstTick));
    Row.LastNs = static_cast<int64_t>(Reader.nsSinceStart(P.LastTick));
    for (uint32_t I = 0; I < HistogramBuckets; ++I)
      if (P.Histogram[I])
        Row.HistogramNs.emplace_back(static_cast<int64_t>(Reader.nsOf(histogramFloor(I))),
                                     P.Histogram[I]);
    Check(Row.TotalNs >= 0 && Row.MinNs >= 0 && Row.MaxNs >= 0 && Builder.addProfile(Row));
  });
  for (const auto &[Id, Calls] : Abandoned)
    if (Calls > 0 && SiteNames.contains(Id))
      Check(Builder.addAbandoned(SiteNames[Id], static_cast<uint64_t>(Calls)));
  if (Refused)
    Builder.note(fmt::format("{} records with impossible times were left out", Refused));
  return Builder.finish();
}

bool isAbandoned(const std::string &Path) {
  const Descriptor File = {::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
  return File.Fd >= 0 && flock(File.Fd, LOCK_EX | LOCK_NB) == 0;
}

std::vector<std::string> spoolFolders() {
  std::vector<std::string> Folders;
  const auto Add = [&](const char *Folder) {
    if (Folder && *Folder && std::ranges::find(Folders, Folder) == Folders.end())
      Folders.emplace_back(Folder);
  };
  Add(std::getenv("SEAMSCOPE_SPOOL_DIR"));
  Add("/dev/shm");
  Add(std::getenv("TMPDIR"));
  Add("/tmp");
  return Folders;
}

std::vector<std::string> findSpools() {
  namespace fs = std::filesystem;
  const std::string Prefix = fmt::format("seamscope-{}-", getuid());
  std::vector<std::pair<fs::file_time_type, std::string>> Found;
  for (const std::string &Folder : spoolFolders()) {
    std::error_code Ignored;
    for (const auto &Entry : fs::directory_iterator(Folder, Ignored)) {
      const std::string Name = Entry.path().filename().string();
      // Another user's file of this name is not ours to trust.
      struct stat S;
      if (Name.starts_with(Prefix) && Name.ends_with(".spool") &&
          lstat(Entry.path().c_str(), &S) == 0 && S_ISREG(S.st_mode) && S.st_uid == getuid())
        Found.emplace_back(Entry.last_write_time(Ignored), Entry.path().string());
    }
  }
  std::ranges::sort(Found, std::greater<>());
  std::vector<std::string> Paths;
  for (auto &[Time, Path] : Found)
    Paths.push_back(std::move(Path));
  return Paths;
}

} // namespace seamscope::tools
