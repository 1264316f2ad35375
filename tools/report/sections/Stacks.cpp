//===- Stacks.cpp - traces for viewers of stacks ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Stacks.h"

#include "analysis/core/NestedTimes.h"
#include "trace/io/Escape.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace seamscope::tools {
namespace {

constexpr size_t PieceBytes = 1 << 16;

/// Threads by name and number, where several processes are there with that of theirs.
class TrackNames {
public:
  explicit TrackNames(const Trace &Source) : Source(Source) {
    std::set<StringId> Processes;
    for (const Track &Each : Source.Tracks)
      Processes.insert(Each.Process);
    IsOneProcess = Processes.size() < 2;
  }

  std::string of(TrackId Id) const {
    const Track &Its = Source.Tracks[Id];
    const std::string_view Name = Source.text(Its.ThreadName), Thread = Source.text(Its.Thread);
    const std::string Shown =
        Name.empty() ? fmt::format("thread {}", Thread) : fmt::format("{} ({})", Name, Thread);
    return IsOneProcess ? Shown : fmt::format("process {} {}", Source.text(Its.Process), Shown);
  }

private:
  const Trace &Source;
  bool IsOneProcess = true;
};

/// Calls by the names of all that is around them.
class StackTree {
public:
  static constexpr uint32_t Root = 0;

  uint32_t below(uint32_t Parent, std::string_view Name) {
    const auto [Known, New] =
        Nodes[Parent].Below.try_emplace(std::string(Name), static_cast<uint32_t>(Nodes.size()));
    const uint32_t Node = Known->second;
    if (New)
      Nodes.push_back({.Depth = Nodes[Parent].Depth + 1}); // invalidates Known
    return Node;
  }

  size_t depth(uint32_t Node) const { return Nodes[Node].Depth; } ///< of a thread 1

  void add(uint32_t Node, int64_t Ns) { Nodes[Node].OwnNs += Ns; }

  void write(const WriteText &Write) const {
    std::string Text, Stack;
    writeBelow(Root, Stack, Text, Write);
    Write(Text);
  }

private:
  void writeBelow(uint32_t Node, std::string &Stack, std::string &Text,
                  const WriteText &Write) const {
    for (const auto &[Name, Inner] : Nodes[Node].Below) {
      const size_t Length = Stack.size();
      Stack += (Stack.empty() ? "" : ";") + Name;
      if (Nodes[Inner].OwnNs > 0)
        fmt::format_to(std::back_inserter(Text), "{} {}\n", Stack, Nodes[Inner].OwnNs);
      if (Text.size() >= PieceBytes) {
        Write(Text);
        Text.clear();
      }
      writeBelow(Inner, Stack, Text, Write);
      Stack.resize(Length);
    }
  }

  struct StackNode {
    std::map<std::string, uint32_t> Below{};
    int64_t OwnNs = 0;
    size_t Depth = 0;
  };
  std::vector<StackNode> Nodes{1};
};

std::string frameName(std::string_view Name) {
  std::string Frame = escaped(Name);
  std::ranges::replace(Frame, ';', ':');
  return Frame;
}

std::string jsonText(std::string_view Text) {
  return nlohmann::json(Text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

void writeFolded(const Trace &Source, const WriteText &Write) {
  const TrackNames Names(Source);
  std::vector<std::string> Frames;
  for (const Site &What : Source.Sites)
    Frames.push_back(frameName(Source.text(What.Name)));
  const NestedTimes Calls = nestedTimes(Source, sitesOfCalls(Source));
  StackTree Tree;
  std::vector<uint32_t> Nodes(Source.Events.size());
  std::optional<TrackId> Last;
  uint32_t Thread = StackTree::Root;
  for (const uint32_t Event : Calls.Order) {
    const TrackId Track = Source.Events.Track[Event];
    if (Last != Track)
      Thread = Tree.below(StackTree::Root, frameName(Names.of(Track)));
    Last = Track;
    const uint32_t Outer = Calls.Parent[Event];
    const uint32_t Around = Outer == NoEvent ? Thread : Nodes[Outer];
    Nodes[Event] = Tree.depth(Around) > MostFrames
                       ? Around
                       : Tree.below(Around, Frames[Source.Events.Site[Event]]);
    Tree.add(Nodes[Event], Calls.OwnNs[Event]);
  }
  Tree.write(Write);
}

void writeSpeedscope(const Trace &Source, const std::vector<Lane> &Lanes, const WriteText &Write) {
  std::string Text = R"({"$schema": "https://www.speedscope.app/file-format-schema.json",)"
                     "\n\"exporter\": \"seamscope\", \"name\": " +
                     jsonText(Source.Info.Path) + ",\n\"shared\": {\"frames\": [";
  const auto Flush = [&](size_t Least) {
    if (Text.size() >= Least) {
      Write(Text);
      Text.clear();
    }
  };
  const char *Comma = "\n";
  for (const Site &What : Source.Sites) {
    Text += std::exchange(Comma, ",\n");
    Text += "{\"name\": " + jsonText(Source.text(What.Name));
    if (const std::string_view File = Source.text(What.File); !File.empty())
      Text += ", \"file\": " + jsonText(File);
    if (What.Line)
      Text += fmt::format(", \"line\": {}", What.Line);
    if (What.Column)
      Text += fmt::format(", \"col\": {}", What.Column);
    Text += '}';
    Flush(PieceBytes);
  }
  Text += "]},\n\"profiles\": [";
  const EventColumns &Events = Source.Events;
  const int64_t Origin = Events.BeginNs.empty() ? 0 : *std::ranges::min_element(Events.BeginNs);
  const TrackNames Names(Source);
  Comma = "\n";
  for (size_t I = 0; I < Lanes.size(); ++I) {
    const Lane &Each = Lanes[I];
    const bool IsFurther = I && Lanes[I - 1].Track == Each.Track;
    int64_t Last = 0;
    for (const uint32_t Event : Each.Events)
      Last = std::max(Last, Events.endNs(Event) - Origin);
    Text += std::exchange(Comma, ",\n");
    Text += fmt::format(R"({{"type": "evented", "name": {}, "unit": "nanoseconds", )"
                        R"("startValue": 0, "endValue": {}, "events": [)",
                        jsonText(Names.of(Each.Track) + (IsFurther ? ", overlapping" : "")), Last);
    const char *Between = "\n";
    const auto Add = [&](char Type, uint32_t Event, int64_t Ns) {
      fmt::format_to(std::back_inserter(Text), R"({}{{"type": "{}", "frame": {}, "at": {}}})",
                     std::exchange(Between, ",\n"), Type, Events.Site[Event], Ns - Origin);
      Flush(PieceBytes);
    };
    walk(
        Source, Each, [&](uint32_t Event) { Add('O', Event, Events.BeginNs[Event]); },
        [&](uint32_t Event) { Add('C', Event, Events.endNs(Event)); });
    Text += "]}";
  }
  Text += "]}\n";
  Flush(0);
}

} // namespace seamscope::tools
