//===- Source.cpp - seamscope source ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Source.h"
#include "analysis/core/KernelNames.h"
#include "analysis/core/LoopTree.h"
#include "analysis/health/Judge.h"
#include "analysis/torch/Steps.h"
#include "cli/Help.h"
#include "cli/MakeReport.h"
#include "cli/Output.h"
#include "cli/ReportInputs.h"
#include "cli/Verbs.h"
#include "kernels/InductorNames.h"
#include "report/sections/SourceFile.h"
#include "run/folder/RunFolder.h"
#include "run/folder/SourceRoots.h"
#include "trace/ReadTrace.h"
#include "trace/io/Escape.h"
#include "trace/io/FileUse.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct SourceOptions {
  std::string Kernel, Folder, Machine;
  OutputWanted Output;
  std::vector<std::string> Roots;
};

/// What a trace has of the wanted name: kernels, or else files.
struct Chosen {
  std::vector<const KernelRow *> Kernels;
  std::vector<std::string> Files;
};

/// The kernels named \p Wanted, else the files of that name, else the kernels whose names contain
/// it.
Chosen choose(const ReportContext &In, const std::string &Wanted) {
  std::vector<const KernelRow *> Same, Similar;
  for (const KernelRow &Row : In.Numbers.Kernels) {
    const std::string_view Name = In.name(Row.Site);
    if (Name == Wanted || inductorName(Name) == Wanted || wasCalled(Name, Wanted))
      Same.push_back(&Row);
    else if (Name.find(Wanted) != Name.npos)
      Similar.push_back(&Row);
  }
  if (!Same.empty())
    return {std::move(Same), {}};
  if (auto Files = sourceFilesNamed(In, Wanted); !Files.empty())
    return {{}, std::move(Files)};
  return {std::move(Similar), {}};
}

/// A single trace, or all of a run.
std::vector<std::string> tracesOf(const std::string &Path) {
  if (isRegularFile(Path))
    return {Path};
  if (!isRunFolder(Path)) {
    fail({Path, {}, "is neither a trace nor the folder of a run (`seamscope run` makes one)"});
    return {};
  }
  std::vector<std::string> Traces = tracesIn(Path);
  if (Traces.empty())
    fail({Path, {}, "holds no trace"});
  return Traces;
}

int source(const SourceOptions &Options) {
  const std::string Path =
      Options.Folder.empty() ? newestRunFolder(UsualRunParent) : Options.Folder;
  if (Path.empty()) {
    complain(fmt::format("source: no run below '{}'; name the folder of one, or a trace",
                         UsualRunParent));
    return BadUsage;
  }
  const std::vector<std::string> Traces = tracesOf(Path);
  if (Traces.empty())
    return BadData;
  const std::string Folder = isRegularFile(Path) ? runFolderOf(Path) : Path;
  const SourceRoots Roots(Folder, Options.Roots);
  std::optional<Machine> Given;
  if (!Options.Machine.empty()) {
    auto Known = readMachine(Options.Machine);
    if (!Known)
      return fail(Known.error());
    Given = std::move(*Known);
  }
  std::vector<std::string> Known;
  // The document refers to these parts of each trace.
  struct Held {
    Trace Read;
    std::optional<TorchRun> Torch;
    Statistics Numbers;
    LoopTree Loops;
    std::optional<Machine> Roofs;
  };
  std::vector<std::unique_ptr<Held>> All;
  Document Doc{"", Path, {}, ""};
  // Each process of the run has a trace, and may have kernels of its own.
  for (const std::string &Path : Traces) {
    auto Read = readTrace(Path);
    if (!Read)
      return fail(Read.error());
    judge(*Read);
    // As in a report, so that names and shares of the window are the same.
    tellKernelsApart(*Read);
    dropOperatorsOfCompilation(*Read);
    auto OfRun = loadAndName(Folder, *Read, Options.Roots);
    if (!OfRun)
      return fail(OfRun.error());
    Held &Of = *All.emplace_back(
        std::make_unique<Held>(Held{std::move(*Read), std::move(*OfRun), {}, {}, Given}));
    Of.Numbers = computeStatistics(Of.Read, CompileScope);
    sortKernels(Of.Numbers, Of.Read, SortKey::Total);
    Of.Loops = loopTree(Of.Read);
    ReportInput Input = {&Of.Read, &Of.Numbers};
    Input.Loops = &Of.Loops;
    Input.Torch = Of.Torch ? &*Of.Torch : nullptr;
    if (!Of.Roofs)
      Of.Roofs = ownRoofs(Of.Read, Input.CanMeasureRoofs);
    Input.Roofs = Of.Roofs ? &*Of.Roofs : nullptr;
    const auto In = std::make_shared<const ReportContext>(Input);
    const auto NewSection = [&]() -> Section & {
      Section &Part = Doc.Sections.emplace_back();
      if (Traces.size() > 1)
        Part.Items.emplace_back(Sentence{
            fmt::format("{}{}:", escaped(std::filesystem::path(Path).filename().string()),
                        Of.Read.Info.Rank ? fmt::format(", rank {}", *Of.Read.Info.Rank) : ""),
            ForPeople, /*Apart=*/true});
      return Part;
    };
    const Chosen Wanted = choose(*In, Options.Kernel);
    for (const KernelRow *Row : Wanted.Kernels)
      addKernelSource(NewSection(), In, *Row, Roots);
    for (const std::string &File : Wanted.Files)
      addSourceFile(NewSection(), In, File, Roots);
    for (const KernelRow &Row : Of.Numbers.Kernels)
      Known.emplace_back(Of.Read.text(Of.Read.Sites[Row.Site].Name));
  }
  if (Doc.Sections.empty()) {
    const std::string Near = nearestName(Options.Kernel, Known);
    return fail({Path,
                 {},
                 fmt::format("has no kernel '{}'{}", Options.Kernel,
                             Near.empty() ? ", and none in a file of that name"
                                          : fmt::format("; did you mean '{}'?", Near))});
  }
  return writeDocument(Doc, Options.Output, "source");
}

} // namespace

Action addSource(CLI::App &Verb) {
  auto Options = std::make_shared<SourceOptions>();
  Verb.add_option(
          "KERNEL", Options->Kernel,
          "Name of a kernel, or a part of it; or of a source file, of C++ or Python, with code of "
          "kernels")
      ->required();
  Verb.add_option("DIR", Options->Folder,
                  "Folder that `seamscope run` made, or a trace; default: the newest below "
                  "seamscope-out");
  addRootOption(Verb, Options->Roots, "Also show");
  Verb.add_option("--machine", Options->Machine,
                  "JSON file of `seamscope machine` with the roofs of the machine that ran it, in "
                  "place of this machine's own")
      ->type_name("FILE");
  Verb.add_option("-o,--output", Options->Output.Out, "Write to a file, not to standard output")
      ->type_name("FILE");
  addExamples(Verb, {"cpp_fused_add_mul_0", "smooth seamscope-out/20260130-101500 --root src",
                     "smooth k.json --root .", "smooth.cpp k.json --root ."});
  return [Options] { return source(*Options); };
}

} // namespace seamscope::tools
