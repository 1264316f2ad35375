//===- Pager.cpp - shows text in a pager -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Pager.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace seamscope::tools {
namespace {

/// The command line of the pager; empty: do not page.
std::string pagerCommand() {
  for (const char *Name : {"SEAMSCOPE_PAGER", "PAGER"})
    if (const char *Set = std::getenv(Name))
      return Set == std::string_view("cat") ? "" : Set;
  const char *Terminal = std::getenv("TERM");
  // less asks before it uses a dumb terminal.
  return Terminal && Terminal != std::string_view("dumb") ? "less" : "";
}

/// Whether the shell would find the first word of \p Command, if it is a plain word.
bool isThere(const std::string &Command) {
  const std::string Word = Command.substr(0, Command.find(' '));
  if (Word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "+-./_") != Word.npos)
    return true;
  if (Word.find('/') != Word.npos)
    return !access(Word.c_str(), X_OK);
  const char *Path = std::getenv("PATH");
  for (std::string Rest = Path ? Path : "/usr/bin:/bin"; !Rest.empty();) {
    const size_t End = Rest.find(':');
    if (!access((Rest.substr(0, End) + "/" + Word).c_str(), X_OK))
      return true;
    Rest = End == Rest.npos ? "" : Rest.substr(End + 1);
  }
  return false;
}

} // namespace

std::unique_ptr<Pager> Pager::start() {
  if (!isatty(STDOUT_FILENO))
    return nullptr;
  const std::string Command = pagerCommand();
  int Ends[2];
  if (Command.empty() || !isThere(Command) || pipe2(Ends, O_CLOEXEC))
    return nullptr;
  // As git does: end on one screen, pass colours through, leave the screen as it is.
  setenv("LESS", "FRX", /*overwrite=*/0);
  setenv("LV", "-c", /*overwrite=*/0);
  std::fflush(stdout);
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, Ends[0], STDIN_FILENO);
  std::string Shell = "sh", Option = "-c", Line = Command;
  char *const Words[] = {Shell.data(), Option.data(), Line.data(), nullptr};
  pid_t Program = 0;
  const int Failed = posix_spawn(&Program, "/bin/sh", &Actions, nullptr, Words, environ);
  posix_spawn_file_actions_destroy(&Actions);
  close(Ends[0]);
  if (Failed) {
    close(Ends[1]);
    return nullptr;
  }
  // Interrupts go to the pager.
  for (const int Signal : {SIGINT, SIGQUIT, SIGPIPE})
    std::signal(Signal, SIG_IGN);
  return std::unique_ptr<Pager>(new Pager(Program, Ends[1]));
}

Pager::~Pager() {
  close(Input);
  int Status = 0;
  while (waitpid(Program, &Status, 0) < 0 && errno == EINTR)
    ;
  for (const int Signal : {SIGINT, SIGQUIT, SIGPIPE})
    std::signal(Signal, SIG_DFL);
}

void Pager::write(std::string_view Text) {
  while (!Text.empty() && !Left) {
    const ssize_t Count = ::write(Input, Text.data(), Text.size());
    if (Count >= 0)
      Text.remove_prefix(static_cast<size_t>(Count));
    else if (errno != EINTR)
      Left = true;
  }
}

} // namespace seamscope::tools
