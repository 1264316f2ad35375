//===- Completion.cpp - seamscope completion, for shells -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build runs it and installs its output, so that verbs, options and choices are those of the
// command line.
//
//===----------------------------------------------------------------------===//
#include "cli/Help.h"
#include "cli/Verbs.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

/// What completes the value of an option or a positional.
struct Words {
  std::vector<std::string> Choices; ///< empty: none
  bool Files = false, List = false; ///< List: several choices, separated by commas
};

Words wordsOf(const CLI::Option &Of) {
  Words Result;
  const std::string Type = Of.get_type_name(); // "TEXT:{a,b,c}", or a word for the value
  Result.Choices = choicesOf(Of);
  if (!Result.Choices.empty()) {
    Result.List = Of.get_delimiter() != '\0' || Type.starts_with("LIST");
    return Result;
  }
  // "DIR|eager": words, or else a file.
  for (size_t Bar = Type.find('|'); Type.starts_with("DIR|") && Bar != Type.npos;
       Bar = Type.find('|', Bar + 1))
    Result.Choices.push_back(Type.substr(Bar + 1, Type.find('|', Bar + 1) - Bar - 1));
  // A positional is a file, except for the name of a kernel.
  Result.Files = Of.get_positional() ? Of.get_name(true) != "KERNEL"
                                     : Type.starts_with("FILE") || Type.starts_with("DIR");
  return Result;
}

struct Flag {
  std::vector<std::string> Names; ///< with their dashes
  std::string Help;
  bool TakesValue;
  Words Value;
};

struct Verb {
  std::string Name, Help;
  std::vector<Flag> Flags;
  Words Positional; ///< all positionals complete the same way
};

/// \p Text up to its first semicolon or colon, as one line.
std::string firstSentence(std::string Text) {
  std::ranges::replace(Text, '\n', ' ');
  int Open = 0; // parentheses
  for (size_t I = 0; I < Text.size(); ++I) {
    Open += Text[I] == '(' ? 1 : Text[I] == ')' ? -1 : 0;
    if (!Open && (Text.compare(I, 2, "; ") == 0 || Text.compare(I, 2, ": ") == 0))
      return Text.substr(0, I);
  }
  return Text;
}

std::vector<Verb> verbsOf(const CLI::App &App) {
  std::vector<Verb> Verbs;
  for (const CLI::App *Each : App.get_subcommands(nullptr)) {
    if (Each->get_group().empty())
      continue;
    Verb &Added = Verbs.emplace_back();
    Added.Name = Each->get_name();
    Added.Help = Each->get_description();
    for (const CLI::Option *Option : Each->get_options()) {
      if (Option->get_group().empty())
        continue;
      if (Option->get_positional()) {
        Added.Positional.Files |= wordsOf(*Option).Files;
        if (Option->get_lnames().empty() && Option->get_snames().empty())
          continue;
      }
      Flag &One = Added.Flags.emplace_back();
      for (const std::string &Name : Option->get_snames())
        One.Names.push_back("-" + Name);
      for (const std::string &Name : Option->get_lnames())
        One.Names.push_back("--" + Name);
      One.Help = firstSentence(Option->get_description());
      One.TakesValue = Option->get_items_expected_min() > 0;
      if (One.TakesValue)
        One.Value = wordsOf(*Option);
    }
  }
  return Verbs;
}

/// For use within '...' in a shell. \p Quote: replacement for a quote.
std::string shellQuoted(std::string_view Text, std::string_view Quote = "'\\''") {
  std::string Quoted = "'";
  for (const char C : Text)
    Quoted += C == '\'' ? std::string(Quote) : std::string(1, C);
  return Quoted + "'";
}

std::string join(const std::vector<std::string> &Texts, const char *Between = " ") {
  return fmt::format("{}", fmt::join(Texts, Between));
}

//===--------------------------------------------------------------------===//
// bash
//===--------------------------------------------------------------------===//

std::string bashValue(const Words &Value) {
  if (Value.List)
    return "_seamscope_list " + shellQuoted(join(Value.Choices));
  if (!Value.Choices.empty())
    return "_seamscope_words " + shellQuoted(join(Value.Choices)) +
           (Value.Files ? "; compopt -o default 2>/dev/null" : "");
  return Value.Files ? "_seamscope_files" : "COMPREPLY=()";
}

std::string bash(const std::vector<Verb> &Verbs) {
  std::vector<std::string> Names;
  for (const Verb &Each : Verbs)
    Names.push_back(Each.Name);
  std::string Text =
      R"(# Completion of seamscope for bash. Made by the build from the options of the tool.
_seamscope_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_seamscope_list() {
  local before=
  [[ $cur == *,* ]] && before=${cur%,*},
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "${cur##*,}"))
  compopt -o nospace 2>/dev/null
}
_seamscope_files() {
  COMPREPLY=()
  compopt -o default 2>/dev/null
}
_seamscope() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev= word=
  ((COMP_CWORD > 0)) && prev=${COMP_WORDS[COMP_CWORD - 1]}
  # "--option=value" comes as three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]] && ((COMP_CWORD > 1)); then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD < 2)); then
    if [[ $cur == -* ]]; then
      _seamscope_words '--help --version'
    else
      _seamscope_words )" +
      shellQuoted(join(Names)) +
      R"(
    fi
    return
  fi
  # Words after -- belong to another program.
  for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
    if [[ $word == -- ]]; then
      _seamscope_files
      return
    fi
  done
  case ${COMP_WORDS[1]} in
)";
  for (const Verb &Each : Verbs) {
    std::vector<std::string> All;
    Text += fmt::format("    {})\n      case $prev in\n", Each.Name);
    for (const Flag &One : Each.Flags) {
      for (const std::string &Name : One.Names)
        if (Name.starts_with("--") || One.Names.size() == 1)
          All.push_back(Name);
      if (One.TakesValue)
        Text += fmt::format("        {}) {}; return ;;\n", join(One.Names, " | "),
                            bashValue(One.Value));
    }
    Text += fmt::format("      esac\n"
                        "      if [[ $cur == -* ]]; then _seamscope_words {}; else {}; fi\n"
                        "      ;;\n",
                        shellQuoted(join(All)), bashValue(Each.Positional));
  }
  return Text + "  esac\n}\ncomplete -F _seamscope seamscope\n";
}

//===--------------------------------------------------------------------===//
// zsh
//===--------------------------------------------------------------------===//

/// Text for _arguments between brackets, or after a colon.
std::string zshText(std::string Text) {
  for (const char *Special : {"\\", "[", "]", ":"})
    for (size_t At = 0; (At = Text.find(Special, At)) != Text.npos; At += 2)
      Text.insert(At, "\\");
  return Text;
}

std::string zshValue(const Words &Value) {
  if (Value.List)
    return ":value:_values -s , value " + join(Value.Choices);
  if (!Value.Choices.empty())
    return Value.Files ? fmt::format(":file:{{compadd {}; _files}}", join(Value.Choices))
                       : fmt::format(":value:({})", join(Value.Choices));
  return Value.Files ? ":file:_files" : ":value: ";
}

std::string zsh(const std::vector<Verb> &Verbs) {
  std::string Text = "#compdef seamscope\n"
                     "# Completion of seamscope for zsh. Made by the build from the options of the "
                     "tool.\n"
                     "_seamscope() {\n"
                     "  local context state state_descr line\n"
                     "  typeset -A opt_args\n"
                     "  if ((CURRENT == 2)); then\n"
                     "    local -a verbs=(\n";
  for (const Verb &Each : Verbs)
    Text += fmt::format("      {}\n", shellQuoted(Each.Name + ":" + zshText(Each.Help)));
  Text += "    )\n"
          "    _describe verb verbs\n"
          "    return\n"
          "  fi\n"
          "  local verb=$words[2]\n"
          "  words=(seamscope \"${(@)words[3,-1]}\")\n"
          "  ((CURRENT--))\n"
          "  case $verb in\n";
  for (const Verb &Each : Verbs) {
    Text += fmt::format("    {})\n      _arguments -S", Each.Name);
    for (const Flag &One : Each.Flags) {
      const std::string Others =
          One.Names.size() > 1 ? fmt::format("({})", join(One.Names)) : std::string();
      for (const std::string &Name : One.Names) {
        const char *Joined = !One.TakesValue ? "" : Name.starts_with("--") ? "=" : "+";
        Text += fmt::format(
            " \\\n        {}",
            shellQuoted(fmt::format("{}{}{}[{}]{}", Others, Name, Joined, zshText(One.Help),
                                    One.TakesValue ? zshValue(One.Value) : "")));
      }
    }
    Text += fmt::format(" \\\n        {}\n      ;;\n",
                        Each.Positional.Files ? "'*:file:_files'" : "'*: :'");
  }
  return Text + "  esac\n}\n_seamscope \"$@\"\n";
}

//===--------------------------------------------------------------------===//
// fish
//===--------------------------------------------------------------------===//

std::string fish(const std::vector<Verb> &Verbs) {
  const auto Quoted = [](std::string_view Text) {
    std::string Quoted = "'";
    for (const char C : Text) {
      if (C == '\'' || C == '\\')
        Quoted += '\\';
      Quoted += C;
    }
    return Quoted + "'";
  };
  std::string Text =
      "# Completion of seamscope for fish. Made by the build from the options of the "
      "tool.\n"
      "complete -c seamscope -f\n"
      "complete -c seamscope -n __fish_use_subcommand -l help -s h -d 'Help'\n"
      "complete -c seamscope -n __fish_use_subcommand -l version -d 'The version'\n";
  for (const Verb &Each : Verbs)
    Text += fmt::format("complete -c seamscope -n __fish_use_subcommand -a {} -d {}\n", Each.Name,
                        Quoted(Each.Help));
  for (const Verb &Each : Verbs) {
    const std::string Begin =
        fmt::format("complete -c seamscope -n '__fish_seen_subcommand_from {}'", Each.Name);
    if (Each.Positional.Files)
      Text += Begin + " -F\n";
    for (const Flag &One : Each.Flags) {
      Text += Begin;
      for (const std::string &Name : One.Names)
        Text += Name.starts_with("--") ? " -l " + Name.substr(2) : " -s " + Name.substr(1);
      if (One.TakesValue)
        Text += One.Value.Files ? " -rF" : " -x";
      if (One.Value.List)
        Text += fmt::format(" -a '(__fish_append , {})'", join(One.Value.Choices));
      else if (!One.Value.Choices.empty())
        Text += " -a " + Quoted(join(One.Value.Choices));
      Text += " -d " + Quoted(One.Help) + "\n";
    }
  }
  return Text;
}

int completion(const CLI::App &App, const std::string &Shell) {
  const std::vector<Verb> Verbs = verbsOf(App);
  if (Shell == "bash")
    return writeResult("-", bash(Verbs));
  if (Shell == "zsh")
    return writeResult("-", zsh(Verbs));
  if (Shell == "fish")
    return writeResult("-", fish(Verbs));
  complain("completion: unknown shell '" + Shell + "'; the shells are bash, zsh and fish");
  return BadUsage;
}

} // namespace

Action addCompletion(CLI::App &Verb) {
  auto Shell = std::make_shared<std::string>();
  Verb.add_option("SHELL", *Shell, "bash, zsh or fish")->required();
  return [Shell, App = Verb.get_parent()] { return completion(*App, *Shell); };
}

} // namespace seamscope::tools
