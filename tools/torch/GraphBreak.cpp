//===- GraphBreak.cpp - graph breaks and recompilations of torch.compile --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/GraphBreak.h"
#include "trace/io/JsonParse.h"

#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

/// If \p Line begins with \p Start, removes it and the blanks after it.
bool takeStart(std::string_view &Line, std::string_view Start) {
  if (!Line.starts_with(Start))
    return false;
  Line = trimmed(Line.substr(Start.size()));
  return true;
}

/// Reads the "PATH:LINE" at the end of "Graph break in user code at PATH:LINE".
void readPlace(std::string_view Line, SourceLine &Where) {
  const size_t Colon = Line.rfind(':');
  if (Colon == Line.npos)
    return;
  if (const auto Number = parseUnsigned(Line.substr(Colon + 1))) {
    Where.File = Line.substr(0, Colon);
    Where.Line = *Number;
  }
}

FailedGuard guardOf(std::string_view Line) {
  // The form is "1/0: REASON"; the id consists of digits, slashes and marks of compiled autograd.
  const size_t Colon = Line.find(": ");
  if (Colon != Line.npos && Line.substr(0, Colon).find('/') != Line.npos &&
      Line.substr(0, Colon).find_first_not_of("0123456789/!_[]") == Line.npos)
    return {std::string(Line.substr(0, Colon)), std::string(trimmed(Line.substr(Colon + 2)))};
  return {"", std::string(Line)};
}

/// torch's hints write torch._dynamo.NAME = VALUE, which has no effect; inserts the missing
/// "config.".
std::string withConfig(std::string Hint) {
  constexpr std::string_view Module = "torch._dynamo.", Letters = "abcdefghijklmnopqrstuvwxyz_";
  for (size_t At = Hint.find(Module); At != Hint.npos; At = Hint.find(Module, At + 1)) {
    const size_t Name = At + Module.size(), End = Hint.find_first_not_of(Letters, Name);
    const size_t Next = End == Hint.npos ? End : Hint.find_first_not_of(' ', End);
    if (Next != Hint.npos && Hint[Next] == '=')
      Hint.insert(Name, "config.");
  }
  return Hint;
}

/// Whether a hint is for torch's developers.
bool isForTorch(std::string_view Hint) {
  return Hint.starts_with("Report an issue") || Hint.starts_with("Please report") ||
         Hint.find("Dynamo tracing rules") != Hint.npos;
}

} // namespace

std::string_view GraphBreak::action() const {
  const auto Found = std::ranges::find_if_not(Hints, isForTorch);
  return Found == Hints.end() ? std::string_view() : *Found;
}

GraphBreak parseGraphBreak(std::string_view Text) {
  GraphBreak Result;
  std::string Heading; // the text after "Reason:"; if it ends in ':', the next line has the reason
  bool AfterHeading = false;
  std::string_view Rest = Text;
  while (!Rest.empty()) {
    const std::string_view At = Rest;
    std::string_view Line = trimmed(takeLine(Rest));
    if (takeStart(Line, "Graph break in user code at ")) {
      readPlace(Line, Result.Where);
    } else if (takeStart(Line, "Graph Break Reason:") || takeStart(Line, "Reason:")) {
      Heading = Line;
      AfterHeading = true;
    } else if (takeStart(Line, "Explanation:")) {
      Result.Explanation = Line;
    } else if (takeStart(Line, "Hint:")) {
      Result.Hints.push_back(withConfig(std::string(Line)));
    } else if (Line.starts_with("User code traceback:")) {
      // The program's traceback ends at an empty line; torch's own follows.
      const size_t End = Rest.find("\n\n");
      Result.Stack = parseTraceback(Rest.substr(0, End));
      break;
    } else if (Line.starts_with("Traceback (most recent call last)")) {
      break;
    } else if (AfterHeading && !Line.empty() && Result.Reason.empty() && Heading.ends_with(':')) {
      Result.Reason = Line;
    } else if (!AfterHeading && At.data() == Text.data() && !Line.empty()) {
      Heading = Line; // unknown form: use its first line
    }
  }
  if (Result.Reason.empty())
    Result.Reason = Heading;
  for (auto Frame = Result.Stack.rbegin(); Frame != Result.Stack.rend(); ++Frame)
    if (Result.Where.File.empty() ||
        (Frame->File == Result.Where.File && Frame->Line == Result.Where.Line)) {
      Result.Where = *Frame;
      break;
    }
  return Result;
}

std::vector<FailedGuard> parseFailedGuards(std::string_view Text) {
  std::vector<FailedGuard> Guards;
  if (const auto List = parseJson(Text); List.is_array()) {
    for (const auto &Each : List)
      if (Each.is_string())
        Guards.push_back(guardOf(trimmed(Each.get_ref<const std::string &>())));
    return Guards;
  }
  while (!Text.empty()) {
    const std::string_view Line = trimmed(takeLine(Text));
    if (Line.empty())
      continue;
    FailedGuard Guard = guardOf(Line);
    // The lines of the program that caused a guard may follow it.
    if (Guards.empty() || Guards.front().Graph.empty() || !Guard.Graph.empty())
      Guards.push_back(std::move(Guard));
  }
  return Guards;
}

} // namespace seamscope::tools
