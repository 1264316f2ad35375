//===- Launch.cpp - starts the program of a run --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/launch/Launch.h"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>
#include <vector>

namespace seamscope::tools {
namespace {

/// The program that is being run, for the signal handler.
volatile sig_atomic_t ChildPid = 0;

void forwardSignal(int Signal, siginfo_t *From, void *) {
  // Terminal signals go to the whole group, so the program already gets them.
  if (ChildPid > 0 && From->si_code <= 0)
    kill(ChildPid, Signal);
}

/// During its lifetime, forwards signals from other processes. A signal that the caller had ignored
/// stays ignored.
class SignalsForwarded {
public:
  SignalsForwarded() {
    for (const int Signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) {
      struct sigaction Before, New{};
      if (sigaction(Signal, nullptr, &Before) != 0 || Before.sa_handler == SIG_IGN)
        continue;
      New.sa_sigaction = forwardSignal;
      New.sa_flags = SA_SIGINFO | SA_RESTART;
      if (sigaction(Signal, &New, nullptr) == 0)
        Old.emplace_back(Signal, Before);
    }
  }
  // After the program, its report can be interrupted like any command.
  ~SignalsForwarded() {
    for (const auto &[Signal, Before] : Old)
      sigaction(Signal, &Before, nullptr);
  }
  SignalsForwarded(const SignalsForwarded &) = delete;
  SignalsForwarded &operator=(const SignalsForwarded &) = delete;

private:
  std::vector<std::pair<int, struct sigaction>> Old;
};

/// During its lifetime, this process is notified how its children ended, even if it was started
/// with SIGCHLD ignored, which the program inherits.
class ChildrenWaitedFor {
public:
  ChildrenWaitedFor() {
    struct sigaction Default{};
    Default.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &Default, &Old);
  }
  ~ChildrenWaitedFor() { restore(); }
  ChildrenWaitedFor(const ChildrenWaitedFor &) = delete;
  ChildrenWaitedFor &operator=(const ChildrenWaitedFor &) = delete;
  void restore() const { sigaction(SIGCHLD, &Old, nullptr); }

private:
  struct sigaction Old{};
};

/// All signals blocked until restore().
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t All;
    sigfillset(&All);
    sigprocmask(SIG_SETMASK, &All, &Old);
  }
  void restore() const { sigprocmask(SIG_SETMASK, &Old, nullptr); }

private:
  sigset_t Old;
};

/// In the child: nothing to read, and \p Output to write to.
bool redirect(const char *Output) {
  const int Nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int To = open(Output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  return Nothing >= 0 && To >= 0 && dup2(Nothing, STDIN_FILENO) >= 0 &&
         dup2(To, STDOUT_FILENO) >= 0 && dup2(To, STDERR_FILENO) >= 0;
}

} // namespace

Ended launch(const std::vector<std::string> &Command, const std::string &Output) {
  // A pipe that exec closes shows whether the program started.
  int Started[2];
  if (pipe2(Started, O_CLOEXEC) != 0)
    return {.Why = errno};
  // Signals wait until their target is known.
  const SignalsBlocked Blocked;
  const SignalsForwarded Forwarded;
  const ChildrenWaitedFor Waited;
  const pid_t Child = fork();
  if (Child < 0) {
    const int Why = errno;
    close(Started[0]);
    close(Started[1]);
    return {.Why = Why};
  }
  if (Child == 0) {
    std::vector<char *> Words;
    for (const std::string &Word : Command)
      Words.push_back(const_cast<char *>(Word.c_str()));
    Words.push_back(nullptr);
    Waited.restore();
    Blocked.restore();
    if (Output.empty() || redirect(Output.c_str()))
      execvp(Words[0], Words.data());
    const int Why = errno;
    [[maybe_unused]] const ssize_t Bytes = write(Started[1], &Why, sizeof(Why));
    _exit(127);
  }
  ChildPid = Child;
  Blocked.restore();
  close(Started[1]);
  int Why = 0;
  ssize_t Bytes;
  do
    Bytes = read(Started[0], &Why, sizeof(Why));
  while (Bytes < 0 && errno == EINTR);
  close(Started[0]);
  int Status = 0;
  rusage Use{};
  while (wait4(Child, &Status, 0, &Use) < 0 && errno != ECHILD)
    ; // the program runs despite any error
  timespec End{};
  clock_gettime(CLOCK_MONOTONIC, &End);
  ChildPid = 0;
  constexpr int64_t Second = 1'000'000'000, Microsecond = 1'000;
  return {Child,
          Bytes == sizeof(Why) ? Why : 0,
          Status,
          static_cast<uint64_t>(End.tv_sec * Second + End.tv_nsec),
          (Use.ru_utime.tv_sec + Use.ru_stime.tv_sec) * Second +
              (Use.ru_utime.tv_usec + Use.ru_stime.tv_usec) * Microsecond,
          static_cast<uint64_t>(Use.ru_nivcsw)};
}

} // namespace seamscope::tools
