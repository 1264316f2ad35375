//===- Check.cpp - seamscope check ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Check.h"
#include "cli/Help.h"
#include "cli/Output.h"
#include "cli/Verbs.h"
#include "run/folder/RunFolder.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct CheckOptions {
  std::string Run;
  OutputWanted Output;
};

int check(const CheckOptions &Options) {
  const std::string Run = Options.Run.empty() ? newestRunFolder(UsualRunParent) : Options.Run;
  if (Run.empty()) {
    complain(fmt::format("check: no run below '{}'; name the folder of one", UsualRunParent));
    return BadUsage;
  }
  if (!isRunFolder(Run))
    return fail({Run, {}, "is not the folder of a run (`seamscope run` makes one)"});
  std::error_code Ignored;
  if (!std::filesystem::exists(checkLogIn(Run), Ignored))
    return fail({Run,
                 {},
                 "no kernel was checked: `seamscope run --check` compares the C++ kernels of "
                 "torch.compile with eager mode"});
  const auto Log = readCheckLog(Run);
  if (!Log)
    return fail(Log.error());
  if (const int Status = writeDocument(checkDocument(*Log, Run), Options.Output, "check"))
    return Status;
  return firstWrong(*Log).second ? AboveThreshold : Success;
}

} // namespace

Action addCheck(CLI::App &Verb) {
  auto Options = std::make_shared<CheckOptions>();
  Verb.add_option(
      "DIR", Options->Run,
      "Folder that `seamscope run --check` made; default: the newest below seamscope-out");
  addOutputOptions(Verb, Options->Output, "seamscope.check/1", "kernel", "the comparisons");
  addExamples(Verb, {"", "out --json"},
              "0 no number is wrong, 3 one is, 1 bad data or a file that cannot be read or "
              "written,\n2 bad usage.");
  return [Options] {
    return chooseFormat(Options->Output, "check") ? check(*Options) : static_cast<int>(BadUsage);
  };
}

} // namespace seamscope::tools
