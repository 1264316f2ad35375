//===- FxGraph.cpp - parser of printed torch.fx graphs --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/FxGraph.h"
#include "torch/PythonText.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

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

std::vector<std::string> FxGraph::graphsOf(const FxNode &Node) const {
  constexpr std::string_view Own = "self.";
  std::vector<std::string> Graphs;
  if (Node.Target.starts_with("torch.ops.higher_order."))
    for (const uint32_t Input : Node.Inputs)
      if (const FxNode &Named = Nodes[Input];
          Named.Kind == FxNodeKind::Attribute && Named.Text.starts_with(Own))
        Graphs.push_back(Named.Text.substr(Own.size()));
  return Graphs;
}

namespace {

/// Binary operators as torch.fx writes them, with blanks around; longer ones first.
constexpr auto Binary = std::to_array<std::string_view>(
    {" // ", " ** ", " << ", " >> ", " == ", " != ", " <= ", " >= ", " + ", " - ", " * ", " / ",
     " % ", " @ ", " < ", " > ", " & ", " | ", " ^ "});

/// Calls that run their first argument, a graph, once.
constexpr auto RunTheirGraph = std::to_array<std::string_view>(
    {"autograd_function_apply", "tag_activation_checkpoint", "wrap_activation_checkpoint", "wrap",
     "invoke_subgraph", "wrap_with_set_grad_enabled", "wrap_with_autocast", "strict_mode"});

/// The limit of lines that nested graphs add: one may be called many times.
constexpr size_t MostNestedLines = 200'000;
constexpr unsigned DeepestNesting = 16;

using NewNames = std::map<std::string, std::string, std::less<>>;

/// Replaces variables in \p Text as \p Names says.
std::string renamed(std::string_view Text, const NewNames &Names) {
  std::string Result;
  int Depth = 0;
  for (size_t At = 0; At < Text.size();) {
    size_t End = At + 1;
    if (Text[At] == '"' || Text[At] == '\'') {
      End = endOfString(Text, At);
    } else if (isIdentifierStart(Text[At])) {
      while (End < Text.size() && isIdentifierChar(Text[End]))
        ++End;
      const auto Known = Names.find(Text.substr(At, End - At));
      const bool Keyword = Depth > 0 && Text.substr(End).starts_with(" = ");
      if (Known != Names.end() && !Keyword && (At == 0 || Text[At - 1] != '.')) {
        Result += Known->second;
        At = End;
        continue;
      }
    } else if (std::isdigit(static_cast<unsigned char>(Text[At]))) {
      while (End < Text.size() && isIdentifierChar(Text[End]))
        ++End;
    } else if (std::string_view("([{").find(Text[At]) != std::string_view::npos) {
      ++Depth;
    } else if (std::string_view(")]}").find(Text[At]) != std::string_view::npos) {
      --Depth;
    }
    Result += Text.substr(At, End - At);
    At = End;
  }
  return Result;
}

class Parser {
public:
  FxGraph run(std::string_view Text) {
    std::vector<std::string_view> Main, *Lines = &Main;
    for (bool First = true; !Text.empty();) {
      const std::string_view Line = takeLine(Text);
      const std::string_view Bare = trimmed(Line);
      if (Bare.starts_with("class ")) {
        const std::string_view Name = Bare.substr(6, Bare.find('(') - 6);
        if (!First) {
          Order.emplace_back(Name);
          Lines = &Nested[Order.back()];
        }
        First = false;
      }
      Lines->push_back(Line);
    }
    for (const std::string_view Line : Main)
      line(Line);
    for (const std::string &Name : Order)
      if (!Placed.contains(Name)) {
        Apart = Name;
        for (const std::string_view Line : Nested[Name])
          line(Line);
      }
    return std::move(Graph);
  }

private:
  /// Inserts the graph that the call \p Call runs before it. Returns the graph's result in terms of
  /// the new names of its nodes.
  std::string placeNested(std::string_view Name, std::string_view Call) {
    const size_t Open = Call.find('('), Dot = Call.rfind('.', Open);
    constexpr std::string_view Start = "torch.ops.higher_order.";
    if (Open == Call.npos || !Call.starts_with(Start) || Dot + 1 != Start.size() ||
        std::ranges::find(RunTheirGraph, Call.substr(Start.size(), Open - Start.size())) ==
            RunTheirGraph.end())
      return {};
    const size_t Close = closingBracket(Call, Open);
    if (Close == Call.npos)
      return {};
    std::string Body;
    std::vector<std::string> Arguments;
    for (const std::string_view Part : splitOutside(Call.substr(Open + 1, Close - Open - 1), ",")) {
      const std::string Argument(trimmed(Part));
      const auto Graph = Modules.find(Argument);
      if (Graph != Modules.end()) {
        if (Body.empty())
          Body = Graph->second;
        Placed.insert(Graph->second); // also the gradient's graph, which runs elsewhere
      } else if (isIdentifier(Argument) && !Body.empty()) {
        Arguments.push_back(Argument);
      }
    }
    const auto Found = Nested.find(Body);
    if (Found == Nested.end() || Depth == DeepestNesting ||
        (NestedLines += Found->second.size()) > MostNestedLines)
      return {};
    const unsigned Earlier = Times[Body]++;
    const std::string Prefix = Earlier ? fmt::format("{}__{}__", Body, Earlier + 1) : Body + "__";
    return placeLines(Found->second, Prefix, Arguments, Name);
  }

  std::string placeLines(const std::vector<std::string_view> &Lines, const std::string &Prefix,
                         const std::vector<std::string> &Arguments, std::string_view Call) {
    ++Depth;
    const bool HadLine = HasLine;
    const auto Line = Graph.Lines.empty() ? SourceLine() : Graph.Lines.back();
    const std::string Outer = std::exchange(Within, Within.empty() ? std::string(Call) : Within);
    NewNames Names;
    std::vector<std::string> Parameters;
    std::string Returned;
    for (const std::string_view Each : Lines) {
      const std::string_view Bare = trimmed(Each);
      if (InHeader || Bare.starts_with("def forward(")) {
        std::vector<std::string> *Wanted = std::exchange(ParametersTo, &Parameters);
        line(Each);
        ParametersTo = Wanted;
        if (InHeader)
          continue;
        // Match from the end, because a context may come before the arguments.
        for (size_t I = 0; I < std::min(Parameters.size(), Arguments.size()); ++I)
          Names[Parameters[Parameters.size() - 1 - I]] = Arguments[Arguments.size() - 1 - I];
      } else if (Bare.starts_with("return")) {
        Returned = renamed(Bare.substr(6), Names);
      } else if (Bare.starts_with("#") || Bare.starts_with("class ")) {
        if (Bare[0] == '#')
          line(Each);
      } else {
        for (const std::string_view Part : splitOutside(Bare, ";  ")) {
          const std::string_view Own = trimmed(Part.substr(0, Part.find_first_of(" :=")));
          if (isIdentifier(Own) && findOutside(Part, " = None") == Part.npos)
            Names.try_emplace(std::string(Own), Prefix + std::string(Own));
        }
        line(renamed(Bare, Names));
      }
    }
    Within = Outer;
    --Depth;
    HasLine = HadLine;
    if (HadLine && Graph.Lines.back() != Line)
      Graph.Lines.push_back(Line);
    return Returned;
  }

  void line(std::string_view Text) {
    const std::string_view Line = trimmed(Text);
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

  /// Reads the signature, which may span several lines: `self, arg0_1: "f32[2]cpu",  # comment`.
  void header(std::string_view Line) {
    for (std::string_view Part : splitOutside(Line, ",")) {
      if (const size_t Hash = findOutside(Part, "#"); Hash != Part.npos)
        Part = Part.substr(0, Hash);
      bool Ends = false;
      // The closing bracket of the list does not have a partner in this line.
      if (const size_t Close = findOutside(Part, ")"); Close != Part.npos) {
        Ends = true;
        Part = Part.substr(0, Close);
      }
      const size_t Colon = findOutside(Part, ":");
      const std::string_view Name = trimmed(Part.substr(0, Colon));
      if (isIdentifier(Name) && Name != "self" && ParametersTo)
        ParametersTo->emplace_back(Name);
      else if (isIdentifier(Name) && Name != "self")
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
      return; // these are of a nested graph
    if (Text.size() >= 2 && Text.front() == '(' && Text.back() == ')')
      Text = Text.substr(1, Text.size() - 2);
    for (const std::string_view Part : splitOutside(Text, ","))
      if (const std::string_view Name = trimmed(Part); !Name.empty())
        Graph.Outputs.emplace_back(Name);
  }

  /// Reads `NAME: "TYPE" = EXPRESSION;  x = None`, or `x += y;  NAME: "TYPE" = x;  x = y = None`.
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
    else if (Name.ends_with(']'))
      setItem(First, Parts);
  }

  /// Reads `x[0] = y;  setitem = x;  y = setitem = None`.
  void setItem(std::string_view First, const std::vector<std::string_view> &Parts) {
    const size_t Named = Parts.size() < 2 ? Parts[0].npos : findOutside(Parts[1], "=");
    if (Named == Parts[0].npos)
      return;
    const std::string_view Name = trimmed(Parts[1].substr(0, Named));
    if (isIdentifier(Name))
      add(Name, {}, FxNodeKind::Method, "__setitem__", First);
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
      if (Text.starts_with("self.") && Nested.contains(Text.substr(5)))
        Modules.insert_or_assign(std::string(Name), std::string(Text.substr(5)));
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
    const std::string Returned = placeNested(Name, Text);
    if (!Returned.empty())
      // The nodes before the call are what it runs.
      add(Name, Type, FxNodeKind::Attribute, Before, Returned);
    else if (Dot != Before.npos && Graph.ByName.contains(std::string(Before.substr(0, Dot))))
      add(Name, Type, FxNodeKind::Method, Before.substr(Dot + 1), Text);
    else
      add(Name, Type, FxNodeKind::Call, Before, Text);
  }

  /// Finds a variable of the graph being read.
  std::optional<uint32_t> inputNamed(std::string_view Variable) const {
    if (!Apart.empty())
      if (const auto Own = Graph.find(fmt::format("{}.{}", Apart, Variable)))
        return Own;
    return Graph.find(Variable);
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
    Node.Within = Within;
    Node.Apart = Apart;
    Node.HasLine = HasLine && Kind != FxNodeKind::Placeholder;
    Node.Line = Graph.Lines.empty() ? 0 : static_cast<uint32_t>(Graph.Lines.size() - 1);
    for (const std::string_view Variable : variablesIn(Text))
      if (const auto Input = inputNamed(Variable))
        if (std::ranges::find(Node.Inputs, *Input) == Node.Inputs.end())
          Node.Inputs.push_back(*Input);
    const auto Number = static_cast<uint32_t>(Graph.Nodes.size());
    Graph.ByName.try_emplace(Node.Name, Number);
    Graph.ByName.try_emplace(Node.fullName(), Number);
    Graph.Nodes.push_back(std::move(Node));
  }

  FxGraph Graph;
  std::map<std::string, std::vector<std::string_view>, std::less<>> Nested; ///< lines by class
  std::vector<std::string> Order;                   ///< nested graphs in the order of the text
  std::set<std::string> Placed;                     ///< nested graphs inserted at their calls
  std::map<std::string, std::string> Modules;       ///< nested graphs by the nodes that name them
  std::map<std::string, unsigned> Times;            ///< how often each was inserted
  std::vector<std::string> *ParametersTo = nullptr; ///< collects a nested graph's parameters
  std::string Within;
  size_t NestedLines = 0;
  unsigned Depth = 0;
  bool InHeader = false;
  std::string Apart;
  bool HasLine = false;
};

} // namespace

FxGraph parseFxGraph(std::string_view Text) { return Parser().run(Text); }

} // namespace seamscope::tools
