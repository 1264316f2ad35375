//===- SplitsTest.cpp - every table adds up to what it splits ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random traces, small and crowded: nested, overlapping, touching, empty, equal
// and unsorted calls. What a table should say is found by looking at each ns.
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Diff.h"
#include "analysis/core/Statistics.h"
#include "analysis/devices/OperatorTimes.h"
#include "analysis/groups/GroupBy.h"
#include "trace/model/TraceBuilder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace seamscope::tools;

namespace {

constexpr int64_t End = 60; // of all times, ns

/// What a random trace is made of.
enum class Make { Devices, HostKernels, Operators };

class RandomTrace {
public:
  RandomTrace(unsigned Seed, Make What) : Random(Seed), What(What) {}

  Trace make() {
    const int Events = number(0, 40);
    for (int I = 0; I < Events; ++I)
      if (I && number(0, 9) == 0)
        add(Last); // an equal one
      else
        add(any());
    return Builder.finish();
  }

private:
  struct Call {
    std::string Name, Category, Thread;
    int64_t Begin = 0, Duration = 0, Correlation = 0;
    int32_t Device = -1;
  };

  int number(int Least, int Most) {
    return std::uniform_int_distribution<int>(Least, Most)(Random);
  }

  Call any() {
    Call C;
    C.Begin = number(0, End / 2);
    C.Duration = number(0, 3) ? number(0, static_cast<int>(End / 2)) : 0;
    if (number(0, 4) == 0)
      C.Begin = std::min<int64_t>(End / 2, Last.Begin + Last.Duration); // touches the last
    C.Thread = std::to_string(number(1, 2));
    C.Correlation = number(1, 6);
    C.Name = std::string(1, static_cast<char>('a' + number(0, 3)));
    switch (number(0, What == Make::Devices ? 6 : 2)) {
    case 0:
      C.Category = "user_annotation";
      C.Name = number(0, 1) ? "ProfilerStep#" + C.Name : C.Name;
      break;
    case 1:
      C.Category = What == Make::HostKernels ? "" : "cpu_op";
      break;
    case 2:
      C.Category = "cpu_op";
      break;
    case 3:
      C.Category = "cuda_runtime";
      C.Name = number(0, 1) ? "cudaLaunchKernel" : "cudaDeviceSynchronize";
      break;
    default:
      C.Category = number(0, 3) ? "kernel" : "gpu_memcpy";
      C.Device = number(0, 1);
      C.Thread = "stream " + C.Thread;
    }
    return C;
  }

  void add(const Call &C) {
    Last = C;
    Site S;
    S.Name = Builder.strings().intern(C.Name);
    S.Category = Builder.strings().intern(C.Category);
    S.Device = C.Device;
    S.Line = C.Device >= 0 ? 1 + static_cast<uint32_t>(C.Correlation % 2) : 0;
    S.File = S.Line ? Builder.strings().intern("a.cpp") : 0;
    const TrackId Track =
        Builder.track(Builder.strings().intern("1"), Builder.strings().intern(C.Thread));
    const SiteId Id = Builder.site(S);
    EXPECT_TRUE(Builder.addCall(C.Begin, C.Duration, Id, Track, -1));
    const SiteKind Kind = Builder.kind(Id);
    if (Kind == SiteKind::Kernel || Kind == SiteKind::Copy || Kind == SiteKind::Launch)
      Builder.correlate(C.Correlation);
  }

  std::mt19937 Random;
  Make What;
  TraceBuilder Builder;
  Call Last;
};

const Site &siteOf(const Trace &T, size_t Event) { return T.Sites[T.Events.Site[Event]]; }
SiteKind kindOf(const Trace &T, size_t Event) { return siteOf(T, Event).Kind; }
bool isWork(const Trace &T, size_t Event) {
  return isDeviceWork(kindOf(T, Event), siteOf(T, Event).Device);
}
bool covers(const Trace &T, size_t Event, int64_t Ns) {
  return T.Events.BeginNs[Event] <= Ns && Ns < T.Events.endNs(Event);
}

/// Of the events of \p Counts that run at this ns the one that began last; of those that began
/// together the shortest, of equal ones the last. SIZE_MAX: none runs.
template <typename PredicateFn> size_t ownerAt(const Trace &T, int64_t Ns, PredicateFn Counts) {
  size_t Owner = SIZE_MAX;
  for (size_t I = 0; I < T.Events.size(); ++I) {
    if (!Counts(I) || !covers(T, I, Ns))
      continue;
    const EventColumns &E = T.Events;
    if (Owner == SIZE_MAX || E.BeginNs[I] > E.BeginNs[Owner] ||
        (E.BeginNs[I] == E.BeginNs[Owner] && E.DurationNs[I] <= E.DurationNs[Owner]))
      Owner = I;
  }
  return Owner;
}

template <typename PredicateFn> int64_t durations(const Trace &T, PredicateFn Counts) {
  int64_t Sum = 0;
  for (size_t I = 0; I < T.Events.size(); ++I)
    Sum += Counts(I) ? T.Events.DurationNs[I] : 0;
  return Sum;
}

/// Whether the host's call runs inside another of its name and category, on its thread. Of equal
/// ones all but the first do.
bool isRecursive(const Trace &T, size_t Event) {
  const EventColumns &E = T.Events;
  const Site &Its = siteOf(T, Event);
  if (Its.Device >= 0)
    return false;
  for (size_t I = 0; I < E.size(); ++I) {
    const Site &Other = siteOf(T, I);
    if (I == Event || E.Track[I] != E.Track[Event] || Other.Name != Its.Name ||
        Other.Category != Its.Category || !E.DurationNs[I])
      continue;
    const bool Inside = E.BeginNs[I] <= E.BeginNs[Event] && E.endNs(Event) <= E.endNs(I) &&
                        E.BeginNs[Event] < E.endNs(I);
    const bool Equal = E.BeginNs[I] == E.BeginNs[Event] && E.DurationNs[I] == E.DurationNs[Event];
    if (Inside && (!Equal || I < Event))
      return true;
  }
  return false;
}

int64_t windowOf(const Trace &T) {
  int64_t First = INT64_MAX, Last = INT64_MIN;
  for (size_t I = 0; I < T.Events.size(); ++I) {
    First = std::min(First, T.Events.BeginNs[I]);
    Last = std::max(Last, T.Events.endNs(I));
  }
  return T.Events.size() ? Last - First : 0;
}

template <typename CheckFn> void onRandomTraces(CheckFn Check) {
  for (unsigned Seed = 0; Seed < 400; ++Seed)
    for (const Make What : {Make::Devices, Make::HostKernels, Make::Operators}) {
      SCOPED_TRACE(testing::Message() << "seed " << Seed << " kind " << static_cast<int>(What));
      Check(RandomTrace(Seed, What).make());
      if (testing::Test::HasFailure())
        return;
    }
}

TEST(Splits, KernelTableIsTheWindow) {
  onRandomTraces([](const Trace &T) {
    const Statistics Numbers = computeStatistics(T);
    EXPECT_EQ(Numbers.WindowNs, windowOf(T));
    const auto HasRow = [&](size_t I) {
      return kindOf(T, I) == SiteKind::Kernel || kindOf(T, I) == SiteKind::Annotation;
    };
    constexpr int64_t Unit = 12; // a ns in parts that up to four threads and streams can share
    std::map<std::tuple<StringId, StringId, int32_t, uint32_t>, int64_t> Expected;
    const auto Key = [&](const Site &What) {
      return std::tuple(What.Name, What.Category, What.Device, What.Line);
    };
    int64_t Nobody = Numbers.WindowNs;
    for (int64_t Ns = 0; Ns <= End; ++Ns) {
      std::vector<size_t> Owners;
      for (TrackId Track = 0; Track < T.Tracks.size(); ++Track)
        if (const size_t Owner =
                ownerAt(T, Ns, [&](size_t I) { return HasRow(I) && T.Events.Track[I] == Track; });
            Owner != SIZE_MAX)
          Owners.push_back(Owner);
      for (const size_t Owner : Owners)
        Expected[Key(siteOf(T, Owner))] += Unit / static_cast<int64_t>(Owners.size());
      Nobody -= !Owners.empty();
    }
    EXPECT_EQ(Numbers.UnattributedNs, Nobody);
    int64_t Total = 0, Self = 0;
    for (const KernelRow &Row : Numbers.Kernels) {
      const int64_t Exact = Expected[Key(T.Sites[Row.Site])];
      EXPECT_LT(Unit * (*Row.SelfNs - 1), Exact);
      EXPECT_GT(Unit * (*Row.SelfNs + 1), Exact);
      Self += *Row.SelfNs;
      Total += Row.Times.TotalNs;
    }
    EXPECT_EQ(Self + Nobody, Numbers.WindowNs);
    EXPECT_EQ(Total, durations(T, [&](size_t I) { return HasRow(I) && !isRecursive(T, I); }));
  });
}

TEST(Splits, DeviceIsBusyOrIdleForAReason) {
  onRandomTraces([](const Trace &T) {
    const int64_t WindowNs = windowOf(T);
    const std::vector<Origin> Links = linkWork(T);
    std::map<int32_t, int64_t> Busy;
    for (size_t I = 0; I < T.Events.size(); ++I)
      if (isWork(T, I))
        Busy[siteOf(T, I).Device] += 0;
    for (auto &[Id, Ns] : Busy)
      for (int64_t At = 0; At <= End; ++At)
        for (size_t I = 0; I < T.Events.size(); ++I)
          if (isWork(T, I) && siteOf(T, I).Device == Id && covers(T, I, At)) {
            ++Ns;
            break;
          }
    const std::vector<DeviceRow> Rows = deviceRows(T, WindowNs, Links);
    EXPECT_EQ(Rows.size(), Busy.size());
    for (const DeviceRow &Row : Rows) {
      EXPECT_EQ(Row.BusyNs, Busy[Row.Id]);
      EXPECT_EQ(Row.IdleNs, WindowNs - Row.BusyNs);
      const IdleReasons &Idle = Row.Idle;
      for (const int64_t Part :
           {Idle.OutsideNs, Idle.SyncNs, Idle.HostNs, Idle.LatencyNs, Idle.UnknownNs})
        EXPECT_GE(Part, 0);
      EXPECT_EQ(Idle.OutsideNs + Idle.SyncNs + Idle.HostNs + Idle.LatencyNs + Idle.UnknownNs,
                Row.IdleNs);
      EXPECT_EQ(Row.KernelNs, durations(T, [&](size_t I) {
                  return kindOf(T, I) == SiteKind::Kernel && siteOf(T, I).Device == Row.Id;
                }));
    }
  });
}

TEST(Splits, CategoriesAreTheWork) {
  onRandomTraces([](const Trace &T) {
    const bool AnyWork = !linkWork(T).empty();
    int64_t Sum = 0;
    uint64_t Calls = 0;
    for (const CategoryRow &Row : categoryRows(T)) {
      Sum += Row.TotalNs;
      Calls += Row.Calls;
    }
    const auto Counts = [&](size_t I) {
      return AnyWork ? isWork(T, I) : kindOf(T, I) == SiteKind::Kernel;
    };
    EXPECT_EQ(Sum, durations(T, [&](size_t I) { return Counts(I) && !isRecursive(T, I); }));
    uint64_t Events = 0;
    for (size_t I = 0; I < T.Events.size(); ++I)
      Events += Counts(I);
    EXPECT_EQ(Calls, Events);
  });
}

bool isOperator(const Trace &T, size_t Event) {
  const Site &What = siteOf(T, Event);
  return What.Kind == SiteKind::Operator || (What.Kind == SiteKind::Kernel && What.Device < 0);
}

TEST(Splits, OperatorsShareTheTimeOfTheirThread) {
  onRandomTraces([](const Trace &T) {
    // On each thread a moment is of the operator or span that began last.
    std::vector<int64_t> Expected(T.Events.size());
    for (TrackId Track = 0; Track < T.Tracks.size(); ++Track)
      for (int64_t Ns = 0; Ns <= End; ++Ns)
        if (const size_t Owner =
                ownerAt(T, Ns,
                        [&](size_t I) {
                          return T.Events.Track[I] == Track &&
                                 (isOperator(T, I) || kindOf(T, I) == SiteKind::Span);
                        });
            Owner != SIZE_MAX)
          ++Expected[Owner];
    const OperatorNesting Nesting = operatorNesting(T);
    int64_t Sum = 0;
    for (size_t I = 0; I < T.Events.size(); ++I)
      if (isOperator(T, I)) {
        EXPECT_EQ(Nesting.SelfNs[I], Expected[I]) << "event " << I;
        Sum += Expected[I];
      }
    int64_t Rows = 0;
    for (const OperatorTimesRow &Row : operatorTimes(T, linkWork(T)))
      Rows += Row.SelfNs;
    EXPECT_EQ(Rows, Sum);
  });
}

TEST(Splits, GroupsAreWhatIsGrouped) {
  onRandomTraces([](const Trace &T) {
    const std::vector<Origin> Links = linkWork(T);
    const OperatorNesting Nesting = operatorNesting(T);
    std::set<int64_t> Totals;
    for (const std::string &Name : groupKeyNames()) {
      SCOPED_TRACE(Name);
      const Grouping Groups = groupBy(T, Links, *groupKeyOf(Name));
      int64_t Self = 0, Total = 0;
      uint64_t Calls = 0;
      std::set<std::string> Keys;
      for (const GroupRow &Row : Groups.Rows) {
        EXPECT_TRUE(Keys.insert(Row.Key).second) << Row.Key;
        Self += Row.SelfNs;
        Total += Row.TotalNs;
        Calls += Row.Calls;
      }
      EXPECT_EQ(Self, Groups.SelfNs);
      EXPECT_EQ(Calls, Groups.Calls);
      const bool AnyKernel = std::ranges::any_of(
          T.Sites, [](const Site &What) { return What.Kind == SiteKind::Kernel; });
      if (!Links.empty()) {
        EXPECT_EQ(Groups.What, GroupedTime::DeviceWork);
        EXPECT_EQ(Total, durations(T, [&](size_t I) { return isWork(T, I); }));
      } else if (AnyKernel) {
        EXPECT_EQ(Groups.What, GroupedTime::Kernels);
        EXPECT_EQ(Total, durations(T, [&](size_t I) {
                    return kindOf(T, I) == SiteKind::Kernel && !isRecursive(T, I);
                  }));
      } else {
        EXPECT_EQ(Groups.What, GroupedTime::Operators);
        int64_t Expected = 0;
        for (size_t I = 0; I < T.Events.size(); ++I)
          Expected += kindOf(T, I) == SiteKind::Operator ? Nesting.SelfNs[I] : 0;
        EXPECT_EQ(Self, Expected);
      }
      Totals.insert(Groups.SelfNs);
    }
    // However it is split, it is the same.
    EXPECT_EQ(Totals.size(), 1u);
  });
}

TEST(Splits, LinksAreTheInnermostOperatorAroundTheOnlyLaunch) {
  onRandomTraces([](const Trace &T) {
    std::map<size_t, int64_t> IdOf;
    for (const Correlation &C : T.Correlations)
      IdOf[C.Event] = C.Id;
    for (const Origin &Link : linkWork(T)) {
      uint32_t Launch = NoEvent;
      bool Several = false; // that are not at one time of one thread
      for (uint32_t I = 0; I < T.Events.size(); ++I) {
        if (kindOf(T, I) != SiteKind::Launch || !IdOf.contains(I) || !IdOf.contains(Link.Work) ||
            IdOf[I] != IdOf[Link.Work])
          continue;
        if (Launch == NoEvent)
          Launch = I;
        Several |= T.Events.Track[I] != T.Events.Track[Launch] ||
                   T.Events.BeginNs[I] > T.Events.endNs(Launch) ||
                   T.Events.endNs(I) < T.Events.BeginNs[Launch];
      }
      Launch = Several ? NoEvent : Launch;
      EXPECT_EQ(Link.Launch, Launch);
      if (Launch == NoEvent) {
        EXPECT_EQ(Link.Operator, NoEvent);
        continue;
      }
      // Of those around it none is further in than the one that was found.
      const EventColumns &E = T.Events;
      const auto IsAround = [&](uint32_t I) {
        return isOperator(T, I) && E.Track[I] == E.Track[Launch] &&
               E.BeginNs[I] <= E.BeginNs[Launch] && E.endNs(I) >= E.endNs(Launch);
      };
      bool Any = false;
      for (uint32_t I = 0; I < E.size(); ++I) {
        if (!IsAround(I))
          continue;
        Any = true;
        ASSERT_NE(Link.Operator, NoEvent);
        EXPECT_LE(E.BeginNs[I], E.BeginNs[Link.Operator]);
      }
      if (!Any) {
        EXPECT_EQ(Link.Operator, NoEvent);
      } else {
        EXPECT_TRUE(IsAround(Link.Operator));
      }
    }
  });
}

TEST(Splits, DifferenceIsThatOfTheWindows) {
  std::optional<Trace> Before;
  onRandomTraces([&](Trace T) {
    if (Before) {
      const Difference Result = difference(*Before, T);
      EXPECT_EQ(Result.FirstWindowNs, windowOf(*Before));
      EXPECT_EQ(Result.SecondWindowNs, windowOf(T));
      int64_t First = 0, Second = 0, Delta = 0;
      for (const DiffRow &Row : Result.Rows) {
        First += Row.FirstNs;
        Second += Row.SecondNs;
        Delta += Row.deltaNs();
      }
      EXPECT_EQ(First, Result.FirstWindowNs);
      EXPECT_EQ(Second, Result.SecondWindowNs);
      EXPECT_EQ(Delta, Result.SecondWindowNs - Result.FirstWindowNs);
    }
    Before.emplace(std::move(T));
  });
}

} // namespace
