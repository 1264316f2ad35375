//===- CompiledFiles.cpp - how long each generated file took to compile ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of one file were compiled at once, and have its time together.
//
//===----------------------------------------------------------------------===//
#include "report/CompiledFiles.h"
#include "report/Table.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t FilesShown = 8;
constexpr size_t KernelsWidth = 72, FileWidth = 24;

struct CompiledFile {
  std::string_view Name;
  const CompilerTime *Time = nullptr;
  std::set<std::string_view> Kernels;
};

std::vector<CompiledFile> compiledFiles(const ReportInput &Input) {
  std::vector<CompiledFile> Files;
  if (!Input.Torch)
    return Files;
  const CompilerTimes &Times = Input.Torch->Compiler;
  std::unordered_map<const CompilerTime *, size_t> IndexOf;
  for (const auto &[Name, Time] : Times.Files) {
    IndexOf.emplace(&Time, Files.size());
    Files.push_back({Name, &Time, {}});
  }
  for (const auto &[Id, Kernel] : Input.Torch->Kernels) {
    const Site &What = Input.Source->Sites[Id];
    const CompilerTime *Time = Times.of(Input.Source->text(What.File));
    if (Time)
      Files[IndexOf.at(Time)].Kernels.insert(inductorName(Input.Source->text(What.Name)));
  }
  std::ranges::stable_sort(Files, std::greater(), [](const CompiledFile &F) { return F.Time->Ns; });
  return Files;
}

} // namespace

Json compiledFilesJson(const ReportInput &Input) {
  Json Rows = Json::array();
  for (const CompiledFile &File : compiledFiles(Input))
    Rows.push_back({{"file", File.Name},
                    {"kernels", File.Kernels},
                    {"calls", File.Time->Calls},
                    {"failed", File.Time->Failed},
                    {"ns", File.Time->Ns}});
  return Rows;
}

std::string compiledFilesText(const ReportInput &Input, bool Colours) {
  const std::vector<CompiledFile> Files = compiledFiles(Input);
  if (Files.empty())
    return {};
  Table Rows({"Compiled", "File", "Compiler"}, {1});
  struct {
    size_t Files = 0;
    int64_t Ns = 0;
  } More, Other;
  size_t Shown = 0;
  int64_t Sum = 0;
  for (const CompiledFile &File : Files) {
    Sum += File.Time->Ns;
    if (!File.Kernels.empty() && Shown++ < FilesShown) {
      Rows.add({fit(fmt::format("{}", fmt::join(File.Kernels, ", ")), KernelsWidth),
                fit(File.Name, FileWidth), shownTime(File.Time->Ns)});
      continue;
    }
    auto &Rest = File.Kernels.empty() ? Other : More;
    ++Rest.Files;
    Rest.Ns += File.Time->Ns;
  }
  if (More.Files)
    Rows.add({fmt::format("[{} more]", More.Files), "", shownTime(More.Ns)}, Emphasis::Faint);
  if (Other.Files)
    Rows.add({fmt::format("[no kernel that ran: {} file{}, such as tests of what the compiler can]",
                          Other.Files, Other.Files == 1 ? "" : "s"),
              "", shownTime(Other.Ns)},
             Emphasis::Faint);
  Rows.add({"[compiler, some of it side by side]", "", shownTime(Sum)}, Emphasis::Faint);
  return '\n' + Rows.text(Colours);
}

} // namespace seamscope::tools
