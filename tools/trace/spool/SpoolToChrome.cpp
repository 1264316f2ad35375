//===- SpoolToChrome.cpp - writes a spool as a Chrome trace ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/spool/SpoolToChrome.h"

#include "format/ChromeTrace.h"
#include "trace/io/OutputFile.h"
#include "trace/io/OutputFolder.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace seamscope::tools {
namespace {

format::ChromeTraceOptions optionsOf(const SpoolFile &File, const std::string &Name) {
  format::ChromeTraceOptions Options;
  Options.TraceName = Name.c_str();
  Options.Version = SEAMSCOPE_VERSION;
  Options.Facts.End = File.end();
  Options.Facts.EndNs = File.endNs();
  return Options;
}

Result<std::unique_ptr<OutputFile>> create(const std::string &Path, const SpoolWriting &How) {
  if (How.FollowsLinks)
    return OutputFile::create(Path);
  const std::filesystem::path Whole(Path);
  const auto Folder = OutputFolder::open(Whole.parent_path().string());
  return Folder ? Folder->create(Whole.filename().string()) : Folder.error();
}

std::optional<Error> copy(const SpoolFile &File, const SpoolWriting &How) {
  auto Out = create(How.KeepIn, How);
  if (!Out)
    return Out.error();
  (*Out)->write(File.used());
  return (*Out)->commit();
}

} // namespace

std::optional<Error> writeChrome(const SpoolFile &File, TemporaryFile &Out,
                                 const std::string &Name) {
  const format::ByteSink Sink = {[](void *Pointer, const char *Text, size_t Size) {
                                   auto &To = *static_cast<TemporaryFile *>(Pointer);
                                   To.write({Text, Size});
                                   return !To.error();
                                 },
                                 &Out};
  const bool Written = format::writeChromeTrace(File.reader(), optionsOf(File, Name), Sink);
  if (Out.error())
    return Error{Name, {}, std::string("no room to read it: ") + std::strerror(Out.error())};
  return Written ? std::nullopt : std::optional(Error{Name, {}, "not enough memory"});
}

std::optional<Error> writeChrome(const SpoolFile &File, const std::string &Out,
                                 const SpoolWriting &How) {
  format::ChromeTracePlan Plan;
  if (!format::planChromeTrace(File.reader(), How.MaxBytes, Plan))
    return Error{Out, {}, "not enough memory"};
  if (How.LeftOut)
    *How.LeftOut = Plan.LeftOut;
  if (Plan.LeftOut && !How.KeepIn.empty())
    if (auto Failure = copy(File, How))
      return Failure;
  auto Target = create(Out, How);
  if (!Target)
    return Target.error();
  const std::string Name = std::filesystem::path(Out).filename().string();
  struct Context {
    OutputFile &Out;
    const SpoolWriting &How;
    uint64_t Written, Whole;
  } State = {**Target, How, 0, std::max<uint64_t>(Plan.Bytes, 1)};
  const format::ByteSink Sink = {
      [](void *Pointer, const char *Text, size_t Size) {
        auto &State = *static_cast<Context *>(Pointer);
        State.Out.write({Text, Size});
        State.Written += Size;
        if (State.How.Progress)
          State.How.Progress(
              std::min(1.0, static_cast<double>(State.Written) / static_cast<double>(State.Whole)));
        return true;
      },
      &State};
  format::ChromeTraceOptions Options = optionsOf(File, Name);
  Options.Facts.Plan = &Plan;
  Options.AllIn = How.KeepIn.c_str();
  if (!format::writeChromeTrace(File.reader(), Options, Sink))
    return Error{Out, {}, "not enough memory"};
  return (*Target)->commit();
}

} // namespace seamscope::tools
