//===- ChromeEvent.cpp - one event of a Chrome trace, as it is being read -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/ChromeEvent.h"
#include "trace/Decimal.h"

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
void setLabel(const JsonScalar &Value, std::string &Label) {
  char Digits[24];
  if (Value.Kind == Type::Integer)
    Label.assign(Digits, std::to_chars(Digits, std::end(Digits), Value.Integer).ptr);
  else
    Label = Value.Text;
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

/// An integer, which some writers put in quotes.
std::optional<int64_t> wholeNumber(const JsonScalar &Value) {
  if (Value.Kind == Type::Integer)
    return Value.Integer;
  int64_t Number;
  const char *const End = Value.Text.data() + Value.Text.size();
  if (Value.Kind != Type::String)
    return std::nullopt;
  const auto [Stop, Error] = std::from_chars(Value.Text.data(), End, Number);
  if (Error != std::errc() || Stop != End)
    return std::nullopt;
  return Number;
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
  return Text.empty() ? "null" : Text;
}

} // namespace

void ChromeEvent::clear() {
  for (std::string_view *Text :
       {&Phase, &Name, &Category, &Kernel, &Scope, &Region, &File, &Ops, &LinkageName, &ArgName,
        &Labels, &InputDims, &InputTypes, &InputStrides, &InputValues})
    *Text = {};
  Process.clear();
  Thread.clear();
  Begin.reset();
  Duration.reset();
  Correlation.reset();
  Device.reset();
  Flop = Bytes = -1;
  Line = Column = 0;
  TeamThread = -1;
  if (Keep.any())
    Details = {};
}

bool ChromeEvent::wantsArgument(std::string_view Key) const {
  static constexpr std::string_view Wanted[] = {
      "kernel",      "region",       "file",       "ops",        "linkage_name",  "name",
      "labels",      "line",         "column",     "scope",      "thread",        "correlation",
      "device",      "Input Dims",   "Input dims", "Input type", "Input Strides", "Concrete Inputs",
      "kernel_flop", "kernel_num_gb"};
  static constexpr std::string_view ForDetails[] = {
      "Sequence number",      "Fwd thread id", "Python id", "Python parent id",
      "Call stack",           "grid",          "block",     "shared memory",
      "registers per thread", "stream"};
  // Most keys differ from all of these in their size or first character.
  const auto IsKey = [&](std::string_view Known) {
    return Known.size() == Key.size() && Known[0] == Key[0] && Known == Key;
  };
  return std::ranges::any_of(Wanted, IsKey) ||
         (Keep.any() && std::ranges::any_of(ForDetails, IsKey));
}

std::string ChromeEvent::set(std::string_view Key, const JsonScalar &Value) {
  if (Key == "ts")
    return setTime(Key, Value, Begin);
  if (Key == "dur")
    return setTime(Key, Value, Duration);
  if (Key == "ph")
    setText(Value, Phase);
  else if (Key == "name")
    setText(Value, Name);
  else if (Key == "cat")
    setText(Value, Category);
  else if (Key == "pid")
    setLabel(Value, Process);
  else if (Key == "tid")
    setLabel(Value, Thread);
  else if (Keep.Autograd && Key == "id")
    Details.Flow = wholeNumber(Value);
  return {};
}

std::string ChromeEvent::setArgument(std::string_view Key, const JsonScalar &Value) {
  if (Keep.any())
    setDetail(Key, Value);
  if (Key == "kernel")
    setText(Value, Kernel);
  else if (Key == "region")
    setText(Value, Region);
  else if (Key == "file")
    setText(Value, File);
  else if (Key == "ops")
    setText(Value, Ops);
  else if (Key == "linkage_name")
    setText(Value, LinkageName);
  else if (Key == "name")
    setText(Value, ArgName);
  else if (Key == "labels")
    setText(Value, Labels);
  else if (Key == "line")
    setPosition(Value, Line);
  else if (Key == "column")
    setPosition(Value, Column);
  else if (Key == "scope")
    setText(Value, Scope);
  else if (Key == "kernel_flop")
    setAmount(Value, 1, Flop);
  else if (Key == "kernel_num_gb")
    setAmount(Value, 1e9, Bytes);
  else if (Value.Kind != Type::Integer)
    return {};
  else if (Key == "correlation")
    Correlation = Value.Integer;
  else if (Key == "device")
    Device = Value.Integer;
  else if (Key == "thread" && Value.Integer >= 0 &&
           Value.Integer <= std::numeric_limits<int32_t>::max())
    TeamThread = static_cast<int32_t>(Value.Integer);
  return {};
}

void ChromeEvent::setNested(std::string_view Key, std::string_view Json) {
  if (Key == "Input Dims" || Key == "Input dims")
    InputDims = Json;
  else if (Key == "Input type")
    InputTypes = Json;
  else if (Key == "Input Strides")
    InputStrides = Json;
  else if (Key == "Concrete Inputs")
    InputValues = Json;
  else if (Keep.Launches && (Key == "grid" || Key == "block"))
    Details.HasLaunch |=
        setTriple(Json, Key == "grid" ? Details.Launch.Grid : Details.Launch.Block);
}

void ChromeEvent::setDetail(std::string_view Key, const JsonScalar &Value) {
  LaunchShape &Launch = Details.Launch;
  if (Key == "Call stack")
    setText(Value, Details.CallStack);
  else if (const std::optional<int64_t> Number = wholeNumber(Value); !Number)
    return;
  else if (Key == "Sequence number")
    Details.Sequence = Number;
  else if (Key == "Fwd thread id")
    Details.ForwardThread = Number;
  else if (Key == "Python id")
    Details.PythonId = Number;
  else if (Key == "Python parent id")
    Details.PythonParent = Number;
  else if (*Number >= 0 && Key == "registers per thread")
    Launch.Registers = *Number, Details.HasLaunch = true;
  else if (*Number >= 0 && Key == "shared memory")
    Launch.SharedBytes = *Number, Details.HasLaunch = true;
  else if (*Number >= 0 && Key == "stream")
    Launch.Stream = *Number, Details.HasLaunch = true;
}

void ChromeEvent::addDetails(TraceBuilder &Builder, SiteKind Kind) const {
  const bool OfHost = Kind == SiteKind::Operator || Kind == SiteKind::Span ||
                      (Kind == SiteKind::Kernel && !isDeviceCategory(kindOfCategory(Category)));
  if (Keep.Autograd && OfHost && Details.Sequence)
    Builder.addSequence(*Details.Sequence, Details.ForwardThread.value_or(0));
  if (Keep.Stacks && OfHost && !Details.CallStack.empty())
    Builder.addStack(Builder.strings().intern(Details.CallStack));
  if (Keep.Stacks && Kind == SiteKind::Python && Details.PythonId)
    Builder.addFrame(*Details.PythonId, Details.PythonParent);
  if (Keep.Launches && Details.HasLaunch &&
      (Kind == SiteKind::Kernel || Kind == SiteKind::Launch || Kind == SiteKind::Operator))
    Builder.addLaunch(Details.Launch);
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

Site ChromeEvent::makeSite(TraceBuilder &Builder) const {
  StringTable &Strings = Builder.strings();
  Site What;
  What.Name = Strings.intern(Name);
  What.Category = Strings.intern(Category);
  // Torch has scopes too, which it calls by their sort.
  const std::string_view Kernel = Scope == Name ? Scope : this->Kernel;
  // What others put under these keys may differ with every event and would split the site.
  const SiteKind Kind = kindOfCategory(Category);
  if (!Kernel.empty() || Kind == SiteKind::Kernel || Kind == SiteKind::Region ||
      Kind == SiteKind::Operator) {
    What.Kernel = Strings.intern(Kernel);
    What.Region = Strings.intern(Region);
    What.File = Strings.intern(File);
    What.Ops = Strings.intern(Ops);
    What.LinkageName = Strings.intern(LinkageName);
    What.Line = Line;
    What.Column = Column;
    What.Flop = Flop;
    What.Bytes = Bytes;
  }
  if (isDeviceCategory(Kind) && !Category.empty())
    What.Device = deviceOf();
  if (!InputDims.empty())
    What.Inputs = Strings.intern(fmt::format(R"({{"dims":{},"types":{},"strides":{},"values":{}}})",
                                             compact(InputDims), compact(InputTypes),
                                             compact(InputStrides), compact(InputValues)));
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
  SiteKey.clear();
  for (const std::string_view Text : {Name, Category, Kernel, Scope, Region, File, Ops, LinkageName,
                                      InputDims, InputTypes, InputStrides, InputValues}) {
    SiteKey += Text;
    SiteKey += '\0';
  }
  const int64_t Numbers[] = {Line, Column, Flop, Bytes,
                             isDeviceCategory(kindOfCategory(Category)) ? deviceOf() : -1};
  SiteKey.append(reinterpret_cast<const char *>(Numbers), sizeof(Numbers));
  if (const auto Found = KnownSites.find(SiteKey); Found != KnownSites.end())
    return Found->second;
  const SiteId Site = Builder.site(makeSite(Builder));
  KnownSites.emplace(SiteKey, Site);
  return Site;
}

std::string ChromeEvent::addCall(TraceBuilder &Builder) {
  if (!Begin)
    return fmt::format("event \"{}\" has no \"ts\"", Name);
  const TrackId Where = trackOf(Builder);
  if (Phase == "E")
    return Builder.addEnd(*Begin, Where) ? "" : farOff();
  const SiteId Site = siteOf(Builder);
  const int32_t Team = Builder.kind(Site) == SiteKind::Region ? TeamThread : -1;
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

std::string ChromeEvent::addTo(TraceBuilder &Builder) {
  if (Phase == "X" || Phase == "B" || Phase == "E")
    return addCall(Builder);
  if (isFlow())
    return addFlow(Builder);
  if (Phase == "M")
    addMetadata(Builder);
  else if (Name == "Record Window End" || Name == "Iteration Start: PyTorch Profiler")
    Torch = true;
  return {};
}

} // namespace seamscope::tools
