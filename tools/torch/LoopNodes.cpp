//===- LoopNodes.cpp - nodes that a loop of a generated kernel computes ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/LoopNodes.h"
#include "torch/PythonText.h"
#include "torch/SourceLine.h"

#include <algorithm>

namespace seamscope::tools {
namespace {

constexpr std::string_view Mark = "// [seamscope ";

/// Whether the variable of a loop begins at 0, or at a number that is not known.
/// \p Head begins behind `for`: `(int64_t x0=static_cast<int64_t>(96L); x0<...`.
bool beginsAtZero(std::string_view Head) {
  constexpr std::string_view Cast = "static_cast<int64_t>(";
  Head = Head.substr(0, Head.find(';'));
  const size_t Is = Head.find('=');
  if (Is == Head.npos)
    return true;
  Head.remove_prefix(Is + 1);
  if (const size_t At = Head.find(Cast); At != Head.npos)
    Head.remove_prefix(At + Cast.size());
  const auto First = parseUnsigned(Head.substr(0, Head.find_first_not_of("0123456789")));
  return !First || *First == 0;
}

void sortUnique(std::vector<uint32_t> &Numbers) {
  std::ranges::sort(Numbers);
  Numbers.erase(std::unique(Numbers.begin(), Numbers.end()), Numbers.end());
}

/// Scans C++ for loops and the marks in them.
class Scanner {
public:
  explicit Scanner(std::string_view Source) : Text(Source) {}

  std::vector<CodeLoop> run() {
    for (size_t At = 0; At < Text.size() && Matched;)
      At = step(At);
    if (!Matched || !Open.empty())
      return {};
    std::erase_if(Loops, [](const CodeLoop &Loop) { return !Loop.Last; });
    for (CodeLoop &Loop : Loops)
      sortUnique(Loop.Buffers);
    std::ranges::sort(Loops, {}, &CodeLoop::First);
    std::vector<CodeLoop> Single;
    for (CodeLoop &Loop : Loops)
      if (std::ranges::count(Loops, Loop.First, &CodeLoop::First) == 1)
        Single.push_back(Loop);
    return Single;
  }

private:
  static constexpr size_t NoLoop = SIZE_MAX;

  /// Handles the token at \p At and returns where the next begins.
  size_t step(size_t At) {
    const std::string_view Rest = Text.substr(At);
    const char C = Rest[0];
    if (C == '\n') {
      ++Line;
      return At + 1;
    }
    if (Rest.starts_with("//")) {
      const size_t End = std::min(Rest.find('\n'), Rest.size());
      comment(Rest.substr(0, End));
      return At + End;
    }
    if (Rest.starts_with("/*"))
      return skip(At, Rest.find("*/", 2), 2);
    if (Rest.starts_with("R\"") && (At == 0 || !isIdentifierChar(Text[At - 1]))) {
      const size_t Paren = Rest.find('(');
      if (Paren == Rest.npos)
        return skip(At, Rest.npos, 0);
      const std::string End = ")" + std::string(Rest.substr(2, Paren - 2)) + "\"";
      return skip(At, Rest.find(End, Paren), End.size());
    }
    // A quote between digits separates them.
    if (C == '"' || (C == '\'' && (At == 0 || !isIdentifierChar(Text[At - 1]))))
      return literal(At, C);
    if (C == '#' && isFirstOfLine(At))
      return directive(At);
    if (isIdentifierStart(C))
      return word(At);
    if (C == '(')
      ++Parens;
    else if (C == ')')
      close();
    else if (C == '{')
      Open.push_back(
          {std::exchange(Head, NoLoop), std::exchange(Parens, 0), std::exchange(Unlikely, false)});
    else if (C == '}')
      end();
    else if (Head != NoLoop && Parens == 0 && !std::isspace(static_cast<unsigned char>(C)))
      Head = NoLoop; // a loop of one statement
    return At + 1;
  }

  /// Skips \p Size characters from \p At + \p Found on, counting lines.
  size_t skip(size_t At, size_t Found, size_t Size) {
    if (Found == Text.npos) {
      Matched = false;
      return Text.size();
    }
    const std::string_view Over = Text.substr(At, Found + Size);
    Line += static_cast<uint32_t>(std::ranges::count(Over, '\n'));
    return At + Over.size();
  }

  size_t literal(size_t At, char Quote) {
    for (size_t I = At + 1; I < Text.size() && Text[I] != '\n'; ++I) {
      if (Text[I] == '\\')
        ++I;
      else if (Text[I] == Quote)
        return I + 1;
    }
    Matched = false;
    return Text.size();
  }

  bool isFirstOfLine(size_t At) const {
    const size_t Before = Text.find_last_not_of(" \t", At - (At > 0));
    return At == 0 || Before == Text.npos || Before >= At || Text[Before] == '\n';
  }

  /// Reads a preprocessor line; `#pragma omp ... for` belongs to the loop that follows.
  size_t directive(size_t At) {
    const size_t End = std::min(Text.find('\n', At), Text.size());
    std::string_view Rest = Text.substr(At, End - At);
    if (Rest.starts_with("#pragma omp"))
      for (size_t I = Rest.find("for"); I != Rest.npos; I = Rest.find("for", I + 1))
        if (!isIdentifierChar(Rest[I - 1]) &&
            (I + 3 == Rest.size() || !isIdentifierChar(Rest[I + 3])))
          Pragma = Line;
    return End;
  }

  size_t word(size_t At) {
    size_t End = At;
    while (End < Text.size() && isIdentifierChar(Text[End]))
      ++End;
    if (Text.substr(At, End - At) == "C10_UNLIKELY")
      Unlikely = true;
    if (Parens == 0) {
      Head = NoLoop; // a loop of one statement
      if (Text.substr(At, End - At) == "for") {
        Head = Loops.size();
        const bool IsRest = !beginsAtZero(Text.substr(End)) ||
                            std::ranges::any_of(Open, [](const Brace &B) { return B.IsRest; });
        Loops.push_back({Pragma ? Pragma : Line, 0, IsRest, {}});
      }
      Pragma = 0;
    }
    return End;
  }

  void close() {
    if (Parens-- == 0)
      Matched = false;
  }

  void end() {
    if (Open.empty() || Parens != 0) {
      Matched = false;
      return;
    }
    if (Open.back().Loop != NoLoop)
      Loops[Open.back().Loop].Last = Line;
    Parens = Open.back().Parens;
    Open.pop_back();
    Head = NoLoop;
  }

  void comment(std::string_view Comment) {
    for (size_t At = Comment.find(Mark); At != Comment.npos; At = Comment.find(Mark, At + 1)) {
      const std::string_view Number = Comment.substr(At + Mark.size());
      if (const auto Buffer = parseUnsigned(Number.substr(0, Number.find_first_of(":]"))))
        for (const Brace &Around : Open)
          if (Around.Loop != NoLoop)
            Loops[Around.Loop].Buffers.push_back(*Buffer);
    }
  }

  struct Brace {
    size_t Loop;   ///< the loop whose body it opens, or NoLoop
    size_t Parens; ///< open parentheses around it, as around a lambda
    bool IsRest;   ///< the body of an unlikely branch
  };

  std::string_view Text;
  uint32_t Line = 1;
  std::vector<CodeLoop> Loops;
  std::vector<Brace> Open;
  size_t Head = NoLoop;  ///< the loop whose brace has not come yet
  uint32_t Pragma = 0;   ///< line of the directive that waits for its loop; 0: none
  size_t Parens = 0;     ///< open parentheses in the innermost brace
  bool Unlikely = false; ///< the brace of an unlikely branch has not come yet
  bool Matched = true;
};

} // namespace

std::vector<CodeLoop> codeLoops(std::string_view Source) { return Scanner(Source).run(); }

std::optional<LoopNodes> nodesOfLoop(const CompiledGraphs &Graphs, const KernelUse &Use,
                                     std::span<const CodeLoop> Loops, uint32_t Line) {
  const auto Loop = std::ranges::find(Loops, Line, &CodeLoop::First);
  if (Loop == Loops.end() || Loop->Buffers.empty())
    return std::nullopt;
  const CompiledGraph &Graph = Graphs.graphOf(Use);
  const CodeCall &Call = Graphs.callOf(Use);
  const auto Buffers = Graph.Map.Statements.find(Call.Kernel + ':' + std::to_string(Call.Handle));
  if (Buffers == Graph.Map.Statements.end())
    return std::nullopt;
  LoopNodes Nodes;
  for (const uint32_t Buffer : Loop->Buffers) {
    // If a buffer is unknown, so is the whole loop: its nodes would be missing.
    if (Buffer >= Buffers->second.size() || Buffers->second[Buffer].empty())
      return std::nullopt;
    for (const std::string &Name : Buffers->second[Buffer]) {
      const auto Node = Graph.PostGrad.find(Name);
      if (!Node || !std::ranges::binary_search(Use.PostNodes, *Node))
        return std::nullopt;
      Nodes.PostNodes.push_back(*Node);
      const std::vector<uint32_t> Captured = nodesFor(Graph, *Node);
      Nodes.PreNodes.insert(Nodes.PreNodes.end(), Captured.begin(), Captured.end());
    }
  }
  sortUnique(Nodes.PostNodes);
  sortUnique(Nodes.PreNodes);
  return Nodes;
}

const CodeLoop *innermostLoop(std::span<const CodeLoop> Loops, uint32_t Line) {
  const CodeLoop *Found = nullptr;
  for (const CodeLoop &Each : Loops)
    if (Each.First <= Line && Line <= Each.Last)
      Found = &Each; // they are sorted by their first line
  return Found;
}

std::vector<std::string_view> linesOf(std::string_view Source) {
  std::vector<std::string_view> Lines;
  while (!Source.empty()) {
    Lines.push_back(Source.substr(0, Source.find('\n')));
    Source.remove_prefix(std::min(Lines.back().size() + 1, Source.size()));
  }
  return Lines;
}

std::map<uint32_t, uint32_t> markedLines(std::string_view Source) {
  std::map<uint32_t, uint32_t> Found;
  uint32_t Line = 0;
  for (const std::string_view Text : linesOf(Source)) {
    ++Line;
    const size_t At = Text.rfind(Mark);
    if (At == Text.npos)
      continue;
    const std::string_view Numbers = Text.substr(At + Mark.size());
    const std::string_view Own = Numbers.substr(0, Numbers.find(']'));
    const size_t Colon = Own.find(':');
    if (const auto Number = Colon == Own.npos ? std::nullopt : parseUnsigned(Own.substr(Colon + 1)))
      Found.emplace(Line, *Number);
  }
  return Found;
}

std::string nodeNames(const FxGraph &Graph, const std::vector<uint32_t> &Nodes) {
  std::string Text;
  for (const uint32_t Node : Nodes)
    Text += (Text.empty() ? "" : ", ") + Graph.Nodes[Node].Name;
  return Text;
}

std::string_view withoutMark(std::string_view Line) {
  const size_t At = Line.find(Mark);
  return At == Line.npos ? Line : Line.substr(0, Line.find_last_not_of(" \t", At - 1) + 1);
}

} // namespace seamscope::tools
