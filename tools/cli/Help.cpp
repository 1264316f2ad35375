//===- Help.cpp - what --help shows ----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Help.h"

#include <algorithm>
#include <cctype>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

constexpr size_t NameWidth = 22; ///< of the column before descriptions

/// Breaks \p Text into lines of \p Width characters; later lines begin below the first.
std::string wrapped(const std::string &Text, size_t Begin, size_t Width) {
  std::string Lines;
  size_t At = Begin;
  for (size_t I = 0; I < Text.size();) {
    const size_t End = std::min(Text.find(' ', I), Text.size());
    const std::string Word = Text.substr(I, End - I);
    I = End + 1;
    if (At != Begin && At + 1 + Word.size() > Width) {
      Lines += '\n' + std::string(Begin, ' ');
      At = Begin;
    } else if (At != Begin) {
      Lines += ' ';
      ++At;
    }
    Lines += Word;
    At += Word.size();
  }
  return Lines;
}

/// Whether \p Text contains \p Word as a whole word.
bool hasWord(std::string_view Text, std::string_view Word) {
  const auto IsOf = [&](size_t At) {
    return At < Text.size() && (std::isalnum(static_cast<unsigned char>(Text[At])) ||
                                Text[At] == '_' || Text[At] == '+');
  };
  for (size_t At = 0; (At = Text.find(Word, At)) != Text.npos; ++At)
    if ((!At || !IsOf(At - 1)) && !IsOf(At + Word.size()))
      return true;
  return false;
}

class HelpFormat : public CLI::Formatter {
public:
  std::string make_option_opts(const CLI::Option *Of) const override {
    // Choices are in the description.
    std::string Type = Of->get_type_name();
    if (Type.empty() || Of->get_positional())
      return "";
    const bool Choice = Type.find('{') != Type.npos;
    Type = Type.substr(0, Type.find(':'));
    if (Type == "TEXT")
      Type = Of->get_delimiter() ? "LIST" : Choice ? "WORD" : "TEXT";
    return Type == "INT" || Type == "UINT" ? " N" : " " + Type;
  }

  /// With the choices, if the sentence does not name them.
  std::string make_option_desc(const CLI::Option *Of) const override {
    const std::string &Help = Of->get_description();
    const std::vector<std::string> Choices = choicesOf(*Of);
    const bool HasChoices =
        std::ranges::all_of(Choices, [&](const std::string &Each) { return hasWord(Help, Each); });
    return HasChoices ? Help : fmt::format("{} ({})", Help, fmt::join(Choices, ", "));
  }

  std::string make_option(const CLI::Option *Of, bool IsPositional) const override {
    std::string Name = make_option_name(Of, IsPositional);
    if (!IsPositional)
      Name += make_option_opts(Of);
    return line(Name, make_option_desc(Of));
  }

  std::string make_subcommand(const CLI::App *Of) const override {
    return line(Of->get_name(), Of->get_description());
  }

  std::string make_help(const CLI::App *App, std::string Name,
                        CLI::AppFormatMode Mode) const override {
    std::string Text = App->get_description() + '\n' + make_usage(App, std::move(Name));
    if (std::string Alone = make_positionals(App); !Alone.empty())
      Text += Alone;
    Text += groups(App) + make_subcommands(App, Mode) + '\n' + make_footer(App);
    return Text;
  }

private:
  static std::string line(const std::string &Name, const std::string &Help) {
    const size_t Begin = NameWidth + 3, Width = std::clamp<size_t>(terminalWidth(80), 60, 100);
    const bool Fits = Name.size() <= NameWidth;
    return fmt::format("  {}{}{}\n", Name,
                       Fits ? std::string(Begin - 2 - Name.size(), ' ')
                            : '\n' + std::string(Begin, ' '),
                       wrapped(Help, Begin, Width));
  }

  std::string groups(const CLI::App *App) const {
    std::vector<std::string> Headings = {heading::Input, heading::Rows, heading::Work,
                                         heading::Output};
    for (const std::string &Each : App->get_groups())
      if (Each != heading::Other && std::ranges::find(Headings, Each) == Headings.end())
        Headings.push_back(Each);
    Headings.emplace_back(heading::Other);
    std::string Text;
    for (const std::string &Heading : Headings) {
      if (Heading.empty())
        continue;
      std::string Lines;
      for (const CLI::Option *Each : App->get_options())
        if (Each->get_group() == Heading && Each->nonpositional())
          Lines += make_option(Each, false);
      if (!Lines.empty())
        Text += fmt::format("\n{}:\n{}", Heading, Lines);
    }
    return Text;
  }
};

} // namespace

std::vector<std::string> choicesOf(const CLI::Option &Of) {
  std::vector<std::string> Choices;
  const std::string Type = Of.get_type_name();
  const size_t Open = Type.find('{'), Close = Type.rfind('}');
  if (Open != Type.npos && Close != Type.npos)
    for (size_t Begin = Open + 1; Begin < Close;) {
      const size_t End = std::min(Type.find(',', Begin), Close);
      Choices.push_back(Type.substr(Begin, End - Begin));
      Begin = End + 1;
    }
  return Choices;
}

void setHelpFormat(CLI::App &App) {
  const auto Format = std::make_shared<HelpFormat>();
  App.formatter(Format);
  for (CLI::App *Each : App.get_subcommands(nullptr))
    Each->formatter(Format);
}

void putUnder(const char *Heading, CLI::App &Verb, std::initializer_list<const char *> Names) {
  for (const char *Name : Names)
    Verb.get_option(Name)->group(Heading);
}

void addExamples(CLI::App &Verb, std::initializer_list<const char *> Lines,
                 const char *ExitStatus) {
  std::string Text = "Examples:\n";
  for (const char *Each : Lines)
    Text += fmt::format("  seamscope {} {}\n", Verb.get_name(), Each);
  Verb.footer(fmt::format("{}\nExit status: {}", Text, ExitStatus));
}

void refuseOptions(CLI::App &Verb, std::initializer_list<const char *> Names, const char *Why) {
  for (const char *Name : Names)
    Verb.add_option_function<std::vector<std::string>>(
            Name,
            [&Verb, Name, Why](const std::vector<std::string> &) {
              throw CLI::ValidationError(
                  fmt::format("{} does not apply to {}: {}", Name, Verb.get_name(), Why));
            },
            "")
        ->expected(0, 1)
        ->group("");
}

} // namespace seamscope::tools
