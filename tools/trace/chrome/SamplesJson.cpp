//===- SamplesJson.cpp - samples in a Chrome trace ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/SamplesJson.h"

#include "format/SampleText.h"
#include "trace/chrome/JsonFields.h"
#include "trace/chrome/SiteText.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <new>
#include <vector>

namespace seamscope::tools {
namespace {

using format::SampleKind;
using nlohmann::json;

std::optional<std::string> bytesOfHex(const std::string &Text) {
  std::string Bytes(Text.size() / 2, '\0');
  for (size_t I = 0; I < Bytes.size(); ++I) {
    unsigned char Byte = 0;
    const char *const From = Text.data() + 2 * I;
    if (std::from_chars(From, From + 2, Byte, 16).ptr != From + 2)
      return std::nullopt;
    Bytes[I] = static_cast<char>(Byte);
  }
  return Text.size() % 2 ? std::nullopt : std::optional(Bytes);
}

/// One entry of the member: the samples of a process.
class ProcessReading {
public:
  ProcessReading(const json &Entry, TraceBuilder &Builder)
      : Entry(Entry), Builder(Builder), Into(Builder.samples()),
        Pid(Builder.strings().intern(labelOf(Entry, "pid"))) {}

  std::string run() {
    if (integerOf(Entry, "format").value_or(0) != 1)
      return "its format is not known; this tool reads format 1";
    addState();
    for (const json &Of : member(Entry, "threads"))
      Bad += !addThread(Of);
    for (const json &Of : member(Entry, "modules"))
      Bad += !addModule(Of);
    for (const json &Of : member(Entry, "waits"))
      Bad += !addWait(Of);
    const json &Samples = member(Entry, "samples"), &Off = member(Entry, "off");
    if (!addSamples(Samples) || !addOff(Off))
      return "its columns are not whole numbers, as many in each";
    return Bad ? fmt::format("{} of its entries make no sense", Bad) : std::string();
  }

private:
  int64_t count(const char *Key) const { return static_cast<int64_t>(countOf(Entry, Key)); }
  static int64_t number(const json &Of, const char *Key) { return integerOf(Of, Key).value_or(0); }

  void addState() {
    SampleState State;
    State.Process = Pid;
    const std::string Name = textOf(Entry, "state");
    State.State = Name == format::sampleStateName(format::SamplesOn) ? SampleState::Kind::On
                  : Name == format::sampleStateName(format::SamplesRefused)
                      ? SampleState::Kind::Refused
                      : SampleState::Kind::Off;
    State.Why = textOf(Entry, "why");
    State.AskedRate = count("asked_rate");
    State.Rate = count("rate");
    State.SampleCostNs = count("sample_cost_ns");
    State.SwitchCostNs = count("switch_cost_ns");
    State.Switches = count("switches");
    State.Lost = count("lost");
    State.Dropped = count("dropped");
    const int64_t Begin = number(Entry, "begin_ns"), Until = number(Entry, "until_ns");
    if (isPlausible(Begin) && isPlausible(Until)) {
      State.BeginNs = Begin;
      State.UntilNs = Until;
    }
    Into.addState(std::move(State));
  }

  TrackId trackOf(uint64_t Tid) {
    if (Tid != LastTid || !HasLast) {
      LastTrack = Builder.track(Pid, Builder.strings().intern(std::to_string(Tid)));
      LastTid = Tid;
      HasLast = true;
    }
    return LastTrack;
  }

  bool addThread(const json &Of) {
    const TrackId Track = trackOf(countOf(Of, "tid"));
    if (!Builder.isNamed(Track))
      if (const std::string Name = textOf(Of, "name"); !Name.empty())
        Builder.nameThread(Track, Builder.strings().intern(Name));
    return Into.addSpan({Track, number(Of, "from_ns"), number(Of, "to_ns")});
  }

  bool addModule(const json &Of) {
    return Into.addModule({Pid, Builder.strings().intern(textOf(Of, "path")),
                           Builder.strings().intern(textOf(Of, "build_id")),
                           static_cast<uint64_t>(number(Of, "begin")),
                           static_cast<uint64_t>(number(Of, "end")),
                           static_cast<uint64_t>(number(Of, "offset")), number(Of, "from_ns")});
  }

  bool addWait(const json &Of) {
    ThreadWait Wait;
    Wait.SystemCall = number(Of, "system_call");
    Wait.Sp = static_cast<uint64_t>(number(Of, "sp"));
    Wait.Pc = static_cast<uint64_t>(number(Of, "pc"));
    size_t Next = 0;
    for (const json &Argument : member(Of, "arguments"))
      if (Next < Wait.Arguments.size())
        Wait.Arguments[Next++] = static_cast<uint64_t>(integerOf(Argument).value_or(0));
    const auto Stack = bytesOfHex(textOf(Of, "stack"));
    if (!Stack)
      return false;
    Wait.Stack = *Stack;
    Into.addWait(Pid, number(Of, "id"), std::move(Wait));
    return true;
  }

  /// The columns \p Keys of \p Of, differences added up where \p Deltas has the bit of the column.
  /// Nothing: they are not columns.
  static std::optional<std::vector<std::vector<uint64_t>>>
  columnsOf(const json &Of, std::initializer_list<const char *> Keys, unsigned Deltas) {
    std::vector<std::vector<uint64_t>> Columns;
    for (const char *Key : Keys) {
      const json &Column = member(Of, Key);
      auto &Numbers = Columns.emplace_back();
      const bool IsDelta = Deltas >> (Columns.size() - 1) & 1;
      if (!Of.is_null() &&
          (!Column.is_array() || (Columns.size() > 1 && Column.size() != Columns[0].size())))
        return std::nullopt;
      uint64_t Last = 0;
      for (const json &Each : Column) {
        const auto Number = integerOf(Each);
        if (!Number)
          return std::nullopt;
        Last = static_cast<uint64_t>(*Number) + (IsDelta ? Last : 0);
        Numbers.push_back(Last);
      }
    }
    return Columns;
  }

  bool addSamples(const json &Of) {
    const auto Columns = columnsOf(Of, {"tid", "ns", "address"}, 7);
    if (!Columns)
      return false;
    const auto &Tid = (*Columns)[0], &Ns = (*Columns)[1], &Address = (*Columns)[2];
    for (size_t I = 0; I < Tid.size(); ++I)
      Bad += !Into.addSample(static_cast<int64_t>(Ns[I]), trackOf(Tid[I]), Address[I]);
    return true;
  }

  bool addOff(const json &Of) {
    const auto Columns =
        columnsOf(Of, {"tid", "begin_ns", "length_ns", "off_ns", "kind", "wait"}, 3);
    if (!Columns)
      return false;
    for (size_t I = 0; I < (*Columns)[0].size(); ++I) {
      const auto At = [&](size_t Column) { return static_cast<int64_t>((*Columns)[Column][I]); };
      int64_t End;
      const auto Kind = static_cast<uint64_t>(At(4)) - static_cast<uint64_t>(SampleKind::Blocked);
      Bad += Kind > static_cast<uint64_t>(OffKind::Unknown) ||
             __builtin_add_overflow(At(1), At(2), &End) ||
             !Into.addOff(At(1), End, At(3), trackOf(static_cast<uint64_t>(At(0))),
                          static_cast<OffKind>(Kind), Into.waitOf(Pid, At(5)));
    }
    return true;
  }

  const json &Entry;
  TraceBuilder &Builder;
  SampleBuilder &Into;
  const StringId Pid;
  uint64_t Bad = 0;
  uint64_t LastTid = 0;
  TrackId LastTrack = 0;
  bool HasLast = false;
};

/// The samples of one process of a trace, with the functions of format::Sampling.
class ModelSampling {
public:
  ModelSampling(const Trace &Source, const SampleState &State) : Source(Source), State(State) {
    Status.State = State.State == SampleState::Kind::On        ? format::SamplesOn
                   : State.State == SampleState::Kind::Refused ? format::SamplesRefused
                                                               : format::SamplesOff;
    Status.AskedRate = static_cast<uint32_t>(State.AskedRate);
    Status.Rate = static_cast<uint32_t>(State.Rate);
    Status.SampleCostNs = static_cast<uint32_t>(State.SampleCostNs);
    Status.SwitchCostNs = static_cast<uint32_t>(State.SwitchCostNs);
    Status.Switches = static_cast<uint64_t>(State.Switches);
    Status.Lost = static_cast<uint64_t>(State.Lost);
    Status.Dropped = static_cast<uint64_t>(State.Dropped);
    for (const Track &Each : Source.Tracks) {
      const std::string_view Text = Source.text(Each.Thread);
      uint64_t Tid = 0;
      const auto [End, Code] = std::from_chars(Text.data(), Text.data() + Text.size(), Tid);
      const bool IsNumber = Code == std::errc() && End == Text.data() + Text.size();
      Tids.push_back(IsNumber ? Tid : 0);
      IsOurs.push_back(IsNumber && Each.Process == State.Process);
    }
  }

  const format::SampleStatus &status() const { return Status; }
  std::string_view why() const { return State.Why; }
  int64_t beginNs() const { return State.BeginNs; }
  int64_t untilNs() const { return State.UntilNs; }

  template <typename FnT> void forEachThread(FnT Visit) const {
    for (const SampledSpan &Span : Source.SampledSpans)
      if (IsOurs[Span.Track])
        Visit(format::SampledThreadFacts{static_cast<uint32_t>(Tids[Span.Track]), Span.FromNs,
                                         Span.ToNs,
                                         Source.text(Source.Tracks[Span.Track].ThreadName)});
  }
  template <typename FnT> void forEachModule(FnT Visit) const {
    for (const MappedModule &Of : Source.Modules)
      if (Of.Process == State.Process) {
        const auto Id = bytesOfHex(std::string(Source.text(Of.BuildId))).value_or("");
        Visit(format::ModuleFacts{
            Source.text(Of.Path), reinterpret_cast<const uint8_t *>(Id.data()),
            static_cast<uint32_t>(Id.size()), Of.Begin, Of.End, Of.Offset, Of.FromNs});
      }
  }
  template <typename FnT> void forEachWait(FnT Visit) const {
    for (size_t I = 0; I < Source.Waits.size(); ++I) {
      const ThreadWait &Of = Source.Waits[I];
      uint64_t Arguments[6];
      std::ranges::copy(Of.Arguments, Arguments);
      Visit(format::WaitFacts{static_cast<uint32_t>(I + 1), static_cast<int32_t>(Of.SystemCall),
                              Arguments, Of.Sp, Of.Pc, Of.Stack});
    }
  }
  template <typename FnT> void forEachSample(FnT Visit) const {
    const SampleColumns &Of = Source.Samples;
    for (size_t I = 0; I < Of.size(); ++I)
      if (const auto Track = static_cast<size_t>(Of.Track[I]); IsOurs[Track])
        Visit(format::SampleFacts{Of.Ns[I], static_cast<uint32_t>(Tids[Track]),
                                  static_cast<uint64_t>(Of.Address[I])});
  }
  template <typename FnT> void forEachOff(FnT Visit) const {
    const OffColumns &Of = Source.OffCpu;
    for (size_t I = 0; I < Of.size(); ++I)
      if (const auto Track = static_cast<size_t>(Of.Track[I]); IsOurs[Track])
        Visit(format::OffFacts{
            Of.BeginNs[I], Of.EndNs[I] - Of.BeginNs[I], Of.OffNs[I],
            static_cast<uint32_t>(Tids[Track]),
            static_cast<SampleKind>(Of.Kind[I] + static_cast<int64_t>(SampleKind::Blocked)),
            static_cast<uint32_t>(Of.Wait[I] + 1)});
  }

private:
  const Trace &Source;
  const SampleState &State;
  format::SampleStatus Status{};
  std::vector<uint64_t> Tids; ///< by track
  std::vector<bool> IsOurs;   ///< by track
};

} // namespace

std::string readSamples(const json &Member, TraceBuilder &Builder) {
  std::string Why;
  if (!Member.is_array())
    return Member.is_null() ? Why : "is not an array";
  size_t Index = 0;
  for (const json &Entry : Member) {
    if (const std::string Wrong = ProcessReading(Entry, Builder).run();
        !Wrong.empty() && Why.empty())
      Why = fmt::format("[{}]: {}", Index, Wrong);
    ++Index;
  }
  return Why;
}

std::string samplesText(const Trace &Source) {
  if (Source.Sampling.empty())
    return {};
  format::JsonText Text;
  Text.raw("[");
  for (const SampleState &State : Source.Sampling) {
    if (&State != &Source.Sampling[0])
      Text.raw(",\n");
    format::writeSampling(Text, ModelSampling(Source, State),
                          labelText(Source.text(State.Process)));
  }
  Text.raw("]");
  if (!Text.ok())
    throw std::bad_alloc();
  return {Text.data(), Text.size()};
}

} // namespace seamscope::tools
