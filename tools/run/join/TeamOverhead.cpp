//===- TeamOverhead.cpp - teams of threads that cost too much -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/TeamOverhead.h"
#include "analysis/core/Share.h"
#include "run/join/StepShare.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Smaller shares of the window are not reported.
constexpr double LeastOfWindow = 0.01;
/// Starting and joining a team takes some us, which less work per thread does not justify. Waits in
/// longer work come from disturbance or imbalance, which are other findings.
constexpr double ShortWorkNs = 5e3;
constexpr double LeastWaiting = 0.25;
/// More entries than this mean a loop around the region, not a kernel with the region in two
/// places.
constexpr double Often = 4;

/// The time of a region's calling thread, of several at a time the mean, and what its team did.
struct TeamTime {
  uint64_t Entries = 0;  ///< of all teams
  uint64_t Calls = 0;    ///< of all threads
  int64_t WorkNs = 0;    ///< of the calling thread
  int64_t WaitNs = 0;    ///< of the calling thread: start, barriers, end
  int64_t AllWorkNs = 0; ///< of all threads
  size_t Threads = 0;

  int64_t wholeNs() const { return WorkNs + WaitNs; }
  double workOfThreadNs() const { return shareOf(AllWorkNs, Calls); }
};

/// Has no entries if the thread that called the region is not known.
TeamTime timeOf(const RegionRow &Region) {
  TeamTime Time;
  int64_t Teams = 0;
  for (const ThreadShare &Share : threadsWithEnds(Region)) {
    ++Time.Threads;
    Time.Calls += Share.Calls;
    Time.AllWorkNs += Share.BusyNs;
    if (Share.Thread == 0) {
      ++Teams;
      Time.Entries += Share.Calls;
      Time.WorkNs += Share.BusyNs;
      Time.WaitNs += Share.WaitNs;
    }
  }
  if (Teams) {
    Time.WorkNs /= Teams;
    Time.WaitNs /= Teams;
  }
  return Time;
}

class TeamOverheadAdviser {
public:
  explicit TeamOverheadAdviser(const TeamOverheadInput &Input)
      : Input(Input), Source(*Input.Source) {
    if (Input.Compared)
      StepsNs = sumOf(Input.Compared->All.Steps).CompiledNs;
  }

  std::vector<Advice> run() {
    oversubscribed();
    for (const KernelRow &Kernel : Input.Numbers->Kernels)
      for (const RegionRow &Region : Kernel.Regions)
        shortWork(Kernel, Region);
    shortKernels();
    return std::move(Found);
  }

private:
  std::string_view nameOf(SiteId Site) const { return Source.text(Source.Sites[Site].Name); }
  bool isGenerated(const KernelRow &Kernel) const {
    return Input.Torch && Input.Torch->kernel(Kernel.Site);
  }

  /// \p Ns, time of \p Kernel, as a share of the window or of the compared steps, over the least
  /// share that is reported.
  double weightOf(const KernelRow &Kernel, int64_t Ns) const {
    const auto Time = static_cast<double>(Ns);
    const double OfWindow = shareOf(Time, Input.Numbers->WindowNs);
    const GeneratedKernel *Known = Input.Torch ? Input.Torch->kernel(Kernel.Site) : nullptr;
    if (!Known || !StepsNs)
      return OfWindow / LeastOfWindow;
    const auto InSteps =
        static_cast<double>(timesOf(Input.Compared->All, *Input.Torch, *Known).CompiledNs);
    const double OfSteps = shareOf(Time, Kernel.Times.TotalNs) * shareOf(InSteps, StepsNs);
    return std::max(OfWindow / LeastOfWindow, OfSteps / LeastOfSteps);
  }

  void oversubscribed() {
    if (!Input.Processors)
      return;
    TeamTime All;
    const KernelRow *Longest = nullptr;
    int64_t LongestNs = 0;
    size_t Kernels = 0;
    double Weight = 0;
    for (const KernelRow &Kernel : Input.Numbers->Kernels) {
      int64_t Ns = 0;
      for (const RegionRow &Region : Kernel.Regions) {
        const TeamTime Time = timeOf(Region);
        if (Time.Threads <= Input.Processors || !Time.Entries)
          continue;
        All.Threads = std::max(All.Threads, Time.Threads);
        All.WorkNs += Time.WorkNs;
        All.WaitNs += Time.WaitNs;
        Ns += Time.wholeNs();
      }
      Kernels += Ns > 0;
      Weight += weightOf(Kernel, Ns);
      if (Ns > LongestNs) {
        LongestNs = Ns;
        Longest = &Kernel;
      }
    }
    if (!Longest || Weight < 1)
      return;
    Found.push_back(
        {"oversubscribed",
         fmt::format("{} threads on {} processor{}: in {}{} the calling thread waits {:.1f} % of "
                     "the time for its team",
                     All.Threads, Input.Processors, Input.Processors == 1 ? "" : "s",
                     nameOf(Longest->Site),
                     Kernels == 1 ? ""
                                  : fmt::format(" and {} more kernel{}", Kernels - 1,
                                                Kernels == 2 ? "" : "s"),
                     100 * shareOf(All.WaitNs, All.wholeNs())),
         fmt::format("set OMP_NUM_THREADS={}{}", Input.Processors,
                     isGenerated(*Longest)
                         ? fmt::format(" or call torch.set_num_threads({})", Input.Processors)
                         : ""),
         All.WaitNs});
  }

  void shortWork(const KernelRow &Kernel, const RegionRow &Region) {
    const TeamTime Time = timeOf(Region);
    const double Share = shareOf(Time.WaitNs, Kernel.Times.TotalNs);
    if (Time.Threads < 2 || !Time.Entries || !Kernel.Times.Calls ||
        Time.workOfThreadNs() >= ShortWorkNs || Share < LeastWaiting)
      return;
    const double Entries =
        static_cast<double>(Time.Entries) / static_cast<double>(Kernel.Times.Calls);
    if (Entries >= Often)
      inLoop(Kernel, Region, Time, Entries, Share);
    else if (!IsBusy)
      Short.push_back({&Kernel, Time});
  }

  void inLoop(const KernelRow &Kernel, const RegionRow &Region, const TeamTime &Time,
              double Entries, double Share) {
    if (weightOf(Kernel, Time.WaitNs) < 1)
      return;
    Found.push_back(
        {"team-overhead",
         fmt::format("{} is entered {:.0f} times in a call of the kernel and gives each of {} "
                     "threads {:.1f} us of work; starting the team and waiting for it takes "
                     "{:.1f} % of the kernel's time{}",
                     nameOf(Region.Site), Entries, Time.Threads, Time.workOfThreadNs() / 1e3,
                     100 * Share, IsBusy ? ", while other work ran on the machine" : ""),
         isGenerated(Kernel)
             ? "order the dimensions so that the last one is at least a vector long, so that "
               "Inductor parallelises the outer loop; or raise "
               "torch._inductor.config.cpp.min_chunk_size, which keeps the loop on one thread"
             : "move the parallel region out of the loop around it, or parallelise that loop",
         Time.WaitNs});
  }

  /// One finding for all kernels that take no longer than their teams take to start.
  void shortKernels() {
    double Weight = 0;
    TeamTime All;
    const ShortKernel *Longest = nullptr;
    for (const ShortKernel &Each : Short) {
      Weight += weightOf(*Each.Kernel, Each.Time.WaitNs);
      All.WorkNs += Each.Time.WorkNs;
      All.WaitNs += Each.Time.WaitNs;
      if (!Longest || Each.Time.WaitNs > Longest->Time.WaitNs)
        Longest = &Each;
    }
    if (Weight < 1)
      return;
    Found.push_back(
        {"team-overhead",
         fmt::format("{} parallel region{} less than {:.0f} us of work to a thread, {} {:.1f} us "
                     "to each of {}; starting the team and waiting for it takes {:.1f} % of "
                     "the time",
                     Short.size(), Short.size() == 1 ? " gives" : "s give", ShortWorkNs / 1e3,
                     nameOf(Longest->Kernel->Site), Longest->Time.workOfThreadNs() / 1e3,
                     Longest->Time.Threads, 100 * shareOf(All.WaitNs, All.wholeNs())),
         isGenerated(*Longest->Kernel)
             ? "give each call more work (larger batches), or raise "
               "torch._inductor.config.cpp.min_chunk_size, which keeps short loops on one thread"
             : "give each region more work, or run short ones on one thread by an if clause",
         All.WaitNs});
  }

  struct ShortKernel {
    const KernelRow *Kernel;
    TeamTime Time;
  };

  const TeamOverheadInput &Input;
  const Trace &Source;
  int64_t StepsNs = 0; ///< of all compared steps
  /// Other work ran on the machine: waits are not due to the program alone.
  const bool IsBusy = Source.Health.find(HealthCheck::BusyMachine);
  std::vector<ShortKernel> Short; ///< kernels that start a team once or a few times in a call
  std::vector<Advice> Found;
};

} // namespace

std::vector<Advice> adviseOnTeams(const TeamOverheadInput &Input) {
  return TeamOverheadAdviser(Input).run();
}

} // namespace seamscope::tools
