//===- Stacks.cpp - files for stack viewers -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/Stacks.h"

#include "trace/io/Escape.h"
#include "trace/io/JsonText.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace seamscope::tools {
namespace {

constexpr size_t PieceBytes = 1 << 16;

/// Calls by the names of all enclosing ones.
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

  size_t depth(uint32_t Node) const { return Nodes[Node].Depth; } ///< 1 for a thread

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

/// A name as a frame of a folded stack.
std::string foldedName(std::string_view Name) {
  std::string Frame = escaped(Name);
  std::ranges::replace(Frame, ';', ':');
  return Frame;
}

} // namespace

void renderFolded(const StackCalls &Of, const WriteText &Write) {
  std::vector<std::string> Frames;
  for (const StackFrame &Frame : Of.Frames)
    Frames.push_back(foldedName(Frame.Name));
  StackTree Tree;
  std::vector<uint32_t> Nodes(Of.Ids);
  std::optional<uint32_t> Last;
  uint32_t Thread = StackTree::Root;
  for (size_t Number = 0; Number < Of.Count; ++Number) {
    const StackCalls::Call Call = Of.At(Number);
    if (Last != Call.Thread)
      Thread = Tree.below(StackTree::Root, foldedName(Of.Threads[Call.Thread]));
    Last = Call.Thread;
    const uint32_t Around = Call.Outer == StackCalls::NoCall ? Thread : Nodes[Call.Outer];
    Nodes[Call.Id] =
        Tree.depth(Around) > MostFrames ? Around : Tree.below(Around, Frames[Call.Frame]);
    Tree.add(Nodes[Call.Id], Call.OwnNs);
  }
  Tree.write(Write);
}

void renderSpeedscope(const StackLanes &Of, const WriteText &Write) {
  std::string Text = R"({"$schema": "https://www.speedscope.app/file-format-schema.json",)"
                     "\n\"exporter\": \"seamscope\", \"name\": " +
                     quotedText(Of.Name) + ",\n\"shared\": {\"frames\": [";
  const auto Flush = [&](size_t Least) {
    if (Text.size() >= Least) {
      Write(Text);
      Text.clear();
    }
  };
  const char *Comma = "\n";
  for (const StackFrame &Frame : Of.Frames) {
    Text += std::exchange(Comma, ",\n");
    Text += "{\"name\": " + quotedText(Frame.Name);
    if (!Frame.File.empty())
      Text += ", \"file\": " + quotedText(Frame.File);
    if (Frame.Line)
      Text += fmt::format(", \"line\": {}", Frame.Line);
    if (Frame.Column)
      Text += fmt::format(", \"col\": {}", Frame.Column);
    Text += '}';
    Flush(PieceBytes);
  }
  Text += "]},\n\"profiles\": [";
  Comma = "\n";
  for (const StackLanes::Lane &Lane : Of.Lanes) {
    Text += std::exchange(Comma, ",\n");
    Text += fmt::format(R"({{"type": "evented", "name": {}, "unit": "nanoseconds", )"
                        R"("startValue": 0, "endValue": {}, "events": [)",
                        quotedText(Lane.Name), Lane.EndNs);
    const char *Between = "\n";
    Lane.Visit([&](const StackLanes::End &End) {
      fmt::format_to(std::back_inserter(Text), R"({}{{"type": "{}", "frame": {}, "at": {}}})",
                     std::exchange(Between, ",\n"), End.IsBegin ? 'O' : 'C', End.Frame, End.Ns);
      Flush(PieceBytes);
    });
    Text += "]}";
  }
  Text += "]}\n";
  Flush(0);
}

} // namespace seamscope::tools
