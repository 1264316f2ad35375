//===- OwnCache.cpp - cache of compiled kernels between runs --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/folder/OwnCache.h"

#include "trace/io/Descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <list>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char *OthersMayWrite = "others may write to it";

/// Walks a path entry by entry, opening each one relative to the previous, so that nothing already
/// checked can change.
class Walk {
public:
  explicit Walk(const fs::path &Folder) : Left(Folder.begin(), Folder.end()) {}

  std::optional<Error> run() {
    while (!Left.empty()) {
      const std::string Name = Left.front();
      Left.pop_front();
      if (Name.empty() || Name == ".")
        continue;
      if (const std::string Why = Name == "/" ? enterRoot() : enter(Name); !Why.empty())
        return Error{Name == "/" ? Name : Path, {}, Why};
    }
    if (Status.st_uid != geteuid())
      return Error{Path, {}, "belongs to another user"};
    if (Status.st_mode & 022)
      return Error{Path, {}, OthersMayWrite};
    return std::nullopt;
  }

private:
  std::string enterRoot() {
    Path = "";
    return open(AT_FDCWD, "/");
  }

  std::string enter(const std::string &Name) {
    const Descriptor From = std::move(Here);
    const std::string Parent = Path;
    Path += "/" + Name;
    struct stat Found;
    const auto IsThere = [&] {
      return fstatat(From.number(), Name.c_str(), &Found, AT_SYMLINK_NOFOLLOW) == 0;
    };
    if (!IsThere()) {
      // Another process may have made it meanwhile.
      if (mkdirat(From.number(), Name.c_str(), 0700) != 0 && errno != EEXIST)
        return std::string("cannot be made: ") + std::strerror(errno);
      if (!IsThere())
        return std::strerror(errno);
    }
    if (Shared && Found.st_uid != geteuid() && Found.st_uid != 0)
      return "belongs to another user";
    if (!S_ISLNK(Found.st_mode))
      return open(From.number(), Name.c_str());
    char Target[PATH_MAX];
    const ssize_t Size = readlinkat(From.number(), Name.c_str(), Target, sizeof Target);
    if (Size < 0 || ++Links > 40)
      return std::strerror(Size < 0 ? errno : ELOOP);
    const fs::path Next(std::string(Target, static_cast<size_t>(Size)));
    Left.insert(Left.begin(), Next.begin(), Next.end());
    Path = Parent;
    Here = Descriptor(openat(From.number(), ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    return {};
  }

  std::string open(int From, const char *Name) {
    Here = Descriptor(openat(From, Name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!Here || fstat(Here.number(), &Status) != 0)
      return std::strerror(errno);
    const bool ByAll = Status.st_mode & S_IWOTH;
    if ((ByAll || (Shared && Status.st_mode & S_IWGRP)) && !(Status.st_mode & S_ISVTX))
      return OthersMayWrite;
    Shared |= ByAll;
    return {};
  }

  std::list<std::string> Left;
  std::string Path; ///< so far; empty: the root
  Descriptor Here;
  struct stat Status{};
  bool Shared = false; ///< everybody can create entries in a folder on the way
  unsigned Links = 0;
};

std::string variable(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

} // namespace

std::string ownCache() {
  const std::string Base = variable("XDG_CACHE_HOME"), Home = variable("HOME");
  return (!Base.empty()   ? fs::path(Base)
          : !Home.empty() ? fs::path(Home) / ".cache"
                          : fs::path("/tmp") / fmt::format("seamscope-{}", getuid())) /
         "seamscope";
}

std::optional<Error> makePrivate(const std::string &Folder) {
  std::error_code Failed;
  const fs::path Absolute = fs::absolute(Folder, Failed);
  return Failed ? Error{Folder, {}, Failed.message()} : Walk(Absolute).run();
}

} // namespace seamscope::tools
