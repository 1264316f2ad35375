//===- Main.cpp - the seamscope command --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Help.h"
#include "cli/Verbs.h"
#include "trace/io/Escape.h"
#include "trace/io/FileUse.h"
#include "trace/io/OutputFile.h"
#include "work/DType.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <numeric>
#include <span>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {

void say(std::string_view Text) {
  // If stderr cannot be written, there is no way to say so.
  while (!Text.empty()) {
    const ssize_t Count = write(STDERR_FILENO, Text.data(), Text.size());
    if (Count < 0 && errno != EINTR)
      return;
    Text.remove_prefix(Count < 0 ? 0 : static_cast<size_t>(Count));
  }
}

void complain(const std::string &Sentence) {
  say(fmt::format("seamscope: {}\n", escaped(Sentence)));
}

int fail(const Error &Why) {
  say(fmt::format("seamscope: {}\n", Why.message()));
  return BadData;
}

bool coloursWanted() {
  const char *Refused = std::getenv("NO_COLOR");
  const char *Terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && !(Refused && *Refused) &&
         !(Terminal && Terminal == std::string_view("dumb"));
}

int writeResult(const std::string &Path, const std::string &Text) {
  auto Out = OutputFile::create(Path.empty() ? "-" : Path);
  if (!Out)
    return fail(Out.error());
  (*Out)->write(Text);
  if (const auto Failure = (*Out)->commit())
    return fail(*Failure);
  return Success;
}

std::string nearestName(const std::string &Wrong, const std::vector<std::string> &Known) {
  std::string Best;
  size_t BestDistance = std::max<size_t>(2, Wrong.size() / 3) + 1;
  for (const std::string &Name : Known) {
    // Levenshtein distance, one row at a time.
    std::vector<size_t> Row(Name.size() + 1);
    std::iota(Row.begin(), Row.end(), size_t{0});
    for (size_t I = 1; I <= Wrong.size(); ++I) {
      size_t Diagonal = Row[0];
      Row[0] = I;
      for (size_t J = 1; J <= Name.size(); ++J) {
        const size_t Replace = Diagonal + (Wrong[I - 1] != Name[J - 1]);
        Diagonal = Row[J];
        Row[J] = std::min({Row[J] + 1, Row[J - 1] + 1, Replace});
      }
    }
    if (Row.back() < BestDistance) {
      BestDistance = Row.back();
      Best = Name;
    }
  }
  return Best;
}

void addWorkOptions(CLI::App &Verb, std::string &Type, std::string &Peaks) {
  Verb.add_option("--dtype", Type,
                  "Element type, for FLOPs and bytes, of tensors whose type the trace does not "
                  "say: float32, bfloat16, ...")
      ->check([](const std::string &Name) {
        return typeOfTorchName(Name) == DType::Unknown ? "'" + Name + "' is not an element type"
                                                       : std::string();
      });
  Verb.add_option("--peaks", Peaks,
                  "JSON file with peaks of devices, used before the published ones")
      ->type_name("FILE");
}

namespace {

/// Says what is wrong with the command line, and which name was perhaps meant.
std::string usageSentence(const CLI::App &App, const CLI::App *Verb, const CLI::ParseError &Wrong,
                          const std::vector<std::string> &Words) {
  std::string Sentence = Wrong.what();
  std::replace(Sentence.begin(), Sentence.end(), '\n', ' ');
  std::vector<std::string> Known;
  if (!Verb) {
    for (const CLI::App *Each : App.get_subcommands(nullptr))
      if (!Each->get_group().empty())
        Known.push_back(Each->get_name());
    for (const std::string &Word : Words)
      if (!Word.starts_with('-')) {
        Sentence = fmt::format("unknown verb '{}'", Word);
        if (const std::string Near = nearestName(Word, Known); !Near.empty())
          Sentence += fmt::format("; did you mean '{}'?", Near);
        return Sentence;
      }
    return Sentence;
  }
  std::vector<std::string> Refused; // with a separate error
  for (const CLI::Option *Option : Verb->get_options())
    for (const std::string &Name : Option->get_lnames())
      (Option->get_group().empty() ? Refused : Known).push_back("--" + Name);
  for (const std::string &Word : Words) {
    if (!Word.starts_with("--") || Word == "--")
      continue;
    const std::string Name = Word.substr(0, Word.find('='));
    if (std::ranges::count(Known, Name) || std::ranges::count(Refused, Name))
      continue;
    Sentence = fmt::format("{}: unknown option '{}'", Verb->get_name(), Name);
    if (const std::string Near = nearestName(Name, Known); !Near.empty())
      Sentence += fmt::format("; did you mean '{}'?", Near);
    return Sentence;
  }
  return Verb->get_name() + ": " + Sentence;
}

int run(int Count, char **Arguments) {
  CLI::App App("Opens fused kernels: where their time goes, by kernel, parallel region and source "
               "line.",
               "seamscope");
  App.set_version_flag("--version", "seamscope " SEAMSCOPE_VERSION, "Print the version and exit");
  App.require_subcommand(1);
  App.footer("`seamscope VERB --help` lists the options of a verb.\n"
             "Exit status: 0 all is well, 1 bad data or a file that cannot be read or written, "
             "2 bad usage.");
  struct Entry {
    CLI::App *Verb;
    Action Run;
  };
  std::vector<Entry> Verbs;
  const auto Add = [&](const char *Name, const char *What, Action (*Make)(CLI::App &)) {
    CLI::App *Verb = App.add_subcommand(Name, What);
    Verbs.push_back({Verb, Make(*Verb)});
  };
  Add("report", "Show where the time of a trace went", addReport);
  Add("diff", "Compare two traces, row by row", addDiff);
  Add("kernels", "List every kernel that ran, and what led to it", addKernels);
  Add("augment", "Write links and figures into the events of a trace", addAugment);
  Add("combine", "Merge the traces of several processes or ranks", addCombine);
  Add("convert", "Write a trace in another format", addConvert);
  Add("recover", "Write the trace of a process that was killed", addRecover);
  Add("spools", "List the spools of killed processes, and remove them", addSpools);
  Add("run", "Run a program and record it", addRun);
  Add("adopt", "Complete the folder of a program that recorded itself", addAdopt);
  Add("mlir-baseline", "Lower a module of MLIR without fusion, to compare with", addMlirBaseline);
  Add("replay", "Run one kernel alone, and compare with the program", addReplay);
  Add("check", "Compare the kernels of a run with eager mode", addCheck);
  Add("source", "Show the source of kernels with time and work by line", addSource);
  Add("sql", "Query the tables of traces", addSql);
  Add("roofline", "Draw the kernels of traces below the roofs of their machine", addRoofline);
  Add("machine", "Measure the roofs of this machine", addMachine);
  Add("mcp", "Serve the traces of a folder to agents", addMcp);
  // For those who build and package the tool.
  Add("schema", "Write the JSON Schema of an output", addSchema);
  Verbs.back().Verb->group("");
  Add("completion", "Write the completions of a shell", addCompletion);
  Verbs.back().Verb->group("");

  setHelpFormat(App);

  // CLI11 takes the words from the back.
  std::vector<std::string> Words(Arguments + 1, Arguments + Count);
  try {
    std::vector<std::string> Reversed(Words.rbegin(), Words.rend());
    App.parse(Reversed);
  } catch (const CLI::ParseError &Wrong) {
    if (Wrong.get_exit_code() == 0)
      return App.exit(Wrong); // --help, --version
    const CLI::App *Chosen = nullptr;
    for (const Entry &E : Verbs)
      if (E.Verb->parsed() || (!Words.empty() && Words[0] == E.Verb->get_name()))
        Chosen = E.Verb;
    complain(usageSentence(App, Chosen, Wrong, Words) + " (see " +
             (Chosen ? "seamscope " + Chosen->get_name() : "seamscope") + " --help)");
    return BadUsage;
  }
  for (const Entry &E : Verbs)
    if (E.Verb->parsed())
      return E.Run();
  return BadUsage;
}

/// Opens the standard files that are closed, unreadable and unwritable. Otherwise another file
/// would get the number, and with it the output.
void openStandardFiles() {
  for (const int Number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(Number, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", (Number == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

/// Changes the exit status if wanted input could not be read, or standard output lost text.
int flushed(int Status) {
  if (const auto Unread = takeUnread(); Unread && !Status)
    Status = fail(*Unread);
  std::cout.flush();
  if (std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout)
    return Status;
  const int Why = errno;
  const int Failed = fail({"-", {}, fmt::format("cannot be written: {}", std::strerror(Why))});
  return Status ? Status : Failed;
}

} // namespace
} // namespace seamscope::tools

int main(int Count, char **Arguments) {
  using namespace seamscope::tools;
  openStandardFiles();
  // A limit of a file's size is an error of the write that meets it. A program that `run` starts
  // has the signal as it was, since a handler does not outlive exec().
  struct sigaction Old, New{};
  New.sa_handler = [](int) {};
  if (!sigaction(SIGXFSZ, nullptr, &Old) && Old.sa_handler == SIG_DFL)
    sigaction(SIGXFSZ, &New, nullptr);
  int Status = BadData;
  try {
    Status = run(Count, Arguments);
  } catch (const std::bad_alloc &) {
    const FileWork Last = lastFileWork();
    const std::string Verb = Count > 1 ? Arguments[1] : "";
    Status = fail({Last.Path.empty() ? Verb : Last.Path,
                   {},
                   fmt::format("{}: out of memory; raise its limit (ulimit -v), or take a part of "
                               "the trace (--step, --window)",
                               Last.Path.empty() ? "cannot be done" : Last.CannotBe)});
  } catch (const std::exception &Failure) {
    complain(Failure.what());
  }
  return flushed(Status);
}
