//===- Recover.cpp - seamscope recover ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Help.h"
#include "cli/SpoolTable.h"
#include "cli/Verbs.h"
#include "report/render/Render.h"
#include "trace/spool/SpoolToChrome.h"

#include <filesystem>
#include <memory>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct RecoverOptions {
  std::string Which, Out;
  bool Live = false, Keep = false;
};

/// The one spool that the options mean. Empty, with a line on stderr and the exit status in
/// \p Status, when none or several match.
std::string chooseSpool(const RecoverOptions &Options, int &Status) {
  const bool IsPid = isProcessId(Options.Which);
  if (!Options.Which.empty() && !IsPid)
    return Options.Which;
  std::vector<SpoolSummary> Candidates;
  for (const std::string &Path : IsPid ? spoolsOfProcess(Options.Which) : findSpools())
    if (IsPid || isAbandoned(Path))
      Candidates.push_back(summarizeSpool(Path));
  if (Candidates.size() == 1)
    return Candidates[0].Path;
  const std::string What =
      IsPid ? fmt::format("spool{} of process {}", Candidates.empty() ? "" : "s", Options.Which)
            : fmt::format("abandoned spool{} of this user", Candidates.empty() ? "" : "s");
  if (Candidates.empty()) {
    complain(fmt::format("recover: no {} in {}", What, fmt::join(spoolFolders(), ", ")));
    Status = BadData;
    return {};
  }
  complain(fmt::format("recover: there are {} {}; name one of them, by its path{}",
                       Candidates.size(), What, IsPid ? "" : " or process id"));
  renderText(spoolsDocument(Candidates), {}, say);
  Status = BadUsage;
  return {};
}

/// Removes a spool whose trace was written and synced; returns what happened to it, for the user.
std::string removeRecovered(const std::string &Path, const std::string &Out) {
  std::error_code Failed;
  if (Out == "-" || !std::filesystem::is_regular_file(Out, Failed))
    return "the spool stays, since the trace is not in a file";
  const auto Failure = removeSpool(Path);
  return Failure ? "the spool stays: " + Failure->message() : "the spool was removed";
}

int recover(const RecoverOptions &Options) {
  int Status = Success;
  const std::string Path = chooseSpool(Options, Status);
  if (Path.empty())
    return Status;
  auto File = SpoolFile::open(Path);
  if (!File)
    return fail(File.error());
  const bool Running = (*File)->end() == format::RecordingEnd::Running;
  if (Running && !Options.Live)
    return fail({Path, {}, "its process still records into it; --live reads it anyway"});
  if (const auto Failure = writeChrome(**File, Options.Out, spoolWriting(Options.Out)))
    return fail(*Failure);
  if (const Error *Damage = (*File)->damage()) {
    // The readable part was written; the damaged file stays.
    return fail(*Damage);
  }
  const std::string Rest = Running        ? "its process still runs"
                           : Options.Keep ? "the spool stays"
                                          : removeRecovered(Path, Options.Out);
  if (Options.Out != "-")
    inform(fmt::format("{} written from {}, of process {}; {}", Options.Out, Path,
                       (*File)->reader().header().Pid, Rest));
  return Success;
}

} // namespace

Action addRecover(CLI::App &Verb) {
  auto Options = std::make_shared<RecoverOptions>();
  Verb.add_option("SPOOL|PID", Options->Which,
                  "Spool file, or id of the process that wrote it; default: the only abandoned "
                  "spool of this user (seamscope spools lists them)");
  Verb.add_option("-o,--output", Options->Out,
                  "Trace to write: .json or .json.gz; - is standard output")
      ->type_name("FILE")
      ->required();
  Verb.add_flag("--live", Options->Live, "Also read the spool of a process that still runs");
  Verb.add_flag("--keep", Options->Keep,
                "Keep the spool; by default it is removed once the trace is in a file on the disk");
  addExamples(Verb, {"-o trace.json", "4711 -o trace.json", "--live 4711 -o now.json"});
  return [Options] { return recover(*Options); };
}

} // namespace seamscope::tools
