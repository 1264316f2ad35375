//===- Help.h - what --help shows ------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_HELP_H
#define SEAMSCOPE_TOOLS_CLI_HELP_H

#include "cli/Verbs.h"

#include <initializer_list>

namespace seamscope::tools {

/// Headings of a verb's options, in this order.
namespace heading {
inline constexpr const char *Input = "Input", *Rows = "Rows and columns", *Work = "Work",
                            *Output = "Faces and output", *Other = "Options";
} // namespace heading

/// The names that an option takes ("{a,b}" in its type, as CLI::IsMember has it); none: any value.
std::vector<std::string> choicesOf(const CLI::Option &Of);

/// Makes \p App and its verbs show options under their headings, in lines that fit a terminal.
void setHelpFormat(CLI::App &App);

/// Puts options of \p Verb under a heading; names with their dashes.
void putUnder(const char *Heading, CLI::App &Verb, std::initializer_list<const char *> Names);

constexpr const char *UsualExitStatus =
    "0 all is well, 1 bad data or a file that cannot be read or written,\n2 bad usage.";

/// Ends the help of \p Verb with command lines; each without the word seamscope.
void addExamples(CLI::App &Verb, std::initializer_list<const char *> Lines,
                 const char *ExitStatus = UsualExitStatus);

/// Adds options of other verbs that do not apply here, with or without a value, as errors. \p Why:
/// the end of the sentence "does not apply to VERB: ".
void refuseOptions(CLI::App &Verb, std::initializer_list<const char *> Names, const char *Why);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_HELP_H
