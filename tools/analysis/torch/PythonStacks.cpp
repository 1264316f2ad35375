//===- PythonStacks.cpp - the Python code that led to a call --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/PythonStacks.h"

#include "trace/io/Contains.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>
#include <unordered_map>

namespace seamscope::tools {
namespace {

std::string_view trimmed(std::string_view Text) {
  constexpr std::string_view Blanks = " \t\r\n";
  const size_t First = Text.find_first_not_of(Blanks);
  if (First == Text.npos)
    return {};
  return Text.substr(First, Text.find_last_not_of(Blanks) - First + 1);
}

/// Inductor's output code: ".../jl/cjlwomtl<over 40 characters>.py", wherever its cache lies.
bool isOutputCode(std::string_view File) {
  const size_t Slash = File.rfind('/');
  if (Slash == File.npos || Slash < 2)
    return false;
  const std::string_view Name = File.substr(Slash + 1);
  return Name.size() > 40 && Name[0] == 'c' && Name.ends_with(".py") &&
         File.substr(Slash - 2, 2) == Name.substr(1, 2);
}

} // namespace

PythonFrameName parseFrameName(std::string_view Name) {
  PythonFrameName Frame;
  Frame.Function = Name;
  const size_t Close = Name.rfind("): ");
  const size_t Open = Close == Name.npos ? Name.npos : Name.rfind('(', Close);
  if (Open == Name.npos || Open == 0)
    return Frame;
  uint32_t Line;
  const char *const End = Name.data() + Close;
  const auto [Stop, Error] = std::from_chars(Name.data() + Open + 1, End, Line);
  if (Error != std::errc() || Stop != End)
    return Frame;
  return {Name.substr(0, Open), Line, Name.substr(Close + 3)};
}

bool isUserFile(std::string_view File) {
  // torch writes paths relative to the folder of the import: its own begin with the package's name,
  // those of Python's library with the module's.
  constexpr std::string_view Packages[] = {"torch/",      "functorch/", "triton/",
                                           "torch\\",     "asyncio/",   "ctypes/",
                                           "concurrent/", "importlib/", "multiprocessing/"};
  constexpr std::string_view Modules[] = {
      "threading.py", "contextlib.py", "functools.py",  "runpy.py",     "selectors.py",
      "queue.py",     "socket.py",     "subprocess.py", "enum.py",      "abc.py",
      "typing.py",    "copy.py",       "warnings.py",   "traceback.py", "logging/__init__.py"};
  constexpr std::string_view Folders[] = {"/site-packages/", "/dist-packages/", "/torchinductor_",
                                          "/lib/python3"};
  return !File.empty() && File[0] != '<' && !isOutputCode(File) &&
         std::ranges::none_of(Packages, [&](auto Part) { return File.starts_with(Part); }) &&
         std::ranges::find(Modules, File) == std::end(Modules) &&
         std::ranges::none_of(Folders, [&](auto Part) { return contains(File, Part); });
}

PythonStacks::PythonStacks(const Trace &Input, const HostNesting &Nesting)
    : Input(Input), Stacks(Input.Events.size()) {
  addFrames(Nesting);
  addTexts(Nesting);
}

PathId PythonStacks::push(PathId Outer, std::string_view Name) {
  const PathId Self = Frames.push(Outer, Name);
  if (Self == Lines.size()) {
    const std::string_view File = parseFrameName(Name).File;
    const bool User = isUserFile(File);
    // The user's innermost frame, else the innermost with a file.
    const bool Better = User || (!File.empty() && !IsUser[Outer]);
    Lines.push_back(Better ? Self : Lines[Outer]);
    IsUser.push_back(User || IsUser[Outer]);
  }
  return Self;
}

/// A frame's caller is the one whose number it has, else the frame around it.
void PythonStacks::addFrames(const HostNesting &Nesting) {
  const EventColumns &Events = Input.Events;
  const auto IsFrame = [&](uint32_t Event) {
    return Input.Sites[Events.Site[Event]].Kind == SiteKind::Python;
  };
  const std::vector<uint32_t> Innermost =
      Nesting.innermost([&](uint32_t Event) { return IsFrame(Event) ? Event : NoEvent; });
  std::vector<uint32_t> Caller(Events.size(), NoEvent);
  for (const uint32_t Event : Nesting.Order)
    if (IsFrame(Event) && Nesting.Parent[Event] != NoEvent)
      Caller[Event] = Innermost[Nesting.Parent[Event]];
  // Numbers also work if times were rounded. They belong to a thread: traces that were joined have
  // each number several times.
  struct Numbered {
    TrackId Track;
    int64_t Id;
    uint32_t Event;
  };
  const auto Key = [](const Numbered &Frame) { return std::tuple(Frame.Track, Frame.Id); };
  std::vector<Numbered> ById;
  for (const PythonFrame &Frame : Input.Details.Frames)
    ById.push_back({Events.Track[Frame.Event], Frame.Id, Frame.Event});
  std::ranges::stable_sort(ById, {}, Key);
  for (const PythonFrame &Frame : Input.Details.Frames) {
    if (!Frame.Parent)
      continue;
    const std::tuple Wanted(Events.Track[Frame.Event], *Frame.Parent);
    const auto Found = std::ranges::lower_bound(ById, Wanted, {}, Key);
    // A caller begins first.
    const auto When = [&](uint32_t Event) { return std::tuple(Events.BeginNs[Event], Event); };
    if (Found != ById.end() && Key(*Found) == Wanted && When(Found->Event) < When(Frame.Event))
      Caller[Frame.Event] = Found->Event;
  }
  // A caller by number need not come first in nesting order, and chains can have any length. If
  // they form a ring nevertheless, it is cut where it was entered.
  std::vector<uint32_t> Chain;
  std::vector<bool> Entered(Events.size());
  for (const uint32_t Event : Nesting.Order) {
    if (!IsFrame(Event))
      continue;
    for (uint32_t At = Event; At != NoEvent && !Entered[At]; At = Caller[At]) {
      Entered[At] = true;
      Chain.push_back(At);
    }
    for (; !Chain.empty(); Chain.pop_back()) {
      const uint32_t Inner = Chain.back();
      const PathId Outer = Caller[Inner] == NoEvent ? 0 : Stacks[Caller[Inner]];
      Stacks[Inner] = push(Outer, Input.text(Input.Sites[Events.Site[Inner]].Name));
    }
  }
  for (const uint32_t Event : Nesting.Order)
    if (!IsFrame(Event) && Innermost[Event] != NoEvent)
      Stacks[Event] = Stacks[Innermost[Event]];
}

/// An operator's own stack holds for all inside it.
void PythonStacks::addTexts(const HostNesting &Nesting) {
  if (Input.Details.Stacks.empty())
    return;
  std::unordered_map<StringId, PathId> Parsed;
  std::vector<PathId> Own(Input.Events.size());
  for (const CallStack &Of : Input.Details.Stacks) {
    const auto [Entry, New] = Parsed.try_emplace(Of.Frames, 0);
    if (New)
      Entry->second = parseText(Input.text(Of.Frames));
    Own[Of.Event] = Entry->second;
  }
  const std::vector<uint32_t> Source =
      Nesting.innermost([&](uint32_t Event) { return Own[Event] ? Event : NoEvent; });
  for (const uint32_t Event : Nesting.Order)
    if (Source[Event] != NoEvent)
      Stacks[Event] = Own[Source[Event]];
}

PathId PythonStacks::parseText(std::string_view Frames) {
  PathId Stack = 0;
  while (!Frames.empty()) {
    const size_t Semicolon = Frames.rfind(';');
    const size_t Begin = Semicolon == Frames.npos ? 0 : Semicolon + 1;
    if (const std::string_view Frame = trimmed(Frames.substr(Begin)); !Frame.empty())
      Stack = push(Stack, Frame);
    Frames = Frames.substr(0, Begin ? Semicolon : 0);
  }
  return Stack;
}

PathId PythonStacks::lineStack(PathId Stack) const { return Lines[Stack]; }

std::string PythonStacks::line(PathId Stack) const {
  if (!Lines[Stack])
    return {};
  const PythonFrameName Frame = parseFrameName(Frames.name(Lines[Stack]));
  return fmt::format("{}:{}", Frame.File, Frame.Line);
}

std::string PythonStacks::frame(PathId Stack) const {
  if (!Lines[Stack])
    return {};
  return fmt::format("{}: {}", line(Stack), parseFrameName(Frames.name(Lines[Stack])).Function);
}

std::string PythonStacks::path(PathId Stack) const {
  const std::vector<std::string_view> Names = Frames.names(Stack, 100);
  std::string Path = Stack ? "..." : "";
  for (const std::string_view Name : Names) {
    const PythonFrameName Frame = parseFrameName(Name);
    if (!Path.empty())
      Path += " > ";
    if (!Frame.File.empty())
      Path += fmt::format("{}:{}: ", Frame.File, Frame.Line);
    Path += Frame.Function;
  }
  return Path;
}

} // namespace seamscope::tools
