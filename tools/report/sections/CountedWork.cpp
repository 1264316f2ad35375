//===- CountedWork.cpp - FLOPs and bytes that kernels counted ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/CountedWork.h"

#include "machine/Machine.h"
#include "report/sections/WorkRoofs.h"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// A number known within bounds, by the key of its sum.
struct Amount {
  std::string Key;
  Bounds Of;
};

std::vector<Amount> amounts(const std::map<std::string, Bounds> &Of) {
  std::vector<Amount> Rows;
  for (const auto &[Key, Count] : Of)
    if (Count.Most)
      Rows.push_back({Key, Count});
  return Rows;
}

Value exactly(const Bounds &Of, bool IsWhole) {
  return Of.isExact() && IsWhole ? Value(Of.Most) : Value();
}

/// The columns of one sum: its exact value, else its bounds.
template <typename T, typename F>
Fields<T> boundsFields(const char *Key, Unit Of, const std::string &What, F Get) {
  const auto Sum = [Get](const T &Row) -> Bounds { return std::invoke(Get, Row).first; };
  const std::string Name = Key;
  return {{Column(Name, Of, What + "; null: known within bounds, or not all of it"),
           [Get](const T &Row) -> Cell {
             const auto [Sum, IsWhole] = std::invoke(Get, Row);
             return exactly(Sum, IsWhole);
           }},
          {Column(Name + "_min", Of, "of it, what was certainly executed"),
           [Sum](const T &Row) { return Sum(Row).Least; }},
          {Column(Name + "_max", Of, "the most that may have been executed of what is known"),
           [Sum](const T &Row) { return Sum(Row).Most; }}};
}

Fields<Amount> amountFields(const char *Key, const char *What, const char *Sum, Unit Of,
                            const std::string &Help) {
  Fields<Amount> Made = {{Column(Key, Unit::Name, What), &Amount::Key}};
  append(Made, boundsFields<Amount>(Sum, Of, Help,
                                    [](const Amount &A) { return std::pair(A.Of, true); }));
  return Made;
}

template <typename T, typename F> Fields<T> bytesFields(F Get) {
  Fields<T> Made = boundsFields<T>("bytes_read", Unit::Bytes, "loaded by executed instructions",
                                   [Get](const T &Row) {
                                     const ExecutedWork &Of = std::invoke(Get, Row);
                                     return std::pair(Of.bytesRead(), Of.Unknown.empty());
                                   });
  append(Made, boundsFields<T>("bytes_written", Unit::Bytes, "stored by executed instructions",
                               [Get](const T &Row) {
                                 const ExecutedWork &Of = std::invoke(Get, Row);
                                 return std::pair(Of.bytesWritten(), Of.Unknown.empty());
                               }));
  return Made;
}

template <typename T, typename F> Fields<T> flopFields(F Get) {
  return boundsFields<T>("flop", Unit::Flop, "executed floating-point operations",
                         [Get](const T &Row) {
                           const ExecutedWork &Of = std::invoke(Get, Row);
                           return std::pair(Of.flop(), Of.Unknown.empty());
                         });
}

/// The part of one thread.
struct ThreadWork {
  std::string Process, Thread;
  const ExecutedWork *Work;

  const ExecutedWork &work() const { return *Work; }
};

Fields<ThreadWork> threadWorkFields() {
  Fields<ThreadWork> Made = {
      {{"pid", Unit::Name, "id of the process"}, &ThreadWork::Process},
      {{"tid", Unit::Name, "id of the thread"}, &ThreadWork::Thread},
  };
  append(Made, flopFields<ThreadWork>(&ThreadWork::work));
  append(Made, bytesFields<ThreadWork>(&ThreadWork::work));
  return Made;
}

std::vector<ThreadWork> threadsWork(const ReportContext &In, const KernelWork &Of) {
  std::vector<ThreadWork> Rows;
  for (const auto &[Id, Work] : Of.Threads) {
    const Track &Where = In.Source.Tracks[Id];
    Rows.push_back({std::string(In.Source.text(Where.Process)),
                    std::string(In.Source.text(Where.Thread)), &Work});
  }
  return Rows;
}

/// How the work of calls differs.
struct CallSpread {
  uint64_t Calls = 0, Different = 0;
  Bounds Flop, Bytes; ///< of the call with the least, and of that with the most
  bool IsWhole = true;
};

CallSpread spreadOf(const CountedCalls &Of) {
  CallSpread Made = {Of.Events.size(), Of.Works.size(), {Bounds::Largest, 0}, {Bounds::Largest, 0}};
  for (const ExecutedWork &Work : Of.Works) {
    for (const auto &[Into, Sum] :
         {std::pair(&Made.Flop, Work.flop()), std::pair(&Made.Bytes, Work.bytes())}) {
      Into->Least = std::min(Into->Least, Sum.Least);
      Into->Most = std::max(Into->Most, Sum.Most);
    }
    Made.IsWhole &= Work.Unknown.empty();
  }
  return Made;
}

Fields<CallSpread> spreadFields() {
  const auto Most = [](Bounds CallSpread::*Of) {
    return [Of](const CallSpread &R) { return R.IsWhole ? Value((R.*Of).Most) : Value(); };
  };
  return {
      {{"calls", Unit::Count, "of the kernel"}, &CallSpread::Calls},
      {{"different", Unit::Count, "how many of these have other work than all before"},
       &CallSpread::Different},
      {{"flop_min", Unit::Flop, "of the call with the least"},
       [](const CallSpread &R) { return R.Flop.Least; }},
      {{"flop_max", Unit::Flop, "of the call with the most; null: not all is known"},
       Most(&CallSpread::Flop)},
      {{"bytes_min", Unit::Bytes, "loaded and stored by the call with the least"},
       [](const CallSpread &R) { return R.Bytes.Least; }},
      {{"bytes_max", Unit::Bytes, "by the call with the most; null: not all is known"},
       Most(&CallSpread::Bytes)},
  };
}

} // namespace

Fields<ExecutedWork> executedFields() {
  const auto Own = [](const ExecutedWork &Of) -> const ExecutedWork & { return Of; };
  Fields<ExecutedWork> Made = flopFields<ExecutedWork>(Own);
  append(Made, bytesFields<ExecutedWork>(Own));
  append(
      Made,
      Fields<ExecutedWork>{
          rowsField<ExecutedWork>(
              "by_type", "FLOPs by element type",
              amountFields("type", "of the elements", "flop", Unit::Flop, "of this type"),
              [](const ExecutedWork &Of) { return amounts(Of.flopByType()); }),
          rowsField<ExecutedWork>(
              "math", "values of math functions; they are not in flop",
              amountFields("function", "as C calls it", "values", Unit::Count, "that it computed"),
              [](const ExecutedWork &Of) { return amounts(Of.mathCalls()); }),
          rowsField<ExecutedWork>(
              "operations", "all operations, by type and kind",
              amountFields("operation", "f32.add, shared_read: see docs/work.md", "count",
                           Unit::Count, "executed, by lanes; bytes"),
              [](const ExecutedWork &Of) {
                std::map<std::string, Bounds> Found;
                for (const auto &[Key, Count] : Of.Counts)
                  if (!operationOf(Key).first.empty() || Key.starts_with("shared_"))
                    Found.emplace(Key, Count);
                return amounts(Found);
              }),
          {{"exact", Unit::Flag, "all of it is known to the unit"}, &ExecutedWork::isExact},
          {{"source", Unit::Name, "where the figures come from: counted"},
           [](const ExecutedWork &) { return "counted"; }},
          {{"unknown", Unit::List, "why there is work beyond these figures"},
           [](const ExecutedWork &Of) {
             return listOf(std::vector<std::string>(Of.Unknown.begin(), Of.Unknown.end()));
           }}});
  return Made;
}

namespace {

Value percentOf(const std::optional<double> &Share) {
  return Share ? Value(100 * *Share) : Value();
}

/// `roof` of a kernel or a loop.
Fields<RoofShares> roofFields() {
  const auto Percent = [](const char *Key, const char *What, auto Share) -> Field<RoofShares> {
    return {{Key, Unit::Percent, What},
            [Share](const RoofShares &R) { return percentOf(R.*Share); }};
  };
  return {
      {{"bound", Unit::Name,
        "the nearest roof; none: it is below half of all of them; null: below half of those that "
        "are known"},
       [](const RoofShares &R) {
         return R.bounds() ? Value(R.nearest().first) : R.isBelowAll() ? Value("none") : Value();
       }},
      {{"nearest", Unit::Name, "roof: arithmetic, division, functions, or a level of memory"},
       [](const RoofShares &R) { return R.nearest().first; }},
      {{"percent", Unit::Percent, "of that roof"},
       [](const RoofShares &R) { return percentOf(R.nearest().second); }},
      {{"at_least", Unit::Flag, "the percents may be more, as work_time may be shorter"},
       &RoofShares::IsAtLeast},
      Percent("arithmetic_percent", "of the arithmetic peak, each type by its own",
              &RoofShares::Arithmetic),
      Percent("division_percent", "of the rate of divisions and square roots",
              &RoofShares::Division),
      Percent("functions_percent", "of the rate of libm, by scalar calls of it",
              &RoofShares::Functions),
      Percent("l1_percent", "of the loads and stores that the first-level caches can do",
              &RoofShares::L1),
      {{"level", Unit::Name, "of memory that holds the distinct bytes of a call"},
       [](const RoofShares &R) { return R.Level.empty() ? Value() : Value(R.Level); }},
      Percent("level_percent", "of its rate, by distinct bytes; null in L1", &RoofShares::Memory)};
}

/// \p Of, kept in \p In for as long as it is shown; null: nothing.
const WorkTime *held(WorkTime &In, const std::optional<WorkTime> &Of) {
  if (!Of)
    return nullptr;
  In = *Of;
  return &In;
}

/// `work_time` of a kernel or a loop.
Fields<WorkTime> timeFields() {
  return {{{"ns", Unit::Ns, "work over it is the rate"}, &WorkTime::Ns},
          {{"threads", Unit::Count, "that shared the work, at most"}, &WorkTime::Threads},
          {{"at_most", Unit::Flag,
            "it may be shorter by more than a twentieth, by recording or by other kernels in it"},
           &WorkTime::IsAtMost}};
}

/// `arrays` of a kernel.
Fields<TouchedArray> arrayFields() {
  return {{{"name", Unit::Name, "of the variable"}, orNull(&TouchedArray::Name)},
          {{"file", Unit::Name, "of a load or store"}, orNull(&TouchedArray::File)},
          {{"line", Unit::Count, "from 1"}, orNull(&TouchedArray::Line)},
          {{"written", Unit::Flag, "by stores; else read by loads"}, &TouchedArray::IsWritten},
          {{"bytes", Unit::Bytes, "distinct ones of each call and thread, at most"},
           &TouchedArray::Bytes}};
}

/// `footprint` of a kernel.
Fields<KernelWork> footprintFields() {
  const auto Sum = [](bool IsWritten, auto Member) {
    return [IsWritten, Member](const KernelWork &Of) -> Cell {
      const auto Found = Of.footprint(IsWritten);
      return Found ? Value((*Found).*Member) : Value();
    };
  };
  return {{{"read", Unit::Bytes,
            "distinct bytes read, of each call and thread, at most; null: "
            "not known"},
           Sum(false, &FootprintSum::Bytes)},
          {{"read_scattered", Unit::Bytes, "of these, counted each time"},
           Sum(false, &FootprintSum::Scattered)},
          {{"written", Unit::Bytes, "the same of bytes written"}, Sum(true, &FootprintSum::Bytes)},
          {{"written_scattered", Unit::Bytes, "of these, counted each time"},
           Sum(true, &FootprintSum::Scattered)},
          rowsField<KernelWork>(
              "arrays", "by pointer, of its loops", arrayFields(),
              [](const KernelWork &Of) { return std::span<const TouchedArray>(Of.Arrays); })};
}

} // namespace

std::string shownBounds(const Bounds &Of, bool IsWhole, std::string (*Show)(double)) {
  const std::string More = IsWhole ? "" : " + ?";
  if (Of.Least == Of.Most)
    return !Of.Most && !IsWhole ? "?" : Show(static_cast<double>(Of.Most)) + More;
  const std::string Most = Show(static_cast<double>(Of.Most));
  if (!Of.Least)
    return "<=" + Most + More;
  const std::string Least = Show(static_cast<double>(Of.Least));
  return (Least == Most ? Most : Least + " to " + Most) + More;
}

std::string shownFlop(double Flop) {
  for (const auto &[Unit, Name] : {std::pair(1e12, "T"), {1e9, "G"}, {1e6, "M"}, {1e3, "k"}})
    if (Flop >= Unit)
      return fmt::format("{:.3g} {}", Flop / Unit, Name);
  return fmt::format("{:.0f}", Flop);
}

Cell boundsCell(const Bounds &Of, bool IsWhole, std::string (*Show)(double)) {
  return {exactly(Of, IsWhole), shownBounds(Of, IsWhole, Show)};
}

std::string shownMath(const ExecutedWork &Of) {
  std::string Text;
  for (const auto &[Function, Count] : Of.mathCalls())
    if (Count.Most)
      Text += fmt::format("{}{} {}", Text.empty() ? "" : ", ", Function,
                          shownBounds(Count, true, shownFlop));
  return Text;
}

/// Whether counters, which cover calls that ended while recording was on, cover those of the row.
static bool isOfAllCalls(const KernelWork *Of, const KernelRow &Row) {
  return Of && (!Of->Calls || Of->Calls == Row.Times.Calls);
}

std::optional<WorkTime> kernelTime(const ReportContext &In, const KernelRow &Row) {
  if (!isOfAllCalls(anyWork(In, Row), Row))
    return std::nullopt;
  return In.site(Row.Site).Device < 0 ? In.workTimes().ofKernel(Row)
                                      : WorkTime{Row.Times.TotalNs, 1, false};
}

std::optional<WorkTime> loopTime(const ReportContext &In, const KernelRow &Row,
                                 std::string_view Loop) {
  return isOfAllCalls(countedWork(In, Row), Row)
             ? In.workTimes().ofLoop(In.ids().of(In.site(Row.Site)), Loop)
             : std::nullopt;
}

RoofShares kernelRoofs(const ReportContext &In, const KernelRow &Row) {
  const KernelWork *const Of = countedWork(In, Row);
  const std::optional<WorkTime> Time = Of ? kernelTime(In, Row) : std::nullopt;
  return Time && In.Input.Roofs ? roofShares(*Of, Row.Times.Calls, *In.Input.Roofs, *Time)
                                : RoofShares();
}

RoofShares loopRoofs(const ReportContext &In, const KernelRow &Row, std::string_view Loop) {
  const std::optional<WorkTime> Time = loopTime(In, Row, Loop);
  if (!Time || !In.Input.Roofs)
    return {};
  const KernelWork &Of = *countedWork(In, Row);
  const auto Own = Of.Loops.find(Loop);
  if (Own == Of.Loops.end())
    return {};
  return Of.Loops.size() == 1 ? roofShares(Of, Row.Times.Calls, *In.Input.Roofs, *Time)
                              : roofShares(Own->second, *In.Input.Roofs, *Time);
}

std::string shownRoof(const RoofShares &Of) {
  const auto [Name, Share] = Of.nearest();
  if (!Share)
    return {};
  const std::string Nearest =
      fmt::format("{} {}{:.0f} %", Name, Of.IsAtLeast ? ">=" : "", 100 * *Share);
  return Of.bounds()       ? Nearest
         : Of.isBelowAll() ? fmt::format("none ({})", Nearest)
                           : fmt::format("? ({})", Nearest);
}

const KernelWork *anyWork(const ReportContext &In, const KernelRow &Row) {
  return In.site(Row.Site).Device < 0 ? countedWork(In, Row) : In.launchWork(Row);
}

const KernelWork *countedWork(const ReportContext &In, const KernelRow &Row) {
  if (In.Source.Work.empty() || In.site(Row.Site).Device >= 0)
    return nullptr;
  const KernelId Id = In.ids().of(In.site(Row.Site));
  const auto Found = In.work().find(Id);
  // Kernels of one name in one file have one sum.
  return Found != In.work().end() && In.ids().isOfOne(Id) ? &Found->second : nullptr;
}

Fields<KernelRow> countedFields(const Context &In) {
  auto Work = recordField<KernelRow>("work", "what it executed, over all calls", executedFields(),
                                     [In](const KernelRow &R) {
                                       const KernelWork *const Of = anyWork(*In, R);
                                       return Of ? &Of->All : nullptr;
                                     });
  Fields<LineWork> LineFields = {{{"file", Unit::Name, "of the source"}, orNull(&LineWork::File)},
                                 {{"line", Unit::Count, "from 1"}, orNull(&LineWork::Line)}};
  append(LineFields, flopFields<LineWork>(&LineWork::Work));
  append(LineFields, bytesFields<LineWork>(&LineWork::Work));
  auto Lines = rowsField<KernelRow>(
      "lines", "work by line of the source", std::move(LineFields), [In](const KernelRow &R) {
        const KernelWork *const Of = anyWork(*In, R);
        return Of ? std::span<const LineWork>(Of->Lines) : std::span<const LineWork>();
      });
  auto Footprint = recordField<KernelRow>("footprint", "the distinct bytes that it touched",
                                          footprintFields(), [In](const KernelRow &R) {
                                            const KernelWork *const Of = countedWork(*In, R);
                                            return Of && !Of->LacksArrays ? Of : nullptr;
                                          });
  auto Roof = recordField<KernelRow>(
      "roof", "how near it came to the machine's roofs", roofFields(),
      [In, Held = std::make_shared<RoofShares>()](const KernelRow &R) -> const RoofShares * {
        *Held = kernelRoofs(*In, R);
        return Held->isKnown() ? Held.get() : nullptr;
      });
  auto Time = recordField<KernelRow>(
      "work_time", "of the calls that were counted, without kernels that they call", timeFields(),
      [In, Held = std::make_shared<WorkTime>()](const KernelRow &R) {
        return held(*Held, kernelTime(*In, R));
      });
  auto Threads = rowsField<KernelRow>(
      "work_by_thread", "the parts of work that threads executed", threadWorkFields(),
      [In](const KernelRow &R) { return threadsWork(*In, *countedWork(*In, R)); });
  auto Calls = recordField<KernelRow>(
      "work_by_call", "how the work of the calls differs", spreadFields(),
      [In, Held = std::make_shared<CallSpread>()](const KernelRow &R) -> const CallSpread * {
        if (!countedWork(*In, R))
          return nullptr;
        const auto Found = In->workOfCalls().find(In->ids().of(In->site(R.Site)));
        if (Found == In->workOfCalls().end())
          return nullptr;
        *Held = spreadOf(Found->second);
        return Held.get();
      });
  Fields<KernelRow> Made;
  Made.push_back(optionalField(std::move(Work)));
  Made.push_back(optionalField(std::move(Time)));
  Made.push_back(fieldIf(
      [In](const KernelRow &R) {
        const KernelWork *const Of = countedWork(*In, R);
        return Of && !Of->LacksThreads;
      },
      std::move(Threads)));
  Made.push_back(optionalField(std::move(Calls)));
  Made.push_back(optionalField(std::move(Footprint)));
  Made.push_back(optionalField(std::move(Roof)));
  Made.push_back(
      fieldIf([In](const KernelRow &R) { return anyWork(*In, R) != nullptr; }, std::move(Lines)));
  for (Field<KernelRow> &Each : Made)
    Each.In = ForJson;
  return Made;
}

Fields<LoopRow> countedLoopFields(const Context &In) {
  const auto WorkOf = [In](const LoopRow &R) -> const ExecutedWork * {
    if (!R.Cpu || In->Source.Work.empty())
      return nullptr;
    const auto OfKernel = In->work().find(In->ids().of(In->site(R.Site)));
    if (OfKernel == In->work().end())
      return nullptr;
    const auto Found = OfKernel->second.Loops.find(In->name(R.Site));
    return Found == OfKernel->second.Loops.end() ? nullptr : &Found->second;
  };
  const auto KernelOf = [In](const LoopRow &R) -> const KernelRow * {
    const Site &Loop = In->site(R.Site);
    const KernelId Id = In->ids().of(Loop);
    const auto Found = std::ranges::find_if(In->Numbers.Kernels, [&](const KernelRow &Each) {
      const Site &Kernel = In->site(Each.Site);
      return Kernel.Device < 0 && Kernel.Name == Loop.Kernel && In->ids().of(Kernel) == Id;
    });
    return Found == In->Numbers.Kernels.end() ? nullptr : &*Found;
  };
  Fields<LoopRow> Made;
  Made.push_back(optionalField(
      recordField<LoopRow>("work", "what its own code executed, without loops that have rows",
                           executedFields(), WorkOf)));
  Made.push_back(optionalField(recordField<LoopRow>(
      "work_time", "of the thread that was longest in its own code", timeFields(),
      [In, WorkOf, KernelOf, Held = std::make_shared<WorkTime>()](const LoopRow &R) {
        const KernelRow *const Kernel = WorkOf(R) ? KernelOf(R) : nullptr;
        return held(*Held, Kernel ? loopTime(*In, *Kernel, In->name(R.Site)) : std::nullopt);
      })));
  Made.push_back(optionalField(recordField<LoopRow>(
      "roof", "how near it came to the machine's roofs", roofFields(),
      [In, KernelOf,
       Held = std::make_shared<RoofShares>()](const LoopRow &R) -> const RoofShares * {
        const KernelRow *const Kernel = R.Cpu ? KernelOf(R) : nullptr;
        *Held = Kernel ? loopRoofs(*In, *Kernel, In->name(R.Site)) : RoofShares();
        return Held->isKnown() ? Held.get() : nullptr;
      })));
  return Made;
}

} // namespace seamscope::tools
