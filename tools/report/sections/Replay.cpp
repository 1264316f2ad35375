//===- Replay.cpp - the document of `seamscope replay` ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Replay.h"
#include "report/model/Numbers.h"
#include "trace/io/Escape.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace seamscope::tools {
namespace {

/// `replay.hot` and the like, for scripts.
void addTimes(Section &To, const std::string &Key, const std::string &What,
              const ReplayTimes *Times) {
  const auto Add = [&](const char *Name, const char *Help, auto Member) {
    To.fact(
        Column(fmt::format("replay.{}.{}", Key, Name), Unit::Ns, fmt::format("{}, {}", What, Help)),
        Times ? Cell(Times->*Member) : Cell());
  };
  Add("median_ns", "median", &ReplayTimes::MedianNs);
  Add("low_ns", "lower end of the median's 95 % interval, by order statistics",
      &ReplayTimes::LowNs);
  Add("high_ns", "upper end", &ReplayTimes::HighNs);
  Add("min_ns", "least", &ReplayTimes::MinNs);
  To.fact(Column(fmt::format("replay.{}.calls", Key), Unit::Count, What + ", number of calls"),
          Times ? Cell(Times->Calls) : Cell());
}

std::string megabytes(uint64_t Bytes) {
  return fmt::format("{:.3g} MB", static_cast<double>(Bytes) / 1e6);
}

Table states(const Replayed &Of) {
  std::vector<ReplayVariant> Rows;
  if (Of.InPlace)
    Rows.push_back({"in place", *Of.InPlace});
  Rows.insert(Rows.end(), Of.Variants.begin(), Of.Variants.end());
  const auto Bytes = static_cast<double>(Of.ReadBytes + Of.WrittenBytes);
  const auto Flop = Of.Flop ? std::optional(static_cast<double>(*Of.Flop)) : std::nullopt;
  const auto *const Hot = Of.find("hot");
  const double HotNs = Hot ? static_cast<double>(Hot->MedianNs) : 0;
  const auto Over = [](double Value, double By) -> Cell {
    return By > 0 ? Cell(Value / By) : Cell();
  };
  using Row = const ReplayVariant &;
  Table Result = makeTable<ReplayVariant>(
      "replay.states", "A call, by the state of the memory", std::move(Rows),
      {{Column("state", "Memory", Unit::Text,
               "in place: in the program; hot, written, cold, new: alone")
            .left(),
        &ReplayVariant::Name},
       {Column("median_ns", "Median", Unit::Ns, "of a call"),
        [](Row R) { return R.Times.MedianNs; }},
       {Column("low_ns", "Low", Unit::Ns, "lower end of the median's 95 % interval"),
        [](Row R) { return R.Times.LowNs; }},
       {Column("high_ns", "High", Unit::Ns, "upper end"), [](Row R) { return R.Times.HighNs; }},
       {Column("min_ns", "Least", Unit::Ns, "least"), [](Row R) { return R.Times.MinNs; }},
       {Column("calls", "Calls", Unit::Count, "that were measured"),
        [](Row R) { return R.Times.Calls; }},
       {Column("of_hot", "Of hot", Unit::Ratio, "median over that with hot caches"),
        [=](Row R) { return Over(static_cast<double>(R.Times.MedianNs), HotNs); }},
       {Column("bytes_per_s", "GB/s", Unit::Rate, "bytes that the call reads and writes, each once")
            .scaled(1e9),
        [=](Row R) { return Over(Bytes, static_cast<double>(R.Times.MedianNs) / 1e9); }},
       {Column("flop_per_s", Of.Flop ? "GFLOP/s" : "", Unit::Rate, "replay.flop over the median")
            .scaled(1e9),
        [=](Row R) {
          return Flop ? Over(*Flop, static_cast<double>(R.Times.MedianNs) / 1e9) : Cell();
        }}});
  Result.In = ForAll;
  return Result;
}

/// What each operator costs: the parts, the rest, and what overlaps are the kernel.
void addAblation(Section &To, const Replayed &Of) {
  const ReplayAblation *const Ablation = Of.Ablation ? &*Of.Ablation : nullptr;
  const auto Fact = [&](const char *Key, const char *Help, std::optional<int64_t> Ns) {
    To.fact(Column(std::string("replay.ablation.") + Key, Unit::Ns, Help), Ns ? Cell(*Ns) : Cell());
  };
  const auto Kernel = Ablation ? Ablation->kernelNs() : std::nullopt;
  const auto Floor = Ablation ? Ablation->Floor.medianNs() : std::nullopt;
  const auto Overlapped = Ablation ? Ablation->overlappedNs() : std::nullopt;
  Fact("kernel_ns", "median of a call as it is, in all rounds; null: not measured", Kernel);
  Fact("floor_ns", "the same without all operators of the table", Floor);
  Fact("overlapped_ns", "kernel_ns less floor_ns and the parts", Overlapped);
  using Row = const ReplayVaried &;
  const auto Part = [](auto Member) {
    return [=](Row R) -> Cell {
      const auto Its = R.part();
      return Its ? Cell((*Its).*Member) : Cell();
    };
  };
  using Times = ReplayVaried::Part;
  Table Made = makeTable<ReplayVaried>(
      "replay.ablated", "Operators, left out one at a time",
      Ablation ? std::span<const ReplayVaried>(Ablation->Operators)
               : std::span<const ReplayVaried>(),
      {{Column("operator", "Without", Unit::Text, "FILE:LINE and code").left(),
        [](Row R) { return Value(R.Name); }},
       {Column("part_ns", "Saves", Unit::Ns,
               "median of the rounds: a call less than next to it as it is"),
        Part(&Times::Median)},
       {Column("part_low_ns", "Low", Unit::Ns, "least of the rounds"), Part(&Times::Low)},
       {Column("part_high_ns", "High", Unit::Ns, "greatest of the rounds"), Part(&Times::High)},
       {Column("problem", Unit::Name, "why there is no figure; null: there is one"),
        [](Row R) { return textOrNull(R.Problem); }}});
  if (Ablation)
    Made.Notes = [Ablation](size_t At) {
      const std::string &Problem = Ablation->Operators[At].Problem;
      return Problem.empty() ? std::vector<std::string>() : std::vector{escaped(Problem)};
    };
  To.add(shownIfAny(std::move(Made)));

  if (Kernel && Floor && Overlapped)
    To.sayApart(fmt::format("of {}, {} are left without all of these, and {} are saved only by "
                            "leaving out several, or counted in several parts if negative",
                            shownTime(*Kernel), shownTime(*Floor), shownTime(*Overlapped)));
  if (Ablation && Ablation->NotTried)
    To.warn(fmt::format("note: the kernel has {} more operators, which were not left out",
                        Ablation->NotTried));
}

} // namespace

Document replayDocument(const Replayed &Of) {
  Document Doc{"seamscope.replay/1", Of.Kernel, {}, "replay.states"};
  Section &To = Doc.Sections.emplace_back(Section{"replay", "Replay"});
  const std::string On = Of.Device.empty()
                             ? fmt::format("{} thread{}", Of.Threads, Of.Threads == 1 ? "" : "s")
                             : "on " + escaped(Of.Device);
  To.say(fmt::format("{}: {}, {}, {} inputs; reads {} and writes {}{}", escaped(Of.Kernel),
                     Of.Call ? fmt::format("call {}", Of.Call) : escaped(Of.Inputs), On,
                     Of.IsCaptured ? "the program's" : "made-up", megabytes(Of.ReadBytes),
                     megabytes(Of.WrittenBytes), Of.CountsPages ? ", in whole pages" : ""));
  const auto Fact = [&](const char *Key, Unit Kind, const char *Help, Cell Value) {
    To.fact(Column(std::string("replay.") + Key, Kind, Help), std::move(Value));
  };
  Fact("kernel", Unit::Name, "name", Value(Of.Kernel));
  Fact("call", Unit::Count, "number of the call that was replayed, from 1 on; null: an operator",
       Of.Call ? Cell(Of.Call) : Cell());
  Fact("inputs", Unit::Name, "dimensions and types of an operator's inputs; null: a kernel",
       textOrNull(Of.Inputs));
  Fact("calls", Unit::Count, "calls in the program; null: the trace has none",
       Of.InPlace ? Cell(Of.InPlace->Calls) : Cell());
  Fact("threads", Unit::Count,
       "OpenMP threads; of a GPU's kernel those of the program that starts it", Of.Threads);
  Fact("device", Unit::Name, "as torch names it; null: processors", textOrNull(Of.Device));
  Fact("captured", Unit::Flag, "whether the inputs are the program's", Of.IsCaptured);
  addTimes(To, "hot", "a call alone, with hot caches", Of.find("hot"));
  addTimes(To, "cold", "a call alone, with its tensors in no cache", Of.find("cold"));
  addTimes(To, "in_place", "a call in the program", Of.InPlace ? &*Of.InPlace : nullptr);
  Fact("bytes", Unit::Bytes, "elements of tensors that are read or written, each once",
       Of.ReadBytes + Of.WrittenBytes);
  Fact("flop", Unit::Flop, "floating-point operations of a call; null: not known",
       Of.Flop ? Cell(*Of.Flop) : Cell());
  Fact("preempted", Unit::Count, "times that the replay lost a processor", Of.Preempted);
  Fact("folder", Unit::Name, "the program that was measured", Value(Of.Folder));
  To.add(states(Of));
  using Row = const ReplayCause &;
  Table Causes = makeTable<ReplayCause>(
      "replay.explained", "Why a call takes longer in the program", explain(Of),
      {{Column("cause", "Longer because", Unit::Text, "what differs").left(),
        [](Row R) { return Value(R.Cause); }},
       {Column("ns", "At most", Unit::Ns, "of a call; causes may overlap"), &ReplayCause::Ns}});
  To.add(shownIfAny(std::move(Causes)));
  using OneLoop = const ReplayLoop &;
  Table Loops = makeTable<ReplayLoop>(
      "replay.loops", "Innermost loops", std::span(Of.Loops),
      {{Column("place", "Loop", Unit::Text, "FILE:LINE").left(),
        [](OneLoop R) { return Value(fmt::format("{}:{}", R.File, R.Line)); }},
       {Column("code", "Code", Unit::Text,
               "vector: clang vectorised it; written: Inductor wrote vector code; scalar")
            .left(),
        [](OneLoop R) { return Value(R.Code); }},
       {Column("why", "Not vectorised by clang", Unit::Text, "why, in LLVM's words").left(),
        [](OneLoop R) { return textOrNull(R.Why); }},
       {Column("nodes", "Nodes", Unit::Text, "of torch's graph that it computes").left(),
        [](OneLoop R) { return textOrNull(R.Nodes); }}});
  To.add(shownIfAny(std::move(Loops)));
  using Other = const ReplayVaried &;
  Table Varied = makeTable<ReplayVaried>(
      "replay.varied", "With changes, hot", std::span(Of.Varied),
      {{Column("name", "Change", Unit::Text, "what differs").left(),
        [](Other R) { return Value(R.Name); }},
       {Column("kind", Unit::Text, "threads, compiler, flags, eager or inductor"),
        [](Other R) { return Value(R.Kind); }},
       {Column("median_ns", "Median", Unit::Ns, "of a call with hot caches"),
        &ReplayVaried::medianNs},
       {Column("ratio", "Of now", Unit::Ratio,
               "median over rounds of that time over that of the program as it is next to it"),
        [](Other R) -> Cell { return R.ratio() ? Cell(R.ratio()->Median) : Cell(); }},
       {Column("ratio_low", "Low", Unit::Ratio, "least of the rounds"),
        [](Other R) -> Cell { return R.ratio() ? Cell(R.ratio()->Low) : Cell(); }},
       {Column("ratio_high", "High", Unit::Ratio, "greatest of the rounds"),
        [](Other R) -> Cell { return R.ratio() ? Cell(R.ratio()->High) : Cell(); }},
       {Column("verdict", "Is", Unit::Text,
               "faster, slower or same: all rounds agree by more than 2 %, or they do not")
            .left(),
        [](Other R) { return Value(R.verdict()); }},
       {Column("problem", Unit::Name, "why there is no figure; null: there is one"),
        [](Other R) { return textOrNull(R.Problem); }}});
  Varied.Notes = [&Of](size_t Row) {
    const std::string &Problem = Of.Varied[Row].Problem;
    return Problem.empty() ? std::vector<std::string>() : std::vector{escaped(Problem)};
  };
  To.add(shownIfAny(std::move(Varied)));
  addAblation(To, Of);
  To.sayApart(verdict(Of));
  if (Of.OfTheName > 1)
    To.warn(fmt::format("note: {} kernels have this name, in several graphs; {} is replayed",
                        Of.OfTheName,
                        Of.IsCaptured ? "the captured one" : "the one with the most time"));
  if (Of.CountsPages && !Of.InPlace)
    To.warn(
        "note: the trace has no other call of the kernel than the captured one, whose time is not "
        "that of a call in the program: its memory was shared with a copy of the process");
  if (Of.HasSizes && Of.InPlace)
    To.warn("note: calls in the program may have had other sizes or numbers than the one that was "
            "replayed");
  if (Of.OtherInputs)
    To.warn(fmt::format(
        "note: the program calls it with {} other{} of inputs, too; with these it takes "
        "the most time",
        Of.OtherInputs, Of.OtherInputs == 1 ? " kind" : " kinds"));
  if (Of.HasNoNew)
    To.warn("note: with results in new memory the kernel failed: it reads what lies next to them");
  if (Of.Preempted > 10)
    To.warn(fmt::format("note: the replay lost a processor {} times: other work ran on the machine",
                        Of.Preempted));
  To.say(fmt::format("the kernel as a program of its own: {}", escaped(Of.Folder)));
  return Doc;
}

} // namespace seamscope::tools
