//===- KernelNotes.cpp - origins of compiled kernel calls, for augment ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/KernelNotes.h"
#include "report/sections/TorchRecords.h"
#include "trace/io/Escape.h"
#include "trace/io/JsonText.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t CodeLimit = 60; // characters of a line's code
constexpr size_t MostEntries = 32;

/// Each once, in the order in which they are added, separated by "; ".
class TextList {
public:
  void add(std::string Text) {
    if (std::ranges::find(Entries, Text) == Entries.end())
      Entries.push_back(std::move(Text));
  }
  void addTo(std::vector<Note> &Notes, std::string_view Key) const {
    if (Entries.empty())
      return;
    const size_t Shown = std::min(Entries.size(), MostEntries);
    std::string Text = fmt::format("{}", fmt::join(Entries.begin(), Entries.begin() + Shown, "; "));
    if (Shown < Entries.size())
      Text += fmt::format("; [{} more]", Entries.size() - Shown);
    Notes.push_back({Key, quotedText(Text)});
  }

private:
  std::vector<std::string> Entries;
};

/// "/home/me/model.py:12 y = gelu(x)"
std::string lineText(const KernelUse &Use, size_t Number) {
  const SourceLine &Line = Use.Python[Number];
  std::string Text = fmt::format("{}:{}{}", Line.File, Line.Line, Use.OldLines ? "?" : "");
  if (!Line.Code.empty())
    Text += ' ' + shortened(Line.Code, CodeLimit);
  if (const SourceLine *Own = lineOfProgram(Use, Number); Own && Own != &Line)
    Text += fmt::format(" (from {}:{})", Own->File, Own->Line);
  return Text;
}

} // namespace

void KernelNotes::add(uint32_t Event, std::vector<Note> &Notes) const {
  const std::span<const uint32_t> Uses = Calls.usesOf(Event);
  if (Uses.empty())
    return;
  const auto [Known, New] = Made.try_emplace(std::vector<uint32_t>(Uses.begin(), Uses.end()));
  if (New)
    Known->second = notesOf(Uses);
  Notes.insert(Notes.end(), Known->second.begin(), Known->second.end());
}

std::vector<Note> KernelNotes::notesOf(std::span<const uint32_t> Uses) const {
  std::vector<Note> Notes;
  TextList GraphIds, Lines, Paths;
  std::vector<ModulePath> Modules;
  for (const uint32_t Number : Uses) {
    const KernelUse &Use = Run.Graphs.uses()[Number];
    const CompiledGraph &Graph = Run.Graphs.graphOf(Use);
    const bool Backward = Graph.Code.Direction == GraphDirection::Backward;
    GraphIds.add(Graph.Id + (Backward ? " backward" : ""));
    for (size_t I = 0; I < Use.Python.size(); ++I)
      Lines.add(lineText(Use, I));
    for (const ModulePath &Each : Use.Modules)
      addOnce(Modules, Each);
  }
  for (std::string &Path : groupedPaths(Modules))
    Paths.add(std::move(Path));
  GraphIds.addTo(Notes, "seamscope_graph");
  if (std::string Operators = operatorsOf(Run.Graphs, Uses); !Operators.empty())
    Notes.push_back({"seamscope_replaces", quotedText(Operators)});
  Lines.addTo(Notes, "seamscope_lines");
  Paths.addTo(Notes, "seamscope_modules");
  return Notes;
}

} // namespace seamscope::tools
