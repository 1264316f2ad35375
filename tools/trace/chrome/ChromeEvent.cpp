//===- ChromeEvent.cpp - one event of a Chrome trace, as it is being read -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/ChromeEvent.h"
#include "trace/chrome/CaptureText.h"
#include "trace/chrome/KernelInsideText.h"
#include "trace/io/Decimal.h"
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

/// pid and tid are numbers or, in torch's traces, words.
void setLabel(const JsonScalar &Value, std::string_view &Label) {
  Label = Value.Kind == Type::Decimal ? withoutFraction(Value.Text) : Value.Text;
  // Zero may be written as -0.
  if ((Value.Kind == Type::Integer && Value.Integer == 0) || Label == "-0")
    Label = "0";
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

bool isDeviceCategory(SiteKind Kind) { return Kind == SiteKind::Copy || Kind == SiteKind::Kernel; }

/// An integer, which some writers put in quotes or write as 7.0.
std::optional<int64_t> wholeNumber(const JsonScalar &Value) {
  if (Value.Kind == Type::Integer)
    return Value.Integer;
  if (Value.Kind != Type::String && Value.Kind != Type::Decimal)
    return std::nullopt;
  return tools::wholeNumber(Value.Text);
}

/// "[1, 2, 3]"; false: it is not that.
bool setTriple(std::string_view Json, std::array<int64_t, 3> &Into) {
  std::array<int64_t, 3> Numbers;
  const auto SkipTo = [&](char Wanted) {
    const size_t At = Json.find_first_not_of(" \t\r\n");
    if (At == Json.npos || Json[At] != Wanted)
      return false;
    Json.remove_prefix(At + 1);
    Json.remove_prefix(std::min(Json.find_first_not_of(" \t\r\n"), Json.size()));
    return true;
  };
  for (size_t I = 0; I < 3; ++I) {
    if (!SkipTo(I ? ',' : '['))
      return false;
    const auto [Stop, Error] = std::from_chars(Json.data(), Json.data() + Json.size(), Numbers[I]);
    if (Error != std::errc() || Numbers[I] < 0)
      return false;
    Json.remove_prefix(static_cast<size_t>(Stop - Json.data()));
  }
  if (!SkipTo(']'))
    return false;
  Into = Numbers;
  return true;
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

void ChromeEvent::clear() {
  for (std::string_view *Text : {&Process, &Thread, &Phase, &Name, &Category, &Kernel, &Scope,
                                 &Region, &File, &Ops, &LinkageName, &ArgName, &Labels, &InputDims,
                                 &InputTypes, &InputStrides, &InputValues, &Inside, &CapturedAt})
    *Text = {};
  Begin.reset();
  Duration.reset();
  Correlation.reset();
  Link.reset();
  Device.reset();
  Flop = Bytes = OpenNs = -1;
  Line = Column = 0;
  TeamThread = -1;
  if (Keep.any())
    Details = {};
}

std::string ChromeEvent::set(std::string_view Key, const JsonScalar &Value) {
  switch (Key.size()) {
  case 2:
    if (Key == "ts")
      return setTime(Key, Value, Begin);
    if (Key == "ph")
      setText(Value, Phase);
    else if (Keep.Autograd && Key == "id")
      Details.Flow = wholeNumber(Value);
    break;
  case 3:
    if (Key == "dur")
      return setTime(Key, Value, Duration);
    if (Key == "cat")
      setText(Value, Category);
    else if (Key == "pid")
      setLabel(Value, Process);
    else if (Key == "tid")
      setLabel(Value, Thread);
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

void ChromeEvent::setArgument(ChromeArgument Key, const JsonScalar &Value) {
  switch (Key) {
  case ChromeArgument::Kernel:
    return setText(Value, Kernel);
  case ChromeArgument::Region:
    return setText(Value, Region);
  case ChromeArgument::File:
    return setText(Value, File);
  case ChromeArgument::Ops:
    return setText(Value, Ops);
  case ChromeArgument::LinkageName:
    return setText(Value, LinkageName);
  case ChromeArgument::Name:
    return setText(Value, ArgName);
  case ChromeArgument::Labels:
    return setText(Value, Labels);
  case ChromeArgument::Line:
    return setPosition(Value, Line);
  case ChromeArgument::Column:
    return setPosition(Value, Column);
  case ChromeArgument::Scope:
    return setText(Value, Scope);
  case ChromeArgument::KernelFlop:
    return setAmount(Value, 1, Flop);
  case ChromeArgument::KernelGigabytes:
    return setAmount(Value, 1e9, Bytes);
  case ChromeArgument::Correlation:
    // Where there is nothing to link to, writers put 0 or -1.
    if (const auto Number = wholeNumber(Value); Number && *Number != 0 && *Number != -1)
      Correlation = Number;
    return;
  case ChromeArgument::LinkId:
    Link = wholeNumber(Value);
    return;
  case ChromeArgument::Device:
    if (const auto Number = wholeNumber(Value))
      Device = Number;
    return;
  case ChromeArgument::OpenNs:
    if (Value.Kind == Type::Integer && Value.Integer >= 0)
      OpenNs = Value.Integer;
    return;
  case ChromeArgument::Thread:
    if (Value.Kind == Type::Integer && Value.Integer >= 0 &&
        Value.Integer <= std::numeric_limits<int32_t>::max())
      TeamThread = static_cast<int32_t>(Value.Integer);
    return;
  default:
    if (Key >= ChromeArgument::FirstOfSyncs)
      setSync(Key, Value);
    else if (Key >= ChromeArgument::FirstOfMemory)
      setMemory(Key, Value);
    else if (Key >= ChromeArgument::FirstOfCollectives)
      setCollective(Key, Value);
    else if (Key >= ChromeArgument::FirstDetail)
      setDetail(Key, Value);
  }
}

void ChromeEvent::setNested(ChromeArgument Key, std::string_view Json) {
  switch (Key) {
  case ChromeArgument::InputDims:
    InputDims = Json;
    break;
  case ChromeArgument::InputTypes:
    InputTypes = Json;
    break;
  case ChromeArgument::InputStrides:
    InputStrides = Json;
    break;
  case ChromeArgument::InputValues:
    InputValues = Json;
    break;
  case ChromeArgument::Inside:
    Inside = Json;
    break;
  case ChromeArgument::CapturedAt:
    CapturedAt = Json;
    break;
  case ChromeArgument::Grid:
    Details.HasLaunch |= Keep.Launches && setTriple(Json, Details.Launch.Grid);
    break;
  case ChromeArgument::Block:
    Details.HasLaunch |= Keep.Launches && setTriple(Json, Details.Launch.Block);
    break;
  default:
    break;
  }
}

void ChromeEvent::setDetail(ChromeArgument Key, const JsonScalar &Value) {
  if (Key == ChromeArgument::CallStack)
    return setText(Value, Details.CallStack);
  const std::optional<int64_t> Number = wholeNumber(Value);
  if (!Number)
    return;
  const auto SetLaunch = [&](int64_t &Field) {
    if (*Number >= 0)
      Field = *Number, Details.HasLaunch = true;
  };
  switch (Key) {
  case ChromeArgument::SequenceNumber:
    Details.Sequence = Number;
    break;
  case ChromeArgument::ForwardThread:
    Details.ForwardThread = Number;
    break;
  case ChromeArgument::PythonId:
    Details.PythonId = Number;
    break;
  case ChromeArgument::PythonParent:
    Details.PythonParent = Number;
    break;
  case ChromeArgument::Registers:
    SetLaunch(Details.Launch.Registers);
    break;
  case ChromeArgument::SharedMemory:
    SetLaunch(Details.Launch.SharedBytes);
    break;
  case ChromeArgument::Stream:
    SetLaunch(Details.Launch.Stream);
    break;
  default:
    break;
  }
}

void ChromeEvent::setCollective(ChromeArgument Key, const JsonScalar &Value) {
  CollectiveTexts &Of = Details.Collective;
  const auto SetNumber = [&](int64_t &Field) {
    if (const auto Number = wholeNumber(Value); Number && *Number >= 0)
      Field = *Number;
  };
  switch (Key) {
  case ChromeArgument::CollectiveName:
    return setText(Value, Of.Name);
  case ChromeArgument::CollectiveType:
    return setText(Value, Of.Type);
  case ChromeArgument::GroupName:
    return setLabel(Value, Of.Group);
  case ChromeArgument::GroupRanks:
    return setText(Value, Of.Ranks);
  case ChromeArgument::GroupSize:
    return SetNumber(Of.GroupSize);
  case ChromeArgument::InElements:
    return SetNumber(Of.InElements);
  default:
    return SetNumber(Of.OutElements);
  }
}

void ChromeEvent::setSync(ChromeArgument Key, const JsonScalar &Value) {
  if (const auto Number = wholeNumber(Value); Number && *Number >= 0)
    (Key == ChromeArgument::OtherStream ? Details.OtherStream : Details.Record) = *Number;
}

void ChromeEvent::setMemory(ChromeArgument Key, const JsonScalar &Value) {
  const std::optional<int64_t> Number = wholeNumber(Value);
  if (!Number)
    return;
  if (Key == ChromeArgument::CopyBytes) {
    Details.CopyBytes = Number;
    return;
  }
  if (!Details.Memory)
    Details.Memory.emplace();
  MemoryChange &Change = *Details.Memory;
  const auto SetAmount = [&](int64_t &Field) {
    if (*Number >= 0)
      Field = *Number;
  };
  const auto SetSmall = [&](int32_t &Field) {
    if (*Number >= 0 && *Number <= std::numeric_limits<int32_t>::max())
      Field = static_cast<int32_t>(*Number);
  };
  switch (Key) {
  case ChromeArgument::MemoryBytes:
    Change.Bytes = *Number;
    break;
  case ChromeArgument::MemoryAllocated:
    SetAmount(Change.Allocated);
    break;
  case ChromeArgument::MemoryReserved:
    SetAmount(Change.Reserved);
    break;
  case ChromeArgument::MemoryAddress:
    Change.Address = *Number;
    break;
  case ChromeArgument::MemoryDeviceType:
    SetSmall(Change.DeviceType);
    break;
  default:
    SetSmall(Change.Device);
    break;
  }
}

void ChromeEvent::addDetails(TraceBuilder &Builder, SiteKind Kind) const {
  const bool OfHost = Kind == SiteKind::Operator || Kind == SiteKind::Span ||
                      (Kind == SiteKind::Kernel && !isDeviceCategory(kindOfCategory(Category)));
  if (Keep.Autograd && OfHost && Details.Sequence)
    Builder.add(SequenceNumber{0, *Details.Sequence, Details.ForwardThread.value_or(0)});
  if (Keep.Stacks && OfHost && !Details.CallStack.empty())
    Builder.add(CallStack{0, Builder.strings().intern(Details.CallStack)});
  if (Keep.Stacks && Kind == SiteKind::Python && Details.PythonId)
    Builder.add(PythonFrame{0, *Details.PythonId, Details.PythonParent});
  if (Keep.Launches && Details.HasLaunch &&
      (Kind == SiteKind::Kernel || Kind == SiteKind::Launch || Kind == SiteKind::Operator))
    Builder.add(Details.Launch);
  if (Keep.Memory && Kind == SiteKind::Copy && Details.CopyBytes && *Details.CopyBytes >= 0)
    Builder.add(CopySize{0, *Details.CopyBytes});
  if (Keep.Syncs && Category == "cuda_sync")
    Builder.add(DeviceSync{0, Correlation.value_or(-1), Details.Launch.Stream, Details.OtherStream,
                           Details.Record, deviceOf()});
  // Others have "dtype", too.
  if (const CollectiveTexts &Of = Details.Collective;
      Keep.Collectives && !Of.Name.empty() &&
      (Kind == SiteKind::Kernel || Kind == SiteKind::Operator || Kind == SiteKind::Span)) {
    StringTable &Strings = Builder.strings();
    Builder.add(CollectiveCall{0, Strings.intern(Of.Name), Strings.intern(Of.Type),
                               Strings.intern(Of.Group), Strings.intern(Of.Ranks), Of.InElements,
                               Of.OutElements, Of.GroupSize});
  }
}

/// An instant, which is no call.
std::string ChromeEvent::addMemory(TraceBuilder &Builder) {
  if (!Begin)
    return fmt::format("event \"{}\" has no \"ts\"", Name);
  // No device has as much: analyses need not care for overflow of a sum or difference of two.
  constexpr int64_t Most = int64_t{1} << 56;
  if (Details.Memory->Bytes > Most || Details.Memory->Bytes < -Most ||
      Details.Memory->Allocated > Most)
    return fmt::format("event \"{}\" is of more bytes than there are", Name);
  Details.Memory->Ns = *Begin;
  Details.Memory->Track = trackOf(Builder);
  return Builder.addMemory(*Details.Memory) ? "" : farOff();
}

/// Between the operators of a forward and a backward pass; older writers have the second category.
bool ChromeEvent::isFlow() const {
  return Keep.Autograd && Details.Flow && (Phase == "s" || Phase == "t" || Phase == "f") &&
         (Category == "fwdbwd" || Category == "forward_backward");
}

std::string ChromeEvent::addFlow(TraceBuilder &Builder) {
  if (!Begin)
    return fmt::format("flow {} has no \"ts\"", *Details.Flow);
  return Builder.addFlow({*Details.Flow, *Begin, trackOf(Builder), Phase != "s"}) ? "" : farOff();
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

Site ChromeEvent::makeSite(TraceBuilder &Builder) {
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
    What.Region = Strings.intern(Region);
    What.File = Strings.intern(File);
    if (Kind == SiteKind::Loop)
      What.InlinedFrom = Strings.intern(Ops);
    else if (Kind == SiteKind::TeamWait)
      What.Construct = Strings.intern(Ops);
    else
      setOperators(What, Ops, Strings);
    What.LinkageName = Strings.intern(LinkageName);
    What.Line = Line;
    What.Column = Column;
    if (Flop >= 0)
      What.Flop = Flop;
    if (Bytes >= 0)
      What.Bytes = Bytes;
  }
  // Writers before torch 1.12 have steps among operators.
  if (Kind == SiteKind::Operator && isStepName(Name))
    What.Category = Strings.intern("user_annotation");
  if (isDeviceCategory(Kind) && !Category.empty())
    What.Device = deviceOf();
  if (!InputDims.empty()) {
    What.InputDims = Strings.intern(compact(InputDims));
    What.InputTypes = Strings.intern(compact(InputTypes));
    What.InputStrides = Strings.intern(compact(InputStrides));
    What.InputValues = Strings.intern(compact(InputValues));
  }
  return What;
}

TrackId ChromeEvent::trackOf(TraceBuilder &Builder) {
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
SiteId ChromeEvent::siteOf(TraceBuilder &Builder) {
  const int32_t Of = isDeviceCategory(kindOfCategory(Category)) ? deviceOf() : -1;
  return KnownSites.of({{Name, Category, Kernel, Scope, Region, File, Ops, LinkageName, InputDims,
                         InputTypes, InputStrides, InputValues},
                        {Flop, Bytes, int64_t{Line} << 32 | Column, Of}},
                       [&] { return Builder.site(makeSite(Builder)); });
}

std::string ChromeEvent::addCall(TraceBuilder &Builder) {
  if (!Begin)
    return fmt::format("event \"{}\" has no \"ts\"", Name);
  const TrackId Where = trackOf(Builder);
  if (Phase == "E")
    return Builder.addEnd(*Begin, Where) ? "" : farOff();
  const SiteId Site = siteOf(Builder);
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
  if (Kind == SiteKind::Kernel && !Inside.empty())
    if (const auto Read = parseKernelInside(Inside, Builder.strings())) {
      Builder.add(Read->Kernel);
      for (LoopInside Loop : Read->Loops) {
        Loop.Times.Site = Builder.site(Loop.What);
        Builder.add(Loop.Times);
      }
    }
  if (Kind == SiteKind::Kernel && !CapturedAt.empty()) {
    auto Known = KnownCaptures.find(CapturedAt);
    if (Known == KnownCaptures.end())
      if (const auto Read = parseCapture(CapturedAt, Builder.strings()))
        Known = KnownCaptures.emplace(CapturedAt, Builder.site(*Read)).first;
    if (Known != KnownCaptures.end())
      Builder.add(KernelCapture{0, Known->second});
  }
  if (Keep.any())
    addDetails(Builder, Kind);
  return {};
}

std::string ChromeEvent::farOff() const {
  return fmt::format("event \"{}\" lies too far off, or durations add up too far", Name);
}

void ChromeEvent::addMetadata(TraceBuilder &Builder) {
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

void ChromeEvent::noteProcess(TraceBuilder &Builder) {
  constexpr size_t Most = 16;
  if (std::ranges::find(NotedProcesses, Process) != NotedProcesses.end())
    return;
  Builder.process(Builder.strings().intern(Process));
  if (NotedProcesses.size() < Most)
    NotedProcesses.emplace_back(Process);
}

std::string ChromeEvent::addTo(TraceBuilder &Builder) {
  if (Keep.Processes)
    noteProcess(Builder);
  if (Phase == "X" || Phase == "B" || Phase == "E")
    return addCall(Builder);
  if (isFlow())
    return addFlow(Builder);
  if (Keep.Memory && Details.Memory && Name == "[memory]")
    return addMemory(Builder);
  if (Phase == "M")
    addMetadata(Builder);
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
