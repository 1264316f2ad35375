//===- PythonText.cpp - parsing of Python expressions ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/PythonText.h"
#include "torch/SourceLine.h"

namespace seamscope::tools {
namespace {

bool opens(char C) { return C == '(' || C == '[' || C == '{'; }
bool closes(char C) { return C == ')' || C == ']' || C == '}'; }

} // namespace

size_t endOfString(std::string_view Text, size_t At) {
  const char Quote = Text[At];
  for (++At; At < Text.size(); ++At) {
    if (Text[At] == '\\')
      ++At;
    else if (Text[At] == Quote)
      return At + 1;
  }
  return Text.size();
}

size_t findOutside(std::string_view Text, std::string_view Wanted, size_t From) {
  unsigned Depth = 0;
  for (size_t At = From; At < Text.size();) {
    const char C = Text[At];
    if (Depth == 0 && Text.substr(At).starts_with(Wanted))
      return At;
    if (C == '"' || C == '\'') {
      At = endOfString(Text, At);
      continue;
    }
    if (opens(C))
      ++Depth;
    else if (closes(C) && Depth)
      --Depth;
    ++At;
  }
  return Text.npos;
}

std::vector<std::string_view> splitOutside(std::string_view Text, std::string_view Separator) {
  std::vector<std::string_view> Parts;
  for (size_t Begin = 0;;) {
    const size_t End = findOutside(Text, Separator, Begin);
    Parts.push_back(Text.substr(Begin, End == Text.npos ? End : End - Begin));
    if (End == Text.npos)
      return Parts;
    Begin = End + Separator.size();
  }
}

size_t closingBracket(std::string_view Text, size_t Open) {
  unsigned Depth = 0;
  for (size_t At = Open; At < Text.size();) {
    const char C = Text[At];
    if (C == '"' || C == '\'') {
      At = endOfString(Text, At);
      continue;
    }
    if (opens(C))
      ++Depth;
    else if (closes(C) && --Depth == 0)
      return At;
    ++At;
  }
  return Text.npos;
}

std::vector<std::string_view> callArguments(std::string_view Text) {
  std::vector<std::string_view> Arguments;
  const size_t Open = Text.find('(');
  const size_t Close = Open == Text.npos ? Open : closingBracket(Text, Open);
  if (Close == Text.npos)
    return Arguments;
  for (const std::string_view Part : splitOutside(Text.substr(Open + 1, Close - Open - 1), ","))
    if (const std::string_view Argument = trimmed(Part); !Argument.empty())
      Arguments.push_back(Argument);
  return Arguments;
}

bool isIdentifier(std::string_view Text) {
  if (Text.empty() || !isIdentifierStart(Text[0]))
    return false;
  for (const char C : Text)
    if (!isIdentifierChar(C))
      return false;
  return true;
}

std::vector<std::string_view> variablesIn(std::string_view Text) {
  std::vector<std::string_view> Names;
  for (size_t At = 0; At < Text.size();) {
    const char C = Text[At];
    if (C == '"' || C == '\'') {
      At = endOfString(Text, At);
      continue;
    }
    if (!isIdentifierChar(C)) {
      ++At;
      continue;
    }
    const size_t Begin = At;
    while (At < Text.size() && isIdentifierChar(Text[At]))
      ++At;
    if (!isIdentifierStart(Text[Begin]) || (Begin && Text[Begin - 1] == '.'))
      continue;
    // `dtype = torch.float32` and `dtype=...` name an argument; `a == b` does not.
    size_t After = At;
    while (After < Text.size() && Text[After] == ' ')
      ++After;
    if (After < Text.size() && Text[After] == '=' && !Text.substr(After).starts_with("=="))
      continue;
    Names.push_back(Text.substr(Begin, At - Begin));
  }
  return Names;
}

} // namespace seamscope::tools
