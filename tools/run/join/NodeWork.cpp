//===- NodeWork.cpp - operations of the nodes of a graph ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/NodeWork.h"
#include "torch/PythonText.h"
#include "torch/SourceLine.h"
#include "work/Access.h"
#include "work/OpWork.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

using std::string_view;

/// Keyword arguments that formulas use, by their place in the schema.
struct Keyword {
  string_view Operator, Name;
  size_t Place;
};
constexpr auto Keywords = std::to_array<Keyword>({{"aten::add", "alpha", 2},
                                                  {"aten::sub", "alpha", 2},
                                                  {"aten::rsub", "alpha", 2},
                                                  {"aten::clamp", "min", 1},
                                                  {"aten::clamp", "max", 2}});

/// Parses "[512, 256]" at the begin of \p Text, and removes it. Returns the first size that is not
/// a number.
std::string takeSizes(string_view &Text, std::vector<int64_t> &Into) {
  const size_t Close = closingBracket(Text, 0);
  string_view Inside = Text.substr(1, Close - 1);
  Text.remove_prefix(Close + 1);
  std::string Symbol;
  for (const string_view Part : splitOutside(Inside, ",")) {
    const string_view Size = trimmed(Part);
    if (Size.empty())
      continue;
    if (const auto Number = sizeIn(Size))
      Into.push_back(*Number);
    else if (Symbol.empty())
      Symbol = Size;
  }
  return Symbol;
}

/// The arguments of a node's call in the form that formulas take.
class NodeArguments {
public:
  NodeArguments(const FxGraph &Graph, const FxNode &Node, string_view Operator) : Graph(Graph) {
    std::vector<string_view> Places;
    for (const string_view Argument : callArguments(Node.Text)) {
      const size_t Equals = findOutside(Argument, " = ");
      if (Equals == Argument.npos) {
        Places.push_back(Argument);
        continue;
      }
      const auto Known = std::ranges::find_if(Keywords, [&](const Keyword &Each) {
        return Each.Operator == Operator && Each.Name == trimmed(Argument.substr(0, Equals));
      });
      if (Known == Keywords.end())
        continue; // changes neither what is computed for an element nor their number
      if (Places.size() <= Known->Place)
        Places.resize(Known->Place + 1, "None");
      Places[Known->Place] = trimmed(Argument.substr(Equals + 3));
    }
    for (const string_view Argument : Places)
      add(Argument, Node.Apart);
    // A graph leaves out arguments with their default. Without keepdim, a formula would take the
    // dimensions of a reduction for those of an overload that reduces all.
    if (Places.size() > 1)
      while (Arguments.size() < 4)
        Arguments.addNone();
  }

  OpArguments Arguments;
  std::string Symbol; ///< a size that is not known

private:
  std::optional<GraphTensor> tensorNamed(string_view Name, const std::string &Apart) const {
    if (!isIdentifier(Name))
      return std::nullopt;
    auto Node = Graph.find(fmt::format("{}.{}", Apart, Name));
    if (!Node)
      Node = Graph.find(Name);
    return Node ? tensorOfType(Graph.Nodes[*Node].Type) : std::nullopt;
  }

  void add(string_view Argument, const std::string &Apart) {
    if (Argument == "None")
      return Arguments.addNone();
    if (const auto Tensor = tensorNamed(Argument, Apart)) {
      note(*Tensor);
      return Arguments.addTensor({Tensor->Dims, Tensor->Strides, Tensor->Type});
    }
    std::vector<GraphTensor> List;
    if (Argument.starts_with('[') && Argument.ends_with(']'))
      for (const string_view Part : splitOutside(Argument.substr(1, Argument.size() - 2), ","))
        if (auto Tensor = tensorNamed(trimmed(Part), Apart)) {
          note(*Tensor);
          List.push_back(std::move(*Tensor));
        }
    if (List.empty())
      return Arguments.addValue(Argument);
    std::vector<TensorRef> Refs;
    for (const GraphTensor &Each : List)
      Refs.push_back({Each.Dims, Each.Strides, Each.Type});
    Arguments.addTensors(Refs);
  }

  void note(const GraphTensor &Tensor) {
    if (Symbol.empty())
      Symbol = Tensor.Symbol;
  }

  const FxGraph &Graph;
};

} // namespace

std::optional<int64_t> sizeIn(string_view Text) {
  int64_t Number = 0;
  const auto [End, Failed] = std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  return Failed == std::errc() && End == Text.data() + Text.size() && Number >= 0
             ? std::optional(Number)
             : std::nullopt;
}

std::optional<GraphTensor> tensorOfType(string_view Type) {
  const size_t Open = Type.find('[');
  GraphTensor Made;
  if (Open == Type.npos || closingBracket(Type, Open) == Type.npos)
    return std::nullopt;
  Made.Type = typeOfGraphName(Type.substr(0, Open));
  if (Made.Type == DType::Unknown)
    return std::nullopt;
  Type.remove_prefix(Open);
  Made.Symbol = takeSizes(Type, Made.Dims);
  if (Type.starts_with('[') && closingBracket(Type, 0) != Type.npos)
    // A stride is a symbol only if a size is, or if the input's layout is not fixed.
    if (!takeSizes(Type, Made.Strides).empty() || Made.Strides.size() != Made.Dims.size())
      Made.Strides.clear();
  if (Made.Dims.size() > OpArguments::MaxRank)
    return std::nullopt;
  return Made;
}

std::string operatorOfNode(const FxNode &Node) {
  constexpr string_view Start = "torch.ops.";
  string_view Name = Node.Target;
  if (Node.Kind != FxNodeKind::Call || !Name.starts_with(Start))
    return {};
  Name.remove_prefix(Start.size());
  const size_t Dot = Name.find('.');
  if (Dot == Name.npos)
    return std::string(Name);
  const string_view Operator = Name.substr(Dot + 1);
  return fmt::format("{}::{}", Name.substr(0, Dot), Operator.substr(0, Operator.find('.')));
}

NodeFlop flopOfNode(const FxGraph &Graph, uint32_t Number) {
  const FxNode &Node = Graph.Nodes[Number];
  const std::string Operator = operatorOfNode(Node);
  NodeFlop Made;
  if (Operator.empty()) {
    // Inputs, entries of tuples, arithmetic of sizes.
    if (Node.Kind != FxNodeKind::Call || !tensorOfType(Node.Type))
      Made.Flop = 0;
    else
      Made.Why = fmt::format("{}: {}", Node.Target, textOf(WorkUnknown::Operator));
    return Made;
  }
  if (onlyMoves(Operator)) {
    Made.Flop = 0;
    return Made;
  }
  // It may add to what is there, and a mask may choose where.
  if (Operator == "aten::index_put" || Operator == "aten::_index_put_impl") {
    Made.Why = fmt::format("{}: {}", Operator, textOf(WorkUnknown::Data));
    return Made;
  }
  const NodeArguments Call(Graph, Node, Operator);
  const OpWork Work = workOf(Operator, Call.Arguments);
  if (Work.Kind != OpWorkKind::View && !Call.Symbol.empty()) {
    Made.Why = fmt::format("{}: the size {} is not known", Operator, Call.Symbol);
    return Made;
  }
  Made.Compute = Work.Compute;
  if (Work.Kind == OpWorkKind::View)
    Made.Flop = 0;
  else if (Work.Flop)
    Made.Flop = Work.Flop;
  else
    Made.Why = fmt::format("{}: {}", Operator, textOf(Work.Why));
  return Made;
}

} // namespace seamscope::tools
