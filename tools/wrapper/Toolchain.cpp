//===- Toolchain.cpp - choice of compiler, plugin and linker ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Toolchain.h"
#include "Files.h"
#include "Report.h"

#include <cctype>
#include <cstdlib>
#include <dirent.h>

namespace seamscope::wrapper {
namespace {

/// The number at the start of \p Text, or 0.
int leadingNumber(std::string_view Text) {
  int Number = 0;
  for (const char C : Text) {
    if (!std::isdigit(static_cast<unsigned char>(C)) || Number > 9999)
      break;
    Number = Number * 10 + (C - '0');
  }
  return Number;
}

/// The number after the first \p Words in \p Text, or 0.
int numberAfter(std::string_view Text, std::string_view Words) {
  const size_t At = Text.find(Words);
  return At == std::string_view::npos ? 0 : leadingNumber(Text.substr(At + Words.size()));
}

bool isClangOrFlang(const std::string &Name) {
  return Name.starts_with("clang") || Name.starts_with("flang");
}

/// The major of a clang or flang, from a name like clang++-22, which costs nothing, else from its
/// --version. 0 if it is neither.
int majorOf(const std::string &Path) {
  const std::string Name = fileName(Path);
  const size_t Dash = Name.rfind('-');
  if (Dash != std::string::npos && isClangOrFlang(Name) && Dash + 1 < Name.size() &&
      Name.find_first_not_of("0123456789", Dash + 1) == std::string::npos)
    return leadingNumber(std::string_view(Name).substr(Dash + 1));
  const std::string Version = outputOf({Path, "--version"});
  for (const char *Words : {"clang version ", "flang version ", "flang-new version "})
    if (const int Major = numberAfter(Version, Words))
      return Major;
  return 0;
}

Compiler chosenByUser(const Installation &Here, const CompilerNames &Names, const char *Value,
                      bool Any) {
  const std::string Variable = Names.Variable, Family = Names.Family;
  Compiler Result;
  Result.Path = findProgram(Value);
  if (Result.Path.empty())
    fail(Variable + "='" + Value + "': no such program; name a " + Family);
  if (Any)
    return Result;
  Result.Major = majorOf(Result.Path);
  if (Result.Major == 0)
    fail(Variable + "='" + Value + "': not a " + Family + "; the installed plugins are for " +
         Family + " " + Here.majors());
  if (!Here.Plugins.contains(Result.Major))
    fail(Variable + "='" + Value + "' is " + Family + " " + std::to_string(Result.Major) +
         ", but the installed plugins are for " + Family + " " + Here.majors());
  return Result;
}

} // namespace

Installation Installation::find() {
  Installation Result;
  const std::string Program = realPath("/proc/self/exe");
  Result.LibraryFolder = realPath(parentPath(Program) + "/" SEAMSCOPE_LIBDIR_FROM_BINDIR);
  if (DIR *Dir = opendir(Result.LibraryFolder.c_str())) {
    while (const dirent *Entry = readdir(Dir)) {
      const std::string Name = Entry->d_name;
      const int Major = numberAfter(Name, "SeamscopePass-");
      if (Major && Name == "SeamscopePass-" + std::to_string(Major) + ".so")
        Result.Plugins[Major] = Result.LibraryFolder + "/" + Name;
    }
    closedir(Dir);
  }
  return Result;
}

std::string Installation::majors() const {
  std::string Text;
  size_t Left = Plugins.size();
  for (auto It = Plugins.rbegin(); It != Plugins.rend(); ++It, --Left) {
    if (!Text.empty())
      Text += Left == 1 ? " and " : ", ";
    Text += std::to_string(It->first);
  }
  return Text.empty() ? "none (no SeamscopePass-*.so in " + LibraryFolder + ")" : Text;
}

Compiler findCompiler(const Installation &Here, const CompilerNames &Names, bool Any) {
  if (const char *Value = getenv(Names.Variable); Value && *Value)
    return chosenByUser(Here, Names, Value, Any);

  const std::string Name = Names.Name, Family = Names.Family;
  for (auto It = Here.Plugins.rbegin(); It != Here.Plugins.rend(); ++It) {
    const std::string Major = std::to_string(It->first);
    for (const char *Called : {Names.Name, Names.Older})
      if (Called)
        for (const std::string &Candidate :
             {Called + ("-" + Major), "/usr/lib/llvm-" + Major + "/bin/" + Called})
          if (const std::string Path = findProgram(Candidate); !Path.empty())
            return {Path, It->first};
  }

  const std::string Plain = findProgram(Name);
  if (Any && !Plain.empty())
    return {Plain, 0};
  const std::string Wanted = "the installed plugins are for " + Family + " " + Here.majors() +
                             "; install one of those or name it with " + Names.Variable;
  if (Plain.empty())
    fail("no " + Name + " on PATH; " + Wanted);
  const int Major = majorOf(Plain);
  if (!Here.Plugins.contains(Major))
    fail(Plain + " is " + Family + " " + std::to_string(Major) + ", but " + Wanted);
  return {Plain, Major};
}

std::string findCompanion(const Compiler &Clang, const std::string &Name) {
  const std::string Real = realPath(Clang.Path);
  const std::string Sibling = findProgram(parentPath(Real) + "/" + Name);
  // A program that only starts the compiler, such as ccache, does not count.
  if (!Sibling.empty() && isClangOrFlang(fileName(Real)))
    return Sibling;
  if (const int Major = Clang.Major ? Clang.Major : majorOf(Clang.Path)) {
    const std::string Number = std::to_string(Major);
    for (const std::string &Candidate :
         {Name + "-" + Number, "/usr/lib/llvm-" + Number + "/bin/" + Name})
      if (const std::string Path = findProgram(Candidate); !Path.empty())
        return Path;
  }
  return Sibling.empty() ? findProgram(Name) : Sibling;
}

LinkerFeatures askLinker(const Compiler &Clang, const std::string &Name) {
  // Like clang: use a path unchanged, else find ld or ld.NAME next to the compiler, then on PATH.
  std::string Path = Name;
  if (Name.find('/') == std::string::npos) {
    const std::string Program = Name.empty() || Name == "ld" ? "ld" : "ld." + Name;
    Path = findProgram(parentPath(realPath(Clang.Path)) + "/" + Program);
    if (Path.empty())
      Path = findProgram(Program);
  }
  LinkerFeatures Result;
  Result.Program = Path;
  if (Path.empty())
    return Result; // clang reports the missing linker
  const std::string Version = outputOf({Path, "--version"});
  const std::string_view Line = std::string_view(Version).substr(0, Version.find('\n'));
  if (const size_t Lld = Line.find("LLD "); Lld != std::string_view::npos) {
    Result.StartStopGc = true;
    Result.LldMajor = leadingNumber(Line.substr(Lld + 4));
  } else if (Line.starts_with("GNU ld")) {
    // GNU ld (GNU Binutils for Debian) 2.40; the option came with 2.37.
    const size_t Blank = Line.rfind(' ');
    const std::string_view Number = Blank == std::string_view::npos ? "" : Line.substr(Blank + 1);
    const int Major = leadingNumber(Number);
    Result.StartStopGc = Major > 2 || (Major == 2 && numberAfter(Number, ".") >= 37);
  }
  return Result;
}

} // namespace seamscope::wrapper
