//===- DevicePeaks.cpp - peak rates of devices ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/DevicePeaks.h"

#include "trace/io/ByteSource.h"
#include "trace/io/JsonParse.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

/// The words of a name, in capitals: "NVIDIA A100-SXM4-80GB" becomes NVIDIA, A100, SXM4, 80GB.
std::vector<std::string> wordsOf(std::string_view Name) {
  std::vector<std::string> Words(1);
  for (const char C : Name) {
    if (std::isalnum(static_cast<unsigned char>(C)))
      Words.back() += static_cast<char>(std::toupper(static_cast<unsigned char>(C)));
    else if (!Words.back().empty())
      Words.emplace_back();
  }
  if (Words.back().empty())
    Words.pop_back();
  return Words;
}

bool contains(const std::vector<std::string> &Words, std::string_view Word) {
  return std::ranges::find(Words, Word) != Words.end();
}

constexpr ComputeUnit Fp64Unit{"fp64_tflops", "fp64", &DevicePeaks::Fp64},
    Fp64MatrixUnit{"fp64_matrix_tflops", "fp64 matrix", &DevicePeaks::Fp64Matrix},
    Fp32Unit{"fp32_tflops", "fp32", &DevicePeaks::Fp32},
    Tf32Unit{"tf32_tflops", "tf32 matrix", &DevicePeaks::Tf32},
    Fp16Unit{"fp16_tflops", "fp16 matrix", &DevicePeaks::Fp16Matrix},
    Bf16Unit{"bf16_tflops", "bf16 matrix", &DevicePeaks::Bf16Matrix},
    Fp8Unit{"fp8_tflops", "fp8 matrix", &DevicePeaks::Fp8Matrix};
constexpr ComputeUnit Units[] = {Fp64Unit, Fp64MatrixUnit, Fp32Unit, Tf32Unit,
                                 Fp16Unit, Bf16Unit,       Fp8Unit};

/// The member for \p Key in a peak file, or null.
double DevicePeaks::*memberOf(std::string_view Key) {
  if (Key == "dram_gb_per_s")
    return &DevicePeaks::DramGBPerS;
  const auto *Known = std::ranges::find(Units, Key, &ComputeUnit::Key);
  return Known == std::end(Units) ? nullptr : Known->TFlops;
}

} // namespace

std::span<const ComputeUnit> computeUnits() { return Units; }

const ComputeUnit *DevicePeaks::unit(OpWorkKind Kind, DType Compute,
                                     std::string_view KernelName) const {
  const bool Matrix = Kind == OpWorkKind::MatMul || Kind == OpWorkKind::Convolution ||
                      Kind == OpWorkKind::Attention;
  switch (Compute) {
  case DType::Float64:
    return Matrix && Fp64Matrix ? &Fp64MatrixUnit : &Fp64Unit;
  case DType::Float32:
    return Matrix && KernelName.find("tf32") != KernelName.npos ? &Tf32Unit : &Fp32Unit;
  case DType::Float16:
    return Matrix ? &Fp16Unit : &Fp32Unit;
  case DType::BFloat16:
    return Matrix ? &Bf16Unit : &Fp32Unit;
  case DType::Float8:
    return Matrix ? &Fp8Unit : &Fp32Unit;
  default:
    return nullptr;
  }
}

double DevicePeaks::tflops(OpWorkKind Kind, DType Compute, std::string_view KernelName) const {
  const ComputeUnit *Unit = unit(Kind, Compute, KernelName);
  return Unit ? this->*(Unit->TFlops) : 0;
}

PeakTable PeakTable::published() {
  PeakTable Table;
  Table.Published = {
#define PEAKS(WORDS, FP64, FP64M, FP32, TF32, FP16, BF16, FP8, DRAM, SOURCE)                       \
  {WORDS, FP64, FP64M, FP32, TF32, FP16, BF16, FP8, DRAM, SOURCE},
#include "work/DevicePeaks.def"
#undef PEAKS
  };
  return Table;
}

std::optional<Error> PeakTable::read(const std::string &Path) {
  const auto MakeError = [&](const std::string &Problem) {
    return Error{Path, {}, Problem + "; work.md shows a peak file"};
  };
  constexpr size_t Limit = 1 << 20;
  auto Source = ByteSource::open(Path);
  if (!Source)
    return Source.error();
  const std::string Text = (*Source)->text(Limit);
  if (Text.size() > Limit)
    return MakeError("the file is larger than 1 MiB");
  if (const Error *Failure = (*Source)->error())
    return *Failure;
  const nlohmann::json File = parseJson(Text);
  if (!File.is_object() || !File.contains("devices") || !File["devices"].is_array())
    return MakeError("the file is not a JSON object with \"devices\"");
  Found.clear();
  for (const nlohmann::json &Entry : File["devices"]) {
    if (!Entry.is_object() || !Entry.contains("name") || !Entry["name"].is_string())
      return MakeError("a device does not have a \"name\"");
    DevicePeaks &New = FromUser.emplace_back();
    New.Name = Entry["name"].get<std::string>();
    New.Source = Path;
    for (const auto &[Name, Value] : Entry.items()) {
      if (Name == "name")
        continue;
      double DevicePeaks::*Known = memberOf(Name);
      if (!Known)
        return MakeError(fmt::format("unknown key \"{}\" of \"{}\"", Name, New.Name));
      if (!Value.is_number() || Value.get<double>() <= 0)
        return MakeError(fmt::format("\"{}\" of \"{}\" is not a positive number", Name, New.Name));
      New.*Known = Value.get<double>();
    }
  }
  return std::nullopt;
}

const DevicePeaks *PeakTable::find(std::string_view DeviceName) const {
  auto Known = Found.find(DeviceName);
  if (Known == Found.end())
    Known = Found.emplace(DeviceName, search(DeviceName)).first;
  return Known->second;
}

const DevicePeaks *PeakTable::search(std::string_view DeviceName) const {
  const std::vector<std::string> Words = wordsOf(DeviceName);
  for (const DevicePeaks &Peaks : FromUser)
    if (wordsOf(Peaks.Name) == Words)
      return &Peaks;
  if (contains(Words, "LAPTOP") || contains(Words, "MIG") || contains(Words, "Q"))
    return nullptr;
  const DevicePeaks *Best = nullptr;
  size_t BestWords = 0;
  for (const DevicePeaks &Peaks : Published) {
    const std::vector<std::string> Needed = wordsOf(Peaks.Name);
    if (Needed.size() > BestWords &&
        std::ranges::all_of(Needed, [&](const std::string &W) { return contains(Words, W); })) {
      Best = &Peaks;
      BestWords = Needed.size();
    }
  }
  return Best;
}

} // namespace seamscope::tools
