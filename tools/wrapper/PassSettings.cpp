//===- PassSettings.cpp - settings that instrumented code depends on ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PassSettings.h"
#include "Files.h"
#include "Report.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace seamscope::wrapper {
namespace {

using std::string_view;

/// FNV-1a, 64 bits, as hexadecimal digits.
std::string hashOf(string_view Text) {
  uint64_t Hash = 0xcbf29ce484222325;
  for (const char C : Text)
    Hash = (Hash ^ static_cast<unsigned char>(C)) * 0x100000001b3;
  char Digits[17];
  snprintf(Digits, sizeof Digits, "%016llx", static_cast<unsigned long long>(Hash));
  return Digits;
}

string_view trimmed(string_view Text) {
  constexpr string_view Blanks = " \t\r";
  const size_t Begin = Text.find_first_not_of(Blanks);
  return Begin == Text.npos ? string_view()
                            : Text.substr(Begin, Text.find_last_not_of(Blanks) - Begin + 1);
}

/// Calls \p Each with the name and value of each setting in \p Text, split as the pass does.
template <typename Fn> void forEachSetting(string_view Text, char Separator, Fn Each) {
  for (size_t Begin = 0; Begin <= Text.size();) {
    const size_t End = std::min(Text.find(Separator, Begin), Text.size());
    string_view Setting = Text.substr(Begin, End - Begin);
    Begin = End + 1;
    if (Separator == '\n')
      Setting = Setting.substr(0, Setting.find('#'));
    const size_t Equals = Setting.find('=');
    if (Equals != Setting.npos)
      Each(trimmed(Setting.substr(0, Equals)), trimmed(Setting.substr(Equals + 1)));
  }
}

/// Visits the settings of SEAMSCOPE_PASS and of the files that `config=` names, in order.
template <typename Fn> void forEachPassSetting(Fn Each) {
  const char *Pass = getenv("SEAMSCOPE_PASS");
  if (!Pass)
    return;
  forEachSetting(Pass, ';', [&](string_view Name, string_view Value) {
    Each(Name, Value);
    std::string Text;
    if (Name == "config" && readFile(std::string(Value), Text))
      forEachSetting(Text, '\n', Each);
  });
}

/// One line that identifies a program or library by size and time, as ccache identifies compilers.
std::string identityLine(const char *Kind, const std::string &Path) {
  struct stat Status;
  if (Path.empty() || stat(Path.c_str(), &Status) != 0)
    return std::string(Kind) + " none\n";
  return std::string(Kind) + ' ' + Path + ' ' + std::to_string(Status.st_size) + ' ' +
         std::to_string(Status.st_mtim.tv_sec) + '.' + std::to_string(Status.st_mtim.tv_nsec) +
         '\n';
}

} // namespace

std::string settingsText(const Compiler &Clang, const std::string &Plugin) {
  std::string Text =
      identityLine("compiler", realPath(Clang.Path)) + identityLine("plugin", realPath(Plugin));
  if (const char *Pass = getenv("SEAMSCOPE_PASS"); Pass && *Pass)
    Text += std::string("SEAMSCOPE_PASS ") + Pass + '\n';
  forEachPassSetting([&](string_view Name, string_view Value) {
    const bool List = Name == "allow-list" || Name == "deny-list";
    if (Name != "config" && !List)
      return;
    for (size_t Begin = 0; Begin <= Value.size();) {
      const size_t End = List ? std::min(Value.find(',', Begin), Value.size()) : Value.size();
      const std::string File(trimmed(Value.substr(Begin, End - Begin)));
      Begin = End + 1;
      std::string Content;
      Text +=
          "file " + File + ' ' + (readFile(File, Content) ? hashOf(Content) : "unreadable") + '\n';
    }
  });
  return Text;
}

std::string settingsHash(const Compiler &Clang, const std::string &Plugin) {
  return "0x" + hashOf(settingsText(Clang, Plugin));
}

std::string passSetting(const std::vector<std::string> &Args, const std::string &Wanted) {
  std::string Result;
  forEachPassSetting([&](string_view Name, string_view Value) {
    if (Name == Wanted)
      Result = Value;
  });
  const std::string Flag = "-seamscope-" + Wanted + "=";
  for (const std::string &Arg : Args)
    if (Arg.starts_with(Flag))
      Result = Arg.substr(Flag.size());
  return Result;
}

void warnIfCcacheIgnoresSettings() {
  const char *Pass = getenv("SEAMSCOPE_PASS");
  if (!Pass || !*Pass)
    return;
  const std::string Parent = realPath("/proc/" + std::to_string(getppid()) + "/exe");
  if (fileName(Parent) != "ccache" ||
      outputOf({Parent, "--get-config", "compiler_check"}).find(PrintKeyOption) !=
          std::string::npos)
    return;
  warn(std::string("ccache ignores SEAMSCOPE_PASS and may return objects made with other settings; "
                   "set CCACHE_COMPILERCHECK='%compiler% ") +
       PrintKeyOption + "'");
}

} // namespace seamscope::wrapper
