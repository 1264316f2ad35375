//===- Table.cpp - aligned columns for people ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Table.h"

#include "trace/Escape.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {

Table::Table(std::vector<std::string> Header, std::vector<size_t> TextColumns)
    : IsText(Header.size()) {
  IsText[0] = true;
  for (const size_t Column : TextColumns)
    IsText[Column] = true;
  Lines.push_back({std::move(Header), Emphasis::Strong});
}

void Table::add(std::vector<std::string> Cells, Emphasis How) {
  Cells.resize(IsText.size());
  Lines.push_back({std::move(Cells), How});
}

std::string Table::text(bool Colours) const {
  std::vector<size_t> Widths(IsText.size());
  for (const Line &L : Lines)
    for (size_t I = 0; I < Widths.size(); ++I)
      Widths[I] = std::max(Widths[I], characters(L.Cells[I]));
  std::string Result;
  for (const Line &L : Lines) {
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

std::string fit(std::string_view Text, size_t Width) { return shortened(escaped(Text), Width); }

std::string shownTime(int64_t Ns) {
  const double Value = static_cast<double>(Ns);
  const int64_t Size = Ns < 0 ? -Ns : Ns;
  if (Size < 1000)
    return fmt::format("{} ns", Ns);
  if (Size < 1000000)
    return fmt::format("{:.2f} us", Value / 1e3);
  if (Size < 1000000000)
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
