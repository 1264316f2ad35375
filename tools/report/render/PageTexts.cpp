//===- PageTexts.cpp - the texts of a page, each stored once -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/PageTexts.h"

#include "trace/io/JsonText.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace seamscope::tools {
namespace {

unsigned char folded(char C) {
  return static_cast<unsigned char>(C >= 'A' && C <= 'Z' ? C - 'A' + 'a' : C);
}

bool isBefore(std::string_view A, std::string_view B) {
  // Names of templates share long beginnings.
  const size_t Common = std::min(A.size(), B.size());
  for (size_t I = 0; I < Common; ++I)
    if (A[I] != B[I] && folded(A[I]) != folded(B[I]))
      return folded(A[I]) < folded(B[I]);
  return A.size() != B.size() ? A.size() < B.size() : A < B;
}

/// Invalid UTF-8 is replaced, as JSON's writer does.
std::string asUtf8(std::string_view Text) { return nlohmann::json::parse(quotedText(Text)); }

bool isAscii(std::string_view Text) {
  return std::ranges::all_of(Text, [](char C) { return static_cast<unsigned char>(C) < 0x80; });
}

} // namespace

void PageTexts::add(std::string_view Text, bool Lives) {
  if (Numbers.contains(Text))
    return;
  if (!Lives)
    Text = Owned.emplace_back(Text);
  Numbers.emplace(Text, 0);
  Sorted.push_back(Text);
}

void PageTexts::sort() {
  std::ranges::sort(Sorted, isBefore);
  for (size_t I = 0; I < Sorted.size(); ++I)
    Numbers[Sorted[I]] = static_cast<uint32_t>(I);
}

void PageTexts::write(PackedWriter &To) const {
  const auto Each = [&](auto Use) {
    for (const std::string_view Text : Sorted)
      if (isAscii(Text))
        Use(Text);
      else
        Use(std::string_view(asUtf8(Text)));
  };
  std::string Bytes;
  const auto Flush = [&](size_t Most) {
    if (Bytes.size() < Most)
      return;
    To.add(Bytes);
    Bytes.clear();
  };
  constexpr size_t Piece = 1 << 16;
  Each([&](std::string_view Text) {
    addVarint(Bytes, Text.size());
    Flush(Piece);
  });
  Each([&](std::string_view Text) {
    Bytes += Text;
    Flush(Piece);
  });
  Flush(0);
}

} // namespace seamscope::tools
