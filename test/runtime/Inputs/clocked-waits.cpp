// Each wait of a team, between clock readings of the program: "WAIT kind line thread ns". One thread comes late.
#include <chrono>
#include <cstdio>
#include <map>
#include <omp.h>
#include <tuple>

using Clock = std::chrono::steady_clock;

static std::map<std::tuple<const char *, int, int>, long long> Sums;
static thread_local Clock::time_point Since;

static void noteSince(const char *Kind, int Line) {
  const long long Ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - Since).count();
#pragma omp critical(notes)
  Sums[{Kind, Line, omp_get_thread_num()}] += Ns;
}

static void work(int Ms) {
  const Clock::time_point End = Clock::now() + std::chrono::milliseconds(Ms);
  while (Clock::now() < End)
    ;
  Since = Clock::now();
}

static void late(int Thread) { work(omp_get_thread_num() == Thread ? 12 : 1); }

/// Belongs to the region that calls it.
static void __attribute__((noinline)) orphan() {
  late(0);
#pragma omp barrier
  noteSince("barrier", __LINE__ - 1);
}

int main() {
  static double Values[64];
  omp_lock_t Lock;
  omp_init_lock(&Lock);
  // The first records of a thread touch new memory, which takes time.
#pragma omp parallel num_threads(2)
  for (int I = 0; I < 100; ++I) {
#pragma omp barrier
  }
  for (int Round = 0; Round < 3; ++Round) {
    double Sum = 0;
#pragma omp parallel num_threads(2)
    {
      late(1);
#pragma omp barrier
      noteSince("barrier", __LINE__ - 1);
      orphan();
      Since = Clock::now();
#pragma omp for schedule(static)
      for (int I = 0; I < 2; ++I)
        work(I ? 9 : 2);
      noteSince("for", __LINE__ - 3);
      Since = Clock::now();
#pragma omp for schedule(dynamic, 1)
      for (int I = 0; I < 2; ++I)
        work(I ? 8 : 2);
      noteSince("for", __LINE__ - 3);
      Since = Clock::now();
#pragma omp for schedule(guided)
      for (int I = 0; I < 2; ++I)
        work(I ? 2 : 8);
      noteSince("for", __LINE__ - 3);
      Since = Clock::now();
#pragma omp sections
      {
#pragma omp section
        work(7);
#pragma omp section
        work(2);
      }
      noteSince("sections", __LINE__ - 7);
      Since = Clock::now();
#pragma omp single
      work(6);
      noteSince("single", __LINE__ - 2);
      Since = Clock::now();
#pragma omp critical
      {
        noteSince("critical", __LINE__ - 2);
        work(5);
      }
#pragma omp barrier
      Since = Clock::now();
      omp_set_lock(&Lock);
      noteSince("lock", __LINE__ - 1);
      work(5);
      omp_unset_lock(&Lock);
#pragma omp barrier
#pragma omp for ordered schedule(static, 1)
      for (int I = 0; I < 2; ++I) {
        work(I ? 1 : 9);
#pragma omp ordered
        {
          noteSince("ordered", __LINE__ - 2);
          Values[I] += 1;
        }
      }
    }
    // Tasks that another thread runs, and tasks that the waiting thread itself runs.
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == 0) {
#pragma omp task
        work(9);
        work(1); // the other thread takes the task, or this one runs it while it waits
#pragma omp taskwait
      }
    }
#pragma omp parallel num_threads(2) reduction(+ : Sum)
    {
      late(0);
      Sum += Values[0];
    }
    Values[1] = Sum;
  }
  for (const auto &[Place, Ns] : Sums) {
    const auto &[Kind, Line, Thread] = Place;
    std::printf("WAIT %s %d %d %lld\n", Kind, Line, Thread, Ns);
  }
}
