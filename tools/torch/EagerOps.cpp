//===- EagerOps.cpp - the eager operators of a captured node --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/EagerOps.h"
#include "torch/PythonText.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace seamscope::tools {
namespace {

using std::string_view;
using Names = std::pair<string_view, string_view>;

/// Python's operators on tensors. The first operand is a tensor; reflected() handles the other
/// case.
constexpr auto Operators = std::to_array<Names>({{"+", "add"},
                                                 {"-", "sub"},
                                                 {"*", "mul"},
                                                 {"/", "div"},
                                                 {"//", "floor_divide"},
                                                 {"%", "remainder"},
                                                 {"**", "pow"},
                                                 {"@", "matmul"},
                                                 {"<<", "__lshift__"},
                                                 {">>", "__rshift__"},
                                                 {"&", "__and__"},
                                                 {"|", "__or__"},
                                                 {"^", "__xor__"},
                                                 {"==", "eq"},
                                                 {"!=", "ne"},
                                                 {"<", "lt"},
                                                 {"<=", "le"},
                                                 {">", "gt"},
                                                 {">=", "ge"},
                                                 {"~", "bitwise_not"},
                                                 {"+=", "add_"},
                                                 {"-=", "sub_"},
                                                 {"*=", "mul_"},
                                                 {"/=", "div_"},
                                                 {"//=", "floor_divide_"},
                                                 {"%=", "remainder_"},
                                                 {"**=", "pow_"},
                                                 {"@=", "matmul"},
                                                 {"<<=", "__ilshift__"},
                                                 {">>=", "__irshift__"},
                                                 {"&=", "__iand__"},
                                                 {"|=", "__ior__"},
                                                 {"^=", "__ixor__"}});

/// Functions and methods whose operator has a different name.
constexpr auto Renamed = std::to_array<Names>({{"cross_entropy", "cross_entropy_loss"},
                                               {"nll_loss", "nll_loss_nd"},
                                               {"float", "to"},
                                               {"double", "to"},
                                               {"half", "to"},
                                               {"bfloat16", "to"},
                                               {"int", "to"},
                                               {"long", "to"},
                                               {"bool", "to"},
                                               {"type", "to"},
                                               {"absolute", "abs"},
                                               {"T", "numpy_T"},
                                               {"__setitem__", "copy_"},
                                               {"setitem", "copy_"}});

/// Queries of a tensor, and functions that are pure Python.
constexpr auto NoOperator = std::to_array<string_view>({"size",
                                                        "stride",
                                                        "dim",
                                                        "ndimension",
                                                        "numel",
                                                        "element_size",
                                                        "storage_offset",
                                                        "is_contiguous",
                                                        "shape",
                                                        "dtype",
                                                        "device",
                                                        "ndim",
                                                        "layout",
                                                        "requires_grad",
                                                        "is_floating_point",
                                                        "is_complex",
                                                        "getattr",
                                                        "len",
                                                        "sym_size",
                                                        "sym_stride",
                                                        "sym_numel",
                                                        "sym_float",
                                                        "sym_int",
                                                        "sym_not",
                                                        "sym_max",
                                                        "sym_min",
                                                        "sym_ite",
                                                        "_set_grad_enabled",
                                                        "_enter_autocast",
                                                        "_exit_autocast",
                                                        "_check",
                                                        "_check_is_size",
                                                        "_assert",
                                                        "_assert_async",
                                                        "record_function",
                                                        "getitem",
                                                        "truediv",
                                                        "is_grad_enabled",
                                                        "_enter_inference_mode",
                                                        "_exit_inference_mode",
                                                        "data",
                                                        "grad",
                                                        "is_cuda"});

template <size_t N> string_view find(const std::array<Names, N> &List, string_view Key) {
  const auto Found = std::ranges::find(List, Key, &Names::first);
  return Found == List.end() ? string_view() : Found->second;
}

std::string aten(string_view Name) { return "aten::" + std::string(Name); }

bool isNumber(string_view Text) {
  return !Text.empty() && (std::isdigit(static_cast<unsigned char>(Text[0])) || Text[0] == '.' ||
                           (Text[0] == '-' && Text.size() > 1 && isNumber(Text.substr(1))));
}

/// The operators for a number before the tensor, as in `1 - x` and `2 / x`.
std::vector<std::string> reflected(string_view Operator) {
  if (Operator == "-")
    return {"aten::rsub"};
  if (Operator == "/")
    return {"aten::reciprocal", "aten::mul"};
  // Python calls the tensor's method with the operands swapped.
  constexpr auto Swapped =
      std::to_array<Names>({{"<", ">"}, {">", "<"}, {"<=", ">="}, {">=", "<="}});
  if (const string_view Other = find(Swapped, Operator); !Other.empty())
    Operator = Other;
  return {aten(find(Operators, Operator))};
}

std::vector<std::string> operatorOps(const FxNode &Node) {
  if (Node.Target == "-" && Node.Text.starts_with("-"))
    return {"aten::neg"};
  const string_view Name = find(Operators, Node.Target);
  if (Name.empty())
    return {};
  const size_t Blank = findOutside(Node.Text, " ");
  if (isNumber(string_view(Node.Text).substr(0, Blank)))
    return reflected(Node.Target);
  return {aten(Name)};
}

/// The operators for the first index in \p Node's text, such as `[:, 0, None]`: Tensor.__getitem__
/// splits it into views and, if \p Gathers is set, an operator that takes index tensors.
std::vector<std::string> indexOps(const FxNode &Node, bool &Gathers) {
  const size_t Open = Node.Text.find('[');
  const size_t Close = Open == Node.Text.npos ? Open : closingBracket(Node.Text, Open);
  if (Close == Node.Text.npos)
    return {};
  string_view Index = trimmed(string_view(Node.Text).substr(Open + 1, Close - Open - 1));
  if (Index.size() >= 2 && Index.front() == '(' && Index.back() == ')')
    Index = Index.substr(1, Index.size() - 2);
  std::vector<std::string> Ops;
  for (const string_view Part : splitOutside(Index, ",")) {
    const string_view Each = trimmed(Part);
    if (Each.empty() || Each == "Ellipsis" || Each == "slice(None, None, None)")
      continue;
    if (Each == "None")
      Ops.push_back("aten::unsqueeze");
    else if (Each.starts_with("slice("))
      Ops.push_back("aten::slice");
    else if (isNumber(Each))
      Ops.push_back("aten::select");
    else
      Gathers = true;
  }
  return Ops;
}

/// The operators for `x[:, 0, None]`.
std::vector<std::string> itemOps(const FxGraph &Graph, const FxNode &Node) {
  if (Node.Inputs.empty())
    return {};
  const FxNode &Base = Graph.Nodes[Node.Inputs[0]];
  // torch prints no type for a tuple, or one in parentheses.
  if (Base.Type.find('[') == Base.Type.npos || Base.Type[0] == '(')
    return {};
  bool Gathers = false;
  std::vector<std::string> Ops = indexOps(Node, Gathers);
  if (Gathers)
    Ops.push_back("aten::index");
  return Ops;
}

/// The operators for `x[:, 0] = y`.
std::vector<std::string> setItemOps(const FxNode &Node) {
  bool Gathers = false;
  std::vector<std::string> Ops = indexOps(Node, Gathers);
  const size_t Equals = findOutside(Node.Text, " = ");
  const bool ByNumber = isNumber(trimmed(string_view(Node.Text).substr(Equals + 3)));
  Ops.push_back(Gathers ? "aten::index_put_" : ByNumber ? "aten::fill_" : "aten::copy_");
  return Ops;
}

/// "LIBRARY::NAME" for `torch.ops.LIBRARY.NAME.OVERLOAD`; empty for other targets.
std::string registered(string_view Target) {
  constexpr string_view Start = "torch.ops.";
  if (!Target.starts_with(Start))
    return "";
  Target.remove_prefix(Start.size());
  const size_t Dot = Target.find('.');
  if (Dot == Target.npos)
    return "";
  const string_view Name = Target.substr(Dot + 1);
  return std::string(Target.substr(0, Dot)) + "::" + std::string(Name.substr(0, Name.find('.')));
}

std::vector<std::string> calledOps(const FxNode &Node) {
  if (Node.Target == "__setitem__" && findOutside(Node.Text, " = ") != Node.Text.npos)
    return setItemOps(Node);
  string_view Name = Node.Target;
  if (std::string Op = registered(Name); Op == "aten::_assert_scalar")
    return {}; // checks a size, which eager mode does not do
  else if (!Op.empty())
    return {std::move(Op)};
  // torch.func's calls that begin and end its levels and request gradients.
  if (Name.find("_functorch.") != Name.npos)
    return {};
  if (const size_t Dot = Name.rfind('.'); Dot != Name.npos)
    Name.remove_prefix(Dot + 1);
  if (Name.empty() || std::ranges::find(NoOperator, Name) != NoOperator.end())
    return {};
  std::string Op(Name);
  if (const string_view Other = find(Renamed, Name); !Other.empty())
    Op = Other;
  // torch.nn.functional's relu(x, inplace = True) calls relu_.
  if (Node.Text.find("inplace = True") != Node.Text.npos && !Op.ends_with('_'))
    Op += '_';
  return {aten(Op)};
}

} // namespace

std::vector<std::string> eagerOps(const FxGraph &Graph, uint32_t Number) {
  const FxNode &Node = Graph.Nodes[Number];
  if (Node.Type.starts_with("Sym(")) // a Python number
    return {};
  switch (Node.Kind) {
  case FxNodeKind::Placeholder:
    return {};
  case FxNodeKind::Operator:
    return operatorOps(Node);
  case FxNodeKind::Item:
    return itemOps(Graph, Node);
  case FxNodeKind::Attribute:
    // `x.T` is a call of an operator, `self.weight` is not.
    return Node.Target == "T" || Node.Target == "mT" || Node.Target == "H"
               ? calledOps(Node)
               : std::vector<std::string>();
  case FxNodeKind::Call:
  case FxNodeKind::Method:
    return calledOps(Node);
  }
  return {};
}

} // namespace seamscope::tools
