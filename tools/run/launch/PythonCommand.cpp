//===- PythonCommand.cpp - does a command start Python? -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/launch/PythonCommand.h"

#include "trace/io/InputFile.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

/// How much of a script is read.
constexpr size_t LookedAt = 64 << 10;

std::string_view baseName(std::string_view Word) {
  const size_t Slash = Word.rfind('/');
  return Slash == Word.npos ? Word : Word.substr(Slash + 1);
}

bool namesPython(std::string_view Word) {
  const std::string_view Name = baseName(Word);
  return Name.starts_with("python") || Name == "pytest" || Name == "torchrun" || Name == "ipython";
}

/// Whether any word of a line or script does.
bool anyNamesPython(std::string_view Text) {
  constexpr std::string_view Between = " \t\r\n;&|()'\"`=";
  while (!Text.empty()) {
    const size_t Begin = Text.find_first_not_of(Between);
    if (Begin == Text.npos)
      break;
    Text.remove_prefix(Begin);
    const size_t End = Text.find_first_of(Between);
    if (namesPython(Text.substr(0, End)))
      return true;
    Text.remove_prefix(End == Text.npos ? Text.size() : End);
  }
  return false;
}

/// The beginning of a file that is text; empty otherwise.
std::string beginningOf(const std::string &Path) {
  const auto File = openRegular(Path);
  std::string Text(LookedAt, '\0');
  const int64_t Size = File ? readUpTo(File->number(), Text.data(), Text.size()) : 0;
  Text.resize(static_cast<size_t>(std::max<int64_t>(Size, 0)));
  return Text.find('\0') == Text.npos ? Text : std::string();
}

bool isShell(std::string_view Name) {
  constexpr std::array<std::string_view, 5> Shells = {"sh", "bash", "dash", "zsh", "ksh"};
  for (const std::string_view Shell : Shells)
    if (Name == Shell)
      return true;
  return false;
}

} // namespace

std::string findProgram(const std::string &Name) {
  if (Name.find('/') != Name.npos)
    return Name;
  const char *Path = std::getenv("PATH");
  for (std::string_view Rest = Path ? Path : ""; !Rest.empty();) {
    const size_t End = Rest.find(':');
    const std::string Candidate = std::string(Rest.substr(0, End)) + "/" + Name;
    std::error_code Failed;
    if (fs::is_regular_file(Candidate, Failed))
      return Candidate;
    Rest.remove_prefix(End == Rest.npos ? Rest.size() : End + 1);
  }
  return Name;
}

bool startsPython(const std::vector<std::string> &Command) {
  if (Command.empty())
    return false;
  // `env A=1 python`, `nice python`, `sh -c "python x.py"`.
  for (const std::string &Word : Command)
    if (anyNamesPython(Word))
      return true;
  const std::string Script = beginningOf(findProgram(Command[0]));
  if (Script.starts_with("#!")) {
    const std::string_view First = std::string_view(Script).substr(2, Script.find('\n'));
    if (anyNamesPython(First))
      return true;
    const size_t Blank = First.find_first_of(" \n");
    const std::string_view Interpreter = baseName(First.substr(0, Blank));
    if (isShell(Interpreter) || Interpreter == "env")
      return anyNamesPython(Script);
  }
  if (isShell(baseName(Command[0])) && Command.size() > 1)
    return anyNamesPython(beginningOf(Command[1]));
  return false;
}

} // namespace seamscope::tools
