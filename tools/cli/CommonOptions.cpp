//===- CommonOptions.cpp - options that several verbs have ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Verbs.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Reads \p Word as a number above 0, or "all" as SIZE_MAX; throws the reason if it is neither.
size_t countOrAll(const std::string &Word, const char *Option) {
  if (Word == "all")
    return SIZE_MAX;
  size_t Count = 0;
  const auto [End, Error] = std::from_chars(Word.data(), Word.data() + Word.size(), Count);
  if (Error != std::errc() || End != Word.data() + Word.size() || !Count)
    throw CLI::ValidationError(
        fmt::format("{}: '{}' is neither a whole number above 0 nor 'all'", Option, Word));
  return Count;
}

} // namespace

size_t terminalWidth(size_t Else) {
  if (const char *Set = std::getenv("COLUMNS")) {
    const std::string_view Word = Set;
    size_t Columns = 0;
    const auto [End, Error] = std::from_chars(Word.data(), Word.data() + Word.size(), Columns);
    if (Error == std::errc() && End == Word.data() + Word.size() && Columns)
      return Columns;
  }
  winsize Size{};
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) || !Size.ws_col)
    return Else;
  return Size.ws_col;
}

CLI::Option *addTopOption(CLI::App &Verb, RowsWanted &Rows, const std::string &What) {
  return Verb
      .add_option_function<std::string>(
          "--top", [&Rows](const std::string &Word) { Rows.Count = countOrAll(Word, "--top"); },
          What)
      ->type_name("N|all");
}

void addPartOptions(CLI::App &Verb, WantedPart &Part) {
  auto *Window = Verb.add_option("--window", Part.Window,
                                 "Only a part of the trace, counted from its first event: "
                                 "10ms..1.5s, ..2s, 500us..")
                     ->type_name("A..B");
  Verb.add_option("--step", Part.Step,
                  "Only the time of ProfilerStep#N, the steps that the program marked")
      ->excludes(Window);
}

CLI::Option *addWidthOption(CLI::App &Verb, size_t &Width) {
  return Verb
      .add_option_function<std::string>(
          "-w,--width", [&Width](const std::string &Word) { Width = countOrAll(Word, "--width"); },
          "Width of the text in characters; names are cut to fit. all: cut nothing. Default: the "
          "terminal's width (COLUMNS); without a terminal, names of up to 48 characters")
      ->type_name("N|all");
}

size_t widthToUse(size_t Asked, const std::string &Out) {
  return Asked ? Asked : Out.empty() ? terminalWidth(0) : 0;
}

void addRankOption(CLI::App &Verb, std::optional<int64_t> &Rank) {
  Verb.add_option("--rank", Rank,
                  "Only the trace of this rank, of a folder with the traces of several");
}

void addStrictOption(CLI::App &Verb, bool &Strict) {
  Verb.add_flag("--strict", Strict, "Also fail (exit code 1) if single events had to be left out");
}

CLI::Option *addRootOption(CLI::App &Verb, std::vector<std::string> &Roots,
                           const std::string &Does) {
  return Verb
      .add_option("--root", Roots,
                  Does + " sources that lie below this folder; else only those in the folder of "
                         "the run and in this user's Inductor caches. May be given several times")
      ->allow_extra_args(false)
      ->check(CLI::ExistingDirectory)
      ->type_name("DIR");
}

CLI::Option *addFilterOption(CLI::App &Verb, std::string &Filter) {
  return Verb
      .add_option("--filter", Filter,
                  "Show only rows whose name matches this POSIX extended regular expression")
      ->type_name("REGEX");
}

std::vector<std::string> splitList(const std::string &Words) {
  std::vector<std::string> List;
  for (size_t Begin = 0; Begin <= Words.size();) {
    const size_t End = std::min(Words.find(',', Begin), Words.size());
    List.push_back(Words.substr(Begin, End - Begin));
    Begin = End + 1;
  }
  return List;
}

CLI::Validator notNegative() {
  return {[](std::string &Word) {
            int64_t Number = 0;
            const auto [End, Error] =
                std::from_chars(Word.data(), Word.data() + Word.size(), Number);
            return Error == std::errc() && End == Word.data() + Word.size() && Number >= 0
                       ? std::string()
                       : "'" + Word + "' is not a whole number of 0 or more";
          },
          ""};
}

} // namespace seamscope::tools
