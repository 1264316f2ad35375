//===- KernelNames.cpp - names that several kernels have ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/KernelNames.h"

#include "analysis/core/KernelRows.h"
#include "kernels/InductorNames.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {
namespace {

using Place = std::pair<StringId, uint32_t>; ///< file and line

std::string_view lastFolders(std::string_view Path, size_t Count) {
  size_t At = Path.size();
  for (; Count && At != Path.npos; --Count)
    At = At ? Path.rfind('/', At - 1) : Path.npos;
  return At == Path.npos ? Path : Path.substr(At + 1);
}

/// By place, a text that no other of \p Places has: the end of the path, and the line if several
/// are in the file.
std::map<Place, std::string> textsOf(const Trace &Input, const std::set<Place> &Places) {
  std::map<StringId, size_t> Lines;
  for (const auto &[File, Line] : Places)
    ++Lines[File];
  std::map<StringId, std::string> Files;
  for (size_t Folders = 1; Files.size() < Lines.size(); ++Folders) {
    std::map<std::string_view, size_t> Known;
    bool IsWhole = true;
    for (const auto &[File, Count] : Lines) {
      const std::string_view End = lastFolders(Input.text(File), Folders);
      ++Known[End];
      IsWhole &= End.size() == Input.text(File).size();
    }
    if (Known.size() == Lines.size() || IsWhole)
      for (const auto &[File, Count] : Lines)
        Files[File] = lastFolders(Input.text(File), Folders);
  }
  std::map<Place, std::string> Texts;
  for (const Place &Each : Places)
    Texts[Each] = Lines[Each.first] > 1 ? fmt::format("{}:{}", Files[Each.first], Each.second)
                                        : Files[Each.first];
  return Texts;
}

} // namespace

bool isGenerated(std::string_view Name) {
  return holdsInductorName(Name) || isInductorHostKernel(Name) || Name == "kernel" ||
         Name.starts_with("triton_");
}

std::string nameOfPart(std::string_view Part, std::string_view Old, std::string_view New) {
  const bool IsNamedAfter = Part.starts_with(Old) && Part.substr(Old.size()).starts_with(" [");
  return IsNamedAfter ? fmt::format("{}{}", New, Part.substr(Old.size())) : std::string(Part);
}

bool wasCalled(std::string_view Name, std::string_view Old) {
  return Name.starts_with(Old) && Name.substr(Old.size()).starts_with(" (");
}

void renameKernelOf(Trace &In, Site &Part, StringId New) {
  Part.Name = In.Strings.intern(nameOfPart(In.text(Part.Name), In.text(Part.Kernel), In.text(New)));
  if (Part.Kind == SiteKind::Region)
    Part.Region = Part.Name;
  Part.Kernel = New;
}

void tellKernelsApart(Trace &Input) {
  std::map<StringId, std::set<Place>> Places;
  for (const Site &What : Input.Sites)
    if (What.Kind == SiteKind::Kernel && What.Device < 0 && What.File && !What.Group &&
        !isGenerated(Input.text(What.Name)))
      Places[What.Name].emplace(What.File, What.Line);
  std::erase_if(Places, [](const auto &Each) { return Each.second.size() < 2; });
  if (Places.empty())
    return;
  const KernelRows Rows = kernelRows(Input);
  const KernelsByName Owners(Input, Rows);
  std::map<StringId, std::map<Place, StringId>> Names;
  for (const auto &[Name, Of] : Places)
    for (const auto &[At, Text] : textsOf(Input, Of))
      Names[Name][At] =
          Input.Strings.intern(fmt::format("{} ({})", std::string(Input.text(Name)), Text));
  const auto NameOf = [&](const Site &Kernel) {
    const auto Found = Names.find(Kernel.Name);
    if (Kernel.Kind != SiteKind::Kernel || Kernel.Device >= 0 || Found == Names.end())
      return Kernel.Name;
    const auto New = Found->second.find({Kernel.File, Kernel.Line});
    return New == Found->second.end() ? Kernel.Name : New->second;
  };
  const auto NamesIn = [&](Site Part, StringId Name, bool IsOwn) -> std::vector<std::string> {
    Part.Kernel = Name;
    std::vector<std::string> Here, All;
    for (const auto &[At, New] : Names.at(Name)) {
      All.emplace_back(Input.text(New));
      if (At.first == Part.fileOfKernel())
        Here.push_back(All.back());
    }
    if (Here.size() > 1 && IsOwn)
      Here = {std::string(Input.text(NameOf(Input.Sites[Rows.Sites[Owners.rowOf(Part)]])))};
    return Here.size() == 1 ? Here : All;
  };
  for (CountedWork &Of : Input.Work) {
    if (!Of.Id.empty())
      continue; // code of a GPU, whose kernels keep their names
    Site Part;
    Part.File = Input.Strings.intern(Of.File);
    Part.KernelFile = Input.Strings.intern(Of.KernelFile);
    Part.Line = Of.Line;
    Part.KernelLine = Of.KernelLine;
    for (const StringId Name : Names | std::views::keys) {
      const std::string Text(Input.text(Name));
      Of.Shown[Text] = NamesIn(Part, Name, Text == Of.Kernel);
    }
  }
  // All names are looked up before any changes.
  std::vector<StringId> New; ///< by site, the name of its kernel
  for (const Site &What : Input.Sites)
    New.push_back(What.Kind == SiteKind::Kernel ? NameOf(What)
                  : Names.contains(What.Kernel)
                      ? NameOf(Input.Sites[Rows.Sites[Owners.rowOf(What)]])
                      : What.Kernel);
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id) {
    Site &What = Input.Sites[Id];
    if (Names.contains(What.Kernel))
      renameKernelOf(Input, What, New[Id]);
    if (What.Kind == SiteKind::Kernel)
      What.Name = New[Id];
  }
}

} // namespace seamscope::tools
