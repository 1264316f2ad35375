//===- Machine.cpp - seamscope machine ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Help.h"
#include "cli/MachineTable.h"
#include "cli/Output.h"
#include "cli/Verbs.h"
#include "machine/Measure.h"
#include "report/model/Numbers.h"
#include "report/render/Render.h"
#include "run/folder/OwnCache.h"
#include "trace/io/Escape.h"
#include "trace/io/OutputFile.h"

#include <ctime>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace seamscope::tools {
namespace {

Table memoryTable(const Machine &Of) {
  const auto Rate = [](const char *Key, const char *Title, const char *Help) {
    return Column(Key, Title, Unit::Rate,
                  fmt::format("{} in bytes/s, counted as STREAM does", Help))
        .scaled(1e9);
  };
  using Row = const MemoryRates &;
  return makeTable<MemoryRates>(
      "memory", "Memory", Of.Memory,
      {{Column("level", "Memory", Unit::Text, "L1, L2, L3 or DRAM").left(), &MemoryRates::Level},
       {Column("threads", "Threads", Unit::Count, "that measure together"), &MemoryRates::Threads},
       {Column("bytes", "Size", Unit::Bytes, "working set of all threads"), &MemoryRates::Bytes},
       {Column("capacity_bytes", "", Unit::Bytes,
               "of the level's caches that these threads use; null: DRAM"),
        [](Row R) { return unlessZero(R.Capacity); }},
       {Rate("read_bytes_per_s", "Read GB/s", "loads"), &MemoryRates::Read},
       {Rate("write_bytes_per_s", "Write GB/s", "stores"), &MemoryRates::Write},
       {Rate("copy_bytes_per_s", "Copy GB/s", "a = b"), &MemoryRates::Copy},
       {Rate("triad_bytes_per_s", "Triad GB/s", "a = b + s * c"), &MemoryRates::Triad},
       {Column("spread_percent", "Spread %", Unit::Percent,
               "upper less lower decile of the runs, of the upper; the largest of the four"),
        &MemoryRates::SpreadPercent}});
}

Table computeTable(const Machine &Of) {
  return makeTable<ComputeRate>(
      "compute", "Arithmetic", Of.Compute,
      {{Column("type", "Arithmetic", Unit::Name, "f32 or f64").left(), &ComputeRate::Type},
       {Column("bits", "Bits", Unit::Count, "width of the registers; that of the type: scalar"),
        &ComputeRate::Bits},
       {Column("fma", "FMA", Unit::Flag,
               "multiply-adds, which count 2; else as many additions as multiplications"),
        &ComputeRate::Fma},
       {Column("threads", "Threads", Unit::Count, "that measure together"), &ComputeRate::Threads},
       {Column("flop_per_s", "GFLOP/s", Unit::Rate, "operations in registers").scaled(1e9),
        &ComputeRate::FlopPerS},
       {Column("spread_percent", "Spread %", Unit::Percent,
               "upper less lower decile of the runs, of the upper"),
        &ComputeRate::SpreadPercent}});
}

Table mathTable(const Machine &Of) {
  return makeTable<MathCost>(
      "math", "Functions", Of.Math,
      {{Column("function", "Function", Unit::Name,
               "of libm or, for vectors, of SLEEF; or by instructions: div, sqrt, sum, stored_sum, "
               "max, independent_max, add, mul, shift, mul_shift, mul_4_add (docs/formats.md)")
            .left(),
        &MathCost::Function},
       {Column("type", "Type", Unit::Name, "f32 or f64, or of vectors of integers i8 to i64")
            .left(),
        &MathCost::Type},
       {Column("bits", "Bits", Unit::Count, "width of the registers; that of the type: scalar"),
        &MathCost::Bits},
       {Column("ns_per_value", "ns", Unit::Ratio,
               "for a value, in a loop over arrays in L1, or of integers in registers")
            .typed("number"),
        &MathCost::NsPerValue},
       {Column("spread_percent", "Spread %", Unit::Percent,
               "upper less lower decile of the runs, of the upper"),
        &MathCost::SpreadPercent}});
}

/// "2026-11-28 07:45 UTC"; empty for a time that no calendar has.
std::string shownDate(int64_t Ns) {
  const std::time_t Seconds = Ns / 1'000'000'000;
  std::tm Date{};
  return gmtime_r(&Seconds, &Date) ? fmt::format("{:%Y-%m-%d %H:%M} UTC", Date) : "";
}

} // namespace

Document machineDocument(const Machine &Of) {
  Document Doc{"seamscope.machine/1", Of.Cpu, {}, "memory"};
  Section &To = Doc.Sections.emplace_back(Section{"machine", "Machine"});
  To.say(fmt::format("{}: {} of processors {}; measured {}{}, loops by {}", escaped(Of.Cpu),
                     Of.Processors, escaped(Of.Affinity), Of.Quick ? "quickly " : "",
                     shownDate(Of.MeasuredNs), escaped(Of.Compiler)));
  for (const std::string &Each : Of.Warnings)
    To.warn("warning: " + escaped(Each));
  const auto Fact = [&](const char *Key, Unit Kind, const char *Help, Cell Of) {
    Column What(Key, Kind, Help);
    What.Nullable = false;
    To.fact(What, std::move(Of));
  };
  Fact("cpu", Unit::Name, "model", Value(Of.Cpu));
  Fact("processors", Unit::Count, "threads that can run at once, by affinity and quota",
       Of.Processors);
  Fact("affinity", Unit::Name, "allowed processors", Value(Of.Affinity));
  Fact("key", Unit::Name, "16 hexadecimal digits: of the machine, its limits and the compiler",
       Value(Of.Key));
  Fact("compiler", Unit::Name, "of the loops", Value(Of.Compiler));
  Fact("measured_ns", Unit::Ns, "since 1970", Of.MeasuredNs);
  Fact("quick", Unit::Flag, "by --quick", Of.Quick);
  Fact("busy", Unit::Flag, "other work took processor time or bandwidth", Of.Busy);
  Value::List Warnings;
  for (const std::string &Each : Of.Warnings)
    Warnings.push_back(Value(Each));
  Fact("warnings", Unit::List, "what limits the figures", Value(std::move(Warnings)));
  To.add(memoryTable(Of));
  To.add(computeTable(Of));
  To.add(mathTable(Of));
  return Doc;
}

namespace {

struct MachineOptions {
  std::string Out, Sleef;
  bool Force = false, Quick = false, Json = false;
};

int show(const Machine &Of, const MachineOptions &Options) {
  OutputWanted Wanted;
  Wanted.Json = Options.Json;
  return writeDocument(machineDocument(Of), Wanted, "machine");
}

int measure(const Processor &On, const std::string &Path, const MachineOptions &Options) {
  // Before the measurement: half a minute is lost otherwise where the file cannot be written.
  auto Out = OutputFile::create(Path);
  if (!Out)
    return fail(Out.error());
  MeasureOptions How = Options.Quick ? MeasureOptions::quick() : MeasureOptions();
  How.Sleef = Options.Sleef;
  How.Progress = progressLine("machine", "measuring");
  if (!How.Progress)
    inform(fmt::format("machine: measuring memory, arithmetic and functions, about {} s",
                       Options.Quick ? 8 : 30));
  Result<Machine> Made = measureMachine(On, How);
  How.Progress = nullptr;
  if (!Made)
    return fail(Made.error());
  Made->Quick = Options.Quick;
  renderJson(machineDocument(*Made), [&](std::string_view Piece) { (*Out)->write(Piece); });
  if (const auto Failure = (*Out)->commit())
    return fail(*Failure);
  return show(*Made, Options);
}

int machine(const MachineOptions &Options) {
  if (Options.Out == "-") {
    complain("machine: -o names the file that keeps the figures; --json writes them to standard "
             "output");
    return BadUsage;
  }
  const Processor On = thisProcessor();
  const MachineEnvironment Environment{Options.Out, ownCache(), On.Key};
  const std::string Path = machinePath(Environment);
  struct stat Status;
  if (!Options.Force && Options.Sleef.empty() && stat(Path.c_str(), &Status) == 0) {
    const Result<Machine> Kept = machineFor(Environment);
    if (!Kept)
      return fail(Kept.error());
    if (Kept->Key != On.Key)
      return fail({Path,
                   {},
                   "the file is of another machine, or of other limits; measure again with "
                   "`seamscope machine --force`"});
    return show(*Kept, Options);
  }
  if (Options.Out.empty())
    if (const auto Failure = makePrivate(Environment.Folder))
      return fail(*Failure);
  return measure(On, Path, Options);
}

} // namespace

Action addMachine(CLI::App &Verb) {
  auto Options = std::make_shared<MachineOptions>();
  Verb.add_option("-o,--output", Options->Out,
                  "File that keeps the figures; default: machine-KEY.json in the cache")
      ->type_name("FILE");
  Verb.add_flag("--force", Options->Force, "Measure also if the file has figures of this machine");
  Verb.add_flag("--quick", Options->Quick, "Measure in 8 seconds instead of 30, less exactly");
  Verb.add_option("--sleef", Options->Sleef,
                  "Also measure the vector functions of SLEEF in this library, such as torch's "
                  "libtorch_cpu.so; measures again")
      ->type_name("LIBRARY");
  Verb.add_flag("--json", Options->Json, "Write seamscope.machine/1, which is what the file has");
  addExamples(Verb, {"", "--json | jq .compute", "--force --quick -o roofs.json"});
  return [Options] { return machine(*Options); };
}

} // namespace seamscope::tools
