//===- CommandLine.cpp - reading of the compiler's arguments ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "Files.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace seamscope::wrapper {
namespace {

using std::string_view;

template <size_t N> bool contains(const std::array<string_view, N> &List, string_view Item) {
  return std::find(List.begin(), List.end(), Item) != List.end();
}

/// Options whose value is the next argument, which is not an input whatever it looks like.
constexpr auto WithValue = std::to_array<string_view>({"-o",
                                                       "-x",
                                                       "-I",
                                                       "-D",
                                                       "-U",
                                                       "-F",
                                                       "-L",
                                                       "-l",
                                                       "-T",
                                                       "-B",
                                                       "-A",
                                                       "-G",
                                                       "-b",
                                                       "-e",
                                                       "-u",
                                                       "-z",
                                                       "-include",
                                                       "-include-pch",
                                                       "-imacros",
                                                       "-isystem",
                                                       "-isystem-after",
                                                       "-iquote",
                                                       "-idirafter",
                                                       "-isysroot",
                                                       "-iprefix",
                                                       "-iwithprefix",
                                                       "-iwithprefixbefore",
                                                       "-iwithsysroot",
                                                       "-iframework",
                                                       "-iframeworkwithsysroot",
                                                       "-ivfsoverlay",
                                                       "-vfsoverlay",
                                                       "-cxx-isystem",
                                                       "-c-isystem",
                                                       "-stdlib++-isystem",
                                                       "-J",
                                                       "-module-dir",
                                                       "-MF",
                                                       "-MT",
                                                       "-MQ",
                                                       "-MJ",
                                                       "-Xclang",
                                                       "-Xclangas",
                                                       "-Xlinker",
                                                       "-Xassembler",
                                                       "-Xpreprocessor",
                                                       "-Xanalyzer",
                                                       "-Xopenmp-target",
                                                       "-Xcuda-fatbinary",
                                                       "-Xcuda-ptxas",
                                                       "-Xoffload-linker",
                                                       "-Xthinlto",
                                                       "-Xflang",
                                                       "-mllvm",
                                                       "-mmlir",
                                                       "-mthread-model",
                                                       "-meabi",
                                                       "-target",
                                                       "-arch",
                                                       "-framework",
                                                       "-rpath",
                                                       "-ftrapv-handler",
                                                       "-fmodules-user-build-path",
                                                       "-dumpdir",
                                                       "-dumpbase",
                                                       "-dumpbase-ext",
                                                       "-dependency-dot",
                                                       "-dependency-file",
                                                       "-module-dependency-dir",
                                                       "-resource-dir",
                                                       "-serialize-diagnostics",
                                                       "-working-directory",
                                                       "-ccc-install-dir",
                                                       "-ccc-gcc-name",
                                                       "-gen-cdb-fragment-path",
                                                       "-gcc-toolchain",
                                                       "-aux-info",
                                                       "-wrapper",
                                                       "-specs",
                                                       "--param",
                                                       "--sysroot",
                                                       "--config",
                                                       "--output",
                                                       "--include",
                                                       "--include-directory",
                                                       "--include-directory-after",
                                                       "--imacros",
                                                       "--define-macro",
                                                       "--undefine-macro",
                                                       "--language",
                                                       "--library-directory",
                                                       "--for-linker",
                                                       "--for-assembler",
                                                       "--prefix",
                                                       "--serialize-diagnostics",
                                                       "--dyld-prefix",
                                                       "--system-header-prefix",
                                                       "--no-system-header-prefix",
                                                       "--analyzer-output",
                                                       "--entry",
                                                       "--force-link"});

/// Prefixes of options of that kind.
constexpr auto WithValuePrefix =
    std::to_array<string_view>({"-Xarch_", "-Xopenmp-target=", "-Xoffload-linker-"});

/// Options that stop before the optimiser, or only query something.
constexpr auto Untouched = std::to_array<string_view>({"-E",
                                                       "-M",
                                                       "-MM",
                                                       "-fsyntax-only",
                                                       "-cc1",
                                                       "-cc1as",
                                                       "-fc1",
                                                       "-version",
                                                       "--version",
                                                       "-help",
                                                       "--help",
                                                       "--help-hidden",
                                                       "-dumpversion",
                                                       "-dumpmachine",
                                                       "-dumpspecs",
                                                       "--autocomplete",
                                                       "--analyze",
                                                       "--preprocess",
                                                       "--precompile",
                                                       "-emit-ast",
                                                       "-emit-pch",
                                                       "-emit-interface-stubs",
                                                       "-extract-api",
                                                       "-rewrite-objc",
                                                       "-rewrite-legacy-objc",
                                                       "-verify-pch",
                                                       "-fmodule-header"});

constexpr auto UntouchedPrefix = std::to_array<string_view>(
    {"-print-", "--print-", "-dump-", "--autocomplete=", "-fmodule-header="});

/// Files and `-x` languages that clang and flang optimise.
constexpr auto SourceSuffix = std::to_array<string_view>(
    {"c",    "i",   "C",   "cc",  "cp",  "cxx", "cpp", "CPP", "c++", "CC",  "CXX",  "ii",   "m",
     "mi",   "mii", "mm",  "M",   "MM",  "ll",  "bc",  "cu",  "cui", "hip", "hipi", "cppm", "cxxm",
     "c++m", "ccm", "ixx", "ccp", "iim", "pcm", "ast", "f",   "for", "ftn", "fpp",  "f77",  "f90",
     "f95",  "f03", "f08", "F",   "FOR", "FTN", "FPP", "F77", "F90", "F95", "F03",  "F08",  "i90"});
constexpr auto SourceLanguage = std::to_array<string_view>({"c",
                                                            "cpp-output",
                                                            "c++",
                                                            "c++-cpp-output",
                                                            "c++-module",
                                                            "c++-module-cpp-output",
                                                            "objective-c",
                                                            "objective-c-cpp-output",
                                                            "objective-c++",
                                                            "objective-c++-cpp-output",
                                                            "objc-cpp-output",
                                                            "objc++-cpp-output",
                                                            "ir",
                                                            "cuda",
                                                            "cuda-cpp-output",
                                                            "hip",
                                                            "hip-cpp-output",
                                                            "pcm",
                                                            "ast",
                                                            "f95",
                                                            "f95-cpp-input"});
constexpr auto HeaderSuffix =
    std::to_array<string_view>({"h", "H", "hh", "hp", "hpp", "hxx", "h++", "HPP"});
/// The text after the last dot in the file's name.
string_view suffixOf(string_view Path) {
  const size_t Slash = Path.rfind('/');
  const string_view Name = Slash == string_view::npos ? Path : Path.substr(Slash + 1);
  const size_t Dot = Name.rfind('.');
  return Dot == string_view::npos ? string_view() : Name.substr(Dot + 1);
}

/// Whether \p Option belongs to a group of which the last one decides how much debug information
/// clang emits. -gz, -gcolumn-info and similar options only change its form.
bool decidesDebug(string_view Option) {
  if (!Option.starts_with("-g"))
    return false;
  static constexpr auto Exact = std::to_array<string_view>(
      {"-g", "-g0", "-g1", "-g2", "-g3", "-gfull", "-gused", "-gline-tables-only", "-gmlt",
       "-gline-directives-only", "-gcodeview", "-gsplit-dwarf", "-gmodules", "-glldb", "-gsce",
       "-gdbx", "-gN"});
  return contains(Exact, Option) || Option.starts_with("-ggdb") ||
         (Option.starts_with("-gdwarf") && Option != "-gdwarf32" && Option != "-gdwarf64" &&
          !Option.starts_with("-gdwarf-aranges"));
}

class Reader {
public:
  explicit Reader(CommandLine &Result) : Result(Result) {}

  void read(const std::vector<std::string> &Args) {
    scan(Args, 0);
    finish();
  }

private:
  void scan(const std::vector<std::string> &Args, unsigned Nesting);
  void option(string_view Option);
  void value(string_view Option, string_view Value);
  void input(const std::string &Path);
  void linkerOption(string_view Option);
  void finish();

  CommandLine &Result;
  std::string Pending;  ///< the option whose value follows, maybe in another response file
  std::string Language; ///< the last -x; empty: by suffix
  bool OnlyInputs = false;
  bool Stops = false;       ///< -c or -S
  bool Relocatable = false; ///< -r
  bool Untouchable = false;
  bool Headers = false;
  bool Inputs = false;
};

void Reader::scan(const std::vector<std::string> &Args, unsigned Nesting) {
  for (const std::string &Arg : Args) {
    if (!Pending.empty()) {
      value(Pending, Arg);
      Pending.clear();
      continue;
    }
    if (Arg.size() > 1 && Arg[0] == '@') {
      // clang keeps an argument that does not name a readable file, so a response file that
      // includes itself ends in an error by clang.
      std::string Text;
      if (Nesting < 16 && readFile(Arg.substr(1), Text)) {
        scan(splitResponseFile(Text), Nesting + 1);
        continue;
      }
    }
    if (OnlyInputs || Arg == "-" || (!Arg.empty() && Arg[0] != '-'))
      input(Arg);
    else if (Arg == "--")
      OnlyInputs = true;
    else if (!Arg.empty())
      option(Arg);
  }
}

void Reader::option(string_view Option) {
  const auto StartsLike = [&](string_view Prefix) { return Option.starts_with(Prefix); };
  if (contains(WithValue, Option) ||
      std::any_of(WithValuePrefix.begin(), WithValuePrefix.end(), StartsLike)) {
    Pending = Option;
    return;
  }
  if (contains(Untouched, Option) ||
      std::any_of(UntouchedPrefix.begin(), UntouchedPrefix.end(), StartsLike)) {
    Untouchable = true;
    return;
  }

  if (Option == "-c" || Option == "-S" || Option == "--compile" || Option == "--assemble")
    Stops = true;
  else if (Option == "-r")
    Relocatable = true;
  else if (Option == "-static" || Option == "--static" || Option == "-static-pie")
    Result.Static = true;
  else if (Option == "-flto" || StartsLike("-flto="))
    Result.Lto = Option != "-flto=none";
  else if (Option == "-fno-lto")
    Result.Lto = false;
  else if (StartsLike("-fuse-ld="))
    Result.Linker = Option.substr(9);
  else if (StartsLike("--ld-path="))
    Result.Linker = Option.substr(10);
  else if (StartsLike("-fpass-plugin=") && Option.find("SeamscopePass-") != string_view::npos)
    Result.HasPlugin = true;
  else if (StartsLike("-x"))
    value("-x", Option.substr(2));
  else if (StartsLike("--language="))
    value("-x", Option.substr(11));
  else if (StartsLike("-l"))
    Inputs = true;
  else if (StartsLike("-Wl,"))
    for (size_t Begin = 4; Begin <= Option.size();) {
      const size_t End = std::min(Option.find(',', Begin), Option.size());
      linkerOption(Option.substr(Begin, End - Begin));
      Begin = End + 1;
    }
  else if (decidesDebug(Option))
    Result.HasDebug = true;
}

void Reader::value(string_view Option, string_view Value) {
  if (Option == "-x" || Option == "--language")
    Language = Value == "none" ? "" : Value;
  else if (Option == "-l")
    Inputs = true;
  else if (Option == "-include" || Option == "-include-pch")
    Result.Includes = true;
  else if (Option == "-Xlinker" || Option == "--for-linker")
    linkerOption(Value);
}

void Reader::linkerOption(string_view Option) {
  Inputs = true;
  if (Option == "-r" || Option == "--relocatable" || Option == "-i")
    Relocatable = true;
}

void Reader::input(const std::string &Path) {
  Inputs = true;
  const string_view Suffix = suffixOf(Path);
  if (Language.empty() ? contains(HeaderSuffix, Suffix) : Language.ends_with("-header")) {
    Headers = true;
    return;
  }
  if (Language.empty() ? contains(SourceSuffix, Suffix) : contains(SourceLanguage, Language))
    Result.Sources.push_back(Path);
}

void Reader::finish() {
  Result.Precompiles = !Untouchable && Headers && Result.Sources.empty();
  Result.PassThrough = Untouchable || !Inputs || Result.Precompiles;
  if (Result.PassThrough)
    return;
  Result.Compiles = !Result.Sources.empty();
  Result.Links = !Stops && !Relocatable;
}

} // namespace

CommandLine readCommandLine(const std::vector<std::string> &Args) {
  CommandLine Result;
  Reader(Result).read(Args);
  return Result;
}

std::vector<std::string> splitResponseFile(const std::string &Text) {
  std::vector<std::string> Words;
  std::string Word;
  char Quote = 0;
  const auto EndWord = [&] {
    // As in clang, an empty quoted word vanishes.
    if (!Word.empty())
      Words.push_back(std::move(Word));
    Word.clear();
  };
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (C == '\\' && I + 1 < Text.size())
      Word += Text[++I];
    else if (Quote && C == Quote)
      Quote = 0;
    else if (Quote)
      Word += C;
    else if (C == '\'' || C == '"')
      Quote = C;
    else if (C == ' ' || C == '\t' || C == '\r' || C == '\n')
      EndWord();
    else
      Word += C;
  }
  EndWord();
  return Words;
}

} // namespace seamscope::wrapper
