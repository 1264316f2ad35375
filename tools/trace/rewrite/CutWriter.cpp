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

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Gives an event the times that it has in the part.
class Retiming {
public:
  explicit Retiming(const Trace &Part) : Part(Part) {}

  /// False: \p Event is another one.
  bool apply(const KeptEvent &Kept, EventText &Event) const {
    using enum KeptEvent::Times;
    const auto BeginNs = [&] { return Part.Events.BeginNs[Kept.Of]; };
    const auto DurationNs = [&] { return Part.Events.DurationNs[Kept.Of]; };
    switch (Kept.Has) {
    case AsWritten:
      return true;
    case Call:
      return setTime(Event, "ts", BeginNs()) && (!Event.member("dur") || setTime(Event, "dur", DurationNs()));
    case Begin:
      return setTime(Event, "ts", BeginNs());
    case End:
      return setTime(Event, "ts", Part.Events.endNs(Kept.Of));
    case Open:
      return setTime(Event, "ts", BeginNs()) && setOpen(Event, DurationNs());
    case Joined:
      return setTime(Event, "ts", BeginNs()) && join(Event, DurationNs());
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

  static bool setOpen(EventText &Event, int64_t Ns) {
    if (!Event.takesArguments())
      return true;
    const auto Set = [&](std::string_view Key, const std::string &Json) {
      bool Known = false;
      for (const EventText::Member &Argument : Event.lastArguments())
        if (Argument.Key == Key) {
          Known = true;
          if (Argument.Json != Json)
            Event.replace(Argument, Json);
        }
      if (!Known)
        Event.addArgument(Key, Json);
    };
    Set("open", "true");
    Set("open_ns", fmt::to_string(Ns));
    return true;
  }

  static bool join(EventText &Event, int64_t DurationNs) {
    for (const EventText::Member &Member : Event.members())
      if (Member.Key == "ph")
        Event.replace(Member, "\"X\"");
    Event.addMember("dur", microsecondsText(DurationNs));
    return true;
  }

  const Trace &Part;
};

class Cutting final : TraceFrame {
public:
  Cutting(ByteSource &Source, const std::string &Path, OutputFile &Out, const Trace &Part,
          const std::vector<KeptEvent> &Kept, const CutMembers &Members)
      : TraceFrame(Source, Path), Out(Out), Times(Part), Kept(Kept), Members(Members) {}

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
    if (Key == "seamscope" && !Members.Throttled.empty())
      return rewriteOurs();
    if (!Cursor.value([&](std::string_view Piece) { Out.write(Piece); }))
      cutOff();
  }

  void rewriteOurs() {
    std::string Json;
    if (!Cursor.value(&Json, SIZE_MAX))
      return cutOff();
    EventText Ours;
    const EventText::Member *const Old = Ours.parse(Json) ? Ours.member("throttled") : nullptr;
    if (!Old)
      return Out.write(Json);
    Ours.replace(*Old, Members.Throttled);
    Changed.clear();
    Ours.write(Changed);
    Out.write(Changed);
  }

  void readEvents() override {
    // Before the events, so that the reader knows of it then, and behind what programs look for at
    // the begin of the file.
    if (!std::exchange(HasCut, true)) {
      beginMember(CutMember);
      Out.write(Members.Cut);
    }
    beginMember("traceEvents");
    bool Any = false;
    EventScanner Skipped; // sees only what lies between the events that are kept
    while (!Skipped.ended()) {
      if (Next < Kept.size() && Kept[Next].Offset == Source.offset()) {
        Out.write(Any ? ",\n" : "[\n");
        Any = true;
        if (!copyEvent(Kept[Next++])) {
          Damage = changed();
          return;
        }
        continue;
      }
      std::string_view Chunk = Source.chunk();
      if (Chunk.empty())
        return cutOff();
      if (Next < Kept.size() && Kept[Next].Offset > Source.offset())
        Chunk = Chunk.substr(
            0, static_cast<size_t>(
                   std::min<uint64_t>(Chunk.size(), Kept[Next].Offset - Source.offset())));
      const uint64_t Before = Skipped.scanned();
      Skipped.scan(Chunk);
      const auto Looked = static_cast<size_t>(Skipped.scanned() - Before);
      Source.take(Skipped.ended() ? Looked + 1 : Looked);
    }
    Out.write(Any ? "\n]" : "[]");
  }

  bool copyEvent(const KeptEvent &Which) {
    if (!takeEvent(Source, Text, SIZE_MAX))
      return false;
    if (Which.Has == KeptEvent::Times::AsWritten) {
      Out.write(Text);
      return true;
    }
    if (!Event.parse(Text) || !Times.apply(Which, Event))
      return false;
    Changed.clear();
    Event.write(Changed);
    Out.write(Changed);
    return true;
  }

  OutputFile &Out;
  const Retiming Times;
  const std::vector<KeptEvent> &Kept;
  const CutMembers &Members;
  size_t Next = 0; ///< of Kept
  bool HasMembers = false, HasCut = false;
  EventText Event;
  std::string Text, Changed;
};

} // namespace

std::optional<Error> writeCut(ByteSource &Source, const std::string &Path, OutputFile &Out,
                              const Trace &Part, const std::vector<KeptEvent> &Kept,
                              const CutMembers &Members) {
  return Cutting(Source, Path, Out, Part, Kept, Members).run();
}

} // namespace seamscope::tools
