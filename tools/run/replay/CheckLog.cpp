//===- CheckLog.cpp - kernels compared with eager mode, by a run's folder -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/replay/CheckLog.h"
#include "run/replay/JsonEntry.h"
#include "trace/io/InputFile.h"

#include <algorithm>
#include <filesystem>

namespace seamscope::tools {
namespace {

using namespace entry;

constexpr uint64_t LargestLog = 256u << 20;
constexpr uint64_t MostNumbers = uint64_t{1} << 48;

std::string optionalText(const Json &Of, const char *Key) {
  return Of.contains(Key) ? text(Of, Key) : std::string();
}

std::optional<double> optionalReal(const Json &Of, const char *Key) {
  const auto Found = Of.find(Key);
  if (Found == Of.end())
    return std::nullopt;
  if (!Found->is_number())
    throw Refusal{fmt::format("{} is not a number", Key)};
  return Found->get<double>();
}

/// A number of a tensor: JSON has no NaN and no infinity, which are texts.
std::string valueOf(const Json &Of, const char *Key) {
  const auto Found = Of.find(Key);
  if (Found == Of.end())
    return {};
  if (Found->is_string())
    return Found->get<std::string>();
  if (Found->is_number_float())
    return fmt::format("{:.9g}", Found->get<double>());
  if (!Found->is_number() && !Found->is_boolean())
    throw Refusal{fmt::format("{} is not a number", Key)};
  return Found->dump();
}

const Json &list(const Json &Of, const char *Key) {
  const Json &Found = member(Of, Key);
  if (!Found.is_array())
    throw Refusal{fmt::format("{} is not a list", Key)};
  return Found;
}

void readFirst(const Json &Entry, CheckedOutput &Into) {
  const Json &First = member(Entry, "first");
  if (!First.is_object())
    throw Refusal{"first is not an object"};
  for (const Json &Each : list(First, "index")) {
    if (!Each.is_number_unsigned())
      throw Refusal{"index has no number"};
    Into.Index.push_back(Each.get<uint64_t>());
  }
  Into.Value = valueOf(First, "value");
  Into.Eager = valueOf(First, "eager");
  Into.F64 = valueOf(First, "f64");
  const Json &Inputs = member(First, "inputs");
  if (!Inputs.is_object())
    throw Refusal{"inputs is not an object"};
  for (const auto &[Name, Ignored] : Inputs.items())
    Into.Inputs.emplace_back(Name, valueOf(Inputs, Name.c_str()));
}

CheckedOutput outputOf(const Json &Entry) {
  if (!Entry.is_object())
    throw Refusal{"an output is not an object"};
  CheckedOutput Result;
  Result.Buffer = text(Entry, "buffer");
  Result.Unknown = optionalText(Entry, "unknown");
  if (!Result.Unknown.empty())
    return Result;
  Result.Node = text(Entry, "node");
  Result.Target = text(Entry, "target");
  Result.Type = text(Entry, "dtype");
  Result.Numbers = 1;
  for (const Json &Size : list(Entry, "shape")) {
    const uint64_t Left = MostNumbers / std::max<uint64_t>(1, Result.Numbers);
    if (!Size.is_number_unsigned() || Size.get<uint64_t>() > Left)
      throw Refusal{"shape is larger than any tensor"};
    Result.Numbers *= Size.get<uint64_t>();
  }
  Result.Wrong = number(Entry, "wrong", Result.Numbers);
  Result.Differs = number(Entry, "differs", Result.Numbers);
  Result.MaxAbs = optionalReal(Entry, "max_abs");
  Result.MaxUlp = optionalReal(Entry, "max_ulp");
  Result.MaxRelF64 = optionalReal(Entry, "max_rel_f64");
  Result.EagerRelF64 = optionalReal(Entry, "eager_rel_f64");
  if (Result.Wrong) {
    readFirst(Entry, Result);
    Result.Culprit = optionalText(Entry, "operator");
    Result.CulpritTarget = optionalText(Entry, "operator_target");
    Result.Stack = optionalText(Entry, "stack");
  }
  return Result;
}

CheckedCall callOf(const Json &Entry) {
  CheckedCall Result;
  Result.Kernel = text(Entry, "kernel");
  Result.Graph = optionalText(Entry, "graph");
  Result.Process = number(Entry, "process", UINT32_MAX);
  Result.Number = number(Entry, "call", UINT32_MAX);
  Result.Unknown = optionalText(Entry, "unknown");
  if (!Result.Unknown.empty())
    return Result;
  for (const Json &Each : list(Entry, "outputs"))
    Result.Outputs.push_back(outputOf(Each));
  return Result;
}

void raise(std::optional<double> &To, const std::optional<double> &By) {
  if (By && (!To || *To < *By))
    To = By;
}

} // namespace

std::string checkLogIn(const std::string &Folder) {
  return (std::filesystem::path(Folder) / "checks.jsonl").string();
}

Result<CheckLog> readCheckLog(const std::string &Folder) {
  const auto Text = readRegular(checkLogIn(Folder), LargestLog);
  if (!Text)
    return Text.error();
  CheckLog Log;
  forEachLine(
      *Text, [&](const Json &Entry) { Log.Calls.push_back(callOf(Entry)); },
      [&](const Refusal &) { ++Log.NotRead; });
  return Log;
}

std::optional<bool> CheckedKernel::isOk() const {
  return Compared ? std::optional(Wrong == 0) : std::nullopt;
}

std::vector<CheckedKernel> checkedKernels(const CheckLog &Log) {
  std::vector<CheckedKernel> Found;
  for (const CheckedCall &Call : Log.Calls) {
    auto Its = std::ranges::find(Found, Call.Kernel, &CheckedKernel::Name);
    if (Its == Found.end())
      Its = Found.insert(Found.end(), CheckedKernel{.Name = Call.Kernel});
    ++Its->Calls;
    const auto NotCompared = [&](const std::string &Why) {
      ++Its->NotCompared;
      if (std::ranges::find(Its->Why, Why) == Its->Why.end())
        Its->Why.push_back(Why);
    };
    if (!Call.Unknown.empty())
      NotCompared(Call.Unknown);
    for (const CheckedOutput &Each : Call.Outputs) {
      if (!Each.Unknown.empty()) {
        NotCompared(Each.Unknown);
        continue;
      }
      ++Its->Compared;
      Its->Wrong += Each.Wrong;
      Its->Differs += Each.Differs;
      raise(Its->MaxAbs, Each.MaxAbs);
      raise(Its->MaxUlp, Each.MaxUlp);
      raise(Its->MaxRelF64, Each.MaxRelF64);
      raise(Its->EagerRelF64, Each.EagerRelF64);
    }
  }
  return Found;
}

std::pair<const CheckedCall *, const CheckedOutput *> firstWrong(const CheckLog &Log) {
  for (const CheckedCall &Call : Log.Calls)
    for (const CheckedOutput &Each : Call.Outputs)
      if (Each.Wrong)
        return {&Call, &Each};
  return {};
}

} // namespace seamscope::tools
