//===- Kernels.cpp - renders the table of kernel launches -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Kernels.h"

#include "analysis/devices/OpInputs.h"
#include "report/Table.h"
#include "trace/io/Escape.h"
#include "trace/rewrite/EventsCsv.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;
using enum KernelColumn;

struct ColumnForm {
  std::string_view Name;
  std::string_view Header;
  bool IsText;  ///< gives way where the line is too narrow
  size_t Least; ///< characters of a text that gives way
};

constexpr std::array<ColumnForm, 20> Forms = {{
    {"idx", "Idx", false, 0},     {"seq", "Seq", false, 0},       {"altseq", "AltSeq", false, 0},
    {"tid", "TId", false, 0},     {"layer", "Layer", true, 10},   {"trace", "Trace", true, 15},
    {"dir", "Dir", false, 0},     {"sub", "Sub", false, 0},       {"mod", "Mod", true, 4},
    {"op", "Op", true, 10},       {"kernel", "Kernel", true, 12}, {"params", "Params", true, 12},
    {"sil", "Sil(ns)", false, 0}, {"tc", "TC", false, 0},         {"device", "Dev", false, 0},
    {"stream", "Str", false, 0},  {"grid", "Grid", false, 0},     {"block", "Block", false, 0},
    {"flops", "FLOPs", false, 0}, {"bytes", "Bytes", false, 0},
}};
static_assert(static_cast<size_t>(Bytes) + 1 == Forms.size());

const ColumnForm &formOf(KernelColumn Column) { return Forms[static_cast<size_t>(Column)]; }

/// The value of a cell: nothing, where it is not known, a number, or a text that lives as long as
/// the Cells that gave it, or until it is asked for the next.
struct Cell {
  enum class Type : uint8_t { None, Number, Text };
  Type Kind = Type::None;
  int64_t Number = 0;
  std::string_view Text;

  Cell() = default;
  Cell(int64_t Number) : Kind(Type::Number), Number(Number) {}
  Cell(std::string_view Text) : Kind(Text.empty() ? Type::None : Type::Text), Text(Text) {}
  Cell(const std::optional<int64_t> &Known) : Cell(Known ? Cell(*Known) : Cell()) {}
};

/// Gives the values of cells.
class Cells {
public:
  explicit Cells(const KernelsInput &Input) : Source(*Input.Source), Launches(*Input.Launches) {}

  Cell value(uint32_t RowIndex, KernelColumn Column) {
    const KernelLaunch &Row = Launches.Rows[RowIndex];
    const EventColumns &Events = Source.Events;
    switch (Column) {
    case Idx:
      return int64_t{RowIndex} + 1;
    case Seq:
      return Row.Sequence;
    case AltSeq:
      return Row.NodeSequence;
    case Tid:
      return Row.Host == NoEvent
                 ? Cell()
                 : numberOrText(Source.text(Source.Tracks[Events.Track[Row.Host]].Thread));
    case Layer:
      return std::string_view(layer(Row.Layer));
    case KernelColumn::Trace:
      return std::string_view(line(Row.Stack));
    case Dir:
      return Row.Part == TrainingPart::Forward    ? Cell("fprop")
             : Row.Part == TrainingPart::Backward ? Cell("bprop")
                                                  : Cell();
    case Sub:
      return Row.Operator == NoEvent ? Cell() : Cell(int64_t{Row.Sub});
    case Mod:
      return splitName(Row).first;
    case Op:
      return splitName(Row).second;
    case Kernel:
      return Source.text(siteOf(Row.Event).Name);
    case Params:
      return std::string_view(params(inputsOf(Row)));
    case Sil:
      return Events.DurationNs[Row.Event];
    case TC:
      return Row.TensorCores && Row.TensorCores->Use != TensorCoreUse::Unknown
                 ? Cell(int64_t{Row.TensorCores->Use == TensorCoreUse::Yes})
                 : Cell();
    case KernelColumn::Device:
      return siteOf(Row.Event).Device < 0 ? Cell() : Cell(int64_t{siteOf(Row.Event).Device});
    case Stream:
      return stream(Row);
    case Grid:
      return triple(Row.Shape.Grid);
    case Block:
      return triple(Row.Shape.Block);
    case Flops:
      return Row.Flop;
    case KernelColumn::Bytes:
      return Row.Bytes;
    }
    return {};
  }

private:
  const Site &siteOf(uint32_t Event) const { return Source.Sites[Source.Events.Site[Event]]; }

  /// Of threads and streams, which are numbers in most traces.
  static Cell numberOrText(std::string_view Text) {
    int64_t Number;
    const auto [Stop, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Number);
    return Error == std::errc() && Stop == Text.data() + Text.size() ? Cell(Number) : Cell(Text);
  }

  Cell triple(const std::array<int64_t, 3> &Of) {
    if (Of[0] < 0)
      return {};
    Triple = fmt::format("{},{},{}", Of[0], Of[1], Of[2]);
    return std::string_view(Triple);
  }
  /// torch's streams are the threads of a device.
  Cell stream(const KernelLaunch &Row) const {
    if (Row.Shape.Stream >= 0)
      return Row.Shape.Stream;
    if (siteOf(Row.Event).Device < 0)
      return {};
    std::string_view Thread = Source.text(Source.Tracks[Source.Events.Track[Row.Event]].Thread);
    if (constexpr std::string_view Word = "stream "; Thread.starts_with(Word))
      Thread.remove_prefix(Word.size());
    return numberOrText(Thread);
  }

  /// Namespace and name of the operator.
  std::pair<std::string_view, std::string_view> splitName(const KernelLaunch &Row) const {
    if (Row.Operator == NoEvent)
      return {};
    const std::string_view Name = Source.text(siteOf(Row.Operator).Name);
    const size_t Colons = Name.rfind("::");
    if (Colons == Name.npos || Name.find_first_of(" (<") < Colons)
      return {{}, Name};
    return {Name.substr(0, Colons), Name.substr(Colons + 2)};
  }

  StringId inputsOf(const KernelLaunch &Row) const {
    if (const StringId Own = siteOf(Row.Event).Inputs)
      return Own;
    return Row.Operator == NoEvent ? 0 : siteOf(Row.Operator).Inputs;
  }

  const std::string &params(StringId Inputs) {
    const auto [Entry, New] = ParamsOf.try_emplace(Inputs);
    if (New && Inputs)
      Entry->second = parseInputs(Source.text(Inputs)).Text;
    return Entry->second;
  }

  const std::string &line(PathId Stack) {
    const auto [Entry, New] = LineOf.try_emplace(Launches.Stacks.lineStack(Stack));
    if (New)
      Entry->second = Launches.Stacks.line(Stack);
    return Entry->second;
  }

  const std::string &layer(PathId Layer) {
    const auto [Entry, New] = LayerText.try_emplace(Layer);
    if (New) {
      const std::vector<std::string_view> Names = Launches.Layers.names(Layer, 100);
      Entry->second = fmt::format("{}{}", Layer ? "...:" : "", fmt::join(Names, ":"));
    }
    return Entry->second;
  }

  const seamscope::tools::Trace &Source;
  const KernelLaunches &Launches;
  std::string Triple;
  std::unordered_map<StringId, std::string> ParamsOf;
  std::unordered_map<PathId, std::string> LineOf, LayerText;
};

std::string textOf(const Cell &Value) {
  switch (Value.Kind) {
  case Cell::Type::Number:
    return std::to_string(Value.Number);
  case Cell::Type::Text:
    return std::string(Value.Text);
  default:
    return "-";
  }
}

Json jsonOf(const Cell &Value) {
  switch (Value.Kind) {
  case Cell::Type::Number:
    return Value.Number;
  case Cell::Type::Text:
    return Value.Text;
  default:
    return {};
  }
}

/// A name can be of any length, a cell of the text is not.
constexpr size_t MostBytes = 1000;

/// A cell of the text.
std::string shown(Cell Value, KernelColumn Column) {
  if (Value.Kind != Cell::Type::Text)
    return textOf(Value);
  // The folders matter least.
  if (Column == KernelColumn::Trace)
    Value.Text.remove_prefix(Value.Text.rfind('/') + 1);
  return escaped(Value.Text.substr(0, MostBytes));
}

/// The widths that columns have with all their text.

std::vector<size_t> fullWidths(const KernelsInput &Input) {
  std::vector<size_t> Widths;
  Cells Values(Input);
  for (const KernelColumn Column : Input.Columns) {
    size_t Width = formOf(Column).Header.size();
    for (const uint32_t Row : Input.Rows)
      Width = std::max(Width, characters(shown(Values.value(Row, Column), Column)));
    Widths.push_back(Width);
  }
  return Widths;
}

size_t lineWidth(const std::vector<size_t> &Widths) {
  size_t Sum = Widths.empty() ? 0 : Widths.size() - 1;
  for (const size_t Width : Widths)
    Sum += Width;
  return Sum;
}

/// Takes from the widest text until the line fits or no text can give more.
void narrow(std::vector<size_t> &Widths, const std::vector<KernelColumn> &Columns, size_t Width) {
  for (size_t Line = lineWidth(Widths); Line > Width; --Line) {
    size_t Widest = Columns.size();
    for (size_t I = 0; I < Columns.size(); ++I)
      if (formOf(Columns[I]).IsText && Widths[I] > formOf(Columns[I]).Least &&
          (Widest == Columns.size() || Widths[I] > Widths[Widest]))
        Widest = I;
    if (Widest == Columns.size())
      return;
    --Widths[Widest];
  }
}

std::string_view partName(TrainingPart Part) {
  constexpr std::string_view Names[] = {"", "forward", "backward", "optimizer"};
  return Names[static_cast<size_t>(Part)];
}

Json textOrNull(std::string_view Text) { return Text.empty() ? Json() : Json(Text); }

} // namespace

const std::vector<std::string> &kernelColumnNames() {
  static const std::vector<std::string> Names = [] {
    std::vector<std::string> All;
    for (const ColumnForm &Form : Forms)
      All.emplace_back(Form.Name);
    return All;
  }();
  return Names;
}

std::optional<KernelColumn> kernelColumnOf(std::string_view Name) {
  const auto Found = std::ranges::find(Forms, Name, &ColumnForm::Name);
  if (Found == Forms.end())
    return std::nullopt;
  return static_cast<KernelColumn>(Found - Forms.begin());
}

std::vector<KernelColumn> allKernelColumns() {
  std::vector<KernelColumn> All;
  for (size_t I = 0; I < Forms.size(); ++I)
    All.push_back(static_cast<KernelColumn>(I));
  return All;
}

std::vector<KernelColumn> usualKernelColumns() {
  return {Idx, Dir, Sub, Mod, Op, Kernel, Params, Sil};
}

size_t leastKernelsWidth(const KernelsInput &Input) {
  std::vector<size_t> Widths = fullWidths(Input);
  narrow(Widths, Input.Columns, 0);
  return lineWidth(Widths);
}

std::string kernelsText(const KernelsInput &Input, size_t Width, bool Colours) {
  std::vector<size_t> Widths = fullWidths(Input);
  narrow(Widths, Input.Columns, Width);
  std::string Text;
  const auto AddLine = [&](auto CellOf) {
    std::string Line;
    for (size_t I = 0; I < Input.Columns.size(); ++I) {
      const std::string Cell = shortened(CellOf(Input.Columns[I]), Widths[I]);
      const std::string Padding(Widths[I] - characters(Cell), ' ');
      const bool Left = formOf(Input.Columns[I]).IsText;
      Line += (I ? " " : "") + (Left ? Cell + Padding : Padding + Cell);
    }
    Line.erase(Line.find_last_not_of(' ') + 1);
    return Line;
  };
  const std::string Header =
      AddLine([](KernelColumn Column) { return std::string(formOf(Column).Header); });
  Text += Colours ? "\x1b[1m" + Header + "\x1b[0m\n" : Header + '\n';
  Cells Values(Input);
  for (const uint32_t Row : Input.Rows)
    Text += AddLine([&](KernelColumn Column) { return shown(Values.value(Row, Column), Column); }) +
            '\n';
  return Text;
}

std::string kernelsCsv(const KernelsInput &Input) {
  std::string Text;
  for (const KernelColumn Column : Input.Columns)
    Text += fmt::format("{}{}", Text.empty() ? "" : ",", formOf(Column).Name);
  Text += "\r\n";
  Cells Values(Input);
  for (const uint32_t Row : Input.Rows) {
    for (size_t I = 0; I < Input.Columns.size(); ++I) {
      const Cell Value = Values.value(Row, Input.Columns[I]);
      if (I)
        Text += ',';
      Text += Value.Kind == Cell::Type::Text ? csvField(Value.Text) : textOf(Value);
    }
    Text += "\r\n";
  }
  return Text;
}

std::string kernelsJson(const KernelsInput &Input) {
  const TraceInfo &Info = Input.Source->Info;
  const KernelLaunches &Launches = *Input.Launches;
  Cells Values(Input);
  std::string Rows;
  std::unordered_map<PathId, size_t> StackNumbers;
  std::vector<PathId> Stacks;
  const auto Text = [](const Json &Value) {
    return Value.dump(-1, ' ', true, Json::error_handler_t::replace);
  };
  for (const uint32_t Index : Input.Rows) {
    const KernelLaunch &Row = Launches.Rows[Index];
    Json One = Json::object();
    for (const KernelColumn Column : Input.Columns)
      One[std::string(formOf(Column).Name)] = jsonOf(Values.value(Index, Column));
    One["begin_ns"] = Input.Source->Events.BeginNs[Row.Event];
    One["part"] = textOrNull(partName(Row.Part));
    One["forward_op"] =
        Row.Forward == NoEvent
            ? Json()
            : Json(Input.Source->text(
                  Input.Source->Sites[Input.Source->Events.Site[Row.Forward]].Name));
    One["tc_reason"] = Row.TensorCores ? Json(Row.TensorCores->Reason) : Json();
    One["registers"] = Row.Shape.Registers < 0 ? Json() : Json(Row.Shape.Registers);
    One["shared_bytes"] = Row.Shape.SharedBytes < 0 ? Json() : Json(Row.Shape.SharedBytes);
    One["stack"] = Json();
    if (Row.Stack) {
      const auto [Entry, New] = StackNumbers.try_emplace(Row.Stack, Stacks.size());
      if (New)
        Stacks.push_back(Row.Stack);
      One["stack"] = Entry->second;
    }
    Rows += (Rows.empty() ? "\n    " : ",\n    ") + Text(One);
  }
  std::string StackTexts;
  for (const PathId Stack : Stacks)
    StackTexts += (StackTexts.empty() ? "\n    " : ",\n    ") + Text(Launches.Stacks.path(Stack));
  const Json Head = {{"path", Info.Path}, {"bytes", Info.Bytes}};
  return fmt::format("{{\n  \"schema\": \"seamscope.kernels/1\",\n  \"trace\": {},\n"
                     "  \"kernels\": [{}\n  ],\n  \"stacks\": [{}\n  ]\n}}\n",
                     Text(Head), Rows, StackTexts);
}

} // namespace seamscope::tools
