//===- Progress.cpp - progress of reading, on a terminal ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Verbs.h"
#include "trace/io/Escape.h"

#include <chrono>
#include <memory>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

using Clock = std::chrono::steady_clock;

/// A line that overwrites itself and is removed at the end.
class ProgressLine {
public:
  ProgressLine(std::string Path, const char *Doing) : Path(std::move(Path)), Doing(Doing) {}
  ~ProgressLine() {
    if (Shown)
      say("\r\x1b[K");
  }
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  void show(double Fraction) {
    using namespace std::chrono_literals;
    const Clock::time_point Now = Clock::now();
    if (Now - Begin < 1s || Now - Last < 100ms)
      return;
    Last = Now;
    Shown = true;
    const std::string Part = Fraction > 0 ? fmt::format(" {:.0f} %", 100 * Fraction) : "";
    say(fmt::format("\r\x1b[K{}: {}{}", shortened(escaped(Path), 60), Doing, Part));
  }

private:
  std::string Path;
  const char *Doing;
  Clock::time_point Begin = Clock::now(), Last = Begin;
  bool Shown = false;
};

} // namespace

void addThreadsOption(CLI::App &Verb, unsigned &Threads) {
  Verb.add_option("--threads", Threads,
                  "Threads that read JSON; default: one for each processor. The result does not "
                  "depend on it")
      ->check(CLI::Range(1u, 1024u));
}

std::function<void(double)> progressLine(const std::string &Path, const char *Doing) {
  if (!isatty(STDERR_FILENO))
    return {};
  return [Line = std::make_shared<ProgressLine>(Path, Doing)](double Done) { Line->show(Done); };
}

ReadOptions readOptions(const std::string &Path, unsigned Threads, ReadOptions Keep) {
  Keep.Threads = Threads;
  Keep.Progress = progressLine(Path, "reading");
  return Keep;
}

SpoolWriting spoolWriting(const std::string &Out) {
  SpoolWriting How;
  How.Progress = progressLine(Out, "writing");
  return How;
}

} // namespace seamscope::tools
