//===- LaunchNames.cpp - names of functions that launch --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "launch/LaunchNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace seamscope {
namespace {

constexpr LaunchApi Apis[] = {{"cudaLaunchKernel", 0},
                              {"cudaLaunchKernelExC", 1},
                              {"cudaLaunchCooperativeKernel", 0},
                              {"__cudaLaunchKernel", -1}, // nvcc, from 12.8 on
                              {"cudaGraphLaunch", -1},
                              {"cuLaunchKernel", -1},
                              {"cuLaunchKernelEx", -1},
                              {"cuLaunchCooperativeKernel", -1},
                              {"cuGraphLaunch", -1},
                              {"mgpuLaunchKernel", -1},
                              {"mgpuLaunchClusterKernel", -1}};

constexpr LaunchApi Templates[] = {{"cudaLaunchKernel", 0},
                                   {"cudaLaunchKernelEx", 1},
                                   {"cudaLaunchCooperativeKernel", 0},
                                   {"__cudaLaunchKernel_helper", 0}}; // by nvcc

constexpr StringLiteral StubPrefix = "__device_stub_";
constexpr StringLiteral WrapperPrefix = "__wrapper__device_stub_";

/// Removes an identifier and the length before it, as in a mangled name, from the start of \p Text
/// and returns the identifier.
std::optional<StringRef> takeIdentifier(StringRef &Text) {
  size_t Length = 0;
  StringRef Rest = Text;
  if (Rest.consumeInteger(10, Length) || !Length || Length > Rest.size())
    return std::nullopt;
  Text = Rest.drop_front(Length);
  return Rest.take_front(Length);
}

/// The position of the length that precedes an identifier with \p Prefix in a mangled name.
size_t findIdentifier(StringRef Symbol, StringRef Prefix) {
  size_t At = Symbol.find(Prefix);
  if (At == StringRef::npos)
    return At;
  while (At > 0 && isDigit(Symbol[At - 1]))
    --At;
  StringRef Rest = Symbol.drop_front(At);
  const std::optional<StringRef> Identifier = takeIdentifier(Rest);
  return Identifier && Identifier->starts_with(Prefix) ? At : StringRef::npos;
}

/// The kernel of the nvcc stub \p Identifier, which contains a mangled name without its first `_`.
std::optional<std::string> kernelOfNvccIdentifier(StringRef Identifier) {
  const std::string Symbol = Identifier.drop_front(StubPrefix.size()).str();
  if (!StringRef(Symbol).starts_with("_Z") || demangle(Symbol) == Symbol)
    return std::nullopt;
  return Symbol;
}

} // namespace

std::optional<LaunchApi> launchApi(StringRef Symbol) {
  // These suffixes mark variants that use the thread's own default stream.
  if (!Symbol.consume_back("_ptsz"))
    Symbol.consume_back("_spt");
  const auto *Found = find_if(Apis, [&](const LaunchApi &A) { return A.Name == Symbol; });
  return Found == std::end(Apis) ? std::nullopt : std::optional(*Found);
}

std::optional<LaunchApi> launchTemplate(StringRef Symbol) {
  if (!Symbol.consume_front("_Z"))
    return std::nullopt;
  const bool Inside = Symbol.consume_front("Z"); // a function in one of them
  Symbol.consume_front("L");
  const std::optional<StringRef> Identifier = takeIdentifier(Symbol);
  if (!Identifier)
    return std::nullopt;
  const auto *Found = find_if(Templates, [&](const LaunchApi &A) { return A.Name == *Identifier; });
  if (Found == std::end(Templates))
    return std::nullopt;
  return LaunchApi{Found->Name == "__cudaLaunchKernel_helper" ? "cudaLaunchKernel" : Found->Name,
                   Inside ? -1 : Found->Kernel};
}

std::optional<std::string> kernelOfStub(StringRef Symbol) {
  if (StringRef Plain = Symbol; Plain.consume_front(StubPrefix)) // extern "C"
    return Plain.consume_front("_") && !Plain.empty() ? std::optional(Plain.str()) : std::nullopt;
  const size_t At = findIdentifier(Symbol, StubPrefix);
  if (!Symbol.starts_with("_Z") || At == StringRef::npos)
    return std::nullopt;
  StringRef Rest = Symbol.drop_front(At);
  StringRef Identifier = *takeIdentifier(Rest);
  if (std::optional<std::string> Kernel = kernelOfNvccIdentifier(Identifier))
    return Kernel;
  if (!Identifier.consume_front(StubPrefix) || !Identifier.consume_front("_") || Identifier.empty())
    return std::nullopt;
  return (Symbol.take_front(At) + Twine(Identifier.size()) + Identifier + Rest).str();
}

bool isNvccStub(StringRef Symbol) {
  const size_t At = findIdentifier(Symbol, StubPrefix);
  if (At == StringRef::npos)
    return false;
  StringRef Rest = Symbol.drop_front(At);
  return kernelOfNvccIdentifier(*takeIdentifier(Rest)).has_value();
}

bool isNvccWrapper(StringRef Symbol) {
  return Symbol.starts_with("_Z") && findIdentifier(Symbol, WrapperPrefix) != StringRef::npos;
}

bool isCudaHeader(StringRef Path) {
  if (sys::path::filename(Path).starts_with("__clang_cuda_"))
    return true;
  // /usr/local/cuda-13.0/include/..., /opt/nvidia/hpc_sdk/.../cuda/13.0/targets/.../include/...,
  // site-packages/nvidia/cu13/include/...: a folder of CUDA, and an `include` folder below it.
  bool Toolkit = false;
  for (auto At = sys::path::begin(Path), End = sys::path::end(Path); At != End; ++At) {
    if (Toolkit && *At == "include")
      return true;
    StringRef Folder = *At;
    Toolkit |= *At == "nvidia" ||
               (Folder.consume_front("cuda") && (Folder.empty() || !isAlpha(Folder.front())));
  }
  return false;
}

} // namespace seamscope
