//===- ChromeEvent.cpp - one event of a Chrome trace, as it is being read -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/ChromeEvent.h"
#include "trace/chrome/CaptureText.h"
#include "trace/chrome/KernelInsideText.h"
#include "trace/chrome/KeyTable.h"
#include "trace/io/SeededHash.h"
#include "trace/model/GroupText.h"
#include "trace/model/StepName.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace seamscope::tools {
namespace {

using Type = JsonScalar::Type;

std::string setTime(std::string_view Key, const JsonScalar &Value, std::optional<int64_t> &Ns) {
  Ns.reset();
  if (Value.Kind == Type::Integer)
    Ns = nanosecondsFromMicroseconds(Value.Integer);
  else if (Value.Kind == Type::Decimal || Value.Kind == Type::String)
    Ns = nanosecondsFromMicroseconds(Value.Text);
  if (Ns)
    return {};
  return fmt::format("\"{}\" is not a number of microseconds that fits in 64 bits of ns", Key);
}

void setText(const JsonScalar &Value, std::string_view &Text) {
  if (Value.Kind == Type::String)
    Text = Value.Text;
}

void setPosition(const JsonScalar &Value, uint32_t &Position) {
  if (Value.Kind == Type::Integer && Value.Integer > 0 &&
      Value.Integer <= std::numeric_limits<uint32_t>::max())
    Position = static_cast<uint32_t>(Value.Integer);
}

/// A number of \p Unit that a writer estimated; 0 stands for "not known" there.
void setAmount(const JsonScalar &Value, double Unit, int64_t &Amount) {
  double Number = static_cast<double>(Value.Integer);
  if (Value.Kind == Type::Decimal)
    std::from_chars(Value.Text.data(), Value.Text.data() + Value.Text.size(), Number);
  else if (Value.Kind != Type::Integer)
    return;
  if (Number > 0 && Number * Unit < 0x1p62)
    Amount = std::llround(Number * Unit);
}

/// Without the white space that writers put in differently.
std::string compact(std::string_view Json) {
  std::string Text;
  bool InString = false, Escaped = false;
  for (const char C : Json) {
    if (InString || static_cast<unsigned char>(C) > ' ')
      Text += C;
    if (!Escaped && C == '"')
      InString = !InString;
    Escaped = !Escaped && C == '\\';
  }
  return Text;
}

} // namespace

ChromeEvent::ChromeEvent(TraceBuilder &Builder, const ReadOptions &Keep)
    : Builder(Builder), Keep(Keep),
      Wanted(static_cast<uint8_t>(
          (Keep.Autograd ? WantAutograd : 0) | (Keep.Stacks ? WantStacks : 0) |
          (Keep.Launches ? WantLaunches : 0) | (Keep.Collectives ? WantCollectives : 0) |
          (Keep.Memory ? WantMemory : 0) | (Keep.Syncs ? WantSyncs : 0))) {}

void ChromeEvent::clear() {
  for (std::string_view *Text :
       {&Process, &Thread, &Phase, &Name, &Category, &Kernel, &Scope, &ArgName, &Labels, &InputDims,
        &InputTypes, &InputStrides, &InputValues, &Inside, &Work, &CapturedAt})
    *Text = {};
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) Field = {};
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key) Field = 0;
#include "format/site-arguments.def"
  Begin.reset();
  Duration.reset();
  Correlation.reset();
  Link.reset();
  Device.reset();
  Flop = Bytes = OpenNs = -1;
  TeamThread = -1;
  if (Wanted)
    Details.clear();
  if (Keep.Others)
    Id = {};
}

std::string ChromeEvent::set(std::string_view Key, const JsonScalar &Value) {
  switch (Key.size()) {
  case 2:
    if (Key == "ts")
      return setTime(Key, Value, Begin);
    if (Key == "ph") {
      setText(Value, Phase);
    } else if (Key == "id") {
      if (const auto Number = Keep.Autograd ? Value.wholeNumber() : std::nullopt)
        Details.Flows.emplace().Id = *Number;
      if (Keep.Others)
        Id = Value.Text;
    }
    break;
  case 3:
    if (Key == "dur")
      return setTime(Key, Value, Duration);
    if (Key == "cat")
      setText(Value, Category);
    else if (Key == "pid")
      Process = Value.label();
    else if (Key == "tid")
      Thread = Value.label();
    break;
  case 4:
    if (Key == "name")
      setText(Value, Name);
    break;
  default:
    break;
  }
  return {};
}

const ChromeEvent::Argument *ChromeEvent::plainArgument(std::string_view Key) {
  using Event = ChromeEvent;
  using Scalar = const JsonScalar &;
  using Text = std::string_view;
  static constexpr Argument List[] = {
      {"kernel", [](Event &E, Scalar Value) { setText(Value, E.Kernel); }},
      {"scope", [](Event &E, Scalar Value) { setText(Value, E.Scope); }},
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key)                                                        \
  {Key, [](Event &E, Scalar Value) { setText(Value, E.Field); }},
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key)                                                      \
  {Key, [](Event &E, Scalar Value) { setPosition(Value, E.Field); }},
#include "format/site-arguments.def"
      {"hlo_op", [](Event &E, Scalar Value) { setText(Value, E.Operators); }},     // of XLA
      {"op_name", [](Event &E, Scalar Value) { setText(Value, E.Operators); }},    // of a node
      {"provider", [](Event &E, Scalar Value) { setText(Value, E.LinkageName); }}, // of a node
      {"name", [](Event &E, Scalar Value) { setText(Value, E.ArgName); }},
      {"labels", [](Event &E, Scalar Value) { setText(Value, E.Labels); }},
      {"kernel_flop", [](Event &E, Scalar Value) { setAmount(Value, 1, E.Flop); }},
      {"kernel_num_gb", [](Event &E, Scalar Value) { setAmount(Value, 1e9, E.Bytes); }},
      {"correlation",
       [](Event &E, Scalar Value) {
         // Where there is nothing to link to, writers put 0 or -1.
         if (const auto Number = Value.wholeNumber(); Number && *Number != 0 && *Number != -1)
           E.Correlation = Number;
       }},
      // What writers without categories call a correlation: torch_npu, XLA.
      {"connection_id", [](Event &E, Scalar Value) { E.Link = Value.wholeNumber(); }},
      {"correlation_id", [](Event &E, Scalar Value) { E.Link = Value.wholeNumber(); }},
      {"device",
       [](Event &E, Scalar Value) {
         if (const auto Number = Value.wholeNumber())
           E.Device = Number;
       }},
      {"open_ns",
       [](Event &E, Scalar Value) {
         if (Value.Kind == Type::Integer && Value.Integer >= 0)
           E.OpenNs = Value.Integer;
       }},
      {"thread",
       [](Event &E, Scalar Value) {
         if (Value.Kind == Type::Integer && Value.Integer >= 0 &&
             Value.Integer <= std::numeric_limits<int32_t>::max())
           E.TeamThread = static_cast<int32_t>(Value.Integer);
       }},
      {"Input Dims", nullptr, [](Event &E, Text Json) { E.InputDims = Json; }},
      {"Input dims", nullptr, [](Event &E, Text Json) { E.InputDims = Json; }},
      {"Input type", nullptr, [](Event &E, Text Json) { E.InputTypes = Json; }},
      {"Input Strides", nullptr, [](Event &E, Text Json) { E.InputStrides = Json; }},
      {"Concrete Inputs", nullptr, [](Event &E, Text Json) { E.InputValues = Json; }},
      {"inside", nullptr, [](Event &E, Text Json) { E.Inside = Json; }},
      {"work", nullptr, [](Event &E, Text Json) { E.Work = Json; }},
      {"captured at", nullptr, [](Event &E, Text Json) { E.CapturedAt = Json; }},
  };
  static constexpr KeyTable Table(List);
  return Table.find(Key);
}

/// Of a device's work: the device it names, else its pid, which stands for the device.
int32_t ChromeEvent::deviceOf() const {
  int64_t Id = -1;
  if (Device)
    Id = *Device;
  else if (const auto [End, Code] =
               std::from_chars(Process.data(), Process.data() + Process.size(), Id);
           Code != std::errc() || End != Process.data() + Process.size())
    Id = 0;
  return Id >= 0 && Id <= std::numeric_limits<int32_t>::max() ? static_cast<int32_t>(Id) : 0;
}

Site ChromeEvent::makeSite() {
  StringTable &Strings = Builder.strings();
  Site What;
  What.Name = Strings.intern(Name);
  What.Category = Strings.intern(Category);
  // Torch has scopes too, which it calls by their sort.
  const std::string_view Kernel = Scope == Name ? Scope : this->Kernel;
  // What others put under these keys may differ with every event and would split the site.
  const SiteKind Kind = kindOfCategory(Category);
  if (!Kernel.empty() || Kind == SiteKind::Kernel || Kind == SiteKind::Region ||
      Kind == SiteKind::Loop || Kind == SiteKind::Task || Kind == SiteKind::TeamWait ||
      Kind == SiteKind::Operator || Category == NodeCategory) {
    What.Kernel = Strings.intern(Kernel);
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) What.Field = Strings.intern(Field);
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key) What.Field = Field;
#include "format/site-arguments.def"
    if (isGroupText(Operators)) {
      What.Operators = 0;
      setOperators(What, Operators, Strings);
    }
    if (Flop >= 0)
      What.Flop = Flop;
    if (Bytes >= 0)
      What.Bytes = Bytes;
  }
  // Writers before torch 1.12 have steps among operators.
  if (Kind == SiteKind::Operator && isStepName(Name))
    What.Category = Strings.intern("user_annotation");
  if (isOfDevice(Kind) && !Category.empty())
    What.Device = deviceOf();
  if (!InputDims.empty()) {
    What.InputDims = Strings.intern(compact(InputDims));
    What.InputTypes = Strings.intern(compact(InputTypes));
    What.InputStrides = Strings.intern(compact(InputStrides));
    What.InputValues = Strings.intern(compact(InputValues));
  }
  return What;
}

TrackId ChromeEvent::track() {
  // Neighbours are often of one thread.
  if (Process != LastProcess || Thread != LastThread || LastTrack == NoTrack) {
    LastTrack = Builder.track(Builder.strings().intern(Process), Builder.strings().intern(Thread));
    LastProcess = Process;
    LastThread = Thread;
  }
  return LastTrack;
}

/// Most events are of a site that was seen before: one look-up by all the texts that tell sites
/// apart finds it.
SiteId ChromeEvent::site() {
  const int32_t Of = isOfDevice(kindOfCategory(Category)) ? deviceOf() : -1;
  return KnownSites.of({{Name, Category, Kernel, Scope,
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) Field,
#include "format/site-arguments.def"
                         InputDims, InputTypes, InputStrides, InputValues},
                        {
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key) int64_t{Field},
#include "format/site-arguments.def"
                            Flop, Bytes, Of}},
                       [&] { return Builder.site(makeSite()); });
}

std::string ChromeEvent::addCall() {
  if (!Begin)
    return fmt::format("event \"{}\" has no \"ts\"", Name);
  const TrackId Where = track();
  if (Phase == "E")
    return Builder.addEnd(*Begin, Where) ? "" : farOff();
  const SiteId Site = site();
  const int32_t Team = Builder.kind(Site) == SiteKind::Region ? TeamThread : -1;
  if (Phase == "B" && OpenNs >= 0)
    return Builder.addOpen(*Begin, OpenNs, Site, Where, Team) ? "" : farOff();
  if (Phase == "B")
    return Builder.addBegin(*Begin, Site, Where, Team) ? "" : farOff();
  int64_t Length = Duration.value_or(0);
  Repaired.NoDuration += !Duration;
  if (Length < 0) {
    ++Repaired.NegativeDuration;
    Length = 0;
  }
  if (!Builder.addCall(*Begin, Length, Site, Where, Team))
    return farOff();
  const SiteKind Kind = Builder.kind(Site);
  if (Correlation &&
      (Kind == SiteKind::Kernel || Kind == SiteKind::Copy || Kind == SiteKind::Launch))
    Builder.correlate(*Correlation);
  else if (Link && (Category.empty() || Category == EnqueueCategory || Category == DequeueCategory))
    Builder.correlate(*Link);
  if (Kind == SiteKind::Kernel)
    addInside();
  if (Wanted)
    addDetails(Kind);
  return {};
}

/// What the stamps of a kernel say, and where it was captured.
void ChromeEvent::addInside() {
  if (!Inside.empty())
    if (const auto Read = parseKernelInside(Inside, Builder.strings())) {
      Builder.add(Read->Kernel);
      for (LoopInside Loop : Read->Loops) {
        Loop.Times.Site = Builder.site(Loop.What);
        Builder.add(Loop.Times);
      }
    }
  if (!Work.empty())
    if (const auto Read = parseLaunchCounters(Work, Builder.strings()))
      Builder.add(*Read);
  if (!CapturedAt.empty()) {
    auto Known = KnownCaptures.find(CapturedAt);
    if (Known == KnownCaptures.end())
      if (const auto Read = parseCapture(CapturedAt, Builder.strings()))
        Known = KnownCaptures.emplace(CapturedAt, Builder.site(*Read)).first;
    if (Known != KnownCaptures.end())
      Builder.add(KernelCapture{0, Known->second});
  }
}

std::string ChromeEvent::farOff() const {
  return fmt::format("event \"{}\": its time is out of range, or the durations add up to too much",
                     Name);
}

void ChromeEvent::addMetadata() {
  // One without a name takes none away.
  StringTable &Strings = Builder.strings();
  const StringId Pid = Strings.intern(Process);
  if (Name == "process_name" && !ArgName.empty())
    Builder.process(Pid).Name = Strings.intern(ArgName);
  else if (Name == "process_labels" && !Labels.empty())
    Builder.process(Pid).Labels = Strings.intern(Labels);
  else if (Name == "thread_name" && !ArgName.empty())
    Builder.nameThread(Builder.track(Pid, Strings.intern(Thread)), Strings.intern(ArgName));
}

void ChromeEvent::noteProcess() {
  constexpr size_t Most = 16;
  if (std::ranges::find(NotedProcesses, Process) != NotedProcesses.end())
    return;
  Builder.process(Builder.strings().intern(Process));
  if (NotedProcesses.size() < Most)
    NotedProcesses.emplace_back(Process);
}

void ChromeEvent::addOther() {
  SeededHasher Hash;
  Hash.add(Category);
  Hash.add(Id);
  Hash.add(Category.size(), Id.size());
  OtherEvent Of;
  Of.Ns = Begin.value_or(OtherEvent::NoTime);
  Of.Link = Hash.value() >> 8;
  Of.Phase = Phase.size() == 1 ? Phase[0] : '\0';
  Builder.addOther(Of);
}

std::string ChromeEvent::add() {
  if (Keep.Processes)
    noteProcess();
  if (Phase == "X" || Phase == "B" || Phase == "E")
    return addCall();
  if (Keep.Others)
    addOther();
  if (isFlow())
    return addFlow();
  if (Keep.Memory && Details.Memory && Name == "[memory]")
    return addMemory();
  if (Phase == "M")
    addMetadata();
  else if (Name == "Record Window End" || Name == "Iteration Start: PyTorch Profiler")
    Torch = true;
  else
    passOver();
  return {};
}

/// Of what is neither a call nor an instant or a flow between calls.
void ChromeEvent::passOver() {
  static constexpr std::pair<std::string_view, std::string_view> Kinds[] = {
      {"C", "counter"},
      {"b", "asynchronous event"},
      {"n", "asynchronous event"},
      {"S", "asynchronous event"},
      {"N", "object"},
      {"O", "object"},
      {"P", "sample"}};
  const auto *const Kind =
      std::ranges::find(Kinds, Phase, &std::pair<std::string_view, std::string_view>::first);
  constexpr size_t Most = 8;
  if (Kind == std::end(Kinds))
    return;
  const std::string_view Of = Category.empty() ? Kind->second : Category;
  if (const auto Known = PassedOver.find(Of); Known != PassedOver.end())
    ++Known->second;
  else if (PassedOver.size() < Most)
    PassedOver.emplace(Of, 1);
}

} // namespace seamscope::tools
