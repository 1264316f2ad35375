//===- SourceLine.cpp - a line of a Python program ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/SourceLine.h"

#include <charconv>

namespace seamscope::tools {

std::optional<uint32_t> parseUnsigned(std::string_view Text) {
  uint32_t Value = 0;
  const auto [End, Failed] = std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Text.empty() || Failed != std::errc() || End != Text.data() + Text.size())
    return std::nullopt;
  return Value;
}

std::string_view takeLine(std::string_view &Text) {
  const size_t End = Text.find('\n');
  const std::string_view Line = Text.substr(0, End);
  Text.remove_prefix(End == Text.npos ? Text.size() : End + 1);
  return Line;
}

std::string_view trimmed(std::string_view Text) {
  constexpr std::string_view Blanks = " \t\r\n";
  const size_t Begin = Text.find_first_not_of(Blanks);
  if (Begin == Text.npos)
    return {};
  return Text.substr(Begin, Text.find_last_not_of(Blanks) - Begin + 1);
}

std::optional<SourceLine> parseGraphComment(std::string_view Text) {
  constexpr std::string_view Start = "File: ", Code = ", code: ", In = " in ";
  Text = trimmed(Text);
  if (!Text.starts_with(Start))
    return std::nullopt;
  Text.remove_prefix(Start.size());
  SourceLine Result;
  if (const size_t At = Text.find(Code); At != Text.npos) {
    Result.Code = trimmed(Text.substr(At + Code.size()));
    Text = Text.substr(0, At);
  }
  if (const size_t At = Text.rfind(In); At != Text.npos) {
    Result.Function = Text.substr(At + In.size());
    Text = Text.substr(0, At);
  }
  const size_t Colon = Text.rfind(':');
  if (Colon == Text.npos)
    return std::nullopt;
  const auto Number = parseUnsigned(Text.substr(Colon + 1));
  if (!Number)
    return std::nullopt;
  Result.Line = *Number;
  Result.File = Text.substr(0, Colon);
  return Result;
}

std::vector<SourceLine> parseTraceback(std::string_view Text) {
  constexpr std::string_view Start = "File \"", Middle = "\", line ", In = ", in ";
  std::vector<SourceLine> Frames;
  bool CodeNext = false;
  while (!Text.empty()) {
    std::string_view Line = trimmed(takeLine(Text));
    if (!Line.starts_with(Start)) {
      if (CodeNext)
        Frames.back().Code = Line;
      CodeNext = false;
      continue;
    }
    CodeNext = false;
    Line.remove_prefix(Start.size());
    const size_t Quote = Line.rfind(Middle);
    if (Quote == Line.npos)
      continue;
    SourceLine Frame;
    Frame.File = Line.substr(0, Quote);
    Line.remove_prefix(Quote + Middle.size());
    const size_t Comma = Line.find(In);
    if (Comma != Line.npos)
      Frame.Function = Line.substr(Comma + In.size());
    const auto Number = parseUnsigned(Line.substr(0, Comma));
    if (!Number)
      continue;
    Frame.Line = *Number;
    Frames.push_back(std::move(Frame));
    CodeNext = true;
  }
  return Frames;
}

} // namespace seamscope::tools
