//===- AsText.cpp - a trace of any format as JSON -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/AsText.h"

#include "trace/ReadTrace.h"
#include "trace/chrome/ChromeReader.h"
#include "trace/chrome/TraceToChrome.h"
#include "trace/columns/ReadColumns.h"
#include "trace/io/SqliteFile.h"
#include "trace/spool/ReadSpool.h"
#include "trace/spool/SpoolToChrome.h"

#include <utility>

namespace seamscope::tools {

bool isOtherForm(const std::string &Path) {
  return isSpool(Path) || isSqlite(Path) || isColumns(Path);
}

std::optional<Error> whyNoText(const Trace &Source) {
  if (Source.Profile.empty())
    return std::nullopt;
  return Error{Source.Info.Path,
               {},
               "holds sums of mode profile, which cannot be written as JSON again: convert the "
               "trace that it was made from"};
}

void OtherForm::complete(TraceInfo &Read) const {
  if (!Info.Producer.empty())
    Read.Producer = Info.Producer;
  Read.Damage = Info.Damage;
  Read.NegativeDurations = Info.NegativeDurations;
  Read.SkippedEvents = Info.SkippedEvents;
  Read.Skipped = Info.Skipped;
  Read.Notes.insert(Read.Notes.begin(), Info.Notes.begin(), Info.Notes.end());
}

Result<OtherForm> writtenAsText(const std::string &In, const std::string &Name) {
  auto Text = std::make_unique<TemporaryFile>();
  OtherForm Made;
  if (isSpool(In)) {
    auto File = SpoolFile::open(In);
    if (!File)
      return File.error();
    if (auto Failure = writeChrome(**File, *Text, Name))
      return *Failure;
    Made.Info.Producer = SpoolProducer;
    if (const Error *const Damage = (*File)->damage())
      Made.Info.Damage = *Damage;
  } else {
    auto Source = readTrace(In, detailsToWrite());
    if (!Source)
      return Source.error();
    if (auto Why = whyNoText(*Source))
      return *Why;
    writeChrome(*Source, [&](std::string_view Piece) { Text->write(Piece); });
    Made.Info = std::move(Source->Info);
  }
  if (Text->error())
    return ChromeText::cannotKeep(In, Text->error());
  Made.Text = ChromeText::ofFile(In, std::move(Text));
  return Made;
}

Result<TraceWithHead> readWithHead(const std::string &Path) {
  std::optional<OtherForm> Other;
  if (isOtherForm(Path)) {
    auto Written = writtenAsText(Path, Path);
    if (!Written)
      return Written.error();
    Other = std::move(*Written);
  }
  auto Source = Other ? Other->Text->read() : ByteSource::open(Path);
  if (!Source)
    return Source.error();
  ReadOptions Keep = detailsToWrite();
  Keep.Processes = true;
  std::string Members;
  auto Read = readChromeTrace(**Source, Path, Keep, &Members);
  if (!Read)
    return Read.error();
  if (Other)
    Other->complete(Read->Info);
  std::string Head = headText(Members, Read->Info);
  return TraceWithHead{std::move(*Read), std::move(Head)};
}

} // namespace seamscope::tools
