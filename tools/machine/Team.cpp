//===- Team.cpp - threads that measure at the same time -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine/Team.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

int64_t nowNs(clockid_t Clock) {
  timespec Time{};
  clock_gettime(Clock, &Time);
  return int64_t{Time.tv_sec} * 1'000'000'000 + Time.tv_nsec;
}

bool pin(std::thread &Which, unsigned Processor) {
  std::vector<cpu_set_t> Mask(Processor / CPU_SETSIZE + 1);
  const size_t Bytes = Mask.size() * sizeof(cpu_set_t);
  CPU_ZERO_S(Bytes, Mask.data());
  CPU_SET_S(Processor, Bytes, Mask.data());
  return pthread_setaffinity_np(Which.native_handle(), Bytes, Mask.data()) == 0;
}

} // namespace

Result<std::unique_ptr<Team>> Team::start(std::span<const unsigned> Processors) {
  std::unique_ptr<Team> New(new Team);
  for (unsigned I = 0; I < Processors.size(); ++I) {
    try {
      New->Threads.emplace_back([Of = New.get(), I] { Of->serve(I); });
    } catch (const std::system_error &Failed) {
      return Error{"machine",
                   {},
                   fmt::format("cannot start thread {} of {}: {}; is there a limit (ulimit -u)?",
                               I + 1, Processors.size(), Failed.code().message())};
    }
    New->Pinned &= pin(New->Threads.back(), Processors[I]);
  }
  return New;
}

Team::~Team() {
  {
    const std::lock_guard Hold(Lock);
    Ends = true;
  }
  Changed.notify_all();
  for (std::thread &Each : Threads)
    Each.join();
}

void Team::serve(unsigned Thread) {
  for (uint64_t Done = 0;;) {
    {
      std::unique_lock Hold(Lock);
      Changed.wait(Hold, [&] { return Ends || Number != Done; });
      if (Ends)
        return;
      Done = Number;
      if (Thread >= Now.Threads)
        continue;
    }
    work(Thread);
    const std::lock_guard Hold(Lock);
    if (--Working == 0)
      Changed.notify_all();
  }
}

void Team::meet(unsigned Count) {
  const unsigned Before = Turn.load();
  if (Waiting.fetch_add(1) + 1 == Count) {
    Waiting = 0;
    ++Turn;
    return;
  }
  // Threads of a team that lacks a processor must not keep each other from running.
  for (unsigned Spins = 0; Turn.load() == Before; ++Spins)
    if (Spins > 10'000)
      sched_yield();
}

void Team::work(unsigned Thread) {
  const int64_t Cpu = nowNs(CLOCK_THREAD_CPUTIME_ID), Begin = nowNs(CLOCK_MONOTONIC);
  for (unsigned I = 0; I < Now.Runs; ++I) {
    meet(Now.Threads);
    Now.Begins[I * Now.Threads + Thread] = nowNs(CLOCK_MONOTONIC);
    (*Now.Each)(Thread);
    Now.Ends[I * Now.Threads + Thread] = nowNs(CLOCK_MONOTONIC);
  }
  Now.Walls[Thread] = nowNs(CLOCK_MONOTONIC) - Begin;
  Now.Cpus[Thread] = nowNs(CLOCK_THREAD_CPUTIME_ID) - Cpu;
}

TeamTimes Team::run(unsigned Count, unsigned Runs, const Work &Each) {
  std::unique_lock Hold(Lock);
  Now.Each = &Each;
  Now.Threads = Count;
  Now.Runs = Runs;
  Now.Begins.assign(size_t{Count} * Runs, 0);
  Now.Ends = Now.Begins;
  Now.Walls.assign(Count, 0);
  Now.Cpus = Now.Walls;
  Working = Count;
  ++Number;
  Changed.notify_all();
  Changed.wait(Hold, [&] { return Working == 0; });

  TeamTimes Times;
  for (unsigned I = 0; I < Runs; ++I) {
    const auto First = Now.Begins.begin() + ptrdiff_t{I} * Count;
    const auto Last = Now.Ends.begin() + ptrdiff_t{I} * Count;
    const int64_t Ns =
        *std::max_element(Last, Last + Count) - *std::min_element(First, First + Count);
    Times.Seconds.push_back(static_cast<double>(std::max<int64_t>(Ns, 1)) / 1e9);
  }
  for (unsigned I = 0; I < Count; ++I) {
    Times.WallSeconds += static_cast<double>(Now.Walls[I]) / 1e9;
    Times.CpuSeconds += static_cast<double>(Now.Cpus[I]) / 1e9;
  }
  return Times;
}

} // namespace seamscope::tools
