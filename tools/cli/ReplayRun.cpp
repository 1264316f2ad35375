//===- ReplayRun.cpp - runs compilers and replayed kernels ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/ReplayRun.h"
#include "run/launch/Launch.h"
#include "trace/io/InputFile.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sys/wait.h>

#include <fmt/format.h>

namespace seamscope::tools {

namespace fs = std::filesystem;

/// The first line of a command's output that reports an error, else the last one.
static std::string errorLine(const std::string &Path) {
  const auto Text = readRegular(Path, LargestOutput);
  if (!Text)
    return {};
  std::string_view Last;
  for (std::string_view Rest = *Text; !Rest.empty();) {
    const size_t End = std::min(Rest.find('\n'), Rest.size());
    Last = Rest.substr(0, std::min<size_t>(End, 300));
    if (Last.find("error:") != Last.npos)
      break;
    Rest.remove_prefix(std::min(End + 1, Rest.size()));
  }
  return std::string(Last);
}

std::optional<Error> runQuietly(const std::vector<std::string> &Command, const std::string &Log,
                                const std::string &Name) {
  const Ended End = launch(Command, Log);
  if (End.Why)
    return Error{Name, {}, fmt::format("cannot be started: {}", std::strerror(End.Why))};
  if (WIFEXITED(End.Status) && WEXITSTATUS(End.Status) == 0)
    return std::nullopt;
  const std::string Last = errorLine(Log);
  return Error{Log,
               {},
               fmt::format("{} {}{}{}", Name,
                           WIFSIGNALED(End.Status)
                               ? fmt::format("was ended by signal {}", WTERMSIG(End.Status))
                               : "failed",
                           Last.empty() ? "" : ": ", Last)};
}

std::optional<Error> runQuietly(const std::vector<std::string> &Command, const std::string &Log) {
  return runQuietly(Command, Log, Command[0]);
}

std::optional<Error> runReplay(std::vector<std::string> Program, const ReplayRun &As) {
  std::error_code Ignored;
  fs::remove(fs::path(As.Folder) / As.Output, Ignored); // of an earlier time
  std::vector<std::string> Command = {"env", "-C", As.Folder};
  Command.insert(Command.end(), Program.begin(), Program.end());
  Command.insert(Command.end(), {"--json", As.Output, "--seconds", fmt::to_string(As.Seconds)});
  if (As.Threads)
    Command.insert(Command.end(), {"--threads", std::to_string(As.Threads)});
  Command.insert(Command.end(), As.More.begin(), As.More.end());
  return runQuietly(Command, (fs::path(As.Folder) / "run.log").string(), "the kernel as a program");
}

} // namespace seamscope::tools
