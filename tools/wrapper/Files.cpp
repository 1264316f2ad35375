//===- Files.cpp - helpers for files and processes -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace seamscope::wrapper {
namespace {

/// Reads until the end or \p Limit bytes; false on an error.
bool readAll(int Fd, size_t Limit, std::string &Text) {
  char Buffer[16384];
  while (Text.size() < Limit) {
    const ssize_t Got = read(Fd, Buffer, sizeof Buffer);
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got <= 0)
      return Got == 0;
    Text.append(Buffer, static_cast<size_t>(Got));
  }
  return true;
}

bool sameFile(const struct stat &A, const struct stat &B) {
  return A.st_dev == B.st_dev && A.st_ino == B.st_ino;
}

} // namespace

bool readFile(const std::string &Path, std::string &Text) {
  constexpr off_t Limit = 64 << 20;
  struct stat Status;
  // Leave pipes to the compiler: opening and closing one here would give its writer a SIGPIPE.
  if (stat(Path.c_str(), &Status) == 0 && !S_ISREG(Status.st_mode))
    return false;
  const int Fd = open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (Fd < 0)
    return false;
  bool Good = fstat(Fd, &Status) == 0 && S_ISREG(Status.st_mode) && Status.st_size <= Limit;
  if (Good) {
    Text.clear();
    Text.reserve(static_cast<size_t>(Status.st_size));
    Good = readAll(Fd, Limit, Text);
  }
  close(Fd);
  return Good;
}

std::string findProgram(const std::string &Name) {
  struct stat Self, Status;
  const bool KnowSelf = stat("/proc/self/exe", &Self) == 0;
  const auto Usable = [&](const std::string &Path) {
    return stat(Path.c_str(), &Status) == 0 && S_ISREG(Status.st_mode) &&
           access(Path.c_str(), X_OK) == 0 && !(KnowSelf && sameFile(Status, Self));
  };
  if (Name.find('/') != std::string::npos)
    return Usable(Name) ? Name : "";
  const char *Env = getenv("PATH");
  const std::string Path = Env ? Env : "/usr/local/bin:/usr/bin:/bin";
  for (size_t Begin = 0; Begin <= Path.size();) {
    const size_t End = std::min(Path.find(':', Begin), Path.size());
    // An empty entry is the current folder.
    const std::string Folder = End == Begin ? "." : Path.substr(Begin, End - Begin);
    if (const std::string Candidate = Folder + "/" + Name; Usable(Candidate))
      return Candidate;
    Begin = End + 1;
  }
  return "";
}

std::string realPath(const std::string &Path) {
  char *Real = realpath(Path.c_str(), nullptr);
  if (!Real)
    return Path;
  const std::string Result = Real;
  free(Real);
  return Result;
}

std::string parentPath(const std::string &Path) {
  const size_t Slash = Path.rfind('/');
  if (Slash == std::string::npos)
    return ".";
  return Slash == 0 ? "/" : Path.substr(0, Slash);
}

std::string fileName(const std::string &Path) {
  const size_t Slash = Path.rfind('/');
  return Slash == std::string::npos ? Path : Path.substr(Slash + 1);
}

std::string outputOf(const std::vector<std::string> &Command) {
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0)
    return "";
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, Pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&Actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&Actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char *> Argv;
  for (const std::string &Arg : Command)
    Argv.push_back(const_cast<char *>(Arg.c_str()));
  Argv.push_back(nullptr);
  pid_t Child;
  const int Error =
      posix_spawn(&Child, Command[0].c_str(), &Actions, nullptr, Argv.data(), environ);
  posix_spawn_file_actions_destroy(&Actions);
  close(Pipe[1]);
  std::string Text;
  if (Error == 0) {
    readAll(Pipe[0], 64 << 10, Text);
    close(Pipe[0]);
    int Status;
    while (waitpid(Child, &Status, 0) < 0 && errno == EINTR)
      ;
  } else {
    close(Pipe[0]);
  }
  return Text;
}

} // namespace seamscope::wrapper
