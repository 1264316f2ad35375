//===- TextTable.cpp - a table as aligned columns -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/TextTable.h"

#include "report/model/Numbers.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

std::vector<size_t> columnsFor(const Table &Of, Faces Face) {
  std::vector<size_t> Shown;
  for (size_t I = 0; I < Of.Columns.size(); ++I)
    if (Of.Columns[I].In & Face)
      Shown.push_back(I);
  return Shown;
}

/// Sums over the rows that are not shown, for columns that can be added up.
TableLine restLine(const Table &Of, const std::vector<size_t> &Shown) {
  TableLine Line = {{fmt::format("[{} {}]", Of.Count - Of.Top, Of.More)}, Emphasis::Faint};
  for (size_t I = 1; I < Shown.size(); ++I) {
    const Column &Each = Of.Columns[Shown[I]];
    std::string Text;
    if (Each.Sums) {
      int64_t Whole = 0;
      double Real = 0;
      bool IsReal = false, Known = false;
      for (size_t Row = Of.Top; Row < Of.Count; ++Row) {
        const Value Cell = Of.At(Row, Shown[I]).Data;
        const auto Number = Cell.number();
        Known |= Number.has_value();
        IsReal |= Cell.as<double>() != nullptr;
        Real += Number.value_or(0);
        Whole += Cell.whole().value_or(0);
      }
      Text = shownCell(Each, !Known ? Cell() : IsReal ? Cell(Real) : Cell(Whole));
    }
    Line.Cells.push_back(std::move(Text));
  }
  return Line;
}

struct Layout {
  std::vector<size_t> Widths, Usual;
  std::vector<bool> IsText;
  /// For columns that are cut, by line; not kept if there are many lines.
  std::vector<std::vector<std::string>> Kept;
};

constexpr size_t MostKept = 20'000;

size_t gapOf(const Table &Of) { return Of.Dense ? 1 : 2; }

size_t lineWidth(const Table &Of, const std::vector<size_t> &Widths) {
  size_t Sum = Widths.empty() ? 0 : gapOf(Of) * (Widths.size() - 1);
  for (const size_t Width : Widths)
    Sum += Width;
  return Sum;
}

/// The cells of the columns \p Shown, from a line with the cells of all columns \p All.
TableLine cellsOf(TableLine Line, const std::vector<size_t> &All,
                  const std::vector<size_t> &Shown) {
  if (All.size() == Shown.size())
    return Line;
  std::vector<std::string> Cells;
  for (size_t I = 0, Next = 0; I < Line.Cells.size() && Next < Shown.size(); ++I)
    if (All[I] == Shown[Next]) {
      Cells.push_back(std::move(Line.Cells[I]));
      ++Next;
    }
  Line.Cells = std::move(Cells);
  return Line;
}

TableLine titles(const Table &Of, const std::vector<size_t> &Shown) {
  TableLine Line = {{}, Emphasis::Strong};
  for (const size_t Index : Shown)
    Line.Cells.push_back(Of.Columns[Index].Title);
  return Line;
}

/// Narrows the widest, until the line fits or none can be narrower.
void narrow(const Table &Of, const std::vector<size_t> &Shown, std::vector<size_t> &Widths,
            size_t Width) {
  for (size_t Sum = lineWidth(Of, Widths); Sum > Width; --Sum) {
    size_t Widest = Widths.size();
    for (size_t I = 0; I < Widths.size(); ++I) {
      const Column &Each = Of.Columns[Shown[I]];
      if (Each.Cut && Widths[I] > Each.Least &&
          (Widest == Widths.size() || Widths[I] > Widths[Widest]))
        Widest = I;
    }
    if (Widest == Widths.size())
      return;
    --Widths[Widest];
  }
}

Layout layoutOf(const Table &Of, const std::vector<size_t> &Shown, size_t Width) {
  Layout Made;
  Made.Widths.resize(Shown.size());
  for (size_t I = 0; I < Shown.size(); ++I) {
    Made.Usual.push_back(Of.Columns[Shown[I]].Cut);
    Made.IsText.push_back((!I && !Of.Dense) || Of.Columns[Shown[I]].Left);
  }
  const bool Keeps = !Of.Dense && std::min(Of.Count, Of.Top) < MostKept;
  Made.Kept.resize(Keeps ? Shown.size() : 0);
  const auto Measure = [&](const TableLine &Line) {
    for (size_t I = 0; I < Shown.size(); ++I) {
      const std::string_view Text = I < Line.Cells.size() ? Line.Cells[I] : std::string_view();
      Made.Widths[I] = std::max(Made.Widths[I], characters(Text));
      if (Keeps && Made.Usual[I])
        Made.Kept[I].emplace_back(Text);
    }
  };
  Measure(titles(Of, Shown));
  const std::vector<size_t> All = columnsFor(Of, ForText);
  forEachLine(Of, ForText, [&](const TableLine &Line) { Measure(cellsOf(Line, All, Shown)); });
  if (Width == AnyWidth)
    return Made;
  if (Of.Dense) {
    narrow(Of, Shown, Made.Widths, Width);
    return Made;
  }
  for (size_t I = 0; I < Shown.size(); ++I)
    if (Made.Usual[I])
      Made.Widths[I] = std::min(Made.Widths[I], Width == UsualWidth ? Made.Usual[I] : Width);
  if (Width != UsualWidth)
    narrow(Of, Shown, Made.Widths, Width);
  return Made;
}

} // namespace

void forEachLine(const Table &Of, Faces Face, const std::function<void(const TableLine &)> &Take) {
  const std::vector<size_t> Shown = columnsFor(Of, Face);
  for (size_t Row = 0; Row < std::min(Of.Count, Of.Top); ++Row) {
    const size_t Indent = Of.Depth ? 2 * Of.Depth(Row) : 0;
    TableLine Line;
    for (const size_t Index : Shown) {
      std::string Text = shownCell(Of.Columns[Index], Of.At(Row, Index));
      if (Line.Cells.empty() && Indent)
        Text.insert(0, Indent, ' ');
      Line.Cells.push_back(std::move(Text));
    }
    if (Of.Stands)
      Line.Stands = Of.Stands(Row);
    Take(Line);
    if (Of.Notes)
      for (const std::string &Note : Of.Notes(Row))
        Take({{std::string(Indent + 2, ' ') + Note}, Emphasis::Faint});
  }
  if (Of.Count > Of.Top)
    Take(restLine(Of, Shown));
  for (const Summary &Each : Of.Summaries) {
    if (!(Each.In & Face))
      continue;
    TableLine Line = {{Each.Label}, Emphasis::Faint};
    for (size_t I = 1; I < Shown.size(); ++I) {
      const Cell *const Known = Each.find(Of.Columns[Shown[I]].Key);
      Line.Cells.push_back(Known ? shownCell(Of.Columns[Shown[I]], *Known) : "");
    }
    Take(Line);
  }
}

size_t leastWidth(const Table &Of) {
  const std::vector<size_t> Shown = columnsFor(Of, ForText);
  std::vector<size_t> Widths = layoutOf(Of, Shown, AnyWidth).Widths;
  narrow(Of, Shown, Widths, 0);
  return lineWidth(Of, Widths);
}

void writeTextTable(const Table &Of, const TextStyle &Style, const WriteText &Write) {
  constexpr size_t DenseWidth = 120;
  const size_t Width = Of.Dense && Style.Width == UsualWidth ? DenseWidth : Style.Width;
  std::vector<size_t> Shown = columnsFor(Of, ForText);
  Layout Made = layoutOf(Of, Shown, Width);
  // If that is not enough, numbers are removed from the right: places in the source can be cut.
  const std::vector<size_t> All = Shown;
  constexpr size_t FewestColumns = 2;
  if (Style.Width != UsualWidth && Style.Width != AnyWidth)
    while (Shown.size() > FewestColumns && lineWidth(Of, Made.Widths) > Width) {
      size_t Last = Shown.size() - 1;
      while (Last > 1 && Of.Columns[Shown[Last]].Left)
        --Last;
      if (Of.Columns[Shown[Last]].Left)
        Last = Shown.size() - 1;
      Shown.erase(Shown.begin() + static_cast<ptrdiff_t>(Last));
      Made = layoutOf(Of, Shown, Width);
    }
  for (size_t I = 0; I < Made.Kept.size(); ++I)
    if (Made.Usual[I])
      Made.Kept[I] = shortenedApart(std::move(Made.Kept[I]), Made.Widths[I]);
  const std::string Gap(gapOf(Of), ' ');
  size_t Number = 0;
  const auto Add = [&](const TableLine &Line) {
    std::string Text;
    for (size_t I = 0; I < Shown.size(); ++I) {
      const bool Cuts = I < Line.Cells.size() && Made.Usual[I];
      const std::string Cell =
          Cuts ? Made.Kept.empty() ? shortened(Line.Cells[I], Made.Widths[I]) : Made.Kept[I][Number]
          : I < Line.Cells.size() ? Line.Cells[I]
                                  : std::string();
      const size_t Has = characters(Cell);
      const std::string Padding(Made.Widths[I] - std::min(Has, Made.Widths[I]), ' ');
      if (I)
        Text += Gap;
      Text += Made.IsText[I] ? Cell + Padding : Padding + Cell;
    }
    ++Number;
    Text.erase(Text.find_last_not_of(' ') + 1);
    if (Style.Colours && Line.Stands == Emphasis::Strong)
      Text = "\x1b[1m" + Text + "\x1b[0m";
    else if (Style.Colours && Line.Stands == Emphasis::Faint)
      Text = "\x1b[2m" + Text + "\x1b[0m";
    Write(Text + '\n');
  };
  Add(titles(Of, Shown));
  forEachLine(Of, ForText, [&](const TableLine &Line) { Add(cellsOf(Line, All, Shown)); });
  std::string Left;
  for (const size_t Index : All)
    if (std::ranges::find(Shown, Index) == Shown.end())
      Left += (Left.empty() ? "" : ", ") + Of.Columns[Index].Title;
  if (!Left.empty())
    Write(shortened(fmt::format("  [-w all also shows {}]", Left), Width) + '\n');
}

namespace {

/// At most \p Count characters of valid UTF-8 from \p Begin on.
std::string_view slice(std::string_view Text, size_t Begin, size_t Count) {
  const auto After = [&](size_t At, size_t Steps) {
    for (; Steps && At < Text.size(); --Steps)
      do
        ++At;
      while (At < Text.size() && (static_cast<unsigned char>(Text[At]) & 0xc0) == 0x80);
    return At;
  };
  const size_t From = After(0, Begin);
  return Text.substr(From, After(From, Count) - From);
}

/// Characters that all of \p Texts begin with.
size_t commonBegin(const std::vector<std::string_view> &Texts) {
  size_t Bytes = Texts[0].size();
  for (const std::string_view Text : Texts)
    Bytes = static_cast<size_t>(std::ranges::mismatch(Texts[0].substr(0, Bytes), Text).in1 -
                                Texts[0].begin());
  // Do not cut inside a character.
  while (Bytes && Bytes < Texts[0].size() &&
         (static_cast<unsigned char>(Texts[0][Bytes]) & 0xc0) == 0x80)
    --Bytes;
  return characters(Texts[0].substr(0, Bytes));
}

/// Shortens different texts to \p Width so that their differences stay visible; if they differ in
/// several places, step by step.
void cutWhereSame(const std::vector<std::string_view> &Texts, size_t Width,
                  std::map<std::string_view, std::string> &Shown) {
  constexpr size_t Context = 4;
  constexpr std::string_view Dots = "...";
  const size_t Head = (Width - Dots.size()) / 3, Rest = Width - Dots.size() - Head;
  const size_t Same = commonBegin(Texts);
  const size_t Begin = std::max(Head, Same > Context ? Same - Context : 0);
  std::map<std::string, std::vector<std::string_view>> Alike;
  for (const std::string_view Text : Texts) {
    const size_t Length = characters(Text);
    std::string Cut(slice(Text, 0, Head));
    Cut += Dots;
    if (Length <= Begin + Rest)
      Cut += slice(Text, Length - Rest, Rest);
    else
      Cut += std::string(slice(Text, Begin, Rest - Dots.size())) + std::string(Dots);
    Alike[Cut].push_back(Text);
    Shown[Text] = std::move(Cut);
  }
  if (Alike.size() > 1)
    for (const auto &[Cut, Group] : Alike)
      if (Group.size() > 1)
        cutWhereSame(Group, Width, Shown);
}

} // namespace

std::vector<std::string> shortenedApart(std::vector<std::string> Texts, size_t Width) {
  constexpr size_t Least = 16;
  std::map<std::string, std::set<std::string_view>> Alike;
  for (const std::string &Text : Texts)
    if (characters(Text) > Width)
      Alike[shortened(Text, Width)].insert(Text);
  std::map<std::string_view, std::string> Shown;
  for (const auto &[Cut, Group] : Alike)
    if (Group.size() > 1 && Width >= Least)
      cutWhereSame({Group.begin(), Group.end()}, Width, Shown);
  std::vector<std::string> Result;
  for (const std::string &Text : Texts)
    if (const auto Found = Shown.find(Text); Found != Shown.end())
      Result.push_back(Found->second);
    else
      Result.push_back(shortened(Text, Width));
  return Result;
}

} // namespace seamscope::tools
