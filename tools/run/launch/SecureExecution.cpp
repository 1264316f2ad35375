//===- SecureExecution.cpp - programs with raised rights ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/launch/SecureExecution.h"

#include "run/launch/PythonCommand.h"
#include "trace/io/InputFile.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// The word of a command that names the program that is finally run.
const std::string *programOf(const std::vector<std::string> &Command) {
  constexpr std::array<std::string_view, 4> Starters = {"env", "nice", "nohup", "setsid"};
  size_t At = 0;
  while (At < Command.size() && std::ranges::find(Starters, Command[At]) != Starters.end()) {
    const auto IsItsOwn = [&](const std::string &Word) {
      return Word.starts_with('-') || Word.find('=') != Word.npos;
    };
    do
      ++At;
    while (At < Command.size() && IsItsOwn(Command[At]));
  }
  return At < Command.size() ? &Command[At] : nullptr;
}

} // namespace

std::string programFile(const std::vector<std::string> &Command) {
  const std::string *Word = programOf(Command);
  return Word ? findProgram(*Word) : std::string();
}

std::string whySecure(const std::vector<std::string> &Command) {
  const std::string *Word = programOf(Command);
  if (!Word || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
    return {};
  const std::string Path = findProgram(*Word);
  struct stat File;
  struct statvfs System;
  if (stat(Path.c_str(), &File) || !S_ISREG(File.st_mode) || access(Path.c_str(), X_OK) ||
      (statvfs(Path.c_str(), &System) == 0 && (System.f_flag & ST_NOSUID)))
    return {};
  // Linux ignores these bits of a script.
  std::array<char, 2> Start{};
  if (const auto File = openRegular(Path);
      File && readUpTo(File->number(), Start.data(), 2) == 2 && Start == std::array{'#', '!'})
    return {};
  const char *How = nullptr;
  if ((File.st_mode & S_ISUID) && File.st_uid != getuid())
    How = "it is setuid";
  else if ((File.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && File.st_gid != getgid())
    How = "it is setgid";
  else if (getuid() != 0 && getxattr(Path.c_str(), "security.capability", nullptr, 0) > 0)
    How = "its file has capabilities";
  if (!How)
    return {};
  return fmt::format("'{}' runs with rights of its own ({}): the system keeps LD_PRELOAD and all "
                     "recording from it; run a copy of it without them",
                     Path, How);
}

} // namespace seamscope::tools
