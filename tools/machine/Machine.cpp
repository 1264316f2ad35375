//===- Machine.cpp - measured roofs of a machine --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine/Machine.h"

#include "trace/io/ByteSource.h"
#include "trace/io/JsonParse.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {

unsigned bitsOfType(std::string_view Type) {
  unsigned Bits = 0;
  for (const char C : Type.substr(std::min<size_t>(1, Type.size())))
    Bits = C >= '0' && C <= '9' ? Bits * 10 + static_cast<unsigned>(C - '0') : 0;
  return Bits;
}

double MemoryRates::best() const { return std::max({Read, Write, Copy, Triad}); }

namespace {

/// The largest of \p Of for the rows that \p Is accepts, for that many threads.
template <typename Row, typename IsWanted, typename Get>
double forThreads(const std::vector<Row> &Rows, unsigned Threads, IsWanted Is, Get Of) {
  double Exact = 0, One = 0, Most = 0;
  bool Found = false;
  unsigned MostThreads = 0;
  for (const Row &Each : Rows) {
    if (!Is(Each))
      continue;
    const double Value = Of(Each);
    if (Each.Threads == Threads)
      Found = true;
    if (Each.Threads <= Threads) // what fewer can do, more can
      Exact = std::max(Exact, Value);
    if (Each.Threads == 1)
      One = std::max(One, Value);
    if (Each.Threads > MostThreads)
      Most = 0;
    MostThreads = std::max(MostThreads, Each.Threads);
    if (Each.Threads == MostThreads)
      Most = std::max(Most, Value);
  }
  if (Found || Threads > MostThreads)
    return Exact;
  if (One == 0)
    return Most;
  return std::min(One * Threads, std::max(One, Most));
}

} // namespace

double Machine::peakFlops(std::string_view Type, unsigned Threads) const {
  return forThreads(
      Compute, Threads, [&](const ComputeRate &R) { return R.Type == Type; },
      [](const ComputeRate &R) { return R.FlopPerS; });
}

double Machine::memoryRoof(std::string_view Level, unsigned Threads) const {
  return forThreads(
      Memory, Threads, [&](const MemoryRates &R) { return R.Level == Level; },
      [](const MemoryRates &R) { return R.best(); });
}

double Machine::transferSeconds(std::string_view Level, unsigned Threads, uint64_t Footprint,
                                double Read, double Written) const {
  const double Bytes = Read + Written;
  if (Bytes <= 0)
    return 0;
  const double Share = Written / Bytes;
  // Of the bytes of one row.
  const auto SecondsPerByte = [&](const MemoryRates &R) {
    const std::pair<double, double> Mixes[] = {
        {0, R.Read}, {1.0 / 3, R.Triad}, {0.5, R.Copy}, {1, R.Write}};
    size_t I = 0;
    while (I < 2 && Share > Mixes[I + 1].first)
      ++I;
    const auto &[Low, Before] = Mixes[I];
    const auto &[High, After] = Mixes[I + 1];
    return 1 / Before + (1 / After - 1 / Before) * (Share - Low) / (High - Low);
  };
  const auto AtSize = [&](const MemoryRates &R) {
    const MemoryRates *Above = nullptr;
    for (const MemoryRates &Other : Memory)
      if (Other.Level == R.Level && Other.Threads == R.Threads && Other.Bytes > R.Bytes &&
          (!Above || Other.Bytes < Above->Bytes))
        Above = &Other;
    if (!Above || Footprint <= R.Bytes)
      return 1 / SecondsPerByte(R);
    if (Footprint >= Above->Bytes)
      return 0.0; // that row says it
    const double Part = std::log(static_cast<double>(Footprint) / static_cast<double>(R.Bytes)) /
                        std::log(static_cast<double>(Above->Bytes) / static_cast<double>(R.Bytes));
    return 1 / (SecondsPerByte(R) + Part * (SecondsPerByte(*Above) - SecondsPerByte(R)));
  };
  const auto IsWanted = [&](const MemoryRates &R) {
    const bool IsSmallest = std::ranges::none_of(Memory, [&](const MemoryRates &Other) {
      return Other.Level == R.Level && Other.Threads == R.Threads && Other.Bytes < R.Bytes;
    });
    return R.Level == Level && R.Bytes > 0 && (IsSmallest || Footprint >= R.Bytes);
  };
  const double Rate = forThreads(Memory, Threads, IsWanted, AtSize);
  return Rate > 0 ? Bytes * Threads / Rate : 0;
}

double Machine::nsPerValue(std::string_view Function, std::string_view Type, unsigned Bits) const {
  double Best = 0;
  for (const MathCost &Each : Math) {
    const unsigned Wanted = Bits == MathCost::SingleValues ? bitsOfType(Each.Type) : Bits;
    if (Each.Function == Function && (Type.empty() || Each.Type == Type) &&
        (Wanted == MathCost::AnyWidth || Each.Bits == Wanted) && (!Best || Each.NsPerValue < Best))
      Best = Each.NsPerValue;
  }
  return Best;
}

std::string_view Machine::levelOf(uint64_t Bytes, unsigned Threads) const {
  for (const MemoryRates &Each : Memory) {
    const double Holds = forThreads(
        Memory, Threads, [&](const MemoryRates &R) { return R.Level == Each.Level; },
        [](const MemoryRates &R) { return static_cast<double>(R.Capacity); });
    if (Holds > 0 && static_cast<double>(Bytes) <= Holds)
      return Each.Level;
  }
  return "DRAM";
}

namespace {

/// Takes the values of an object, and keeps what is wrong with the first that is.
class Fields {
public:
  Fields(const nlohmann::json &Of, std::string Where, std::string &Problem)
      : Of(Of), Where(std::move(Where)), Problem(Problem) {
    if (!Of.is_object())
      refuse("", "is not an object");
  }

  std::string text(const char *Key, bool MayBeEmpty = false) {
    const nlohmann::json *Value = find(Key);
    if (!Value || !Value->is_string())
      return refuse(Key, "is not a text"), std::string();
    auto Text = Value->get<std::string>();
    if ((Text.empty() && !MayBeEmpty) || Text.size() > 4096)
      refuse(Key, Text.empty() ? "is empty" : "is longer than 4096 bytes");
    return Text;
  }

  std::string oneOf(const char *Key, std::initializer_list<const char *> Known) {
    std::string Text = text(Key);
    if (std::ranges::find(Known, Text) == Known.end())
      refuse(Key, "is not one of the known names");
    return Text;
  }

  uint64_t whole(const char *Key, uint64_t Least, uint64_t Most) {
    const nlohmann::json *Value = find(Key);
    if (!Value || !Value->is_number_integer() ||
        (!Value->is_number_unsigned() && Value->get<int64_t>() < 0))
      return refuse(Key, "is not a whole number"), Least;
    const auto Number = Value->get<uint64_t>();
    if (Number < Least || Number > Most)
      refuse(Key, fmt::format("is not within {} and {}", Least, Most));
    return Number;
  }

  /// A number from \p Least up to 1e18.
  double number(const char *Key, double Least) {
    const nlohmann::json *Value = find(Key);
    if (!Value || !Value->is_number())
      return refuse(Key, "is not a number"), 0;
    const auto Number = Value->get<double>();
    if (!std::isfinite(Number) || Number < Least || Number > 1e18)
      refuse(Key, "is out of range");
    return Number;
  }

  double rate(const char *Key) { return number(Key, 1e-9); }

  bool flag(const char *Key) {
    const nlohmann::json *Value = find(Key);
    if (!Value || !Value->is_boolean())
      return refuse(Key, "is neither true nor false"), false;
    return Value->get<bool>();
  }

  /// Calls \p Take with each element of an array.
  template <typename Fn> void each(const char *Key, Fn Take) {
    constexpr size_t Most = 4096;
    const nlohmann::json *Value = find(Key);
    if (!Value || !Value->is_array() || Value->size() > Most)
      return refuse(Key, "is not a list of up to 4096 elements");
    for (size_t I = 0; I < Value->size() && Problem.empty(); ++I)
      Take((*Value)[I], fmt::format("{}{}[{}].", Where, Key, I));
  }

  void refuse(const char *Key, const std::string &Why) {
    if (Problem.empty())
      Problem = fmt::format("\"{}{}\" {}", Where, Key, Why);
  }

private:
  const nlohmann::json *find(const char *Key) const {
    if (!Of.is_object())
      return nullptr;
    const auto Found = Of.find(Key);
    return Found == Of.end() ? nullptr : &*Found;
  }

  const nlohmann::json &Of;
  const std::string Where;
  std::string &Problem;
};

constexpr unsigned MostThreads = 1 << 20;

Machine machineOf(const nlohmann::json &File, std::string &Problem) {
  Machine Read;
  Fields All(File, "", Problem);
  Read.Cpu = All.text("cpu");
  Read.Processors = static_cast<unsigned>(All.whole("processors", 1, MostThreads));
  Read.Affinity = All.text("affinity");
  Read.Key = All.text("key");
  Read.Compiler = All.text("compiler");
  Read.MeasuredNs = static_cast<int64_t>(All.whole("measured_ns", 0, INT64_MAX));
  Read.Quick = All.flag("quick");
  Read.Busy = All.flag("busy");
  All.each("warnings", [&](const nlohmann::json &Each, const std::string &Where) {
    if (!Each.is_string())
      return All.refuse("warnings", "has an element that is not a text: " + Where);
    Read.Warnings.push_back(Each.get<std::string>());
  });
  const auto Threads = [](Fields &Row) {
    return static_cast<unsigned>(Row.whole("threads", 1, MostThreads));
  };
  const auto Bits = [](Fields &Row) {
    return static_cast<unsigned>(Row.whole("bits", 8, 1 << 16));
  };
  All.each("memory", [&](const nlohmann::json &Each, const std::string &Where) {
    Fields Row(Each, Where, Problem);
    MemoryRates &New = Read.Memory.emplace_back();
    New.Level = Row.oneOf("level", {"L1", "L2", "L3", "L4", "DRAM"});
    New.Threads = Threads(Row);
    New.Bytes = Row.whole("bytes", 1, INT64_MAX);
    New.Capacity = New.Level == "DRAM" ? 0 : Row.whole("capacity_bytes", 1, INT64_MAX);
    New.Read = Row.rate("read_bytes_per_s");
    New.Write = Row.rate("write_bytes_per_s");
    New.Copy = Row.rate("copy_bytes_per_s");
    New.Triad = Row.rate("triad_bytes_per_s");
    New.SpreadPercent = Row.number("spread_percent", 0);
  });
  All.each("compute", [&](const nlohmann::json &Each, const std::string &Where) {
    Fields Row(Each, Where, Problem);
    ComputeRate &New = Read.Compute.emplace_back();
    New.Type = Row.text("type");
    New.Bits = Bits(Row);
    New.Fma = Row.flag("fma");
    New.Threads = Threads(Row);
    New.FlopPerS = Row.rate("flop_per_s");
    New.SpreadPercent = Row.number("spread_percent", 0);
  });
  All.each("math", [&](const nlohmann::json &Each, const std::string &Where) {
    Fields Row(Each, Where, Problem);
    MathCost &New = Read.Math.emplace_back();
    New.Function = Row.text("function");
    New.Type = Row.text("type");
    New.Bits = Bits(Row);
    New.NsPerValue = Row.rate("ns_per_value");
    New.SpreadPercent = Row.number("spread_percent", 0);
  });
  if (Problem.empty() && (Read.Memory.empty() || Read.Compute.empty()))
    Problem = "it has no rates of memory or arithmetic";
  return Read;
}

} // namespace

Result<Machine> readMachine(const std::string &Path) {
  constexpr size_t Limit = 1 << 20;
  auto Source = ByteSource::openRegular(Path);
  if (!Source)
    return Source.error();
  const std::string Text = (*Source)->text(Limit);
  if (const Error *Failure = (*Source)->error())
    return *Failure;
  const auto Refuse = [&](const std::string &Why) {
    return Error{Path, {}, Why + "; measure again with `seamscope machine --force`"};
  };
  if (Text.size() > Limit)
    return Refuse("the file is larger than 1 MiB");
  const nlohmann::json File = parseJson(Text);
  if (!File.is_object() || !File.contains("schema") || File["schema"] != "seamscope.machine/1")
    return Refuse("the file is not JSON of seamscope.machine/1");
  std::string Problem;
  Machine Read = machineOf(File, Problem);
  if (!Problem.empty())
    return Refuse(Problem);
  return Read;
}

std::string machinePath(const MachineEnvironment &Environment) {
  return Environment.File.empty()
             ? fmt::format("{}/machine-{}.json", Environment.Folder, Environment.Key)
             : Environment.File;
}

Result<Machine> machineFor(const MachineEnvironment &Environment) {
  const std::string Path = machinePath(Environment);
  Result<Machine> Read = readMachine(Path);
  if (Read && Environment.File.empty() && Read->Key != Environment.Key)
    return Error{
        Path, {}, "the file is of another machine; measure again with `seamscope machine --force`"};
  return Read;
}

} // namespace seamscope::tools
