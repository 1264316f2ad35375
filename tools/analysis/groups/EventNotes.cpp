//===- EventNotes.cpp - what augment adds to events -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/EventNotes.h"

#include "analysis/devices/Efficiency.h"
#include "analysis/torch/Compiled.h"
#include "trace/io/Escape.h"
#include "trace/io/JsonText.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ranges>

namespace seamscope::tools {
namespace {

/// Longer names lose their middle, and paths of more operators the outermost ones.
constexpr size_t NameLimit = 200;
constexpr size_t PathLimit = 32;

bool isModule(std::string_view Name) { return Name.starts_with("nn.Module: "); }

/// Of the form "train.py(12): main", as torch.profiler writes frames.
bool hasSource(std::string_view Name) {
  const size_t End = Name.find("): ");
  const size_t Begin = Name.rfind('(', End);
  return End != Name.npos && Begin != Name.npos && Begin > 0 && Begin + 1 < End &&
         std::all_of(Name.begin() + static_cast<ptrdiff_t>(Begin) + 1,
                     Name.begin() + static_cast<ptrdiff_t>(End),
                     [](unsigned char C) { return std::isdigit(C); });
}

/// torch.profiler cuts off the folder that packages are installed in.
bool isTorchCode(std::string_view Name) {
  return Name.starts_with("torch/") || Name.find("/site-packages/torch/") != Name.npos;
}

} // namespace

EventNotes::EventNotes(const Trace &Input, const PeakTable &Peaks, DType Fallback)
    : Input(Input), Links(linkWork(Input)), Work(Input, Links, Fallback),
      Counted(workOfCalls(Input)), PeaksOf(Input.Sites.size()), CategoryOf(Input.Sites.size()),
      Escaped(Input.Strings.size()) {
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    PeaksOf[Id] = peaksOf(Input, Peaks, Input.Sites[Id].Device);
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    if (const Site &What = Input.Sites[Id]; What.Kind == SiteKind::Copy)
      CategoryOf[Id] = KernelCategory::Copy;
    else if (What.Kind == SiteKind::Kernel)
      CategoryOf[Id] = categorize(Input.text(What.Name));
  for (const CountedCalls &Of : Counted | std::views::values)
    for (size_t I = 0; I < Of.Events.size(); ++I)
      CountedOf[Of.Events[I]] = &Of.Works[Of.WorkOf[I]];
  findOuterOperators();
  findAround();
  sumUpWork();
}

void EventNotes::findOuterOperators() {
  std::vector<bool> Holds(Input.Sites.size());
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    Holds[Id] = isHostOperator(Input.Sites[Id]);
  std::vector<uint32_t> Operators;
  for (uint32_t I = 0; I < Input.Events.size(); ++I)
    if (Holds[Input.Events.Site[I]])
      Operators.push_back(I);
  OuterOperator = innermostAround(Input, Operators, Holds, Within::Whole);
}

void EventNotes::findAround() {
  AroundLinks.resize(Links.size());
  std::vector<uint32_t> Calls;
  for (const Origin &Link : Links)
    if (Link.Launch != NoEvent)
      Calls.push_back(Link.Launch);
  const auto Find = [&](uint32_t Around::*Into, auto Wanted) {
    std::vector<bool> Holds(Input.Sites.size());
    bool Any = false;
    for (SiteId Id = 0; Id < Input.Sites.size(); ++Id) {
      Holds[Id] = Wanted(Input.Sites[Id].Kind, Input.text(Input.Sites[Id].Name));
      Any |= Holds[Id];
    }
    if (!Any)
      return;
    const std::vector<uint32_t> Found = innermostAround(Input, Calls, Holds, Within::Begin);
    for (size_t I = 0; I < Links.size(); ++I)
      if (Links[I].Launch != NoEvent && AroundLinks[I].*Into == NoEvent)
        AroundLinks[I].*Into = Found[Links[I].Launch];
  };
  const auto IsSpan = [](SiteKind Kind) {
    return Kind == SiteKind::Span || Kind == SiteKind::Annotation;
  };
  // Before 2022 steps stood among the operators.
  Find(&Around::Step, [&](SiteKind Kind, std::string_view Name) {
    return (IsSpan(Kind) || Kind == SiteKind::Operator) && isStepName(Name);
  });
  Find(&Around::Annotation,
       [&](SiteKind Kind, std::string_view Name) { return IsSpan(Kind) && !isStepName(Name); });
  Find(&Around::Module, [](SiteKind Kind, std::string_view Name) {
    return Kind == SiteKind::Python && isModule(Name);
  });
  // Users look for their own code: torch's code counts only if there is no other.
  Find(&Around::Frame, [](SiteKind Kind, std::string_view Name) {
    return Kind == SiteKind::Python && hasSource(Name) && !isTorchCode(Name);
  });
  Find(&Around::Frame, [](SiteKind Kind, std::string_view Name) {
    return Kind == SiteKind::Python && hasSource(Name);
  });
}

/// From the inner operators to the outer ones, each name once.
void EventNotes::sumUpWork() {
  const EventColumns &Events = Input.Events;
  WorkNs.resize(Events.size());
  WorkCount.resize(Events.size());
  for (const Origin &Link : Links)
    if (Link.Operator != NoEvent) {
      WorkNs[Link.Operator] += Events.DurationNs[Link.Work];
      ++WorkCount[Link.Operator];
    }
  std::vector<uint32_t> Inner(Events.size()); // operators directly inside
  for (uint32_t I = 0; I < Events.size(); ++I)
    if (isHostOperator(siteOf(I)) && OuterOperator[I] != NoEvent)
      ++Inner[OuterOperator[I]];
  std::vector<uint32_t> Ready;
  for (uint32_t I = 0; I < Events.size(); ++I)
    if (isHostOperator(siteOf(I)) && !Inner[I])
      Ready.push_back(I);
  while (!Ready.empty()) {
    const uint32_t I = Ready.back();
    Ready.pop_back();
    const uint32_t Outer = OuterOperator[I];
    if (Outer == NoEvent)
      continue;
    WorkNs[Outer] += WorkNs[I];
    WorkCount[Outer] += WorkCount[I];
    if (--Inner[Outer] == 0)
      Ready.push_back(Outer);
  }
}

bool EventNotes::any(uint32_t Event) const {
  if (CategoryOf[Input.Events.Site[Event]] || WorkCount[Event] || CountedOf.contains(Event))
    return true;
  const CallWork Its = Work.of(Event);
  return Its.Flop || Its.Bytes;
}

/// What a compiled kernel counted, as far as it is known to the unit; else what is derived.
CallWork EventNotes::workOf(uint32_t Event) const {
  const auto Found = CountedOf.find(Event);
  if (Found == CountedOf.end())
    return Work.of(Event);
  CallWork Its;
  const ExecutedWork &Counts = *Found->second;
  const auto Exactly = [&](const Bounds &Of) {
    return Of.isExact() && Counts.Unknown.empty() ? std::optional(static_cast<int64_t>(Of.Most))
                                                  : std::nullopt;
  };
  Its.Flop = Exactly(Counts.flop());
  Its.Bytes = Exactly(Counts.bytes());
  return Its;
}

/// Work under our key names; for device work and counted one also under torch's, if not already
/// recorded.
void EventNotes::addWork(uint32_t Event, std::vector<Note> &Notes) const {
  const CallWork Its = workOf(Event);
  const Site &What = siteOf(Event);
  const bool HasOwn = isDeviceWork(What.Kind, What.Device) || CountedOf.contains(Event);
  const auto Seconds = static_cast<double>(Input.Events.DurationNs[Event]) / 1e9;
  // On the host, only work that runs there has a rate.
  const bool HasRate = Seconds > 0 && (HasOwn || Links.empty());
  const DevicePeaks *Peaks = PeaksOf[Input.Events.Site[Event]];
  double Roof = 0;
  const auto Put = [&](std::string_view Key, double Value) {
    Notes.push_back({Key, fmt::format("{}", Value)});
  };
  if (Its.Flop) {
    const auto Flop = static_cast<double>(*Its.Flop);
    if (HasOwn && What.Flop < 0 && *Its.Flop) // 0 would mean not known
      Notes.push_back({"kernel_flop", std::to_string(*Its.Flop)});
    Notes.push_back({"seamscope_flop", std::to_string(*Its.Flop)});
    if (HasRate)
      Put("seamscope_tflop_per_s", Flop / Seconds / 1e12);
    const double Peak = Peaks ? Peaks->tflops(Its.Kind, Its.Compute, Input.text(What.Name)) : 0;
    if (HasRate && Peak > 0)
      Roof = Flop / Seconds / 1e12 / Peak;
  }
  // A reader would take a lower bound for the bytes themselves.
  const bool HasBytes = Its.Bytes && !Its.BytesAtLeast;
  if (HasBytes) {
    const auto Bytes = static_cast<double>(*Its.Bytes);
    if (HasOwn && What.Bytes < 0 && *Its.Bytes)
      Put("kernel_num_gb", Bytes / 1e9);
    Notes.push_back({"seamscope_bytes", std::to_string(*Its.Bytes)});
    if (HasRate)
      Put("seamscope_gb_per_s", Bytes / Seconds / 1e9);
    if (HasRate && Peaks && Peaks->DramGBPerS > 0)
      Roof = std::max(Roof, Bytes / Seconds / 1e9 / Peaks->DramGBPerS);
  }
  if (Its.Flop && HasBytes && *Its.Bytes)
    Put("seamscope_flop_per_byte",
        static_cast<double>(*Its.Flop) / static_cast<double>(*Its.Bytes));
  if (Roof > 0)
    Put("seamscope_roof_percent", 100 * Roof);
}

void EventNotes::add(uint32_t Event, std::vector<Note> &Notes) const {
  if (const auto &Category = CategoryOf[Input.Events.Site[Event]])
    Notes.push_back({"seamscope_category", '"' + std::string(categoryName(*Category)) + '"'});
  // Links are by event.
  const auto Link = std::ranges::lower_bound(Links, Event, {}, &Origin::Work);
  if (Link != Links.end() && Link->Work == Event)
    addLink(*Link, AroundLinks[static_cast<size_t>(Link - Links.begin())], Notes);
  addWork(Event, Notes);
  if (WorkCount[Event]) {
    Notes.push_back({"seamscope_device_calls", std::to_string(WorkCount[Event])});
    Notes.push_back({"seamscope_device_ns", std::to_string(WorkNs[Event])});
  }
}

void EventNotes::addLink(const Origin &Link, const Around &Its, std::vector<Note> &Notes) const {
  if (Link.Operator != NoEvent) {
    Notes.push_back({"seamscope_op", nameNote(Link.Operator)});
    Notes.push_back({"seamscope_op_path", pathNote(Link.Operator)});
  }
  if (Link.Launch != NoEvent) {
    Notes.push_back({"seamscope_launch", nameNote(Link.Launch)});
    const EventColumns &Events = Input.Events;
    Notes.push_back({"seamscope_launch_delay_ns",
                     std::to_string(Events.BeginNs[Link.Work] - Events.BeginNs[Link.Launch])});
  }
  const std::pair<std::string_view, uint32_t> Enclosing[] = {
      {"seamscope_step", Its.Step},
      {"seamscope_annotation", Its.Annotation},
      {"seamscope_module", Its.Module},
      {"seamscope_python", Its.Frame}};
  for (const auto &[Key, Event] : Enclosing)
    if (Event != NoEvent)
      Notes.push_back({Key, nameNote(Event)});
}

/// Without the quotes.
const std::string &EventNotes::escapedName(uint32_t Event) const {
  const StringId Id = siteOf(Event).Name;
  std::string &Known = Escaped[Id];
  if (Known.empty() && !Input.text(Id).empty()) {
    const std::string_view Name = Input.text(Id);
    const std::string Quoted =
        quotedText(Name.size() > NameLimit ? shortened(Name, NameLimit) : std::string(Name));
    Known = Quoted.substr(1, Quoted.size() - 2);
  }
  return Known;
}

std::string EventNotes::nameNote(uint32_t Event) const { return '"' + escapedName(Event) + '"'; }

/// Outermost first.
std::string EventNotes::pathNote(uint32_t Operator) const {
  std::vector<uint32_t> Path;
  for (uint32_t I = Operator; I != NoEvent && Path.size() <= PathLimit; I = OuterOperator[I])
    Path.push_back(I);
  std::string Text = "\"";
  if (Path.size() > PathLimit) {
    Path.pop_back();
    Text += "... > ";
  }
  for (size_t I = Path.size(); I-- > 0;)
    Text.append(escapedName(Path[I])).append(I ? " > " : "\"");
  return Text;
}

} // namespace seamscope::tools
