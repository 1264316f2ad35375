//===- ReplayChange.cpp - a changed kernel next to it as it is ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/ReplayChange.h"
#include "cli/ReplayRun.h"

#include <filesystem>

namespace seamscope::tools {

namespace fs = std::filesystem;

/// The median with hot caches; nothing, with an error in \p Why, if the program failed.
static std::optional<int64_t> hotNs(const std::string &Folder,
                                    const std::vector<std::string> &Program, unsigned Threads,
                                    double Seconds, std::optional<Error> &Why) {
  const ReplayRun As{Folder, "varied.json", Threads, Seconds, {"--only", "hot"}};
  Why = runReplay(Program, As);
  Replayed Found;
  if (!Why)
    Why = addMeasured(Found, (fs::path(Folder) / As.Output).string());
  return Why ? std::nullopt : std::optional(Found.Variants[0].Times.MedianNs);
}

static std::optional<int64_t> hotNs(const ReplayChange &Of, double Seconds,
                                    std::optional<Error> &Why) {
  int64_t Sum = 0;
  for (const auto &[Folder, Program] : Of.Programs) {
    const auto Ns = hotNs(Folder, Program, Of.Threads, Seconds, Why);
    if (!Ns)
      return std::nullopt;
    Sum += *Ns;
  }
  return Sum;
}

Result<std::vector<ReplayVaried>> measureChanges(const std::string &Folder,
                                                 std::vector<ReplayChange> Changes,
                                                 unsigned Threads, double Seconds) {
  constexpr int Rounds = 5;
  std::optional<Error> Why;
  for (int Round = 0; Round < Rounds; ++Round)
    for (ReplayChange &Each : Changes) {
      // Next to each other, since the machine may have become slower meanwhile, and in turns: the
      // second of two programs may run slower than the first.
      std::optional<int64_t> Base, Other;
      for (int Turn = 0; Turn < 2 && Each.Row.Problem.empty(); ++Turn) {
        if ((Turn + Round) % 2 == 0) {
          Base = hotNs(Folder, commandOfProgram(), Threads, Seconds / Rounds, Why);
          if (!Base)
            return *Why;
        } else {
          Other = hotNs(Each, Seconds / Rounds, Why);
          if (!Other)
            Each.Row.Problem = Why->Reason;
        }
      }
      if (Base && Other && *Base > 0)
        Each.Row.add(*Base, *Other);
    }
  std::vector<ReplayVaried> Rows;
  for (ReplayChange &Each : Changes)
    Rows.push_back(std::move(Each.Row));
  return Rows;
}

} // namespace seamscope::tools
