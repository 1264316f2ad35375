//===- FxGraph.cpp - a graph of torch.fx, read from its printed form ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/FxGraph.h"
#include "torch/PythonText.h"

#include <algorithm>
#include <array>

namespace seamscope::tools {

std::string_view FxNode::shape() const {
  const size_t Close = Type.find(']');
  return Close == Type.npos ? std::string_view(Type) : std::string_view(Type).substr(0, Close + 1);
}

std::optional<uint32_t> FxGraph::find(std::string_view Name) const {
  const auto Found = ByName.find(std::string(Name));
  if (Found == ByName.end())
    return std::nullopt;
  return Found->second;
}

namespace {

/// Binary operators as torch.fx writes them, with blanks around; longer ones first.
constexpr auto Binary = std::to_array<std::string_view>(
    {" // ", " ** ", " << ", " >> ", " == ", " != ", " <= ", " >= ", " + ", " - ", " * ", " / ",
     " % ", " @ ", " < ", " > ", " & ", " | ", " ^ "});

class Parser {
public:
  FxGraph run(std::string_view Text) {
    while (!Text.empty())
      line(takeLine(Text));
    return std::move(Graph);
  }

private:
  void line(std::string_view Whole) {
    const std::string_view Line = trimmed(Whole);
    if (InHeader) {
      header(Line);
      return;
    }
    if (Line.empty())
      return;
    if (Line[0] == '#') {
      comment(trimmed(Line.substr(1)));
    } else if (Line.starts_with("def forward(")) {
      InHeader = true;
      header(Line.substr(sizeof("def forward(") - 1));
    } else if (Line.starts_with("return")) {
      outputs(trimmed(Line.substr(6)));
    } else if (!Line.starts_with("class ")) {
      statement(Line);
    }
  }

  /// The signature, which may go over several lines: `self, arg0_1: "f32[2]cpu",  # comment`.
  void header(std::string_view Line) {
    for (std::string_view Part : splitOutside(Line, ",")) {
      if (const size_t Hash = findOutside(Part, "#"); Hash != Part.npos)
        Part = Part.substr(0, Hash);
      bool Ends = false;
      // The bracket that closes the list has no partner within the line.
      if (const size_t Close = findOutside(Part, ")"); Close != Part.npos) {
        Ends = true;
        Part = Part.substr(0, Close);
      }
      const size_t Colon = findOutside(Part, ":");
      const std::string_view Name = trimmed(Part.substr(0, Colon));
      if (isIdentifier(Name) && Name != "self")
        add(Name, Colon == Part.npos ? std::string_view() : typeIn(Part.substr(Colon + 1)),
            FxNodeKind::Placeholder, {}, {});
      if (Ends) {
        InHeader = false;
        HasLine = false;
        return;
      }
    }
  }

  void comment(std::string_view Text) {
    if (auto Line = parseGraphComment(Text)) {
      HasLine = true;
      if (Graph.Lines.empty() || Graph.Lines.back() != *Line)
        Graph.Lines.push_back(std::move(*Line));
    } else if (Text.starts_with("No stacktrace")) {
      HasLine = false;
    }
  }

  void outputs(std::string_view Text) {
    if (!Graph.Outputs.empty())
      return; // of a nested graph
    if (Text.size() >= 2 && Text.front() == '(' && Text.back() == ')')
      Text = Text.substr(1, Text.size() - 2);
    for (const std::string_view Part : splitOutside(Text, ","))
      if (const std::string_view Name = trimmed(Part); !Name.empty())
        Graph.Outputs.emplace_back(Name);
  }

  /// `NAME: "TYPE" = EXPRESSION;  x = None`, or `x += y;  NAME: "TYPE" = x;  x = y = None`.
  void statement(std::string_view Line) {
    const auto Parts = splitOutside(Line, ";  ");
    std::string_view First = Parts[0];
    const size_t Equals = findOutside(First, "=");
    if (Equals == First.npos || Equals == 0)
      return;
    if (First[Equals - 1] != ' ') {
      inPlace(First, Equals, Parts);
      return;
    }
    std::string_view Name = First.substr(0, Equals), Type;
    if (const size_t Colon = findOutside(Name, ":"); Colon != Name.npos) {
      Type = typeIn(Name.substr(Colon + 1));
      Name = Name.substr(0, Colon);
    }
    Name = trimmed(Name);
    if (isIdentifier(Name))
      expression(Name, Type, trimmed(First.substr(Equals + 1)));
  }

  void inPlace(std::string_view First, size_t Equals, const std::vector<std::string_view> &Parts) {
    const size_t Blank = First.rfind(' ', Equals);
    if (Blank == First.npos || Parts.size() < 2)
      return;
    const std::string_view Target = First.substr(Blank + 1, Equals - Blank);
    const size_t Named = findOutside(Parts[1], "=");
    if (Named == Parts[1].npos)
      return;
    std::string_view Name = Parts[1].substr(0, Named), Type;
    if (const size_t Colon = findOutside(Name, ":"); Colon != Name.npos) {
      Type = typeIn(Name.substr(Colon + 1));
      Name = Name.substr(0, Colon);
    }
    Name = trimmed(Name);
    if (isIdentifier(Name))
      add(Name, Type, FxNodeKind::Operator, Target, First);
  }

  void expression(std::string_view Name, std::string_view Type, std::string_view Text) {
    if (Text.empty())
      return;
    if (isIdentifier(Text)) {
      // `l_x_ = L_x_`: dynamo's name of an input.
      if (const auto Source = Graph.find(Text); Source && Type.empty())
        Type = Graph.Nodes[*Source].Type;
      add(Name, std::string(Type), FxNodeKind::Placeholder, {}, Text);
      return;
    }
    if (Text[0] == '-' || Text[0] == '~') {
      add(Name, Type, FxNodeKind::Operator, Text.substr(0, 1), Text);
      return;
    }
    for (const std::string_view Operator : Binary)
      if (findOutside(Text, Operator) != Text.npos) {
        add(Name, Type, FxNodeKind::Operator, trimmed(Operator), Text);
        return;
      }
    const size_t Bracket = Text.find_first_of("([");
    if (Bracket == Text.npos) {
      const size_t Dot = Text.rfind('.');
      add(Name, Type, FxNodeKind::Attribute, Dot == Text.npos ? Text : Text.substr(Dot + 1), Text);
      return;
    }
    const std::string_view Before = Text.substr(0, Bracket);
    if (Text[Bracket] == '[') {
      add(Name, Type, FxNodeKind::Item, "[]", Text);
      return;
    }
    const size_t Dot = Before.find('.');
    if (Dot != Before.npos && Graph.ByName.contains(std::string(Before.substr(0, Dot))))
      add(Name, Type, FxNodeKind::Method, Before.substr(Dot + 1), Text);
    else
      add(Name, Type, FxNodeKind::Call, Before, Text);
  }

  static std::string_view typeIn(std::string_view Text) {
    Text = trimmed(Text);
    if (Text.size() >= 2 && (Text[0] == '"' || Text[0] == '\'') && Text.back() == Text[0])
      Text = Text.substr(1, Text.size() - 2);
    return Text;
  }

  void add(std::string_view Name, std::string_view Type, FxNodeKind Kind, std::string_view Target,
           std::string_view Text) {
    FxNode Node;
    Node.Name = Name;
    Node.Type = Type;
    Node.Target = Target;
    Node.Text = Text;
    Node.Kind = Kind;
    Node.HasLine = HasLine && Kind != FxNodeKind::Placeholder;
    Node.Line = Graph.Lines.empty() ? 0 : static_cast<uint32_t>(Graph.Lines.size() - 1);
    for (const std::string_view Variable : variablesIn(Text))
      if (const auto Input = Graph.find(Variable))
        if (std::ranges::find(Node.Inputs, *Input) == Node.Inputs.end())
          Node.Inputs.push_back(*Input);
    Graph.ByName.try_emplace(Node.Name, static_cast<uint32_t>(Graph.Nodes.size()));
    Graph.Nodes.push_back(std::move(Node));
  }

  FxGraph Graph;
  bool InHeader = false;
  bool HasLine = false;
};

} // namespace

FxGraph parseFxGraph(std::string_view Text) { return Parser().run(Text); }

} // namespace seamscope::tools
