//===- Convert.cpp - seamscope convert ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/health/CutRecord.h"
#include "analysis/health/Judge.h"
#include "cli/Help.h"
#include "cli/PythonPackage.h"
#include "cli/ReportInputs.h"
#include "cli/Verbs.h"
#include "report/render/Render.h"
#include "report/render/Stacks.h"
#include "report/sections/Documents.h"
#include "report/sections/Stacks.h"
#include "trace/ReadTrace.h"
#include "trace/chrome/CutText.h"
#include "trace/chrome/SiteText.h"
#include "trace/chrome/TraceToChrome.h"
#include "trace/io/OutputFile.h"
#include "trace/rewrite/AsText.h"
#include "trace/rewrite/CutPlan.h"
#include "trace/rewrite/CutWriter.h"
#include "trace/rewrite/ValidText.h"
#include "trace/spool/ReadSpool.h"
#include "trace/spool/SpoolToChrome.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

namespace seamscope::tools {
namespace {

struct ConvertOptions {
  std::string In, Out, Output; ///< Output: what -o names
  WantedPart Part;
  std::optional<int64_t> Rank;
};

/// After the output is written: tells what is missing of the input.
int reportRest(const TraceInfo &Info, const std::string &Out) {
  const int Code = reportDamage(Info, /*Strict=*/false);
  if (Info.Damage)
    complain((Out == "-" ? "the output" : Out) + " holds what could be read of it");
  return Code;
}

/// Writes what was read of a database or of columns.
int writeAnew(const Trace &Source, const std::string &Out) {
  if (const auto Why = whyNoText(Source))
    return fail(*Why);
  auto Target = OutputFile::create(Out);
  if (!Target)
    return fail(Target.error());
  writeChrome(Source, [&](std::string_view Piece) { (*Target)->write(Piece); });
  if (const auto Failure = (*Target)->commit())
    return fail(*Failure);
  return reportRest(Source.Info, Out);
}

/// Copies JSON as it stands, so that nothing of a foreign trace is lost. It is read at the same
/// time: what of it is not JSON is left out, and of a trace that is cut off what could be read is
/// copied.
int copyJson(const std::string &In, const std::string &Out) {
  auto Target = OutputFile::create(Out);
  if (!Target)
    return fail(Target.error());
  // Where nobody sees it before it is known to be JSON it is copied as it is read.
  const bool Held = (*Target)->isHeld();
  auto Whole = readValid(In, {}, [&](std::string_view Bytes) {
    if (Held)
      (*Target)->write(Bytes);
  });
  if (!Whole)
    return fail(Whole.error());
  if (Whole->Read.Info.Damage) {
    if (!Whole->Read.Profile.empty())
      return fail({In, {}, "is damaged and holds sums of mode profile: not converted"});
    Whole = readWhole(std::move(Whole->Text), {});
    if (!Whole)
      return fail(Whole.error());
  }
  if (!Held || !Whole->AsWritten) {
    if (Held)
      Target = OutputFile::create(Out);
    if (!Target)
      return fail(Target.error());
    auto Source = Whole->Text->read();
    if (!Source)
      return fail(Source.error());
    for (std::string_view Chunk; !(Chunk = (*Source)->chunk()).empty();) {
      (*Target)->write(Chunk);
      (*Source)->take(Chunk.size());
    }
    if (const Error *Failure = (*Source)->error())
      return fail(*Failure);
  }
  if (const auto Failure = (*Target)->commit())
    return fail(*Failure);
  for (const std::string &Change : Whole->Changes)
    complain(fmt::format("{}: {}", In, Change));
  return reportRest(Whole->Read.Info, Out);
}

Result<ValidText> readToCut(const std::string &In, const std::string &Out,
                            const ReadOptions &Keep) {
  if (!isOtherForm(In)) {
    auto Text = ChromeText::open(In);
    return Text ? readWhole(std::move(*Text), Keep) : Text.error();
  }
  auto Other = writtenAsText(In, std::filesystem::path(Out).filename().string());
  if (!Other)
    return Other.error();
  auto Whole = readWhole(std::move(Other->Text), Keep);
  if (Whole)
    Other->complete(Whole->Read.Info);
  return Whole;
}

std::vector<std::string> entriesOf(const Trace &Source, const std::vector<Site> &Sites) {
  std::vector<std::string> Entries;
  for (const Site &What : Sites)
    Entries.push_back(siteEntry(Source, What));
  return Entries;
}

/// The part of \p In that is wanted, cut out of its text.
int writePart(const std::string &In, const std::string &Out, const WantedPart &Part) {
  ReadOptions Keep;
  Keep.Offsets = Keep.Others = true;
  auto Whole = readToCut(In, Out, Keep);
  if (!Whole)
    return fail(Whole.error());
  Trace &Source = Whole->Read;
  // As texts: numbers of sites and strings change below.
  const std::vector<std::string> Deciding = entriesOf(Source, decidingSites(Source));
  const TraceInfo AsRead = Source.Info;
  judge(Source);
  if (Source.Health.find(HealthCheck::OverlappingWork)) {
    // Whether it does overlap the streams tell, which few traces are asked for.
    Source.Info = AsRead;
    Keep.Launches = true;
    if (const auto Failure = readAgain(*Whole, Keep))
      return fail(*Failure);
    judge(Source);
  }
  TimeRange Range;
  if (const int Failed = rangeOfPart("convert", Part, Source, Range))
    return Failed;
  CutPlan Plan(Source, Range.BeginNs, Range.EndNs);
  const bool Moved = Source.Health.find(HealthCheck::ClocksApart);
  cutToPart("convert", Part, Source);
  const KeptEvents Kept = Plan.events(Source, Moved);
  std::vector<Site> Needed;
  const TraceCut Cut = recordOfCut(Source, Needed);
  std::vector<std::string> Sites = entriesOf(Source, Needed);
  Sites.insert(Sites.end(), Deciding.begin(), Deciding.end());

  auto Text = Whole->Text->read();
  if (!Text)
    return fail(Text.error());
  auto Target = OutputFile::create(Out);
  if (!Target)
    return fail(Target.error());
  if (const auto Failure = writeCut(**Text, In, **Target, Source, Kept,
                                    {cutText(Source, Cut, Sites), throttledText(Source)}))
    return fail(*Failure);
  if (const auto Failure = (*Target)->commit())
    return fail(*Failure);
  for (const std::string &Change : Whole->Changes)
    complain(fmt::format("{}: {}", In, Change));
  return reportRest(Source.Info, Out);
}

/// What is written: each event as it is, or sums of those whose times can be.
enum class Written : uint8_t { Events, Sums };

/// Whether what is wrong is taken out, moved or clipped. Nothing else is left out here.
bool changesTimes(HealthCheck Check) {
  return Check == HealthCheck::ImpossibleTimes || Check == HealthCheck::OverlappingWork ||
         Check == HealthCheck::ClocksApart;
}

/// By Emit(Trace, Write), from the events of \p Part; \p What they are written as.
template <typename EmitT>
int convertEvents(const std::string &In, const std::string &Out, const WantedPart &Part,
                  const char *What, Written Of, EmitT Emit) {
  auto Source = readTrace(In);
  if (!Source)
    return fail(Source.error());
  if (Of == Written::Sums) {
    judge(*Source);
    for (const HealthFinding &Found : Source->Health.Found)
      if (changesTimes(Found.Check))
        complain(fmt::format("{}: {}: {}", In, nameOf(Found.Check), Found.Consequence));
  }
  if (!Source->Profile.empty())
    return fail({In,
                 {},
                 fmt::format("holds sums of mode profile and no events to write as {}; `seamscope "
                             "report --csv` writes the sums",
                             What)});
  if (const int Failed = cutToPart("convert", Part, *Source))
    return Failed;
  auto Target = OutputFile::create(Out);
  if (!Target)
    return fail(Target.error());
  if (const int Failed = Emit(*Source, [&](std::string_view Piece) { (*Target)->write(Piece); }))
    return Failed;
  if (const auto Failure = (*Target)->commit())
    return fail(*Failure);
  return reportRest(Source->Info, Out);
}

/// By Emit(Trace, Write).
template <typename EmitT>
int convertStacks(const std::string &In, const std::string &Out, const WantedPart &Part,
                  EmitT Emit) {
  return convertEvents(
      In, Out, Part, "stacks", Written::Sums, [&](const Trace &Source, const WriteText &Write) {
        uint64_t Untimed = 0;
        for (const ThrottledCalls &Calls : Source.Throttled)
          Untimed += Calls.Untimed;
        if (Untimed)
          complain(fmt::format("{}: {} calls were counted and not timed: {} has their time in the "
                               "calls around them",
                               In, Untimed, Out));
        return Emit(Source, Write);
      });
}

bool endsWith(const std::string &Out, const char *Ending) {
  return Out.ends_with(Ending) || Out.ends_with(std::string(Ending) + ".gz");
}

/// The Python package writes them.
int convertToColumns(const ConvertOptions &Options, const std::string &Out) {
  if (!Options.Part.isWhole()) {
    complain("convert: .parquet has the whole trace: cut the part out first, into a .json.gz");
    return BadUsage;
  }
  if (Options.In == "-") {
    complain("convert: .parquet is made of a file, which is read twice: name one, not -");
    return BadUsage;
  }
  const std::string In =
      Options.Rank ? oneTraceOf("convert", Options.In, Options.Rank) : Options.In;
  return In.empty() ? static_cast<int>(BadData) : becomePython("convert", {"--", In, Out}, {});
}

int convert(const ConvertOptions &Options) {
  if (Options.Out.empty() == Options.Output.empty()) {
    complain(Options.Out.empty()
                 ? "convert: OUT is required: the file to write, or -o FILE"
                 : fmt::format("convert: OUT and --output both name a file to write: {} and {}",
                               Options.Out, Options.Output));
    return BadUsage;
  }
  const std::string &Out = Options.Out.empty() ? Options.Output : Options.Out;
  if (Out.ends_with(".parquet"))
    return convertToColumns(Options, Out);
  const bool Events = endsWith(Out, ".csv"), Folded = endsWith(Out, ".folded"),
             Scope = endsWith(Out, ".speedscope.json");
  if (!Events && !Folded && !Out.ends_with(".json") && !Out.ends_with(".json.gz") && Out != "-") {
    complain("convert: cannot tell the format of '" + Out +
             "': its name must end in .json, .speedscope.json, .csv or .folded, each also with "
             ".gz, or in .parquet");
    return BadUsage;
  }
  const std::string In =
      Options.Rank ? oneTraceOf("convert", Options.In, Options.Rank) : Options.In;
  if (In.empty())
    return BadData;
  const WantedPart &Part = Options.Part;
  if (Events)
    return convertEvents(In, Out, Part, "CSV", Written::Events,
                         [](const Trace &Source, const WriteText &Write) {
                           renderCsv(eventsDocument(Source), Write);
                           return 0;
                         });
  if (Folded)
    return convertStacks(In, Out, Part, [](const Trace &Source, const WriteText &Write) {
      renderFolded(stackCalls(Source), Write);
      return 0;
    });
  if (Scope)
    return convertStacks(In, Out, Part, [](const Trace &Source, const WriteText &Write) {
      const auto Lanes = lanesOf(Source);
      if (!Lanes)
        return fail(Lanes.error());
      renderSpeedscope(stackLanes(Source, *Lanes), Write);
      return 0;
    });
  if (!Part.isWhole())
    return writePart(In, Out, Part);
  if (isSpool(In)) {
    auto File = SpoolFile::open(In);
    if (!File)
      return fail(File.error());
    if (const auto Failure = writeChrome(**File, Out, spoolWriting(Out)))
      return fail(*Failure);
    TraceInfo Info;
    if (const Error *Damage = (*File)->damage())
      Info.Damage = *Damage;
    return reportRest(Info, Out);
  }
  if (isOtherForm(In)) {
    auto Source = readTrace(In, detailsToWrite());
    return Source ? writeAnew(*Source, Out) : fail(Source.error());
  }
  return copyJson(In, Out);
}

} // namespace

Action addConvert(CLI::App &Verb) {
  auto Options = std::make_shared<ConvertOptions>();
  Verb.add_option("IN", Options->In,
                  "Chrome trace JSON, also .gz, an SQLite export of nsys or database of nvprof, a "
                  "spool, or a folder that is called .parquet; - is standard input (JSON alone); "
                  "with --rank a folder of ranks, too")
      ->required();
  Verb.add_option("OUT", Options->Out,
                  "File to write; its name tells the format: .json, .csv (one line an event, times "
                  "in ns), .folded (one line a stack, for flame graphs, own times in ns), "
                  ".speedscope.json; each also with .gz; .parquet (a folder, a file a table)");
  Verb.add_option("-o,--output", Options->Output, "The same as OUT")->type_name("FILE");
  addPartOptions(Verb, Options->Part);
  addRankOption(Verb, Options->Rank);
  refuseOptions(Verb, {"--top", "--filter", "--columns", "--sort", "--by"},
                "it writes all events of a trace, or of the part that --window or --step names");
  refuseOptions(Verb, {"--json", "--csv", "--markdown"},
                "the name of the file to write tells the format");
  putUnder(heading::Input, Verb, {"--window", "--step", "--rank"});
  putUnder(heading::Output, Verb, {"--output"});
  addExamples(Verb, {"k.json k.csv", "run.sqlite -o run.json.gz",
                     "--step 3 trace.json.gz step.json", "trace.json.gz trace.parquet",
                     "k.json k.folded && flamegraph.pl --countname ns k.folded > k.svg"});
  return [Options] { return convert(*Options); };
}

} // namespace seamscope::tools
