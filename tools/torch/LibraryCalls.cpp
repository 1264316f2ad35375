//===- LibraryCalls.cpp - library calls of compiled graphs ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/LibraryCalls.h"
#include "torch/PythonText.h"
#include "torch/SourceLine.h"

#include <algorithm>
#include <array>

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

bool isLibraryCall(string_view Kernel) {
  return Kernel.starts_with(Extern) || fallsBackToAten(Kernel);
}

bool fallsBackToAten(string_view Kernel) {
  if (Kernel.starts_with(Ops))
    Kernel.remove_prefix(Ops.size());
  return Kernel.starts_with(Aten) || Kernel.starts_with(Shim);
}

string_view operatorFamily(string_view Operator) {
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

string_view operatorFamilyOfExtern(string_view Kernel, string_view Operator) {
  if (shimmed(Kernel).empty())
    return operatorFamily(Operator);
  // The overload follows the name.
  for (const string_view Known : {"scatter_reduce", "scatter", "index_put", "bernoulli", "copy"})
    if (shimmed(Kernel).starts_with(Known))
      return Known;
  return operatorFamily(Operator);
}

} // namespace seamscope::tools
