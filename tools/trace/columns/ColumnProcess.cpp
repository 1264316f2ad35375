//===- ColumnProcess.cpp - the process that reads Parquet files -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/columns/ColumnProcess.h"

#include "trace/io/OwnTree.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

std::string &givenPython() {
  static std::string Given;
  return Given;
}

/// The environment of this process, but for the package's folder, and without what would record.
std::vector<std::string> environmentWith(const std::string &Package) {
  std::vector<std::string> Made = {"SEAMSCOPE=off", "PYTHONPATH=" + pythonPathWith(Package)};
  for (char **Each = environ; *Each; ++Each) {
    const std::string_view Entry = *Each;
    if (!Entry.starts_with("PYTHONPATH=") && !Entry.starts_with("SEAMSCOPE=") &&
        !Entry.starts_with("LD_PRELOAD="))
      Made.emplace_back(Entry);
  }
  return Made;
}

std::vector<char *> pointersTo(std::vector<std::string> &Texts) {
  std::vector<char *> Made;
  for (std::string &Each : Texts)
    Made.push_back(Each.data());
  Made.push_back(nullptr);
  return Made;
}

} // namespace

void setColumnPython(std::string Program) { givenPython() = std::move(Program); }

ColumnProcess::ColumnProcess(const std::string &Folder, const std::vector<std::string> &Tables)
    : Python(givenPython().empty() ? pythonProgram() : givenPython()) {
  const std::string Package = pythonPackageFolder().string();
  if (Package.empty()) {
    Failed =
        Error{ownPrefix().string(), {}, "lacks share/seamscope/python: install the whole package"};
    return;
  }
  std::vector<std::string> Words = {Python, "-m", "seamscope._columns", "--", Folder};
  Words.insert(Words.end(), Tables.begin(), Tables.end());
  std::vector<std::string> Environment = environmentWith(Package);
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC) != 0) {
    Failed = Error{Folder, {}, fmt::format("no pipe: {}", std::strerror(errno))};
    return;
  }
  fcntl(Ends[0], F_SETPIPE_SZ, 1 << 20); // fewer turns of the two processes; may be refused
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_addopen(&Actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&Actions, Ends[1], STDOUT_FILENO);
  const int Why = posix_spawnp(&Child, Python.c_str(), &Actions, nullptr, pointersTo(Words).data(),
                               pointersTo(Environment).data());
  posix_spawn_file_actions_destroy(&Actions);
  close(Ends[1]);
  Output = fdopen(Ends[0], "r");
  if (Why != 0) {
    Child = -1;
    Failed =
        Error{Python,
              {},
              fmt::format("cannot be started: {}; SEAMSCOPE_PYTHON names a Python with pyarrow",
                          std::strerror(Why))};
  }
}

ColumnProcess::~ColumnProcess() {
  if (Output)
    fclose(Output); // ends it, if it still writes
  if (Child > 0) {
    kill(Child, SIGTERM);
    waitpid(Child, nullptr, 0);
  }
}

std::optional<Error> ColumnProcess::whyEnded() {
  int Status = 0;
  if (waitpid(std::exchange(Child, -1), &Status, 0) < 0 ||
      (WIFEXITED(Status) && WEXITSTATUS(Status) == 0))
    return std::nullopt;
  return Error{
      Python,
      {},
      WIFSIGNALED(Status)
          ? fmt::format("was ended by signal {} while it read Parquet files", WTERMSIG(Status))
          : "could not read Parquet files: is the package seamscope of this version?"};
}

} // namespace seamscope::tools
