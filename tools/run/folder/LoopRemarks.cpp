//===- LoopRemarks.cpp - which loops of a file clang vectorised, and why not -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/folder/LoopRemarks.h"

#include <algorithm>
#include <charconv>

namespace seamscope::tools {
namespace {

/// Takes the next line from \p Rest.
std::string_view takeLine(std::string_view &Rest) {
  const std::string_view Line = Rest.substr(0, Rest.find('\n'));
  Rest.remove_prefix(std::min(Line.size() + 1, Rest.size()));
  return Line;
}

/// A scalar without its quotes; inside single quotes a quote is doubled.
std::string scalar(std::string_view Text) {
  Text.remove_prefix(std::min(Text.find_first_not_of(' '), Text.size()));
  if (Text.size() < 2 || (Text.front() != '\'' && Text.front() != '"') ||
      Text.back() != Text.front())
    return std::string(Text);
  const char Quote = Text.front();
  std::string Plain;
  for (size_t I = 1; I + 1 < Text.size(); ++I) {
    Plain += Text[I];
    I += Quote == '\'' && Text[I] == Quote;
  }
  return Plain;
}

/// The value of \p Key in the place of a remark, "{ File: k.cpp, Line: 4, Column: 2 }".
std::string_view valueOf(std::string_view Place, std::string_view Key) {
  const size_t At = Place.find(Key);
  if (At == Place.npos)
    return {};
  Place.remove_prefix(At + Key.size());
  return Place.substr(0, Place.find_first_of(",}"));
}

struct Remark {
  std::string Kind, Name, Place, Text, Function;

  uint32_t line() const {
    uint32_t Line = 0;
    const std::string_view Digits = valueOf(Place, "Line: ");
    std::from_chars(Digits.data(), Digits.data() + Digits.size(), Line);
    return Line;
  }
  std::string file() const { return scalar(valueOf(Place, "File: ")); }
  bool isIn(std::string_view File) const {
    const std::string Path = file();
    return File.empty() || std::string_view(Path).substr(Path.rfind('/') + 1) == File;
  }
};

Remark readRemark(std::string_view Kind, std::string_view &Rest) {
  Remark Read{std::string(Kind), {}, {}, {}, {}};
  for (bool InPlace = false; !Rest.empty();) {
    const std::string_view Line = takeLine(Rest);
    if (Line.starts_with("..."))
      break;
    if (Line.starts_with("Name:"))
      Read.Name = scalar(Line.substr(5));
    if (Line.starts_with("Function:"))
      Read.Function = scalar(Line.substr(9));
    if (Line.starts_with("DebugLoc:") || InPlace) { // a long one continues on the next line
      Read.Place += Line;
      InPlace = Line.find('}') == Line.npos;
    } else if (const size_t Colon = Line.find(':');
               Line.starts_with("  - ") && Colon != Line.npos) {
      Read.Text += scalar(Line.substr(Colon + 1));
    }
  }
  return Read;
}

} // namespace

std::vector<LoopRemark> loopRemarks(std::string_view Yaml, std::string_view File) {
  constexpr std::string_view Begin = "--- !", Prefix = "loop not vectorized: ";
  // Reasons come before the remark that the loop was not vectorised. The reason of an instruction
  // has that instruction's line, maybe in a header, and comes before a more general one.
  std::vector<LoopRemark> Found;
  std::string Why;
  while (!Yaml.empty()) {
    const std::string_view Line = takeLine(Yaml);
    if (!Line.starts_with(Begin))
      continue;
    const Remark Of = readRemark(Line.substr(Begin.size()), Yaml);
    if (Of.Kind.starts_with("Analysis")) {
      if (Why.empty() && Of.Text.starts_with(Prefix))
        Why = Of.Text.substr(Prefix.size());
      continue;
    }
    const bool Vectorized = Of.Kind == "Passed" && Of.Name == "Vectorized";
    if ((Vectorized || Of.Kind == "Missed") && Of.isIn(File) && Of.line())
      Found.push_back({Of.line(), Vectorized, Vectorized ? "" : Why, File.empty() ? Of.file() : "",
                       File.empty() ? Of.Function : ""});
    Why.clear();
  }
  return Found;
}

std::string remarksBeside(std::string_view Source) {
  constexpr std::string_view Ending = ".cpp";
  if (!Source.ends_with(Ending))
    return {};
  return std::string(Source.substr(0, Source.size() - Ending.size())) + ".opt.yaml";
}

} // namespace seamscope::tools
