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

/// Rows of the text without --top.
constexpr size_t UsualRows = 30;

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

unsigned threadsOf(const KernelRow &Row) {
  size_t Most = 1;
  for (const RegionRow &Region : Row.Regions)
    Most = std::max(Most, Region.Threads.size());
  return static_cast<unsigned>(std::min<size_t>(Most, 65536));
}

namespace {

/// The time in which the counted work was executed; nothing where the counters, which cover calls
/// that ended while recording was on, do not cover the calls of the row.
std::optional<int64_t> timeOf(const KernelWork &Of, const KernelRow &Row) {
  if (Of.Calls && Of.Calls != Row.Times.Calls)
    return std::nullopt;
  return Row.Times.TotalNs;
}

Value percentOf(const std::optional<double> &Share) {
  return Share ? Value(100 * *Share) : Value();
}

/// `roof` of a kernel.
Fields<RoofShares> roofFields() {
  const auto Percent = [](const char *Key, const char *What, auto Share) -> Field<RoofShares> {
    return {{Key, Unit::Percent, What},
            [Share](const RoofShares &R) { return percentOf(R.*Share); }};
  };
  return {
      {{"bound", Unit::Name, "the nearest roof; none: it is below half of all of them"},
       [](const RoofShares &R) { return R.bounds() ? R.nearest().first : "none"; }},
      {{"nearest", Unit::Name, "roof: arithmetic, division, functions, or a level of memory"},
       [](const RoofShares &R) { return R.nearest().first; }},
      {{"percent", Unit::Percent, "of that roof"},
       [](const RoofShares &R) { return percentOf(R.nearest().second); }},
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

/// A row of the table for people.
struct WorkRow {
  std::string Name;
  const ExecutedWork *Work;
  std::optional<int64_t> Ns; ///< of the calls in which it was executed
  RoofShares Roofs = {};
  const KernelWork *Kernel = nullptr; ///< null: a loop
};

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

namespace {

/// A quotient between \p Least and \p Most; nothing where these do not look the same.
Cell quotientCell(double Least, double Most) {
  std::string Text = shownRate(Most, 1);
  return shownRate(Least, 1) == Text ? Cell{Value(Most), std::move(Text)} : Cell();
}

/// A rate in 10^9 a second; nothing where the amount or the time is not known.
Cell rateCell(const WorkRow &Row, const Bounds &Of) {
  if (!Row.Ns || *Row.Ns <= 0 || !Row.Work->Unknown.empty() || !Of.Most ||
      Of.Most >= Bounds::Largest)
    return {};
  const auto Rate = [Ns = static_cast<double>(*Row.Ns)](uint64_t Amount) {
    return static_cast<double>(Amount) / Ns;
  };
  return quotientCell(Rate(Of.Least), Rate(Of.Most));
}

constexpr const char *BoundTitle = "Bound";

/// Distinct bytes; `<=` where most of them were counted each time.
Cell footprintCell(const KernelWork *Of) {
  const auto Sum = Of ? Of->footprint() : std::nullopt;
  if (!Sum)
    return {};
  return {Value(Sum->Bytes),
          (Sum->isClose() ? "" : "<=") + shownBytes(static_cast<double>(Sum->Bytes))};
}

Fields<WorkRow> rowFields() {
  const auto Whole = [](const WorkRow &R) { return R.Work->Unknown.empty(); };
  const auto Moved = [](const WorkRow &R) { return R.Work->bytes(); };
  return {
      {column::name("Kernel"), &WorkRow::Name},
      {{"flop", "FLOPs", Unit::Flop, "executed, over all calls"},
       [Whole](const WorkRow &R) { return boundsCell(R.Work->flop(), Whole(R), shownFlop); }},
      {{"gflop_per_s", "GFLOP/s", Unit::Rate, "over the time of the calls"},
       [](const WorkRow &R) { return rateCell(R, R.Work->flop()); }},
      {{"bytes_read", "Read", Unit::Bytes, "loaded, also from caches"},
       [Whole](const WorkRow &R) { return boundsCell(R.Work->bytesRead(), Whole(R), shownBytes); }},
      {{"bytes_written", "Written", Unit::Bytes, "stored"},
       [Whole](const WorkRow &R) {
         return boundsCell(R.Work->bytesWritten(), Whole(R), shownBytes);
       }},
      {{"gb_per_s", "GB/s", Unit::Rate, "loaded and stored, also from and to caches"},
       [Moved](const WorkRow &R) { return rateCell(R, Moved(R)); }},
      {{"flop_per_byte", "FLOP/B", Unit::Rate, "executed FLOPs over bytes loaded and stored"},
       [Moved](const WorkRow &R) -> Cell {
         const Bounds Flop = R.Work->flop(), Bytes = Moved(R);
         if (!R.Work->Unknown.empty() || !Bytes.Least || !Flop.Most ||
             std::max(Bytes.Most, Flop.Most) >= Bounds::Largest)
           return {};
         const auto Ratio = [](uint64_t Of, uint64_t Over) {
           return static_cast<double>(Of) / static_cast<double>(Over);
         };
         return quotientCell(Ratio(Flop.Least, Bytes.Most), Ratio(Flop.Most, Bytes.Least));
       }},
      {{"footprint", "Distinct", Unit::Bytes, "bytes read and written, each counted once a call"},
       [](const WorkRow &R) { return footprintCell(R.Kernel); }},
      {Column("bound", BoundTitle, Unit::Text, "the nearest roof of the machine").left(),
       [](const WorkRow &R) {
         const auto [Name, Share] = R.Roofs.nearest();
         if (!Share)
           return std::string();
         const std::string Nearest = fmt::format("{} {:.0f} %", Name, 100 * *Share);
         return R.Roofs.bounds() ? Nearest : fmt::format("none ({})", Nearest);
       }},
      {Column("math", "Math functions", Unit::Text, "values that they computed").left(),
       [](const WorkRow &R) { return shownMath(*R.Work); }},
  };
}

/// Reasons why work is not known, by kernel.
std::vector<std::string> unknownLines(const ReportContext &In) {
  std::vector<std::string> Lines;
  const auto Add = [&](std::string_view Kernel, const KernelWork &Work) {
    if (!Work.All.Unknown.empty())
      Lines.push_back(fmt::format("{}: more work is not known, in {}", fit(Kernel, 60),
                                  fmt::join(Work.All.Unknown, ", ")));
  };
  for (const auto &[Kernel, Work] : In.work())
    Add(Kernel, Work);
  for (const KernelRow &Row : In.Numbers.Kernels)
    if (const KernelWork *const Work = In.launchWork(Row))
      Add(In.name(Row.Site), *Work);
  return Lines;
}

/// Rows of the kernels and of their loops.
std::vector<WorkRow> workRows(const ReportContext &In) {
  std::vector<WorkRow> Rows;
  for (const KernelRow &Row : In.Numbers.Kernels) {
    const KernelWork *const Of = anyWork(In, Row);
    if (!Of)
      continue;
    Rows.push_back(
        {std::string(In.name(Row.Site)), &Of->All, timeOf(*Of, Row), kernelRoofs(In, Row), Of});
    if (Of->Loops.size() > 1)
      for (const auto &[Name, Work] : Of->Loops)
        Rows.push_back({"  " + Name, &Work, {}});
  }
  return Rows;
}

} // namespace

RoofShares kernelRoofs(const ReportContext &In, const KernelRow &Row) {
  const KernelWork *const Of = countedWork(In, Row);
  return Of && In.Input.Roofs ? roofShares(*Of, Row.Times.Calls, *In.Input.Roofs, threadsOf(Row),
                                           static_cast<double>(timeOf(*Of, Row).value_or(0)) / 1e9)
                              : RoofShares();
}

const KernelWork *anyWork(const ReportContext &In, const KernelRow &Row) {
  return In.site(Row.Site).Device < 0 ? countedWork(In, Row) : In.launchWork(Row);
}

const KernelWork *countedWork(const ReportContext &In, const KernelRow &Row) {
  if (In.Source.Work.empty() || In.site(Row.Site).Device >= 0)
    return nullptr;
  const auto Found = In.work().find(In.name(Row.Site));
  if (Found == In.work().end())
    return nullptr;
  // Kernels of one name in several files have one sum.
  return In.hasOwnName(Row) ? &Found->second : nullptr;
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
  auto Threads = rowsField<KernelRow>(
      "work_by_thread", "the parts of work that threads executed", threadWorkFields(),
      [In](const KernelRow &R) { return threadsWork(*In, *countedWork(*In, R)); });
  auto Calls = recordField<KernelRow>(
      "work_by_call", "how the work of the calls differs", spreadFields(),
      [In, Held = std::make_shared<CallSpread>()](const KernelRow &R) -> const CallSpread * {
        if (!countedWork(*In, R))
          return nullptr;
        const auto Found = In->workOfCalls().find(In->name(R.Site));
        if (Found == In->workOfCalls().end())
          return nullptr;
        *Held = spreadOf(Found->second);
        return Held.get();
      });
  Fields<KernelRow> Made;
  Made.push_back(optionalField(std::move(Work)));
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

Field<LoopRow> countedLoopField(const Context &In) {
  return optionalField(recordField<LoopRow>(
      "work", "what its own code executed, without loops that have rows", executedFields(),
      [In](const LoopRow &R) -> const ExecutedWork * {
        if (!R.Cpu || In->Source.Work.empty())
          return nullptr;
        const auto OfKernel = In->work().find(In->Source.text(In->site(R.Site).Kernel));
        if (OfKernel == In->work().end())
          return nullptr;
        const auto Found = OfKernel->second.Loops.find(In->name(R.Site));
        return Found == OfKernel->second.Loops.end() ? nullptr : &Found->second;
      }));
}

void addCountedWork(Section &To, const Context &In) {
  if (In->Source.Work.empty())
    return;
  auto Rows = workRows(*In);
  if (Rows.empty())
    return;
  Fields<WorkRow> Columns = rowFields();
  if (!In->Input.Roofs)
    std::erase_if(Columns, [](const Field<WorkRow> &Each) { return Each.Title == BoundTitle; });
  Table Made = makeTable("", "Executed work (counted)", std::move(Rows), std::move(Columns));
  Made.In = ForPeople;
  Made.Top = In->Input.rowsOf(UsualRows);
  To.add(std::move(Made));
  for (const std::string &Line : unknownLines(*In))
    To.say(Line);
  if (In->Input.CanMeasureRoofs)
    To.say("The roofs of this machine are not known: run `seamscope machine` once to see how near "
           "kernels come to them.");
}

} // namespace seamscope::tools
