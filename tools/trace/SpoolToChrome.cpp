//===- SpoolToChrome.cpp - writes a spool as a Chrome trace ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/SpoolToChrome.h"

#include "format/ChromeTrace.h"
#include "trace/OutputFile.h"

#include <filesystem>

namespace seamscope::tools {

std::optional<Error> writeChrome(const SpoolFile &File, const std::string &Out, bool Recovered) {
  auto Target = OutputFile::create(Out);
  if (!Target)
    return Target.error();
  const std::string Name = std::filesystem::path(Out).filename().string();
  const format::ByteSink Sink = {[](void *Context, const char *Text, size_t Size) {
                                   static_cast<OutputFile *>(Context)->write({Text, Size});
                                   return true;
                                 },
                                 Target->get()};
  if (!format::writeChromeTrace(File.reader(), {Name.c_str(), SEAMSCOPE_VERSION, Recovered}, Sink))
    return Error{Out, {}, "not enough memory"};
  return (*Target)->commit();
}

} // namespace seamscope::tools
