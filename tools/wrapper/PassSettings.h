//===- PassSettings.h - what decides about instrumented code beside arguments -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object depends on more than its source and the arguments of the compiler: on the plugin, on
// SEAMSCOPE_PASS, and on the files that it names. A compiler cache must know of them.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_WRAPPER_PASSSETTINGS_H
#define SEAMSCOPE_WRAPPER_PASSSETTINGS_H

#include "Toolchain.h"

#include <string>
#include <vector>

namespace seamscope::wrapper {

/// Has the wrapper print settingsText and exit, for CCACHE_COMPILERCHECK.
constexpr const char *PrintKeyOption = "-print-seamscope-key";

/// All that an object depends on beside source and arguments, as lines: the compiler and the plugin
/// with size and time, SEAMSCOPE_PASS, and the contents of the files that it names.
std::string settingsText(const Compiler &Clang, const std::string &Plugin);

/// 16 hexadecimal digits that stand for settingsText.
std::string settingsHash(const Compiler &Clang, const std::string &Plugin);

/// The value of the pass's option \p Name in SEAMSCOPE_PASS, the files that it names, and
/// `-mllvm -seamscope-NAME=` in \p Args, of which the last counts; "" when it is not set.
std::string passSetting(const std::vector<std::string> &Args, const std::string &Name);

/// Warns where ccache runs this program, SEAMSCOPE_PASS is set, and ccache does not look at it: it
/// would serve objects that were made with other settings.
void warnOfBlindCache();

} // namespace seamscope::wrapper
#endif // SEAMSCOPE_WRAPPER_PASSSETTINGS_H
