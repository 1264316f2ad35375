//===- Recover.cpp - seamscope recover ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Verbs.h"
#include "trace/SpoolToChrome.h"

#include <algorithm>
#include <memory>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct RecoverOptions {
  std::string Which, Out;
  bool Live = false, Keep = false;
};

bool isNumber(const std::string &Text) {
  return !Text.empty() && std::ranges::all_of(Text, [](char C) { return C >= '0' && C <= '9'; });
}

/// The spool the user means: a path, that of a process id, or the newest abandoned one. Empty,
/// after a word on stderr, when there is none.
std::string chooseSpool(const RecoverOptions &Options) {
  if (!Options.Which.empty() && !isNumber(Options.Which))
    return Options.Which;
  const std::string OfPid =
      Options.Which.empty() ? "" : fmt::format("/seamscope-{}-{}-", getuid(), Options.Which);
  for (const std::string &Path : findSpools())
    if (OfPid.empty() ? isAbandoned(Path) : Path.find(OfPid) != Path.npos)
      return Path;
  complain(fmt::format("recover: no {} in {}",
                       OfPid.empty() ? "abandoned spool of this user"
                                     : "spool of process " + Options.Which,
                       fmt::join(spoolFolders(), ", ")));
  return {};
}

int recover(const RecoverOptions &Options) {
  const std::string Path = chooseSpool(Options);
  if (Path.empty())
    return BadData;
  auto File = SpoolFile::open(Path);
  if (!File)
    return fail(File.error());
  const bool Abandoned = isAbandoned(Path);
  if (!Abandoned && !Options.Live)
    return fail({Path, {}, "its process still records into it; --live reads it all the same"});
  if (const auto Failure = writeChrome(**File, Options.Out, /*Recovered=*/true))
    return fail(*Failure);
  if (const Error *Damage = (*File)->damage()) {
    // What is whole was written; the file stays for another look.
    return fail(*Damage);
  }
  if (Abandoned && !Options.Keep)
    unlink(Path.c_str());
  if (Options.Out != "-")
    complain(fmt::format("{} written from {}", Options.Out, Path));
  return Success;
}

} // namespace

Action addRecover(CLI::App &Verb) {
  auto Options = std::make_shared<RecoverOptions>();
  Verb.add_option("SPOOL|PID", Options->Which,
                  "Spool file, or id of the process that wrote it; without it this user's newest "
                  "abandoned spool");
  Verb.add_option("-o,--output", Options->Out,
                  "Trace to write: .json or .json.gz; - is standard output")
      ->required();
  Verb.add_flag("--live", Options->Live, "Also read the spool of a process that still runs");
  Verb.add_flag("--keep", Options->Keep, "Keep the spool; else it is removed once it was written");
  return [Options] { return recover(*Options); };
}

} // namespace seamscope::tools
