//===- ReportDocument.cpp - the sections of a report, in their order ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Report.h"
#include "report/sections/FusedOperators.h"
#include "report/sections/Page.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

namespace seamscope::tools {

/// A text is read from the start: the speedup, what takes the time and what to do come before the
/// other tables, and those before what torch made of the program. A page shows its findings first
/// anyway.
static void putAnswerFirst(std::vector<Section> &Sections) {
  static constexpr std::array<std::string_view, 8> First = {
      "summary", "speedup", "findings", "compiled", "devices", "kernels", "roofline", "torch"};
  std::ranges::stable_sort(Sections, {}, [](const Section &Of) {
    return std::ranges::find(First, Of.Id) - First.begin();
  });
}

Document reportDocument(const ReportInput &Input) {
  const Context In = std::make_shared<const ReportContext>(Input);
  const Table Kernels = kernelsTable(In);
  Document Made{"seamscope.report/1",
                Input.Source->Info.Path,
                {},
                Input.Baseline ? "baseline.rows" : "kernels"};
  Made.Keys = {"trace",
               "window_ns",
               "compilation_ns",
               "health",
               "event_names",
               "producer_sums",
               "kernels",
               "unattributed_ns",
               "unattributed_error_ns",
               "blocked_ns",
               "preempted_ns",
               "spinning_ns",
               "recording_ns",
               "unattributed",
               "blocked",
               "threads",
               "samples",
               "sampling",
               "inlined_functions",
               "recording",
               "skipped",
               "filtered_out",
               "devices",
               "linking",
               "categories",
               "operators",
               "nodes",
               "compiled",
               "advice",
               "baseline",
               "clocks",
               "ranks_unread",
               "ranks",
               "torch",
               "graphs",
               "graph_breaks",
               "recompiles",
               "compile",
               "torch_notes",
               "unrecorded",
               "own_compiler",
               "attribution",
               "compiled_steps",
               "operator_inputs"};
  const auto Add = [&](const char *Id, const char *Title, auto... Parts) {
    Section &Part = Made.Sections.emplace_back(Section{Id, Title});
    (Parts(Part, In), ...);
  };
  const auto OfKernels = [&](auto Adds) {
    return [&Kernels, Adds](Section &To, const Context &Of) { Adds(To, Of, Kernels); };
  };
  Section Roofs{"roofline", "Roofline"};
  const bool WantsRoofline = Input.Page && !Input.Numbers->Kernels.empty();
  if (const std::string Why = WantsRoofline ? addRoofline(Roofs, In) : ""; !Why.empty())
    Roofs.Items.emplace_back(Sentence{fmt::format("No roofline: {}.", Why), ForHtml});
  Section Path{"critical-path", "Critical path"};
  const std::string HeldUp = addCriticalPath(Path, In);
  Add(
      "summary", "Summary", addHealthFirst,
      [&](Section &To, const Context &Of) { addStory(To, Of, HeldUp); }, addHead, addHealth,
      addEventNames, addRankBars, addRanks);
  // For a compiled program, the effect of compilation comes first.
  if (Input.Page) {
    Add("compiled", "Eager against compiled", addUnrecorded, addAttribution, addCompiledSteps);
  } else {
    Add("speedup", "Speedup", addUnrecorded);
    Add("compiled", "Eager against compiled", addAttribution, addCompiledSteps);
  }
  Add("torch", "What torch compiled", addTorch, addCompiled);
  Add("devices", "Devices", addDevices);
  Add("kernels", "Kernels", OfKernels(addKernels), addCountedWork, addFusedOperators,
      addOperatorCosts, OfKernels(addFusedGroups), OfKernels(addGpuKernels), addSamples);
  if (std::ranges::any_of(Roofs.Items, [](const Item &Each) { return Each.as<Chart>(); }))
    Made.Sections.push_back(std::move(Roofs));
  else
    std::ranges::move(Roofs.Items, std::back_inserter(Made.Sections.back().Items));
  Add("timeline", "Timeline", addTimeline);
  Add("flame", "Flame graph", addFlame);
  Add("operators", "Operators", addOperators, addNodes);
  Add("modules", "Modules", addModules);
  Add("loops", "Regions and loops", addRegions, addLoops, addGpuLoops, addInlinedFunctions);
  Made.Sections.push_back(std::move(Path));
  Add("communication", "Communication", addCommunication);
  Add("memory", "Memory and copies", addMemoryAndCopies);
  Add("recording", "Recording", addRecording, addSkipped);
  Add("findings", "Findings", addFindings);
  Add("baseline", "Baseline", addBaseline);
  if (!Input.Page)
    putAnswerFirst(Made.Sections);
  return Made;
}

} // namespace seamscope::tools
