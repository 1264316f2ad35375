//===- Measure.cpp - measures the roofs of this machine -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine/Measure.h"

#include "machine/Arrays.h"
#include "machine/Kernels.h"
#include "machine/MathFunctions.h"
#include "machine/Rates.h"
#include "machine/Team.h"
#include "machine/VectorMath.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr double MostSpreadPercent = 20, LeastCpuShare = 0.9;

/// A figure and how to measure it.
struct Job {
  std::string Name; ///< for warnings
  unsigned Threads;
  double Units; ///< bytes, operations or values of all threads for an amount of 1
  std::function<void(unsigned Thread, uint64_t Amount)> Work;
  std::function<void(const RateFigure &)> Take;
  uint64_t Amount = 0; ///< of a run; 0: not yet known
  std::vector<double> Rates{};
};

class Measurement {
public:
  Measurement(const Processor &On, Team &By, const MeasureOptions &How,
              std::span<const VectorFunction> Vectors)
      : On(On), By(By), How(How), Vectors(Vectors) {}

  Machine run() {
    addMemory();
    addCompute();
    addArrays();
    addFunctions();
    const double Steps = static_cast<double>(Jobs.size()) * How.Rounds;
    // Functions of a library are as many figures as all others.
    const double Limit = How.MostSeconds * (Vectors.empty() ? 1 : 1.5);
    double Done = 0;
    for (unsigned Round = 0; Round < How.Rounds; ++Round)
      for (Job &Each : Jobs) {
        if (Round == 0 || seconds() < Limit)
          measure(Each);
        if (How.Progress)
          How.Progress(++Done / Steps);
      }
    finish();
    return std::move(Made);
  }

private:
  const Processor &On;
  Team &By;
  const MeasureOptions &How;
  std::span<const VectorFunction> Vectors;
  Machine Made;
  std::vector<Job> Jobs;
  std::vector<std::unique_ptr<Arrays>> Held;
  double Wall = 0, Cpu = 0; ///< s of all threads

  const std::chrono::steady_clock::time_point Begin = std::chrono::steady_clock::now();

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin).count();
  }
  unsigned all() const { return static_cast<unsigned>(On.Used.size()); }
  std::vector<unsigned> threadCounts() const {
    return all() > 1 ? std::vector{1u, all()} : std::vector{1u};
  }

  void addMemory() {
    for (const LevelPlan &Plan : planLevels(On, availableMemory() / 4, Made.Warnings)) {
      const Arrays *In = Held.emplace_back(Arrays::create(By, all(), Plan.PartBytes)).get();
      if (!In) {
        Made.Warnings.push_back(fmt::format("{} is left out: {} MB of memory cannot be had",
                                            Plan.Level, Plan.PartBytes * all() / 1'000'000));
        continue;
      }
      for (const unsigned Threads : threadCounts()) {
        const unsigned Parts = Threads == 1 ? Plan.FirstParts : Threads;
        MemoryRates New;
        New.Level = Plan.Level;
        New.Threads = Threads;
        New.Bytes = Plan.PartBytes * Parts;
        New.Capacity = Threads == 1 ? Plan.CapacityOne : Plan.CapacityAll;
        Made.Memory.push_back(New);
        const size_t Row = Made.Memory.size() - 1;
        const auto Add = [&](const char *Name, Arrays::Kernel MemoryKernels::*Kernel,
                             unsigned Count, double MemoryRates::*Rate) {
          addWalks(*In, Threads, Plan, Kernel, Count,
                   fmt::format("{} {}, {} thread(s)", Plan.Level, Name, Threads),
                   [this, Row, Rate](const RateFigure &Of) {
                     MemoryRates &To = Made.Memory[Row];
                     To.*Rate = std::max(To.*Rate, Of.Rate);
                     To.SpreadPercent = std::max(To.SpreadPercent, Of.SpreadPercent);
                   });
        };
        Add("read", &MemoryKernels::Read, 1, &MemoryRates::Read);
        Add("write", &MemoryKernels::Write, 1, &MemoryRates::Write);
        Add("copy", &MemoryKernels::Copy, 2, &MemoryRates::Copy);
        Add("triad", &MemoryKernels::Triad, 3, &MemoryRates::Triad);
      }
    }
  }

  /// The widest registers; in L1 also those before, which can be faster there.
  void addWalks(const Arrays &In, unsigned Threads, const LevelPlan &Plan,
                Arrays::Kernel MemoryKernels::*Kernel, unsigned Count, const std::string &Name,
                const std::function<void(const RateFigure &)> &Take) {
    const size_t Least = Plan.Level == "L1" && On.Sets.size() > 1 ? 2 : 1;
    for (size_t I = On.Sets.size(); I-- > On.Sets.size() - Least;) {
      auto Walks = std::make_shared<std::vector<Arrays::Walk>>();
      for (unsigned Thread = 0; Thread < Threads; ++Thread)
        Walks->emplace_back(In, Thread, Threads == 1 ? Plan.FirstParts : 1, Count);
      const Arrays::Kernel Run = On.Sets[I]->Memory.*Kernel;
      // An amount is a block of 64 elements of each array.
      Jobs.push_back({Name, Threads, 64.0 * sizeof(double) * Count * Threads,
                      [Walks, Run](unsigned Thread, uint64_t Amount) {
                        (*Walks)[Thread].go(Run, Amount * 64);
                      },
                      Take});
    }
  }

  void addCompute() {
    for (const unsigned Threads : threadCounts())
      for (const KernelSet *Set : On.Sets)
        for (const ComputeKernel &Each : std::span(Set->Compute, Set->ComputeCount)) {
          Made.Compute.push_back({Each.Type, Each.Bits, Each.Fma, Threads});
          Jobs.push_back({fmt::format("{} of {} bits{}, {} thread(s)", Each.Type, Each.Bits,
                                      Each.Fma ? ", multiply-add" : "", Threads),
                          Threads, static_cast<double>(Each.Flop) * Threads,
                          [Run = Each.Run](unsigned, uint64_t Amount) { Run(Amount); },
                          [this, Row = Made.Compute.size() - 1](const RateFigure &Of) {
                            Made.Compute[Row].FlopPerS = Of.Rate;
                            Made.Compute[Row].SpreadPercent = Of.SpreadPercent;
                          }});
        }
  }

  using ArrayLoop = std::function<void(void *Out, const void *A, const void *B, size_t Count)>;

  /// \p Low, \p High: of the values.
  void addLoop(const MathCost &Of, double Low, double High, const ArrayLoop &Run) {
    constexpr size_t Count = 1024; // three arrays of f64 fit L1
    struct alignas(64) Values {
      double A[Count], B[Count], Out[Count];
    };
    auto Of1 = std::make_shared<Values>();
    for (size_t I = 0; I < Count; ++I) {
      // Steps of the golden ratio spread the values without an order that a predictor could learn.
      const double At = static_cast<double>(I) * 0.6180339887498949;
      const double A = Low + (High - Low) * (At - static_cast<double>(static_cast<size_t>(At)));
      const double B = 0.5 + static_cast<double>(I % 97) / 48;
      if (Of.Type == "f32") {
        reinterpret_cast<float *>(Of1->A)[I] = static_cast<float>(A);
        reinterpret_cast<float *>(Of1->B)[I] = static_cast<float>(B);
      } else {
        Of1->A[I] = A;
        Of1->B[I] = B;
      }
    }
    Made.Math.push_back(Of);
    // Integers stay in registers. More of them make the time of the call small.
    const size_t Number = Of.Type.starts_with('i') ? 8 * Count : Count;
    Jobs.push_back({fmt::format("{} {} of {} bits", Of.Function, Of.Type, Of.Bits), 1,
                    static_cast<double>(Number),
                    [Of1, Run, Number](unsigned, uint64_t Amount) {
                      for (; Amount; --Amount)
                        Run(Of1->Out, Of1->A, Of1->B, Number);
                    },
                    [this, Row = Made.Math.size() - 1](const RateFigure &Figure) {
                      Made.Math[Row].NsPerValue = 1e9 / Figure.Rate;
                      Made.Math[Row].SpreadPercent = Figure.SpreadPercent;
                    }});
  }

  void addArrays() {
    for (const KernelSet *Set : On.Sets)
      for (const ArrayKernel &Each : std::span(Set->Arrays, Set->ArrayCount))
        addLoop({Each.Function, Each.Type, Each.Bits}, 0.5, 4, Each.Run);
  }

  void addFunctions() {
    for (const MathFunction &Each : mathFunctions())
      addLoop({Each.Name, Each.Type, Each.Type == std::string_view("f32") ? 32u : 64u}, Each.Low,
              Each.High, Each.Run);
    for (const VectorFunction &Each : Vectors)
      addLoop({Each.Name, Each.Type, Each.Bits}, Each.Low, Each.High, Each.Run);
  }

  /// Finds the amount for a run of the wanted length.
  void calibrate(Job &Of) {
    constexpr uint64_t Most = uint64_t{1} << 40;
    Of.Amount = 16;
    for (unsigned Try = 0; Try < 40 && Of.Amount < Most; ++Try) {
      const double Seconds = once(Of, 1).Seconds[0];
      const double Factor = How.RunSeconds / Seconds;
      if (Factor < 1.5) {
        // The first run of an array, or one with other work meanwhile, is slower than the others.
        if (Try > 0)
          break;
        continue;
      }
      Of.Amount = static_cast<uint64_t>(static_cast<double>(Of.Amount) * std::min(Factor, 16.0));
    }
  }

  TeamTimes once(Job &Of, unsigned Runs) {
    return By.run(Of.Threads, Runs, [&](unsigned Thread) { Of.Work(Thread, Of.Amount); });
  }

  void measure(Job &Of) {
    if (!Of.Amount)
      calibrate(Of);
    const TeamTimes Times = once(Of, How.Runs);
    for (const double Seconds : Times.Seconds)
      Of.Rates.push_back(Of.Units * static_cast<double>(Of.Amount) / Seconds);
    Wall += Times.WallSeconds;
    Cpu += Times.CpuSeconds;
  }

  void finish() {
    size_t Spread = 0;
    double Largest = 0;
    const Job *Worst = nullptr;
    for (const Job &Each : Jobs) {
      const RateFigure Figure = figureOf(Each.Rates);
      Each.Take(Figure);
      Spread += Figure.SpreadPercent > MostSpreadPercent;
      if (Figure.SpreadPercent > Largest) {
        Largest = Figure.SpreadPercent;
        Worst = &Each;
      }
    }
    std::ranges::sort(Made.Compute, {}, [](const ComputeRate &R) {
      return std::tuple(R.Threads, std::string_view(R.Type), R.Fma, R.Bits);
    });
    std::ranges::stable_sort(Made.Math, {}, [](const MathCost &R) {
      const bool IsFunction = R.Function != "div" && R.Function != "sqrt";
      return std::tuple(IsFunction, IsFunction ? std::string_view() : std::string_view(R.Function),
                        IsFunction ? std::string_view() : std::string_view(R.Type),
                        R.Bits * !IsFunction);
    });
    if (Wall > 0 && Cpu / Wall < LeastCpuShare) {
      Made.Busy = true;
      Made.Warnings.push_back(fmt::format("the threads had a processor for {:.0f} % of the time: "
                                          "other work ran, or a quota held them back",
                                          100 * Cpu / Wall));
    }
    if (Spread) {
      Made.Busy = true;
      Made.Warnings.push_back(fmt::format("the runs of {} of {} figures differ by more than {:.0f} "
                                          "%, at most by {:.0f} % ({}): the "
                                          "machine is shared or busy",
                                          Spread, Jobs.size(), MostSpreadPercent, Largest,
                                          Worst->Name));
    }
    if (!By.isPinned())
      Made.Warnings.push_back("threads could not be bound to processors");
  }
};

} // namespace

Result<Machine> measureMachine(const Processor &On, const MeasureOptions &How) {
  std::vector<VectorFunction> Vectors;
  if (!How.Sleef.empty()) {
    auto Found = vectorFunctions(How.Sleef, On);
    if (!Found)
      return Found.error();
    Vectors = std::move(*Found);
  }
  auto By = Team::start(On.Used);
  if (!By)
    return By.error();
  Machine Made = Measurement(On, **By, How, Vectors).run();
  Made.Cpu = On.Cpu;
  Made.Processors = static_cast<unsigned>(On.Used.size());
  Made.Affinity = On.Affinity;
  Made.Key = On.Key;
  Made.Compiler = kernelCompiler();
  Made.MeasuredNs = std::chrono::duration_cast<std::chrono::nanoseconds>(
                        std::chrono::system_clock::now().time_since_epoch())
                        .count();
  return Made;
}

} // namespace seamscope::tools
