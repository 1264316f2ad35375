// A thread is known by its team and its number there: in a league, in regions of its teams, in nested
// regions, and in those of several threads of the program at once. A thread's time is at least what it
// measures itself.
// REQUIRES: llvm-22, llvm-19, openmp
// DEFINE: %{run} = env SEAMSCOPE=trace SEAMSCOPE_OUT=%t.json OMP_DYNAMIC=false KMP_TEAMS_THREAD_LIMIT=16 OMP_MAX_ACTIVE_LEVELS=3 %t > %t.clocks
// DEFINE: %{check} = %seamscope report %t.json --json -o %t.report.json && %python %S/Inputs/teams.py %t.clocks %t.report.json
// DEFINE: %{build-22} = %clangxx-22 %openmp-22 -g -fpass-plugin=%plugin-22 %s %link-runtime -o %t
// DEFINE: %{build-19} = %clangxx-19 %openmp-19 -g -fpass-plugin=%plugin-19 %s %link-runtime -o %t
// RUN: %{build-22} -O1 && %{run} && %{check} | FileCheck %s
// RUN: %{build-22} -O3 && %{run} && %{check} | FileCheck %s
// RUN: %{build-19} -O2 && %{run} && %{check} | FileCheck %s
// CHECK: alone: 0 1
// CHECK: host: 0.0 0.1 1.0 1.1
// CHECK: inTeams: 0.0 0.1 1.0 1.1 2.0 2.1
// CHECK: league: 0.0 1.0 2.0
// CHECK: nested: 0.0 0.1 1.0 1.1
// RUN: %seamscope report %t.json | FileCheck %s --check-prefix=TEXT
// TEXT: league{{.*}} [teams teams.cpp:[[#]]] {{ *}}all {{ *}}3
// TEXT-NEXT: {{^ +}}team 0: 0 {{ *}}1
// TEXT-NEXT: {{^ +}}team 1: 0 {{ *}}1
#include <atomic>
#include <chrono>
#include <cstdio>
#include <omp.h>
#include <thread>

using Clock = std::chrono::steady_clock;

static void report(const char *Region, int Team, Clock::time_point Begin) {
  std::printf("%s %d %d %lld\n", Region, Team, omp_get_thread_num(),
              static_cast<long long>((Clock::now() - Begin) / std::chrono::nanoseconds(1)));
}

/// \p Size ms.
static void work(const char *Region, int Team, int Size) {
  const Clock::time_point Begin = Clock::now();
  while (Clock::now() - Begin < std::chrono::milliseconds(Size))
    ;
  report(Region, Team, Begin);
}

__attribute__((noinline)) static void inTeams(int Team) {
#pragma omp parallel num_threads(2)
  work("inTeams", Team, 2 + 7 * omp_get_thread_num() + 20 * Team);
}

static std::atomic<int> Step;

__attribute__((noinline)) static void league() {
#pragma omp teams num_teams(3) thread_limit(2)
  {
    const int Team = omp_get_team_num();
    const Clock::time_point Begin = Clock::now();
    // One after the other, so that it is known which team a thread belongs to.
    while (Step < Team)
      ;
    inTeams(Team);
    ++Step;
    report("league", Team, Begin);
  }
}

__attribute__((noinline)) static void nested() {
#pragma omp parallel num_threads(2)
  {
    const int Team = omp_get_thread_num();
    for (int Turn = 0; Turn < 2; ++Turn) {
      if (Turn == Team) {
#pragma omp parallel num_threads(2)
        work("nested", Team, 2 + 5 * omp_get_thread_num() + 20 * Team);
      }
#pragma omp barrier
    }
  }
}

/// The first thread's team runs when the second's begins, and ends before that does.
__attribute__((noinline)) static void host(int Team) {
  if (Team)
    while (Step < 2)
      ;
#pragma omp parallel num_threads(2)
  {
    const Clock::time_point Begin = Clock::now();
    ++Step;
    while (Step < (Team ? 5 : 4))
      ;
    if (omp_get_thread_num())
      while (Clock::now() - Begin < std::chrono::milliseconds(5))
        ;
#pragma omp critical(output)
    report("host", Team, Begin);
  }
  if (!Team)
    ++Step;
}

__attribute__((noinline)) static void alone() {
#pragma omp parallel num_threads(2)
  work("alone", -1, 1);
}

int main() {
  league();
  nested();
  Step = 0;
  std::thread First(host, 0), Second(host, 1);
  First.join();
  Second.join();
  alone();
}
