//===- Spools.cpp - seamscope spools ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Help.h"
#include "cli/Output.h"
#include "cli/SpoolTable.h"
#include "cli/Verbs.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {

std::string_view stateOf(const SpoolSummary &Spool) {
  return Spool.Alive              ? "running"
         : !Spool.Problem.empty() ? "unreadable"
         : Spool.Exited           ? "exited"
                                  : "killed";
}

bool isProcessId(const std::string &Text) {
  return !Text.empty() && std::ranges::all_of(Text, [](char C) { return C >= '0' && C <= '9'; });
}

std::vector<std::string> spoolsOfProcess(const std::string &Pid) {
  const std::string OfPid = fmt::format("/seamscope-{}-{}-", getuid(), Pid);
  std::vector<std::string> Paths = findSpools();
  std::erase_if(Paths, [&](const std::string &Path) { return Path.find(OfPid) == Path.npos; });
  return Paths;
}

namespace {

int64_t wallClockNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// The two largest units of a time span: "3 d 4 h", "12 s".
std::string shownAge(int64_t Ns) {
  constexpr std::pair<int64_t, const char *> Units[] = {
      {86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
  int64_t Seconds = std::max<int64_t>(Ns, 0) / 1'000'000'000;
  std::string Text;
  for (const auto &[Length, Unit] : Units) {
    const bool Second = !Text.empty();
    if (Seconds >= Length || Second || Length == 1)
      Text += fmt::format("{}{} {}", Second ? " " : "", Seconds / Length, Unit);
    Seconds %= Length;
    if (Second)
      break;
  }
  return Text;
}

std::string shownBytes(uint64_t Bytes) {
  constexpr std::pair<uint64_t, const char *> Units[] = {{1 << 30, "GiB"}, {1 << 20, "MiB"}};
  for (const auto &[Size, Unit] : Units)
    if (Bytes >= Size)
      return fmt::format("{:.1f} {}", static_cast<double>(Bytes) / static_cast<double>(Size), Unit);
  return fmt::format("{} KiB", (Bytes + 1023) / 1024);
}

} // namespace

Document spoolsDocument(std::vector<SpoolSummary> Spools) {
  constexpr size_t ProgramWidth = 48;
  const int64_t Now = wallClockNs();
  /// Nothing for a spool that cannot be read.
  const auto Known = [](auto Get) {
    return [Get](const SpoolSummary &Of) -> Cell { return Of.Problem.empty() ? Get(Of) : Cell(); };
  };
  using Of = const SpoolSummary &;
  auto Held = std::make_shared<const std::vector<SpoolSummary>>(std::move(Spools));
  Table Rows = makeTable<SpoolSummary>(
      "spools", "Spools", std::span(*Held),
      {{Column("pid", "Process", Unit::Count, "id of the process that wrote it"),
        Known([](Of S) { return S.Pid; })},
       {Column("state", "State", Unit::Text, "running, exited, killed or unreadable"), stateOf},
       {Column("age", "Age", Unit::Text, "since its begin").in(ForPeople),
        Known([Now](Of S) { return shownAge(Now - static_cast<int64_t>(S.StartRealtimeNs)); })},
       {Column("start_ns", "", Unit::Ns, "its begin, since 1970"),
        Known([](Of S) { return S.StartRealtimeNs; })},
       {Column("bytes", "Size", Unit::Bytes, "what it takes in memory or on the disk"),
        [](Of S) -> Cell { return {S.StoredBytes, shownBytes(S.StoredBytes)}; }},
       {Column("open", "Open calls", Unit::Count, "calls that had not ended"),
        Known([](Of S) { return S.OpenCalls; })},
       {Column("program", "Program", Unit::Name, "its command").left().cut(ProgramWidth),
        Known([](Of S) { return S.Program; })},
       {Column("path", "Spool", Unit::Name, "the file").left(), [](Of S) { return S.Path; }},
       {Column("problem", "", Unit::Name, "why it cannot be read"),
        [](Of S) { return textOrNull(S.Problem); }}});
  Rows.Attached = true;
  Rows.Notes = [Held](size_t Row) {
    const std::string &Problem = (*Held)[Row].Problem;
    return Problem.empty() ? std::vector<std::string>() : std::vector{Problem};
  };
  Document Doc{"seamscope.spools/1", "Spools", {}, "spools"};
  Doc.Sections.push_back({"spools", "Spools", {std::move(Rows)}});
  return Doc;
}

namespace {

struct SpoolsOptions {
  std::vector<std::string> Which;
  bool Remove = false, Json = false;
};

/// The spools that the options name, else all of this user. Nothing, after a line on stderr, if one
/// does not exist.
std::optional<std::vector<SpoolSummary>> chosenSpools(const SpoolsOptions &Options) {
  std::vector<SpoolSummary> Spools;
  if (Options.Which.empty())
    for (const std::string &Path : findSpools())
      Spools.push_back(summarizeSpool(Path));
  for (const std::string &Word : Options.Which) {
    if (!isProcessId(Word)) {
      if (!isSpool(Word)) {
        fail({Word, {}, "is not a Seamscope spool"});
        return std::nullopt;
      }
      Spools.push_back(summarizeSpool(Word));
      continue;
    }
    const std::vector<std::string> Paths = spoolsOfProcess(Word);
    if (Paths.empty()) {
      complain(fmt::format("spools: no spool of process {} in {}", Word,
                           fmt::join(spoolFolders(), ", ")));
      return std::nullopt;
    }
    for (const std::string &Path : Paths)
      Spools.push_back(summarizeSpool(Path));
  }
  return Spools;
}

int removeAll(const std::vector<SpoolSummary> &Spools, bool Named) {
  int Status = Success;
  std::string Removed;
  for (const SpoolSummary &Spool : Spools) {
    if (Spool.Alive && !Named)
      continue;
    if (const auto Failure = removeSpool(Spool.Path)) {
      Status = fail(*Failure);
      continue;
    }
    Removed +=
        fmt::format("removed {} ({}{}{})\n", escaped(Spool.Path), shownBytes(Spool.StoredBytes),
                    Spool.Program.empty() ? "" : ", ", escaped(Spool.Program));
  }
  return std::max(Status, writeResult("-", Removed));
}

int spools(const SpoolsOptions &Options) {
  const auto Spools = chosenSpools(Options);
  if (!Spools)
    return BadData;
  if (Options.Remove)
    return removeAll(*Spools, !Options.Which.empty());
  if (!Options.Json && Spools->empty())
    return writeResult("-", fmt::format("no spools of this user in {}\n",
                                        escaped(fmt::to_string(fmt::join(spoolFolders(), ", ")))));
  OutputWanted Wanted;
  Wanted.Json = Options.Json;
  return writeDocument(spoolsDocument(*Spools), Wanted, "spools");
}

} // namespace

Action addSpools(CLI::App &Verb) {
  auto Options = std::make_shared<SpoolsOptions>();
  Verb.add_option("SPOOL|PID", Options->Which,
                  "Only these: spool files, or ids of the processes that wrote them");
  auto *Remove =
      Verb.add_flag("--remove", Options->Remove, "Remove the spools of processes that have ended");
  Verb.add_flag("--json", Options->Json, "Write seamscope.spools/1")->excludes(Remove);
  addExamples(Verb, {"", "--json", "--remove 4711"});
  return [Options] { return spools(*Options); };
}

} // namespace seamscope::tools
