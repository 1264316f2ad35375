//===- StepLog.cpp - time and page faults of each step of a run ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/folder/StepLog.h"

#include "trace/io/FileUse.h"
#include "trace/io/InputFile.h"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

// steplog.py defines the layout.
static_assert(std::endian::native == std::endian::little);

struct Head {
  char Magic[16];
  uint64_t Steps;
  uint64_t LeftOut;
};
static_assert(sizeof(Head) == 32);

struct StepRecord {
  uint32_t Name;
  uint32_t Flags;
  uint64_t BeginNs, EndNs;
  uint64_t PageFaults;
  uint32_t Waits, Preempted;
};
static_assert(sizeof(StepRecord) == 40);

constexpr std::string_view Magic = "seamscope steps\x01";
constexpr uint64_t StepsAt = 1 << 16, Capacity = 1 << 20;
constexpr uint32_t Compiles = 1, Recorded = 2, KindAt = 8;

/// Names end with a newline; zeros follow.
std::vector<std::string> namesIn(std::string_view Text) {
  std::vector<std::string> Names;
  for (size_t End; (End = Text.find('\n')) != Text.npos; Text.remove_prefix(End + 1))
    Names.emplace_back(Text.substr(0, End));
  return Names;
}

} // namespace

std::string stepLogIn(const std::string &Folder) {
  return (fs::path(Folder) / "steps.bin").string();
}

Result<std::optional<StepLog>> readStepLog(const std::string &Folder) {
  const std::string Path = stepLogIn(Folder);
  if (!isThere(Path))
    return std::optional<StepLog>();
  const auto File = openRegular(Path);
  if (!File)
    return File.error();
  std::string Front(StepsAt, '\0');
  const auto Unread = [&] {
    noteUnread(Path, errno);
    return Error{Path, {}, std::strerror(errno)};
  };
  const int64_t FrontRead = readUpTo(File->number(), Front.data(), StepsAt);
  if (FrontRead < 0)
    return Unread();
  Head First;
  std::memcpy(&First, Front.data(), sizeof First);
  if (FrontRead != StepsAt || std::string_view(First.Magic, sizeof First.Magic) != Magic)
    return Error{Path, {}, "is not a log of steps of this version"};
  if (First.Steps > Capacity)
    return Error{
        Path,
        {},
        fmt::format("says that it has {} steps, more than there is room for", First.Steps)};
  StepLog Log;
  Log.LeftOut = First.LeftOut;
  Log.Names = namesIn(std::string_view(Front).substr(sizeof First));
  std::vector<StepRecord> Records(First.Steps);
  const int64_t Read =
      readUpTo(File->number(), Records.data(), Records.size() * sizeof(StepRecord));
  if (Read < 0)
    return Unread();
  for (size_t I = 0; I < Records.size(); ++I) {
    const StepRecord &R = Records[I];
    if (static_cast<int64_t>((I + 1) * sizeof R) > Read || R.Name >= Log.Names.size() ||
        R.EndNs < R.BeginNs || R.EndNs > INT64_MAX)
      return Error{Path, StepsAt + I * sizeof R, "is cut off or damaged"};
    Log.Steps.push_back({R.Name, (R.Flags & Compiles) != 0, (R.Flags & Recorded) != 0,
                         static_cast<int64_t>(R.EndNs - R.BeginNs), R.PageFaults, R.Waits,
                         R.Preempted, static_cast<int64_t>(R.BeginNs), R.Flags >> KindAt});
  }
  return std::optional(std::move(Log));
}

void trimStepLog(const std::string &Folder) {
  const auto Log = readStepLog(Folder);
  if (!Log || !*Log)
    return;
  // If that fails the file keeps its size.
  if (const auto File = openRegular(stepLogIn(Folder), O_RDWR | O_NOFOLLOW))
    std::ignore = ftruncate(
        File->number(), static_cast<off_t>(StepsAt + (*Log)->Steps.size() * sizeof(StepRecord)));
}

} // namespace seamscope::tools
