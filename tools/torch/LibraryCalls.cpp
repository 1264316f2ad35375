//===- LibraryCalls.cpp - library calls of compiled graphs ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/LibraryCalls.h"
#include "torch/EagerOps.h"
#include "torch/PythonText.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

using std::string_view;

constexpr string_view Extern = "extern_kernels.", Ops = "torch.ops.", Aten = "aten.";
constexpr string_view Shim = "aoti_torch_";

/// Operators whose calls in C++ lack provenance. Other functions with that prefix handle tensors.
constexpr auto InPlaceShims =
    std::to_array<string_view>({"scatter", "index_put", "bernoulli_", "copy_"});

/// "sort_stable" for "aoti_torch_cpu_sort_stable"; empty for other functions.
string_view shimmed(string_view Function) {
  if (!Function.starts_with(Shim))
    return {};
  Function.remove_prefix(Shim.size());
  for (const string_view Device : {"cpu_", "cuda_", "xpu_", "mps_"})
    if (Function.starts_with(Device)) {
      Function.remove_prefix(Device.size());
      break;
    }
  if (Function.ends_with("_out"))
    Function.remove_suffix(4);
  return Function;
}

/// The common name of operators that do the same: "index_put" for "aten::index_put_" and
/// "aten::_unsafe_index_put".
string_view familyOf(string_view Operator) {
  if (const size_t Colon = Operator.rfind(':'); Colon != Operator.npos)
    Operator.remove_prefix(Colon + 1);
  for (const string_view Prefix : {"_unsafe_", "_to_"})
    if (Operator.starts_with(Prefix))
      Operator.remove_prefix(Prefix.size());
  while (Operator.ends_with('_'))
    Operator.remove_suffix(1);
  if (Operator == "scatter_add")
    return "scatter_reduce";
  return Operator == "device_put" ? "copy" : Operator;
}

/// The same for a kernel.
string_view familyOfKernel(string_view Kernel, string_view Operator) {
  if (shimmed(Kernel).empty())
    return familyOf(Operator);
  // The overload follows the name.
  for (const string_view Known : {"scatter_reduce", "scatter", "index_put", "bernoulli", "copy"})
    if (shimmed(Kernel).starts_with(Known))
      return Known;
  return familyOf(Operator);
}

/// Whether a node depends on all graph inputs that \p Statement, a call, names.
bool dependsOnInputsOf(const FxGraph &Graph, uint32_t Node, string_view Statement) {
  std::set<uint32_t> Taken;
  std::vector<uint32_t> Next = Graph.Nodes[Node].Inputs;
  while (!Next.empty()) {
    const uint32_t Input = Next.back();
    Next.pop_back();
    if (Taken.insert(Input).second)
      Next.insert(Next.end(), Graph.Nodes[Input].Inputs.begin(), Graph.Nodes[Input].Inputs.end());
  }
  return std::ranges::all_of(variablesIn(Statement), [&](string_view Variable) {
    const auto Input = Graph.find(Variable);
    return !Input || Graph.Nodes[*Input].Kind != FxNodeKind::Placeholder || Taken.contains(*Input);
  });
}

} // namespace

std::string libraryCalledIn(string_view Line) {
  constexpr string_view Check = "AOTI_TORCH_ERROR_CODE_CHECK(";
  if (Line.starts_with(Check))
    Line.remove_prefix(Check.size());
  string_view Callee = trimmed(Line.substr(0, Line.find('(')));
  if (Callee.size() == Line.size())
    return {};
  if (const size_t Assigned = Callee.rfind("= "); Assigned != Callee.npos)
    Callee = Callee.substr(Assigned + 2);
  if (const string_view Name = shimmed(Callee); !Name.empty())
    return std::ranges::any_of(InPlaceShims,
                               [&](string_view Known) { return Name.starts_with(Known); })
               ? std::string(Callee)
               : std::string();
  if (Callee.starts_with(Extern) || Callee.starts_with(Aten) ||
      (Callee.starts_with(Ops) && Callee.substr(Ops.size()).starts_with(Aten)))
    return std::string(Callee);
  // A copy between devices is a call of a tensor's method.
  constexpr string_view Copy = ".copy_";
  return Callee.ends_with(Copy) && isIdentifier(Callee.substr(0, Callee.size() - Copy.size()))
             ? "aten.copy_"
             : "";
}

std::string operatorOfExtern(string_view Kernel) {
  if (const string_view Name = shimmed(Kernel); !Name.empty())
    return fmt::format("aten::{}", Name);
  if (Kernel.starts_with(Ops))
    Kernel.remove_prefix(Ops.size());
  else if (Kernel.starts_with(Extern)) {
    Kernel.remove_prefix(Extern.size());
    // Inductor's own wrapper calls addmm with the bias as one row.
    return fmt::format("aten::{}", Kernel == "bias_addmm" ? "addmm" : Kernel);
  }
  const size_t Dot = Kernel.find('.');
  if (Dot == Kernel.npos)
    return std::string(Kernel);
  const string_view Name = Kernel.substr(Dot + 1);
  return fmt::format("{}::{}", Kernel.substr(0, Dot), Name.substr(0, Name.find('.')));
}

bool runsOperator(string_view Kernel, string_view Operator) {
  if (operatorOfExtern(Kernel) == Operator)
    return true;
  const string_view Name = shimmed(Kernel), Bare = Operator.substr(Operator.rfind(':') + 1);
  return Name.starts_with(Bare) && Name.substr(Bare.size()).starts_with('_');
}

bool fallsBackToAten(string_view Kernel) {
  if (Kernel.starts_with(Ops))
    Kernel.remove_prefix(Ops.size());
  return Kernel.starts_with(Aten) || Kernel.starts_with(Shim);
}

std::map<uint32_t, uint32_t> nodesWithoutProvenance(const OutputCode &Code, const FxGraph &PostGrad,
                                                    const Provenance &Map) {
  std::map<uint32_t, uint32_t> Found;
  if (!Map.known())
    return Found;
  std::set<std::string_view> Placed; // nodes computed by library calls with provenance
  std::map<string_view, std::vector<uint32_t>> Calls;
  std::vector<std::string> Operators;
  Operators.reserve(Code.Calls.size()); // the keys of Calls point into them
  for (uint32_t Number = 0; Number < Code.Calls.size(); ++Number) {
    const CodeCall &Call = Code.Calls[Number];
    if (!Call.Extern)
      continue;
    if (const auto Nodes = Map.KernelToPost.find(fmt::format("{}:{}", Call.Kernel, Call.Handle));
        Nodes != Map.KernelToPost.end())
      Placed.insert(Nodes->second.begin(), Nodes->second.end());
    else if (!Call.Handle) {
      Operators.push_back(operatorOfExtern(Call.Kernel));
      Calls[familyOfKernel(Call.Kernel, Operators.back())].push_back(Number);
    }
  }
  for (const auto &[Family, Numbers] : Calls) {
    std::vector<uint32_t> Nodes;
    for (uint32_t Node = 0; Node < PostGrad.Nodes.size(); ++Node) {
      const std::vector<std::string> Own = eagerOps(PostGrad, Node);
      if (Own.size() == 1 && familyOf(Own[0]) == Family &&
          !Placed.contains(PostGrad.Nodes[Node].Name))
        Nodes.push_back(Node);
    }
    // Some of these nodes may have generated code.
    if (Nodes.size() > Numbers.size())
      std::erase_if(Nodes, [&](uint32_t Node) {
        return std::ranges::none_of(Numbers, [&](uint32_t Number) {
          return dependsOnInputsOf(PostGrad, Node, Code.Calls[Number].Statement);
        });
      });
    if (Nodes.size() == Numbers.size())
      for (size_t I = 0; I < Nodes.size(); ++I)
        Found[Numbers[I]] = Nodes[I];
  }
  return Found;
}

} // namespace seamscope::tools
