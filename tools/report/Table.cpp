//===- Table.cpp - aligned columns for people ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Table.h"

#include "trace/io/Escape.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {

Table::Table(std::vector<std::string> Header, std::vector<size_t> TextColumns)
    : IsText(Header.size()), Usual(Header.size()) {
  IsText[0] = true;
  for (const size_t Column : TextColumns)
    IsText[Column] = true;
  Lines.push_back({std::move(Header), Emphasis::Strong});
}

void Table::add(std::vector<std::string> Cells, Emphasis How) {
  Cells.resize(IsText.size());
  Lines.push_back({std::move(Cells), How});
}

void Table::cut(size_t Column, size_t To) { Usual[Column] = To; }

std::vector<size_t> Table::widths(size_t Width) const {
  constexpr size_t Gap = 2, Least = 16;
  std::vector<size_t> Widths(IsText.size());
  for (const Line &L : Lines)
    for (size_t I = 0; I < Widths.size(); ++I)
      Widths[I] = std::max(Widths[I], characters(L.Cells[I]));
  if (Width == AnyWidth)
    return Widths;
  size_t Sum = Gap * (Widths.size() - 1);
  for (size_t I = 0; I < Widths.size(); ++I) {
    if (Usual[I])
      Widths[I] = std::min(Widths[I], Width == UsualWidth ? Usual[I] : Width);
    Sum += Widths[I];
  }
  // From the widest, until the line fits or nothing can give more.
  while (Width != UsualWidth && Sum > Width) {
    size_t Widest = Widths.size();
    for (size_t I = 0; I < Widths.size(); ++I)
      if (Usual[I] && Widths[I] > Least && (Widest == Widths.size() || Widths[I] > Widths[Widest]))
        Widest = I;
    if (Widest == Widths.size())
      break;
    --Widths[Widest];
    --Sum;
  }
  return Widths;
}

std::string Table::text(bool Colours, size_t Width) const {
  std::vector<size_t> Widths = widths(Width);
  std::vector<Line> Shown = Lines;
  for (size_t I = 0; I < Widths.size(); ++I) {
    if (!Usual[I])
      continue;
    std::vector<std::string> Cells;
    for (const Line &L : Lines)
      Cells.push_back(L.Cells[I]);
    Cells = shortenedApart(std::move(Cells), Widths[I]);
    for (size_t L = 0; L < Shown.size(); ++L)
      Shown[L].Cells[I] = std::move(Cells[L]);
  }
  std::string Result;
  for (const Line &L : Shown) {
    std::string Text;
    for (size_t I = 0; I < Widths.size(); ++I) {
      const std::string Padding(Widths[I] - characters(L.Cells[I]), ' ');
      if (I)
        Text += "  ";
      Text += IsText[I] ? L.Cells[I] + Padding : Padding + L.Cells[I];
    }
    Text.erase(Text.find_last_not_of(' ') + 1);
    if (Colours && L.How == Emphasis::Strong)
      Text = "\x1b[1m" + Text + "\x1b[0m";
    else if (Colours && L.How == Emphasis::Faint)
      Text = "\x1b[2m" + Text + "\x1b[0m";
    Result += Text + '\n';
  }
  return Result;
}

namespace {

/// The characters from \p Begin on, at most \p Count, of valid UTF-8.
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
  // Not within a character.
  while (Bytes && Bytes < Texts[0].size() &&
         (static_cast<unsigned char>(Texts[0][Bytes]) & 0xc0) == 0x80)
    --Bytes;
  return characters(Texts[0].substr(0, Bytes));
}

/// Shortens different texts to \p Width so that what tells them apart is seen; those that differ in
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

std::string fit(std::string_view Text, size_t Width) { return shortened(escaped(Text), Width); }

std::string textOfFirst(const Table &Rows, bool Colours, size_t Width, size_t Most, size_t Found,
                        std::string_view More) {
  if (!Found)
    return {};
  std::string Text = Rows.text(Colours, Width);
  if (Found > Most)
    Text += fmt::format("[{} {}]\n", Found - Most, More);
  return Text;
}

std::string shownTime(int64_t Ns) {
  const double Value = static_cast<double>(Ns);
  const uint64_t Size = Ns < 0 ? -static_cast<uint64_t>(Ns) : static_cast<uint64_t>(Ns);
  // What would be rounded up to 1000 of a unit is 1 of the next.
  if (Size < 1000)
    return fmt::format("{} ns", Ns);
  if (Size < 999'995)
    return fmt::format("{:.2f} us", Value / 1e3);
  if (Size < 999'999'500)
    return fmt::format("{:.3f} ms", Value / 1e6);
  return fmt::format("{:.3f} s", Value / 1e9);
}

std::string shownShare(int64_t Part, int64_t Whole) {
  if (!Whole)
    return "-";
  return fmt::format("{:.1f}", 100.0 * static_cast<double>(Part) / static_cast<double>(Whole));
}

std::string shownRate(const std::optional<double> &Value, double Unit) {
  if (!Value)
    return "-";
  const double Scaled = *Value / Unit;
  if (Scaled > 0 && Scaled < 0.005)
    return "<0.01";
  return fmt::format("{:.{}f}", Scaled, Scaled >= 100 ? 0 : Scaled >= 10 ? 1 : 2);
}

} // namespace seamscope::tools
