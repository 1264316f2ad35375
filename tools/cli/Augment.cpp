//===- Augment.cpp - seamscope augment ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/EventNotes.h"
#include "cli/Help.h"
#include "cli/ReportInputs.h"
#include "cli/Verbs.h"
#include "report/sections/KernelNotes.h"
#include "trace/io/OutputFile.h"
#include "trace/rewrite/NoteWriter.h"
#include "trace/rewrite/ValidText.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct AugmentOptions {
  std::string In, Out, Type, Peaks;
  bool Strict = false;
};

/// The events that have notes, by offset. A pair of begin and end is not in the order of the file.
std::vector<NotedEvent> notedEvents(const Trace &Input, const EventNotes &Notes,
                                    const std::optional<KernelNotes> &Kernels) {
  std::vector<NotedEvent> Noted;
  for (uint32_t I = 0; I < Input.Events.size(); ++I)
    if (Notes.any(I) || (Kernels && Kernels->any(I)))
      Noted.push_back({Input.Events.Offset[I], I});
  if (!std::ranges::is_sorted(Noted, {}, &NotedEvent::Offset))
    std::ranges::sort(Noted, {}, &NotedEvent::Offset);
  return Noted;
}

int augment(const AugmentOptions &Options) {
  if (!Options.Out.ends_with(".json") && !Options.Out.ends_with(".json.gz") && Options.Out != "-") {
    complain("augment: cannot tell the format of '" + Options.Out +
             "': its name must end in .json or .json.gz, or be -");
    return BadUsage;
  }
  const std::string In = oneTraceOf("augment", Options.In);
  if (In.empty())
    return BadData;
  PeakTable Peaks = PeakTable::published();
  if (!Options.Peaks.empty())
    if (const auto Failure = Peaks.read(Options.Peaks))
      return fail(*Failure);
  ReadOptions Keep;
  Keep.Offsets = true;
  auto Whole = readValid(In, Keep);
  if (!Whole)
    return fail(Whole.error());
  const Trace &Input = Whole->Read;
  if (Input.Info.Damage)
    return fail(*Input.Info.Damage);

  const EventNotes Notes(Input, Peaks, typeOfTorchName(Options.Type));
  std::optional<TorchRun> Torch;
  std::optional<KernelNotes> Kernels;
  if (const std::string Folder = runFolderOf(In); !Folder.empty()) {
    auto Read = loadTorchRun(Folder, Input);
    if (!Read)
      return fail(Read.error());
    Torch = std::move(*Read);
    if (Torch)
      Kernels.emplace(*Torch, Input);
  }
  auto Second = Whole->Text->read();
  if (!Second)
    return fail(Second.error());
  auto Out = OutputFile::create(Options.Out, {.OverInput = true});
  if (!Out)
    return fail(Out.error());
  uint64_t Skipped = 0;
  if (const auto Failure = writeNotes(
          **Second, In, **Out, notedEvents(Input, Notes, Kernels),
          [&](uint32_t Event, std::vector<Note> &Into) {
            Notes.add(Event, Into);
            if (Kernels)
              Kernels->add(Event, Into);
          },
          Skipped))
    return fail(*Failure);
  if (const auto Failure = (*Out)->commit())
    return fail(*Failure);
  for (const std::string &Change : Whole->Changes)
    complain(fmt::format("{}: {}", In, Change));
  if (Skipped)
    complain(fmt::format("{}: {} event(s) left unchanged: \"args\" is not an object", In, Skipped));
  return reportDamage(Input.Info, Options.Strict);
}

} // namespace

Action addAugment(CLI::App &Verb) {
  auto Options = std::make_shared<AugmentOptions>();
  Verb.add_option("IN", Options->In,
                  "Chrome trace JSON, also .gz, or a spool, or the folder of a run; - is standard "
                  "input")
      ->required();
  Verb.add_option("OUT", Options->Out,
                  "File to write, .json or .json.gz, which may be IN; - is standard output")
      ->required();
  addWorkOptions(Verb, Options->Type, Options->Peaks);
  addStrictOption(Verb, Options->Strict);
  addExamples(Verb, {"trace.json annotated.json",
                     "--peaks card.json --dtype bfloat16 trace.json.gz out.json.gz"});
  return [Options] { return augment(*Options); };
}

} // namespace seamscope::tools
