//===- CutWriter.cpp - writes a part of a trace's text --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/CutWriter.h"

#include "trace/chrome/CutText.h"
#include "trace/chrome/EventScanner.h"
#include "trace/chrome/EventText.h"
#include "trace/chrome/TraceFrame.h"
#include "trace/chrome/TraceOutline.h"
#include "trace/io/Decimal.h"
#include "trace/io/SeededHash.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Gives an event the times that it has in the part.
class Retiming {
public:
  Retiming(const Trace &Part, const KeptEvents &Kept) : Part(Part), Ends(Kept.Ends) {}

  /// False: \p Event is another one.
  bool apply(const KeptEvent &Kept, EventText &Event) const {
    using enum KeptEvent::Times;
    const auto BeginNs = [&] { return Part.Events.BeginNs[Kept.Of]; };
    const auto EndNs = [&] {
      const auto Clipped = Ends.find(Kept.Of);
      return Clipped == Ends.end() ? Part.Events.endNs(Kept.Of) : Clipped->second;
    };
    const auto DurationNs = [&] { return EndNs() - BeginNs(); };
    switch (Kept.Has) {
    case AsWritten:
      return true;
    case Call:
      return setTime(Event, "ts", BeginNs()) &&
             (!Event.member("dur") || setTime(Event, "dur", DurationNs()));
    case Begin:
      return setTime(Event, "ts", BeginNs());
    case End:
      return setTime(Event, "ts", EndNs());
    case Open:
      setOpen(Event, DurationNs());
      return setTime(Event, "ts", BeginNs());
    case Moment:
      return setTime(Event, "ts", Part.Details.Others[Kept.Of].Ns);
    }
    return false;
  }

private:
  static bool setTime(EventText &Event, std::string_view Key, int64_t Ns) {
    const EventText::Member *const Last = Event.member(Key);
    const auto Written = Last ? nanosecondsFromMicroseconds(Last->Text) : std::nullopt;
    if (!Written)
      return false;
    // A duration below 0 is read as 0.
    if (Ns == (Key == "dur" ? std::max<int64_t>(*Written, 0) : *Written))
      return true;
    for (const EventText::Member &Member : Event.members())
      if (Member.Key == Key)
        Event.replace(Member, microsecondsText(Ns));
    return true;
  }

  static void setOpen(EventText &Event, int64_t Ns) {
    const std::string Json = fmt::to_string(Ns);
    for (const EventText::Member &Argument : Event.arguments())
      if (Argument.Key == "open_ns" && Argument.Json != Json)
        Event.replace(Argument, Json);
  }

  const Trace &Part;
  const std::unordered_map<uint32_t, int64_t> &Ends;
};

class Cutting final : TraceFrame {
public:
  Cutting(ByteSource &Source, const std::string &Path, OutputFile &Out, const Trace &Part,
          const KeptEvents &Kept, const CutMembers &Members)
      : TraceFrame(Source, Path), Out(Out), Times(Part, Kept), Kept(Kept.All), Members(Members),
        Held(Kept.Last.size()) {
    for (size_t I = 0; I < Kept.Last.size(); ++I)
      Places.emplace(Kept.Last[I], I);
  }

  std::optional<Error> run() {
    if (auto None = walk())
      return None;
    if (Damage)
      return Damage;
    if (Next != Kept.size())
      return changed();
    Out.write("\n}\n");
    return std::nullopt;
  }

private:
  Error changed() const {
    return {Path, Source.offset(), "the file changed while it was read; try again"};
  }

  void beginMember(std::string_view Written) {
    Out.write(HasMembers ? ",\n\"" : "{\n\"");
    HasMembers = true;
    Out.write(Written);
    Out.write("\": ");
  }

  void readMember(const std::string &Key, const std::string &Written) override {
    if (Key == CutMember) {
      if (!Cursor.value(nullptr, 0))
        cutOff();
      return;
    }
    beginMember(Written);
    if (Key == "seamscope")
      return rewriteOurs();
    if (!Cursor.value([&](std::string_view Piece) { Out.write(Piece); }))
      cutOff();
  }

  void rewriteOurs() {
    std::string Json;
    if (!Cursor.value(&Json, SIZE_MAX))
      return cutOff();
    EventText Ours;
    if (!Ours.parse(Json))
      return Out.write(Json);
    if (const EventText::Member *const Old = Ours.member("throttled");
        Old && !Members.Throttled.empty())
      Ours.replace(*Old, Members.Throttled);
    // Counters of the whole run say nothing of a part.
    if (const EventText::Member *const Old = Ours.member("work"))
      Ours.replace(*Old, "[]");
    Json.clear();
    Ours.write(Json);
    Out.write(Json);
  }

  void readEvents() override {
    // Before the events, so that the reader knows of it then, and behind what programs look for at
    // the begin of the file.
    if (!std::exchange(HasCut, true)) {
      beginMember(CutMember);
      Out.write(Members.Cut);
    }
    beginMember("traceEvents");
    HasEvents = false;
    EventScanner Skipped; // sees only what lies between the events that are kept
    while (!Skipped.ended()) {
      if (Next < Kept.size() && Kept[Next].Offset == Source.offset()) {
        if (copyEvent(Kept[Next++]))
          continue;
        Damage = changed();
        return;
      }
      std::string_view Chunk = Source.chunk();
      if (Chunk.empty())
        return cutOff();
      if (Next < Kept.size() && Kept[Next].Offset > Source.offset())
        Chunk = Chunk.substr(0, static_cast<size_t>(std::min<uint64_t>(
                                    Chunk.size(), Kept[Next].Offset - Source.offset())));
      const uint64_t Before = Skipped.scanned();
      Skipped.scan(Chunk);
      const auto Looked = static_cast<size_t>(Skipped.scanned() - Before);
      Source.take(Skipped.ended() ? Looked + 1 : Looked);
    }
    if (Next == Kept.size())
      for (const std::string &Each : std::exchange(Held, {}))
        if (!Each.empty())
          writeEvent(Each);
    Out.write(HasEvents ? "\n]" : "[]");
  }

  void writeEvent(std::string_view Json) {
    Out.write(std::exchange(HasEvents, true) ? ",\n" : "[\n");
    Out.write(Json);
  }

  bool copyEvent(const KeptEvent &Which) {
    if (!takeEvent(Source, Text, SIZE_MAX))
      return false;
    if (Which.Has != KeptEvent::Times::AsWritten) {
      if (!Event.parse(Text) || !Times.apply(Which, Event))
        return false;
      Text.clear();
      Event.write(Text);
    }
    if (const auto Place = Places.find(Which.Offset); Place != Places.end())
      Held[Place->second] = Text;
    else
      writeEvent(Text);
    return true;
  }

  OutputFile &Out;
  const Retiming Times;
  const std::vector<KeptEvent> &Kept;
  const CutMembers &Members;
  size_t Next = 0; ///< of Kept
  bool HasMembers = false, HasCut = false;
  bool HasEvents = false; ///< the array that is written
  EventText Event;
  std::string Text;
  std::unordered_map<uint64_t, size_t, SeededHash> Places; ///< in Held, by offset
  std::vector<std::string> Held;                           ///< KeptEvents::Last
};

} // namespace

std::optional<Error> writeCut(ByteSource &Source, const std::string &Path, OutputFile &Out,
                              const Trace &Part, const KeptEvents &Kept,
                              const CutMembers &Members) {
  return Cutting(Source, Path, Out, Part, Kept, Members).run();
}

} // namespace seamscope::tools
