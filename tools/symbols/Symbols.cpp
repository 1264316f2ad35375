//===- Symbols.cpp - what the code at an address is --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "symbols/Symbols.h"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {

SymbolFinder::Opened &SymbolFinder::open(const MappedFile &Of) {
  if (Last.first && *Last.first == Of)
    return *Last.second;
  const auto [Known, New] = Files.try_emplace(Of);
  Opened &Its = Known->second;
  Last = {&Known->first, &Its};
  // "[vdso]" and "//anon" are not files.
  if (!New || !Of.Path.starts_with('/') || Of.Path.starts_with("//"))
    return Its;
  auto File = ElfFile::open(Of.Path);
  if (!File) {
    Complaints.push_back(
        fmt::format("{}: {}; its code has no names", Of.Path, File.error().Reason));
    return Its;
  }
  // The kernel finds a build-id in the first page of a file only.
  if (!Of.BuildId.empty() && (*File)->buildId() != Of.BuildId) {
    Complaints.push_back(fmt::format(
        "{} is another build than the recorded one: build-id {}, recorded {}; its code has no "
        "names",
        Of.Path, (*File)->buildId().empty() ? "none" : (*File)->buildId(), Of.BuildId));
    return Its;
  }
  if (Of.BuildId.empty() && RecordedNs && (*File)->writtenNs() > *RecordedNs) {
    Complaints.push_back(fmt::format("{} was written after the recording, which has no build-id of "
                                     "it; its code has no names",
                                     Of.Path));
    return Its;
  }
  Its.File = std::move(*File);
  Its.Lines = std::make_unique<DebugLines>(*Its.File);
  if (!Its.Lines->any())
    if ((Its.Debug = openDebug(*Its.File)))
      Its.Lines = std::make_unique<DebugLines>(*Its.Debug);
  return Its;
}

/// Where distributions put debug information, by build-id and by the name in the file. It is used
/// only if it belongs to this very build.
std::unique_ptr<ElfFile> SymbolFinder::openDebug(const ElfFile &Of) const {
  const std::string &Id = Of.buildId();
  if (Id.size() < 4)
    return nullptr;
  std::vector<std::string> Paths{
      fmt::format("/usr/lib/debug/.build-id/{}/{}.debug", Id.substr(0, 2), Id.substr(2))};
  if (const std::string Name = Of.debugLink(); !Name.empty() && Name.find('/') == Name.npos) {
    const std::string Folder = Of.path().substr(0, Of.path().rfind('/') + 1);
    for (const std::string &In : {Folder, Folder + ".debug/", "/usr/lib/debug" + Folder})
      Paths.push_back(In + Name);
  }
  for (const std::string &Path : Paths)
    if (auto File = ElfFile::open(Path); File && (*File)->buildId() == Id)
      return std::move(*File);
  return nullptr;
}

const ElfFile *SymbolFinder::fileOf(const MappedFile &Of) { return open(Of).File.get(); }

const CodePlace &SymbolFinder::at(const MappedFile &Of, uint64_t FileOffset) {
  Opened &In = open(Of);
  const auto [Known, New] = In.Places.try_emplace(FileOffset);
  CodePlace &Place = Known->second;
  if (!New || !In.File)
    return Place;
  const std::optional<uint64_t> Address = In.File->addressOf(FileOffset);
  if (!Address)
    return Place;
  Place.Frames = In.Lines->at(*Address);
  // A library's debug information has its own names for functions that it exports.
  FunctionName Name = In.File->functionAt(*Address);
  if (Name.IsExported || Place.Frames.empty() || Place.Frames.back().Function.empty()) {
    if (Name.Text.empty() && In.Debug)
      Name = In.Debug->functionAt(*Address);
    if (Name.Text.empty())
      return Place;
    if (Place.Frames.empty())
      Place.Frames.emplace_back();
    // "pthread_cond_wait@@GLIBC_2.3.2"
    Place.Frames.back().Function = demangled(std::string(Name.Text.substr(0, Name.Text.find('@'))));
  }
  return Place;
}

JitNames::JitNames(const std::string &Pid, std::optional<int64_t> SinceNs,
                   const std::string &Folder) {
  constexpr off_t MostBytes = off_t{1} << 28;
  if (Pid.empty() || !std::ranges::all_of(Pid, [](char C) { return C >= '0' && C <= '9'; }))
    return;
  const std::string Path = fmt::format("{}/perf-{}.map", Folder, Pid);
  const int File = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
  if (File < 0)
    return;
  struct stat About = {};
  std::string Text;
  if (fstat(File, &About) == 0 && S_ISREG(About.st_mode) && About.st_uid == geteuid() &&
      About.st_size <= MostBytes &&
      (!SinceNs ||
       int64_t{About.st_mtim.tv_sec} * 1000000000 + About.st_mtim.tv_nsec >= *SinceNs)) {
    Text.resize(static_cast<size_t>(About.st_size));
    const ssize_t Got = ::read(File, Text.data(), Text.size());
    Text.resize(static_cast<size_t>(std::max<ssize_t>(Got, 0)));
  }
  close(File);
  // Lines "START SIZE NAME", in hexadecimal.
  for (size_t At = 0; At < Text.size();) {
    const size_t End = std::min(Text.find('\n', At), Text.size());
    const char *From = Text.data() + At, *const To = Text.data() + End;
    uint64_t Begin = 0, Bytes = 0;
    const auto First = std::from_chars(From, To, Begin, 16);
    if (First.ec == std::errc() && First.ptr < To && *First.ptr == ' ') {
      const auto Second = std::from_chars(First.ptr + 1, To, Bytes, 16);
      if (Second.ec == std::errc() && Second.ptr < To && *Second.ptr == ' ' &&
          Begin + Bytes > Begin)
        All.push_back({Begin, Begin + Bytes, std::string(Second.ptr + 1, To)});
    }
    At = End + 1;
  }
  std::ranges::stable_sort(All, {}, &Named::Begin);
}

const std::string &JitNames::at(uint64_t Address) const {
  static const std::string None;
  const auto After = std::ranges::upper_bound(All, Address, {}, &Named::Begin);
  return After != All.begin() && std::prev(After)->End > Address ? std::prev(After)->Name : None;
}

} // namespace seamscope::tools
