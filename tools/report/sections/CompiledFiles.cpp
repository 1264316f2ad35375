//===- CompiledFiles.cpp - how long each generated file took to compile ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of one file were compiled together, and share its time.
//
//===----------------------------------------------------------------------===//
#include "kernels/InductorNames.h"
#include "report/sections/TorchRecords.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

struct CompiledFile {
  std::string_view Name;
  const CompilerTime *Time = nullptr;
  std::set<std::string_view> Kernels;
};

std::vector<CompiledFile> compiledFiles(const ReportContext &In) {
  std::vector<CompiledFile> Files;
  const CompilerTimes &Times = In.Input.Torch->Compiler;
  std::unordered_map<const CompilerTime *, size_t> IndexOf;
  for (const auto &[Name, Time] : Times.Files) {
    IndexOf.emplace(&Time, Files.size());
    Files.push_back({Name, &Time, {}});
  }
  for (const auto &[Id, Kernel] : In.Input.Torch->Kernels)
    if (const CompilerTime *Time = Times.of(In.Source.text(In.site(Id).File)))
      Files[IndexOf.at(Time)].Kernels.insert(inductorName(In.name(Id)));
  std::ranges::stable_sort(Files, std::greater(), [](const CompiledFile &F) { return F.Time->Ns; });
  return Files;
}

} // namespace

void addCompiledFiles(Section &To, const Context &In) {
  constexpr size_t FilesShown = 8;
  constexpr size_t KernelsWidth = 72, FileWidth = 24;
  const std::vector<CompiledFile> Files = compiledFiles(*In);
  std::vector<TreeLine> Lines;
  struct {
    size_t Files = 0;
    int64_t Ns = 0;
  } More, Other;
  int64_t Sum = 0;
  for (const CompiledFile &File : Files) {
    Sum += File.Time->Ns;
    if (!File.Kernels.empty() && Lines.size() < FilesShown) {
      Lines.push_back({fmt::format("{}", fmt::join(File.Kernels, ", ")),
                       {{"file", File.Name}, {"ns", File.Time->Ns}}});
      continue;
    }
    auto &Rest = File.Kernels.empty() ? Other : More;
    ++Rest.Files;
    Rest.Ns += File.Time->Ns;
  }
  Table Rows =
      treeTable("compiled-files", "Compiled files",
                {Column("kernels", "Compiled", Unit::Name, "kernels of the file").cut(KernelsWidth),
                 Column("file", "File", Unit::Name, "the generated file").left().cut(FileWidth),
                 Column("ns", "Compiler", Unit::Ns, "wall time of the compiler")},
                std::move(Lines));
  if (More.Files)
    Rows.Summaries.push_back({fmt::format("[{} more]", More.Files), {{"ns", More.Ns}}});
  if (Other.Files)
    Rows.Summaries.push_back(
        {fmt::format("[no kernel that ran: {} file{}, such as tests of compiler features]",
                     Other.Files, Other.Files == 1 ? "" : "s"),
         {{"ns", Other.Ns}}});
  Rows.Summaries.push_back({"[compiler, some of it side by side]", {{"ns", Sum}}});

  To.add(forJson(makeTable<CompiledFile>(
      "compile.files", "", std::vector<CompiledFile>(Files),
      {{{"file", Unit::Name, "the generated file"}, &CompiledFile::Name},
       {{"kernels", Unit::List, "of it that ran"},
        [](const CompiledFile &F) { return listOf(F.Kernels); }},
       {column::calls().in(ForJson), [](const CompiledFile &F) { return F.Time->Calls; }},
       {{"failed", Unit::Count, "calls of the compiler that failed"},
        [](const CompiledFile &F) { return F.Time->Failed; }},
       {{"ns", Unit::Ns, "wall time of all calls"},
        [](const CompiledFile &F) { return F.Time->Ns; }}})));
  if (!Files.empty())
    To.add(std::move(Rows));
}

} // namespace seamscope::tools
