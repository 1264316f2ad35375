//===- Timed.cpp - timing of compilations ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Timed.h"
#include "Report.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace seamscope::wrapper {
namespace {

using std::chrono::steady_clock, std::chrono::system_clock;

template <typename Duration> int64_t nsOf(Duration Time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Time).count();
}

/// Appends the line in one write, so that lines of other processes do not mix with it. O_NONBLOCK
/// keeps a pipe that nobody reads from blocking the compiler.
void append(const std::string &File, const std::string &Line) {
  const int Out =
      open(File.c_str(),
           O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
  struct stat Status;
  if (Out >= 0 && fstat(Out, &Status) == 0 && !S_ISREG(Status.st_mode))
    warn("SEAMSCOPE_COMPILER_TIMES: " + File + ": is not a regular file");
  else if (Out < 0 || write(Out, Line.data(), Line.size()) != static_cast<ssize_t>(Line.size()))
    warn("SEAMSCOPE_COMPILER_TIMES: " + File + ": " + strerror(errno));
  if (Out >= 0)
    close(Out);
}

} // namespace

std::string compilerTimesFile() {
  const char *Value = getenv("SEAMSCOPE_COMPILER_TIMES");
  return Value ? Value : "";
}

void become(const std::vector<std::string> &Command) {
  std::vector<char *> Argv;
  for (const std::string &Arg : Command)
    Argv.push_back(const_cast<char *>(Arg.c_str()));
  Argv.push_back(nullptr);
  execv(Argv[0], Argv.data());
  fail("cannot run " + Command[0] + ": " + strerror(errno));
}

void runTimed(const std::vector<std::string> &Command, const std::string &Source,
              const std::string &File) {
  const int64_t Wall = nsOf(system_clock::now().time_since_epoch());
  const steady_clock::time_point Begin = steady_clock::now();
  const pid_t Self = getpid(), Compiler = fork();
  if (Compiler < 0)
    become(Command); // cannot fork: compile without timing
  if (Compiler == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != Self)
      raise(SIGTERM);
    become(Command);
  }
  int Status = 0;
  while (waitpid(Compiler, &Status, 0) < 0 && errno == EINTR) {
  }
  const int64_t Ns = nsOf(steady_clock::now() - Begin);
  const int Signal = WIFSIGNALED(Status) ? WTERMSIG(Status) : 0;
  const int Exit = Signal ? 128 + Signal : WEXITSTATUS(Status);
  append(File, nlohmann::ordered_json(
                   {{"source", Source}, {"begin_ns", Wall}, {"ns", Ns}, {"exit", Exit}})
                       .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
                   '\n');
  if (Signal) {
    signal(Signal, SIG_DFL);
    raise(Signal);
  }
  exit(Exit);
}

} // namespace seamscope::wrapper
