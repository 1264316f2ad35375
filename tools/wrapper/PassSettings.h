//===- PassSettings.h - settings that instrumented code depends on -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object depends on its source and the compiler's arguments, but also on the plugin, on
// SEAMSCOPE_PASS, and on the files that it names. A compiler cache must know about these.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_WRAPPER_PASSSETTINGS_H
#define SEAMSCOPE_WRAPPER_PASSSETTINGS_H

#include "Toolchain.h"

#include <string>
#include <vector>

namespace seamscope::wrapper {

/// Makes the wrapper print settingsText and exit, for CCACHE_COMPILERCHECK.
constexpr const char *PrintKeyOption = "-print-seamscope-key";

/// What an object depends on apart from source and arguments, as lines: compiler and plugin with
/// size and time, SEAMSCOPE_PASS, and the contents of the files that it names.
std::string settingsText(const Compiler &Clang, const std::string &Plugin);

/// A hash of settingsText in 16 hexadecimal digits.
std::string settingsHash(const Compiler &Clang, const std::string &Plugin);

/// The value of the pass option \p Name: the last one in SEAMSCOPE_PASS, the files that it names,
/// and `-mllvm -seamscope-NAME=` in \p Args; "" if it is not set.
std::string passSetting(const std::vector<std::string> &Args, const std::string &Name);

/// Warns if ccache runs this program with SEAMSCOPE_PASS set but does not hash it: ccache may then
/// return objects made with other settings.
void warnIfCcacheIgnoresSettings();

} // namespace seamscope::wrapper
#endif // SEAMSCOPE_WRAPPER_PASSSETTINGS_H
