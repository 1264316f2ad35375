//===- Team.h - threads that measure at the same time ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_MACHINE_TEAM_H
#define SEAMSCOPE_TOOLS_MACHINE_TEAM_H

#include "trace/io/Error.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace seamscope::tools {

/// Times of a number of runs.
struct TeamTimes {
  std::vector<double> Seconds; ///< of each run, from its first thread's begin to the last one's end
  double WallSeconds = 0;      ///< of all runs and all threads
  double CpuSeconds = 0;       ///< that the threads had a processor
};

/// Threads, each on a processor of its own.
class Team {
public:
  using Work = std::function<void(unsigned Thread)>;

  /// A thread on each of \p Processors; an error where one cannot be started.
  static Result<std::unique_ptr<Team>> start(std::span<const unsigned> Processors);
  ~Team();
  Team(const Team &) = delete;
  Team &operator=(const Team &) = delete;

  /// Whether each thread stays on its processor; otherwise the system moves them.
  bool isPinned() const { return Pinned; }

  /// The first \p Threads threads do \p Each once a run, and begin each run together. The caller
  /// sleeps meanwhile.
  TeamTimes run(unsigned Threads, unsigned Runs, const Work &Each);

private:
  struct Task {
    const Work *Each = nullptr;
    unsigned Threads = 0, Runs = 0;
    std::vector<int64_t> Begins, Ends; ///< in ns, Threads for each run
    std::vector<int64_t> Walls, Cpus;  ///< in ns, of each thread
  };

  Team() = default;
  void serve(unsigned Thread);
  void work(unsigned Thread);
  void meet(unsigned Threads);

  std::vector<std::thread> Threads;
  std::mutex Lock;
  std::condition_variable Changed;
  uint64_t Number = 0;  ///< of tasks so far
  unsigned Working = 0; ///< threads that are at the task
  bool Ends = false, Pinned = true;
  Task Now;
  std::atomic<unsigned> Waiting = 0, Turn = 0;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_MACHINE_TEAM_H
