//===- ValidText.cpp - a trace's text, as JSON for other programs ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/ValidText.h"

#include "trace/chrome/ChromeReader.h"
#include "trace/chrome/EventText.h"
#include "trace/chrome/TraceOutline.h"
#include "trace/io/JsonChecker.h"
#include "trace/rewrite/EventJson.h"

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Writes what of a trace is JSON: its members, or its events.
class Repair final : public OutlineHandler {
public:
  Repair(TemporaryFile &Out, bool OfEvents) : Out(Out), OfEvents(OfEvents) {}

  uint64_t LeftOut = 0, LeftOutOffset = 0;
  uint64_t Nulls = 0; ///< events of which arguments became null
  std::vector<std::string> LostMembers;

  void member(const std::string &Key, const std::string &Json) override {
    if (OfEvents)
      return;
    if (const std::string Quoted = '"' + Key + '"'; isJson(Quoted) && isJson(Json))
      Out.write(Quoted + ": " + Json + ",\n");
    else
      LostMembers.push_back(Key);
  }

  void otherElement(uint64_t Offset) override { leaveOut(Offset); }

  void event(std::string_view Text, uint64_t Offset) override {
    if (!OfEvents)
      return;
    Written = Any ? ",\n" : "\n";
    if (isJson(Text)) {
      Written += Text;
    } else if (Event.parse(Text) && makeJson(Event)) {
      Event.write(Written);
      ++Nulls;
    } else {
      return leaveOut(Offset);
    }
    Any = true;
    Out.write(Written);
  }

private:
  void leaveOut(uint64_t Offset) {
    if (OfEvents && !LeftOut++)
      LeftOutOffset = Offset;
  }

  TemporaryFile &Out;
  bool OfEvents;
  bool Any = false; ///< an event was written
  EventText Event;
  std::string Written;
};

/// Makes \p Whole's text JSON, up to where it is damaged, and reads it again.
std::optional<Error> repair(const std::string &Path, const ReadOptions &Keep, ValidText &Whole) {
  auto New = std::make_unique<TemporaryFile>();
  const size_t EventsRead = Whole.Read.Events.size();
  std::optional<Error> Stopped;
  Repair Members(*New, /*OfEvents=*/false), Events(*New, /*OfEvents=*/true);
  New->write("{");
  for (Repair *Part : {&Members, &Events}) {
    auto Source = Whole.Text->read();
    if (!Source)
      return Source.error();
    if (Part == &Events)
      New->write("\"traceEvents\": [");
    Stopped = walkTrace(**Source, Path, *Part);
    if (Stopped && !Whole.Read.Info.Damage)
      return Stopped;
  }
  New->write("\n]}\n");
  if (New->error())
    return ChromeText::cannotKeep(Path, New->error());
  Whole.Text = ChromeText::ofFile(Path, std::move(New));
  Whole.AsWritten = false;
  if (Events.Nulls)
    Whole.Changes.push_back(fmt::format(
        "{} event(s) with arguments that are not JSON have null in their place", Events.Nulls));
  for (const std::string &Key : Members.LostMembers)
    Whole.Changes.push_back(fmt::format("\"{}\" left out: it is not JSON or too large", Key));
  if (!Events.LeftOut && Whole.Changes.empty() && !Whole.Read.Info.Damage)
    Whole.Changes.emplace_back("what stands between its values is not JSON: put right");
  auto Source = Whole.Text->read();
  if (!Source)
    return Source.error();
  TraceInfo Info = std::move(Whole.Read.Info);
  Whole.Read = Trace(); // its memory is that of the next
  auto Read = readChromeTrace(**Source, Path, Keep);
  if (!Read)
    return Read.error();
  // The reader may go on where a walk stops.
  if (Stopped && Read->Events.size() + Events.LeftOut < EventsRead)
    return Stopped;
  // Offsets are those of the file, as far as it is known.
  Whole.Read = std::move(*Read);
  if (!Events.LeftOut) {
    Whole.Read.Info.SkippedEvents = Info.SkippedEvents;
    Whole.Read.Info.Skipped = std::move(Info.Skipped);
  } else {
    Whole.Read.Info.SkippedEvents += Events.LeftOut;
    Whole.Read.Info.Skipped.insert(Whole.Read.Info.Skipped.begin(),
                                   {Events.LeftOutOffset, "is not JSON"});
  }
  return std::nullopt;
}

/// \p OfDamaged: a text that is JSON is made also where the one read is damaged.
Result<ValidText> readText(std::unique_ptr<ChromeText> Text, const ReadOptions &Keep,
                           const std::function<void(std::string_view)> &Copy, bool OfDamaged) {
  const std::string Path = Text->path();
  auto Source = Text->read();
  if (!Source)
    return Source.error();
  JsonChecker Checker;
  (*Source)->copyTo([&](std::string_view Bytes) {
    Checker.take(Bytes);
    if (Copy)
      Copy(Bytes);
  });
  auto Read = readChromeTrace(**Source, Path, Keep);
  if (!Read)
    return Read.error();
  ValidText Whole{std::move(Text), std::move(*Read), true, {}};
  if (Whole.Read.Info.Damage ? !OfDamaged : Checker.isWhole())
    return Whole;
  TraceInfo OfFile = Whole.Read.Info;
  if (auto Failure = repair(Path, Keep, Whole))
    return *Failure;
  if (OfDamaged)
    Whole.Read.Info = std::move(OfFile);
  return Whole;
}

} // namespace

Result<ValidText> readValid(const std::string &Path, const ReadOptions &Keep,
                            const std::function<void(std::string_view)> &Copy) {
  auto Text = ChromeText::open(Path);
  if (!Text)
    return Text.error();
  return readText(std::move(*Text), Keep, Copy, /*OfDamaged=*/false);
}

Result<ValidText> readWhole(std::unique_ptr<ChromeText> Text, const ReadOptions &Keep) {
  return readText(std::move(Text), Keep, {}, /*OfDamaged=*/true);
}

std::optional<Error> readAgain(ValidText &Of, const ReadOptions &Keep) {
  auto Source = Of.Text->read();
  if (!Source)
    return Source.error();
  TraceInfo Info = std::move(Of.Read.Info);
  Of.Read = Trace(); // its memory is that of the next
  auto Read = readChromeTrace(**Source, Of.Text->path(), Keep);
  if (!Read)
    return Read.error();
  Of.Read = std::move(*Read);
  Of.Read.Info = std::move(Info);
  return std::nullopt;
}

} // namespace seamscope::tools
