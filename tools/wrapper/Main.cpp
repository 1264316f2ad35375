//===- Main.cpp - seamscope-clang, seamscope-clang++, seamscope-flang ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the real clang or flang with the plugin, line tables and the runtime added. The user's
// arguments stay unchanged and in order. Added options that the user's may override come first,
// libraries last.
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "Files.h"
#include "Inductor.h"
#include "PassSettings.h"
#include "Report.h"
#include "Timed.h"
#include "Toolchain.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace seamscope::wrapper {

std::string ProgramName = "seamscope-clang";

void warn(const std::string &Message) {
  std::string Line = ProgramName + ": " + Message;
  for (char &C : Line)
    if (static_cast<unsigned char>(C) < 0x20 || C == 0x7f)
      C = '?';
  Line += '\n';
  if (write(STDERR_FILENO, Line.data(), Line.size()) < 0)
    return; // stderr is closed
}

void fail(const std::string &Message) {
  warn(Message);
  exit(1);
}

namespace {

enum class Setting { On, Off, Show };

Setting settingFromEnvironment() {
  const char *Value = getenv("SEAMSCOPE_WRAPPER");
  if (!Value || !*Value || !strcmp(Value, "on") || !strcmp(Value, "1"))
    return Setting::On;
  if (!strcmp(Value, "off") || !strcmp(Value, "0"))
    return Setting::Off;
  if (!strcmp(Value, "show"))
    return Setting::Show;
  fail(std::string("SEAMSCOPE_WRAPPER='") + Value + "': use on, off or show");
}

/// Prints the command quoted for a shell.
void show(const std::vector<std::string> &Command) {
  std::string Line;
  for (const std::string &Arg : Command) {
    Line += Line.empty() ? "" : " ";
    if (!Arg.empty() && Arg.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                              "0123456789_-+=./,:@%") == std::string::npos) {
      Line += Arg;
      continue;
    }
    Line += '\'';
    for (const char C : Arg)
      Line += C == '\'' ? std::string("'\\''") : std::string(1, C);
    Line += '\'';
  }
  warn(Line);
}

[[noreturn]] void run(const std::vector<std::string> &Command, const CommandLine &Line,
                      Setting How) {
  if (How == Setting::Show)
    show(Command);
  const std::string Times = compilerTimesFile();
  if (Times.empty() || Line.PassThrough || Line.Sources.empty())
    become(Command);
  runTimed(Command, Line.Sources.front(), Times);
}

/// Inductor caches precompiled headers by content. clang checks the files' times and would refuse
/// one after torch was installed again; this option makes it compare the content too.
constexpr const char *PchByContent = "-fpch-validate-input-files-content";

/// Makes clang write, next to Inductor's HASH.main.cpp, which of its loops it vectorised and why
/// not the others; `seamscope run` keeps that file with the source. The code does not change.
void addRemarks(const std::string &Source, std::vector<std::string> &Options) {
  Options.insert(
      Options.end(),
      {"-fsave-optimization-record=yaml", "-foptimization-record-passes=^loop-vectorize$",
       "-foptimization-record-file=" + Source.substr(0, Source.rfind('.')) + ".opt.yaml"});
}

/// Appends a setting to SEAMSCOPE_PASS, after the user's.
void addPassOption(const std::string &Option) {
  const char *Old = getenv("SEAMSCOPE_PASS");
  setenv("SEAMSCOPE_PASS", (Old && *Old ? Old + (";" + Option) : Option).c_str(), 1);
}

void addCompileOptions(const CommandLine &Line, const Compiler &Clang, const std::string &Plugin,
                       std::vector<std::string> &Options) {
  // If the wrapper runs ccache as the compiler, ccache must hash the settings, which are not in a
  // file that it reads. clang ignores -frandom-seed; a -D would not count where ccache hashes
  // preprocessed code.
  const bool ByCcache = fileName(realPath(Clang.Path)) == "ccache";
  if (ByCcache)
    Options.push_back("-frandom-seed=" + settingsHash(Clang, Plugin));
  else
    warnIfCcacheIgnoresSettings();
  // If a file is compiled for host and device, both compilations load the plugin: the pass
  // recognises device code.
  if (!Line.HasPlugin)
    Options.push_back("-fpass-plugin=" + Plugin);
  if (!Line.HasDebug)
    Options.push_back("-gline-tables-only");
  if (Line.Includes)
    Options.push_back(PchByContent);
  for (const std::string &Source : Line.Sources)
    if (const std::string Name = inductorKernelName(Source); !Name.empty()) {
      addPassOption("rename=kernel:" + Name);
      if (!ByCcache && !Line.Lto) // ccache does not cache additional output files
        addRemarks(Source, Options);
      break;
    }
}

/// Adds an option for the linker, with -Xlinker if \p Value contains a comma.
void addLinkerOption(std::vector<std::string> &Options, const std::string &Name,
                     const std::string &Value) {
  if (Value.find(',') == std::string::npos) {
    Options.push_back("-Wl," + Name + (Name.ends_with('=') ? "" : ",") + Value);
  } else if (Name.ends_with('=')) {
    Options.insert(Options.end(), {"-Xlinker", Name + Value});
  } else {
    Options.insert(Options.end(), {"-Xlinker", Name, "-Xlinker", Value});
  }
}

void addLinkOptions(const CommandLine &Line, const Installation &Here, const LinkerFeatures &Linker,
                    std::vector<std::string> &Options) {
  // --as-needed keeps the library list of programs without instrumented code, such as feature
  // tests, unchanged.
  Options.push_back("-L" + Here.LibraryFolder);
  Options.insert(Options.end(), {"-Wl,--push-state,--as-needed", "-lseamscope", "-Wl,--pop-state"});
  addLinkerOption(Options, "-rpath", Here.LibraryFolder);
  if (Linker.StartStopGc)
    Options.push_back("-Wl,-z,start-stop-gc");
  // With lto=link, the plugin for lld instruments the code in the link.
  if (const auto It = Here.Plugins.find(Linker.LldMajor); Line.Lto && It != Here.Plugins.end())
    addLinkerOption(Options, "--load-pass-plugin=", It->second);
}

/// Everything after "--" is an input, but options are added later. So drops the "--" and writes an
/// input that looks like an option with its folder.
void addUserArguments(const std::vector<std::string> &Args, std::vector<std::string> &Command) {
  bool OnlyInputs = false;
  for (const std::string &Arg : Args) {
    if (!OnlyInputs && Arg == "--")
      OnlyInputs = true;
    else if (OnlyInputs && !Arg.empty() && Arg[0] == '-' && Arg != "-")
      Command.push_back("./" + Arg);
    else
      Command.push_back(Arg);
  }
}

/// Runs a tool that CMake and others derive from the compiler's name, such as `seamscope-llvm-ar`
/// for `seamscope-clang++`: the one of the clang in use, else the system's. Returns if this is the
/// compiler.
void runCompanion(const std::vector<std::string> &Args, const Installation &Here) {
  struct Companion {
    const char *Name, *Else;
  };
  for (const auto &[Name, Else] : {Companion{"llvm-ar", "ar"}, Companion{"llvm-ranlib", "ranlib"},
                                   Companion{"clang-scan-deps", ""}}) {
    if (!ProgramName.ends_with(Name))
      continue;
    const char *OfCxx = getenv("SEAMSCOPE_CLANGXX");
    const Compiler Clang = findCompiler(Here, OfCxx && *OfCxx ? ForCxx : ForC, /*Any=*/true);
    std::string Path = findCompanion(Clang, Name);
    if (Path.empty() && *Else)
      Path = findProgram(Else);
    if (Path.empty())
      fail(std::string("no ") + Name + " next to " + realPath(Clang.Path) + " or on PATH");
    std::vector<std::string> Command{Path};
    Command.insert(Command.end(), Args.begin(), Args.end());
    become(Command);
  }
}

int main(int Argc, char **Argv) {
  // If SIGCHLD is ignored, waitpid cannot return how the compiler ended.
  signal(SIGCHLD, SIG_DFL);
  ProgramName = Argc > 0 && *Argv[0] ? fileName(Argv[0]) : ProgramName;
  const CompilerNames &Names = ProgramName.ends_with("flang")     ? ForFortran
                               : ProgramName.ends_with("clang++") ? ForCxx
                                                                  : ForC;
  const std::vector<std::string> Args(Argv + (Argc > 0), Argv + Argc);
  const Installation Here = Installation::find();
  runCompanion(Args, Here);
  if (Args == std::vector<std::string>{PrintKeyOption}) {
    const Compiler Clang = findCompiler(Here, Names, Here.Plugins.empty());
    const auto Plugin = Here.Plugins.find(Clang.Major);
    const std::string Text =
        settingsText(Clang, Plugin == Here.Plugins.end() ? "" : Plugin->second);
    return fwrite(Text.data(), 1, Text.size(), stdout) == Text.size() && !fflush(stdout) ? 0 : 1;
  }
  const Setting How = settingFromEnvironment();

  CommandLine Line;
  if (How != Setting::Off)
    Line = readCommandLine(Args);
  bool AddNothing = How == Setting::Off || Line.PassThrough || (!Line.Compiles && !Line.Links);
  if (!AddNothing && Line.Static && Line.Links) {
    warn(std::string("-static: ") + (Line.Compiles ? "not instrumented" : "nothing is recorded") +
         ", because libseamscope is a shared library; link without -static");
    AddNothing = true;
  }
  if (!AddNothing && Here.Plugins.empty())
    fail("no pass plugin (SeamscopePass-*.so) in " + Here.LibraryFolder +
         "; reinstall Seamscope, or set SEAMSCOPE_WRAPPER=off");

  const Compiler Clang = findCompiler(Here, Names, AddNothing && !Line.Precompiles);
  std::vector<std::string> Command{Clang.Path};
  if (AddNothing) {
    if (Line.Precompiles)
      Command.push_back(PchByContent);
    // Objects may have been instrumented before -static was known.
    const std::string Hooks = Here.LibraryFolder + "/libseamscope-static.a";
    if (How != Setting::Off && Line.Static && Line.Links && !access(Hooks.c_str(), R_OK)) {
      addUserArguments(Args, Command);
      Command.push_back(Hooks);
    } else {
      Command.insert(Command.end(), Args.begin(), Args.end());
    }
    run(Command, Line, How);
  }

  if (Line.Compiles)
    addCompileOptions(Line, Clang, Here.Plugins.at(Clang.Major), Command);
  if (!Line.Links) {
    Command.insert(Command.end(), Args.begin(), Args.end());
    run(Command, Line, How);
  }
  const LinkerFeatures Linker = askLinker(Clang, Line.Linker);
  if (Line.Lto && !Here.Plugins.contains(Linker.LldMajor) && passSetting(Args, "lto") == "link")
    warn("code compiled with lto=link is not timed: " +
         (Linker.LldMajor ? "there is no plugin for " + Linker.Program + " (LLVM " +
                                std::to_string(Linker.LldMajor) + ")"
                          : (Linker.Program.empty() ? "the linker" : Linker.Program) +
                                " cannot load pass plugins") +
         "; link with -fuse-ld=lld, or compile with lto=compile");
  addUserArguments(Args, Command);
  addLinkOptions(Line, Here, Linker, Command);
  run(Command, Line, How);
}

} // namespace
} // namespace seamscope::wrapper

int main(int Argc, char **Argv) { return seamscope::wrapper::main(Argc, Argv); }
