//===- DevicePeaks.cpp - what a device can do at most ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/DevicePeaks.h"

#include "trace/io/ByteSource.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

/// The words of a name, in capitals: "NVIDIA A100-SXM4-80GB" has NVIDIA, A100, SXM4, 80GB.
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

bool holds(const std::vector<std::string> &Words, std::string_view Word) {
  return std::ranges::find(Words, Word) != Words.end();
}

struct Key {
  const char *Name;
  double DevicePeaks::*Value;
};
constexpr Key Keys[] = {
    {"fp64_tflops", &DevicePeaks::Fp64},       {"fp64_matrix_tflops", &DevicePeaks::Fp64Matrix},
    {"fp32_tflops", &DevicePeaks::Fp32},       {"tf32_tflops", &DevicePeaks::Tf32},
    {"fp16_tflops", &DevicePeaks::Fp16Matrix}, {"bf16_tflops", &DevicePeaks::Bf16Matrix},
    {"fp8_tflops", &DevicePeaks::Fp8Matrix},   {"dram_gb_per_s", &DevicePeaks::DramGBPerS}};

} // namespace

double DevicePeaks::tflops(OpWorkKind Kind, DType Compute, std::string_view KernelName) const {
  const bool Matrix = Kind == OpWorkKind::MatMul || Kind == OpWorkKind::Convolution ||
                      Kind == OpWorkKind::Attention;
  switch (Compute) {
  case DType::Float64:
    return Matrix && Fp64Matrix ? Fp64Matrix : Fp64;
  case DType::Float32:
    return Matrix && KernelName.find("tf32") != KernelName.npos ? Tf32 : Fp32;
  case DType::Float16:
    return Matrix ? Fp16Matrix : Fp32;
  case DType::BFloat16:
    return Matrix ? Bf16Matrix : Fp32;
  case DType::Float8:
    return Matrix ? Fp8Matrix : Fp32;
  default:
    return 0;
  }
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
  const auto Wrong = [&](const std::string &What) {
    return Error{Path, {}, What + "; work.md shows a file of peaks"};
  };
  constexpr size_t Limit = 1 << 20;
  auto Source = ByteSource::open(Path);
  if (!Source)
    return Source.error();
  std::string Text;
  for (std::string_view Chunk; !(Chunk = (*Source)->chunk()).empty();) {
    Text += Chunk;
    (*Source)->take(Chunk.size());
    if (Text.size() > Limit)
      return Wrong("is larger than a table of devices is");
  }
  if (const Error *Failure = (*Source)->error())
    return *Failure;
  const nlohmann::json File = nlohmann::json::parse(Text, nullptr, false);
  if (!File.is_object() || !File.contains("devices") || !File["devices"].is_array())
    return Wrong("is no JSON object with \"devices\"");
  Found.clear();
  for (const nlohmann::json &Entry : File["devices"]) {
    if (!Entry.is_object() || !Entry.contains("name") || !Entry["name"].is_string())
      return Wrong("a device has no \"name\"");
    DevicePeaks &New = Given.emplace_back();
    New.Name = Entry["name"].get<std::string>();
    New.Source = Path;
    for (const auto &[Name, Value] : Entry.items()) {
      if (Name == "name")
        continue;
      const auto *Known = std::ranges::find_if(Keys, [&](const Key &K) { return Name == K.Name; });
      if (Known == std::end(Keys))
        return Wrong(fmt::format("\"{}\" of \"{}\" is no known key", Name, New.Name));
      if (!Value.is_number() || Value.get<double>() <= 0)
        return Wrong(fmt::format("\"{}\" of \"{}\" is no positive number", Name, New.Name));
      New.*(Known->Value) = Value.get<double>();
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
  for (const DevicePeaks &Peaks : Given)
    if (wordsOf(Peaks.Name) == Words)
      return &Peaks;
  if (holds(Words, "LAPTOP") || holds(Words, "MIG") || holds(Words, "Q"))
    return nullptr;
  const DevicePeaks *Best = nullptr;
  size_t BestWords = 0;
  for (const DevicePeaks &Peaks : Published) {
    const std::vector<std::string> Needed = wordsOf(Peaks.Name);
    if (Needed.size() > BestWords &&
        std::ranges::all_of(Needed, [&](const std::string &W) { return holds(Words, W); })) {
      Best = &Peaks;
      BestWords = Needed.size();
    }
  }
  return Best;
}

} // namespace seamscope::tools
