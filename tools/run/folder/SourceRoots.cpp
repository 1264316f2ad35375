//===- SourceRoots.cpp - where sources that a trace names are read from ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/folder/SourceRoots.h"
#include "run/folder/OwnCache.h"
#include "trace/io/InputFile.h"

#include "trace/io/FileUse.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

/// A generated file is a few hundred lines; a far larger file is something else.
constexpr uint64_t LargestSource = 16 << 20;

std::string variable(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

/// Seamscope's and torch's Inductor caches for this user.
std::vector<std::string> inductorCaches() {
  std::vector<std::string> Caches;
  if (const std::string Set = variable("TORCHINDUCTOR_CACHE_DIR"); !Set.empty())
    Caches.push_back(Set);
  if (!variable("XDG_CACHE_HOME").empty() || !variable("HOME").empty())
    Caches.push_back(ownCache());
  // Torch's default folder is in a folder that everybody can write to.
  std::error_code Failed;
  const fs::path Temporary = fs::temp_directory_path(Failed);
  const passwd *Entry = getpwuid(geteuid());
  if (Entry && !Failed) {
    const std::string Cache =
        (Temporary / fmt::format("torchinductor_{}", Entry->pw_name)).string();
    struct stat Status;
    if (lstat(Cache.c_str(), &Status) == 0 && S_ISDIR(Status.st_mode) && Status.st_uid == geteuid())
      Caches.push_back(Cache);
  }
  return Caches;
}

/// The path with links resolved; empty: there is no such file.
std::string resolved(const std::string &Path) {
  std::error_code Failed;
  const fs::path Result = fs::canonical(Path, Failed);
  if (Failed)
    noteUnread(Path, Failed.value());
  return Failed ? std::string() : Result.string();
}

Error outside(const std::string &Path) {
  return {Path,
          {},
          "is not read: it lies outside of the run's folder, of this user's Inductor caches and of "
          "every --root DIR"};
}

} // namespace

SourceRoots::SourceRoots(const std::string &RunFolder, const std::vector<std::string> &Given) {
  std::vector<std::string> All = inductorCaches();
  if (!RunFolder.empty())
    All.push_back(RunFolder);
  All.insert(All.end(), Given.begin(), Given.end());
  for (const std::string &Folder : All)
    if (const std::string Known = resolved(Folder); !Known.empty())
      Roots.push_back(Known);
}

bool SourceRoots::contains(const std::string &Resolved) const {
  return std::ranges::any_of(Roots, [&](const std::string &Root) {
    return Root == "/" || (Resolved.starts_with(Root) && Resolved.size() > Root.size() &&
                           Resolved[Root.size()] == '/');
  });
}

bool SourceRoots::isOutside(const std::string &Path) const {
  const std::string Known = resolved(Path);
  return !Known.empty() && !contains(Known);
}

std::string SourceRoots::locate(const std::string &Path) const {
  std::string Known = resolved(Path);
  if (fs::path(Path).is_relative())
    for (auto Root = Roots.begin(); Known.empty() && Root != Roots.end(); ++Root)
      Known = resolved(*Root + '/' + Path);
  return Known;
}

Result<std::string> SourceRoots::read(const std::string &Path) const {
  const std::string Known = locate(Path);
  if (Known.empty())
    return Error{Path, {}, std::strerror(ENOENT)};
  if (!contains(Known))
    return outside(Path);
  const auto File = openRegular(Known, O_NOFOLLOW);
  if (!File)
    return Error{Path, {}, File.error().Reason};
  const std::string Opened = fmt::format("/proc/self/fd/{}", File->number());
  // A folder on the way may have become a link since then.
  if (!contains(resolved(Opened)))
    return outside(Path);
  auto Text = readRegular(Opened, LargestSource);
  return Text ? std::move(Text) : Error{Path, {}, Text.error().Reason};
}

} // namespace seamscope::tools
