//===- Check.cpp - the document of `seamscope check` ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Check.h"
#include "torch/SourceLine.h"
#include "trace/io/Escape.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

Cell realOrNull(const std::optional<double> &Of) { return Of ? Cell(*Of) : Cell(); }

/// A small number, for people.
std::string shown(const std::optional<double> &Of) {
  return Of ? fmt::format("{:.2g}", *Of) : std::string("-");
}

Table kernels(std::vector<CheckedKernel> Rows) {
  using Row = const CheckedKernel &;
  const auto ForPeopleOnly = [](Column Of) {
    Of.In = ForPeople;
    return Of;
  };
  auto Why = std::make_shared<std::vector<std::vector<std::string>>>();
  for (const CheckedKernel &Each : Rows)
    Why->push_back(Each.Why);
  Table Result = makeTable<CheckedKernel>(
      "check.kernels", "Kernels against eager mode", std::move(Rows),
      {{Column("name", "Kernel", Unit::Name, "name").left(), [](Row R) { return Value(R.Name); }},
       {Column("calls", "Calls", Unit::Count, "that were checked"), &CheckedKernel::Calls},
       {Column("outputs", "Tensors", Unit::Count, "tensors that these calls wrote, and compared"),
        &CheckedKernel::Compared},
       {Column("not_compared", "Not", Unit::Count, "tensors that were not compared"),
        &CheckedKernel::NotCompared},
       {Column("wrong", "Wrong", Unit::Count, "numbers in them that are wrong"),
        &CheckedKernel::Wrong},
       {Column("differs", "Differ", Unit::Count,
               "numbers that are not near eager mode, but near float64 or explained by rounding"),
        &CheckedKernel::Differs},
       {ForPeopleOnly(
            Column("max_abs_text", "Max abs", Unit::Text, "of the differences to eager mode")),
        [](Row R) { return Value(shown(R.MaxAbs)); }},
       {ForPeopleOnly(
            Column("max_ulp_text", "Ulp", Unit::Text, "the same in units in the last place")),
        [](Row R) { return Value(shown(R.MaxUlp)); }},
       {ForPeopleOnly(Column("max_rel_f64_text", "Rel f64", Unit::Text,
                             "greatest relative difference to float64")),
        [](Row R) { return Value(shown(R.MaxRelF64)); }},
       {ForPeopleOnly(Column("eager_rel_f64_text", "Eager's", Unit::Text, "that of eager mode")),
        [](Row R) { return Value(shown(R.EagerRelF64)); }},
       {Column("max_abs", Unit::Ratio, "greatest absolute difference to eager mode"),
        [](Row R) { return realOrNull(R.MaxAbs); }},
       {Column("max_ulp", Unit::Ratio,
               "greatest difference to eager mode in units in the last place of its number"),
        [](Row R) { return realOrNull(R.MaxUlp); }},
       {Column("max_rel_f64", Unit::Ratio, "greatest relative difference to float64"),
        [](Row R) { return realOrNull(R.MaxRelF64); }},
       {Column("eager_rel_f64", Unit::Ratio, "that of eager mode"),
        [](Row R) { return realOrNull(R.EagerRelF64); }},
       {Column("ok", "Ok", Unit::Flag, "whether no number is wrong; null: nothing was compared"),
        [](Row R) { return R.isOk() ? Cell(*R.isOk()) : Cell(); }}});
  Result.Notes = [Why](size_t Row) {
    std::vector<std::string> Notes;
    for (const std::string &Each : (*Why)[Row])
      Notes.push_back("not compared: " + escaped(Each));
    return Notes;
  };
  return Result;
}

std::string indexOf(const CheckedOutput &Of) {
  return fmt::format("[{}]", fmt::join(Of.Index, ", "));
}

/// Says where the program first has a wrong number.
void sayFirst(Section &To, const CheckedCall &Call, const CheckedOutput &Of,
              const std::string &Run) {
  const auto Lines = parseTraceback(Of.Stack);
  To.sayApart(fmt::format("first wrong: {}, call {}: {} of {} numbers of {} ({}), {}",
                          escaped(Call.Kernel), Call.Number, Of.Wrong, Of.Numbers, escaped(Of.Node),
                          escaped(Of.Target), escaped(Of.Type)));
  if (!Of.Culprit.empty())
    To.say(fmt::format("  made wrong by {} ({})", escaped(Of.Culprit), escaped(Of.CulpritTarget)));
  if (!Lines.empty())
    To.say(fmt::format("  at {}:{}: {}", escaped(Lines.back().File), Lines.back().Line,
                       escaped(Lines.back().Code)));
  std::string Line = fmt::format("  {} is {}", indexOf(Of), escaped(Of.Value));
  if (!Of.Eager.empty())
    Line += fmt::format("; in eager mode {}", escaped(Of.Eager));
  if (!Of.F64.empty())
    Line += fmt::format("; in float64 {}", escaped(Of.F64));
  To.say(Line);
  for (const auto &[Name, Value] : Of.Inputs)
    To.say(fmt::format("  from {} = {}", escaped(Name), escaped(Value)));
  To.say(fmt::format("  `seamscope replay {} {} --call {}` makes a program of this call",
                     escaped(Call.Kernel), escaped(Run), Call.Number));
}

} // namespace

Document checkDocument(const CheckLog &Of, const std::string &Run) {
  Document Doc{"seamscope.check/1", Run, {}, "check.kernels"};
  Section &To = Doc.Sections.emplace_back(Section{"check", "Check"});
  std::vector<CheckedKernel> Rows = checkedKernels(Of);
  const auto Count = [&](auto Member) {
    uint64_t Sum = 0;
    for (const CheckedKernel &Each : Rows)
      Sum += Each.*Member;
    return Sum;
  };
  const auto With = [&](auto Member) {
    return static_cast<uint64_t>(
        std::ranges::count_if(Rows, [&](const CheckedKernel &Each) { return Each.*Member > 0; }));
  };
  const uint64_t Bad = With(&CheckedKernel::Wrong), Other = With(&CheckedKernel::Differs);
  const uint64_t Compared = Count(&CheckedKernel::Compared),
                 Not = Count(&CheckedKernel::NotCompared);
  To.say(fmt::format(
      "{} kernel{}, {} call{}: {} tensors compared with eager mode and float64, {} not; {}",
      Rows.size(), Rows.size() == 1 ? "" : "s", Count(&CheckedKernel::Calls),
      Count(&CheckedKernel::Calls) == 1 ? "" : "s", Compared, Not,
      Bad ? fmt::format("{} kernel{} wrong", Bad, Bad == 1 ? " is" : "s are")
      : Other
          ? fmt::format("none is wrong, {} differ{} from eager mode", Other, Other == 1 ? "s" : "")
      : Compared ? "none is wrong"
                 : "nothing is known"));
  const auto [Call, Output] = firstWrong(Of);
  const auto Fact = [&](const char *Key, Unit Kind, const char *Help, Cell Value) {
    To.fact(Column(std::string("check.") + Key, Kind, Help), std::move(Value));
  };
  const auto Name = [](const std::string *Text) { return Text ? Cell(Value(*Text)) : Cell(); };
  const auto Lines = Output ? parseTraceback(Output->Stack) : std::vector<SourceLine>();
  const std::string Line =
      Lines.empty() ? std::string() : fmt::format("{}:{}", Lines.back().File, Lines.back().Line);
  Fact("compared", Unit::Count, "tensors that were compared", Compared);
  Fact("not_compared", Unit::Count, "tensors that were not", Not);
  Fact("wrong", Unit::Count, "kernels with a wrong number", Bad);
  Fact("first.kernel", Unit::Name,
       "the first kernel in the program that wrote a wrong number; null: all numbers are right",
       Name(Call ? &Call->Kernel : nullptr));
  Fact("first.call", Unit::Count, "its call, from 1 on", Call ? Cell(Call->Number) : Cell());
  Fact("first.graph", Unit::Name, "its graph", Name(Call ? &Call->Graph : nullptr));
  Fact("first.node", Unit::Name, "the node whose value is wrong",
       Name(Output ? &Output->Node : nullptr));
  Fact("first.target", Unit::Name, "its operator", Name(Output ? &Output->Target : nullptr));
  Fact("first.operator", Unit::Name, "the node in the kernel that makes it wrong; null: not known",
       Output && !Output->Culprit.empty() ? Cell(Value(Output->Culprit)) : Cell());
  Fact("first.line", Unit::Name,
       "the line of the program that it comes from, as FILE:LINE; null: not known",
       Line.empty() ? Cell() : Cell(Value(Line)));
  Fact("first.index", Unit::Name, "of the first number that is wrong",
       Output ? Cell(Value(indexOf(*Output))) : Cell());
  Fact("first.value", Unit::Name, "the number", Name(Output ? &Output->Value : nullptr));
  Fact("first.eager", Unit::Name, "that of eager mode; empty: not known",
       Name(Output ? &Output->Eager : nullptr));
  Fact("first.f64", Unit::Name, "that of float64; empty: not known",
       Name(Output ? &Output->F64 : nullptr));
  To.add(kernels(std::move(Rows)));
  if (Output)
    sayFirst(To, *Call, *Output, Run);
  if (Of.NotRead)
    To.warn(fmt::format("note: {} line{} of checks.jsonl could not be read", Of.NotRead,
                        Of.NotRead == 1 ? "" : "s"));
  return Doc;
}

} // namespace seamscope::tools
