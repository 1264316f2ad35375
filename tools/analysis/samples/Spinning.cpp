//===- Spinning.cpp - waits that look again and again -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/samples/Spinning.h"

#include "analysis/samples/SampleRows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace seamscope::tools {
namespace {

/// What a rule says of the functions of a library.
enum class Spins : uint8_t {
  Named,   ///< those whose names begin so
  Unnamed, ///< those that it does not export
  All,
};

struct Rule {
  std::string_view Library; ///< the begin of the file's name; empty: any
  Spins Which;
  std::string_view Function;
};

/// The functions that are known to spin. Everything else that runs is work.
constexpr Rule Rules[] = {
    // Who gives the processor away has nothing to do until another thread did something.
    {"libc.so", Spins::Named, "sched_yield"},
    {"libc.so", Spins::Named, "__sched_yield"},
    {"libc.so", Spins::Named, "pthread_spin_lock"},
    {"libc.so", Spins::Named, "__pthread_spin_lock"},
    // GNU's threads wait for the team, and for work, in functions that are not exported. Those for
    // loops and tasks are exported.
    {"libgomp", Spins::Unnamed, ""},
    {"libgomp", Spins::Named, "GOMP_barrier"},
    {"libgomp", Spins::Named, "gomp_barrier"},
    {"libgomp", Spins::Named, "gomp_team_barrier"},
    {"libgomp", Spins::Named, "gomp_simple_barrier"},
    // LLVM's, and Intel's, wait for flags.
    {"libomp.so", Spins::Named, "__kmp_wait"},
    {"libomp.so", Spins::Named, "__kmp_hyper_barrier"},
    {"libomp.so", Spins::Named, "kmp_flag_"},
    {"libiomp5", Spins::Named, "__kmp_wait"},
    {"libiomp5", Spins::Named, "__kmp_hyper_barrier"},
    {"libiomp5", Spins::Named, "kmp_flag_"},
    // Libraries of linear algebra have teams of their own.
    {"", Spins::Named, "bli_thrcomm_barrier"},
    {"libopenblas", Spins::Named, "blas_thread_server"},
    {"libopenblas", Spins::Named, "exec_blas_async_wait"},
    // MPI polls its transports, and calls of MPI that hooks timed are waits as well.
    {"libmpi", Spins::All, ""},
    {"libopen-pal", Spins::All, ""},
    {"libucp", Spins::All, ""},
    {"libucs", Spins::All, ""},
    {"libuct", Spins::All, ""},
    {"libfabric", Spins::All, ""},
};

/// \p Inner: inlined into the function of the symbol; empty: not known.
bool spins(const std::string &Library, const std::string &Symbol, const std::string &Inner) {
  return isSpinning(Library, Symbol) || (!Inner.empty() && isSpinning(Library, Inner));
}

bool spins(const SampleRow &Row) { return spins(Row.Library, Row.Symbol, Row.Function); }

/// By code.
std::vector<bool> spinningCodes(const CodeNames &Names) {
  std::vector<bool> Spins;
  for (const CodeName &Code : Names.Codes)
    Spins.push_back(spins(Code.Library, Code.Symbol,
                          Code.Frames.empty() ? std::string() : Code.Frames.front().Function));
  return Spins;
}

bool any(const std::vector<bool> &Of) { return std::ranges::find(Of, true) != Of.end(); }

/// Of the rows of one kernel.
struct KernelSamples {
  double Weight = 0, SpinWeight = 0;
  uint64_t Samples = 0, SpinSamples = 0;
  int64_t Ns = 0;
};

std::map<SiteId, KernelSamples> byKernel(const std::vector<SampleRow> &Rows) {
  std::map<SiteId, KernelSamples> Found;
  for (const SampleRow &Row : Rows) {
    KernelSamples &Its = Found[Row.Kernel];
    Its.Weight += Row.Weight;
    Its.Samples += Row.Samples;
    Its.Ns += Row.Ns;
    if (spins(Row)) {
      Its.SpinWeight += Row.Weight;
      Its.SpinSamples += Row.Samples;
    }
  }
  return Found;
}

Proportion shareOf(double Weight, const KernelSamples &All) {
  const auto N = static_cast<double>(All.Samples);
  return All.Weight > 0 ? proportionOf(N * std::min(1.0, Weight / All.Weight), N) : Proportion{};
}

} // namespace

bool isSpinning(std::string_view Library, const std::string &Function) {
  std::string Name;
  return std::ranges::any_of(Rules, [&](const Rule &Of) {
    if (!Library.starts_with(Of.Library))
      return false;
    if (Of.Which == Spins::All)
      return true;
    if (Of.Which == Spins::Unnamed)
      return Function.empty();
    if (Name.empty())
      Name = functionNameOf(Function);
    return Name.starts_with(Of.Function);
  });
}

std::vector<SpinRow> spinRows(const Trace &Input, const CodeNames &Names) {
  std::vector<SpinRow> Result;
  if (!any(spinningCodes(Names)))
    return Result;
  const std::vector<SampleRow> Rows = samplesOfKernels(Input, Names);
  const std::map<SiteId, KernelSamples> Kernels = byKernel(Rows);
  struct Sum {
    SpinRow Row;
    double Weight = 0;
  };
  std::map<std::tuple<SiteId, std::string, std::string>, Sum> Found;
  for (const SampleRow &Row : Rows) {
    if (!spins(Row) || Kernels.at(Row.Kernel).SpinSamples < LeastSamples)
      continue;
    auto &[Its, Weight] = Found[{Row.Kernel, Row.Symbol, Row.Library}];
    Its.Kernel = Row.Kernel;
    Its.Symbol = functionNameOf(Row.Symbol);
    Its.Library = Row.Library;
    Its.Samples += Row.Samples;
    Its.Ns += Row.Ns;
    Weight += Row.Weight;
  }
  for (auto &[Key, Of] : Found) {
    const KernelSamples &All = Kernels.at(Of.Row.Kernel);
    const Proportion Part = shareOf(Of.Weight, All);
    Of.Row.LowNs = static_cast<int64_t>(static_cast<double>(All.Ns) * Part.Low);
    Of.Row.HighNs = std::max(
        Of.Row.Ns, static_cast<int64_t>(std::ceil(static_cast<double>(All.Ns) * Part.High)));
    Result.push_back(std::move(Of.Row));
  }
  return Result;
}

std::vector<std::optional<Proportion>> spinShares(const Trace &Input, const KernelRows &Rows,
                                                  const CodeNames &Names) {
  std::vector<std::optional<Proportion>> Shares;
  if (const std::vector<bool> Spins = spinningCodes(Names); any(Spins))
    Shares = sharesOfRows(Input, Rows, Names, Spins);
  Shares.resize(Rows.Sites.size());
  return Shares;
}

} // namespace seamscope::tools
