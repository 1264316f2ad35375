//===- Sections.h - the sections of a report -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file for each section. A section knows one analysis and no output format.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_SECTIONS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_SECTIONS_H

#include "report/sections/Context.h"

#include <cstdint>
#include <optional>
#include <string>

namespace seamscope::tools {

struct LoopNode;

/// The file, what was recorded and what is missing; `trace`, `window_ns`.
void addHead(Section &To, const Context &In);
/// What is wrong with the trace, and which claims do not hold; `health`.
void addHealth(Section &To, const Context &In);
/// The same in documents of other kinds, as \p Key; \p Side, before each line, names the trace.
void addHealthOf(Section &To, const Trace &Source, const char *Key = "health",
                 const char *Side = "");
void addEventNames(Section &To, const Context &In);
/// Parts of the trace that could not be read.
void addSkipped(Section &To, const Context &In);
void addRanks(Section &To, const Context &In);
void addUnrecorded(Section &To, const Context &In);
void addAttribution(Section &To, const Context &In);
void addCompiledSteps(Section &To, const Context &In);
void addTorch(Section &To, const Context &In);
void addDevices(Section &To, const Context &In);
Table kernelsTable(const Context &In);
void addKernels(Section &To, const Context &In, const Table &Kernels);
/// The table of executed work.
void addCountedWork(Section &To, const Context &In);
void addFusedGroups(Section &To, const Context &In, const Table &Kernels);
void addGpuKernels(Section &To, const Context &In, const Table &Kernels);
/// What ran outside of kernels, what kernels waited in, and which code was sampled.
void addSamples(Section &To, const Context &In);
void addOperators(Section &To, const Context &In);
void addOperatorInputs(Section &To, const Context &In);
void addNodes(Section &To, const Context &In);
void addRegions(Section &To, const Context &In);
void addLoops(Section &To, const Context &In);
void addGpuLoops(Section &To, const Context &In);
void addInlinedFunctions(Section &To, const Context &In);
void addRecording(Section &To, const Context &In);
void addCompiled(Section &To, const Context &In);
void addFindings(Section &To, const Context &In);
void addBaseline(Section &To, const Context &In);
void addCommunication(Section &To, const Context &In);
/// A sentence on what held up the step most; empty if no path is known.
std::string addCriticalPath(Section &To, const Context &In);
void addMemoryAndCopies(Section &To, const Context &In);

/// Results of each analysis for a kernel: columns of the kernel table.
Fields<RegionRow> regionFields(const Context &In);
Fields<KernelRow> recordingFields(const Context &In);
Fields<KernelRow> groupFields(const Context &In);
Fields<KernelRow> gpuKernelFields(const Context &In);
Fields<KernelRow> torchFields(const Context &In);
Fields<KernelRow> attributionFields(const Context &In);

/// A loop of a kernel on the host or on a device.
struct LoopRow {
  size_t Id = 0;
  std::optional<size_t> Parent;
  SiteId Site = 0;
  Value Region;
  uint64_t Calls = 0;
  int64_t TotalNs = 0;
  std::optional<int64_t> SelfNs;
  const LoopNode *Cpu = nullptr; ///< null: in a device kernel
  Value Nodes;
  uint64_t Launches = 0; ///< for a device kernel
  double Clocks = 0;
};
std::vector<LoopRow> loopRows(const ReportContext &In, SiteId Kernel);
Fields<LoopRow> loopFields(const Context &In);

/// `sampled`; rows whose calls were all timed lack it: then \p Get returns null.
template <typename T, typename F> Field<T> sampledField(F Get) {
  return optionalField(recordField<T>("sampled", "calls that were counted and not timed",
                                      sampledFields(), std::move(Get)));
}

/// Work by formulas, and its rates. Without \p Of, rows lack it.
template <typename T>
Fields<T> efficiencyFields(const EfficiencyInput *Of, std::function<Efficiency(const T &)> Rates,
                           double FlopUnit) {
  const auto Get = [Of, Rates](auto Member) {
    return [Of, Rates, Member](const T &Row) -> Cell {
      return Of ? Value(Rates(Row).*Member) : Value(Absent());
    };
  };
  // Rates of bytes, where calls may move more.
  const auto Bound = [Of, Rates](auto Member, const char *Sign, double Unit) {
    return [Of, Rates, Member, Sign, Unit](const T &Row) -> Cell {
      if (!Of)
        return Value(Absent());
      const Efficiency Each = Rates(Row);
      const std::optional<double> Rate = Each.*Member;
      return Rate && Each.BytesAtLeast ? Cell(Value(Rate), Sign + shownRate(Rate, Unit))
                                       : Cell(Value(Rate));
    };
  };
  const auto Source = [Of, Rates](auto Member) {
    return [Of, Rates, Member](const T &Row) -> Cell {
      return Of ? textOrNull(nameOf(Rates(Row).*Member)) : Value(Absent());
    };
  };
  return {
      {Column("flop", "FLOPs", Unit::Flop, "floating-point operations (docs/work.md)").wide(),
       Get(&Efficiency::Flop)},
      {Column("bytes", "Bytes", Unit::Bytes, "read and written at least (docs/work.md)").wide(),
       Get(&Efficiency::Bytes)},
      {Column("flop_calls", Unit::Count, "calls of which flop is known").in(ForJson),
       Get(&Efficiency::FlopCalls)},
      {Column("bytes_calls", Unit::Count, "calls of which bytes is known").in(ForJson),
       Get(&Efficiency::BytesCalls)},
      {Column("flop_per_s", FlopUnit == 1e12 ? "TFLOP/s" : "GFLOP/s", Unit::Rate,
              "achieved floating-point operations per second")
           .scaled(FlopUnit)
           .chosen("tflops")
           .aside(),
       Get(&Efficiency::FlopPerS)},
      {Column("bytes_per_s", "GB/s", Unit::Rate, "achieved bytes per second")
           .scaled(1e9)
           .chosen("gbps")
           .aside(),
       Bound(&Efficiency::BytesPerS, ">=", 1e9)},
      {Column("flop_per_byte", "FLOP/B", Unit::Rate, "arithmetic intensity")
           .chosen("intensity")
           .in(ForJson | ForHtml),
       Bound(&Efficiency::Intensity, "<=", 1)},
      {Column("flop_source", Unit::Name, "where flop is known from; null: it is not").in(ForJson),
       Source(&Efficiency::FlopSource)},
      {Column("bytes_source", Unit::Name, "where bytes is known from; null: it is not").in(ForJson),
       Source(&Efficiency::BytesSource)},
      {Column("bytes_at_least", Unit::Flag, "calls may move more than bytes").in(ForJson),
       [Of, Rates](const T &Row) -> Cell {
         return Of ? Value(Rates(Row).BytesAtLeast) : Value(Absent());
       }},
  };
}

/// "first work began ...", if a device's first work began long after its launch; else empty. That
/// time looks idle, but the device was probably busy: an idle device begins at once.
std::string lateStart(const DeviceRow &Row, int64_t WindowNs);

/// The main reason of a gap between a device's work, and its time.
std::pair<int64_t, std::string_view> mainReasonOf(const IdleReasons &Gap);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_SECTIONS_H
