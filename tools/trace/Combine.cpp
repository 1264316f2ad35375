//===- Combine.cpp - several traces as one --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/Combine.h"
#include "trace/ChromeText.h"
#include "trace/CombineWriter.h"
#include "trace/OutputFile.h"
#include "trace/ReadTrace.h"
#include "trace/TraceFrame.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// A name in TMPDIR for a file that goes with its owner.
class TemporaryName {
public:
  TemporaryName() {
    std::error_code Failed;
    Name = (std::filesystem::temp_directory_path(Failed) / "seamscope-XXXXXX.json").string();
    const int Descriptor = mkstemps(Name.data(), 5);
    Error = Descriptor < 0 ? errno : 0;
    if (Descriptor >= 0)
      close(Descriptor);
  }
  ~TemporaryName() {
    if (!Error)
      unlink(Name.c_str());
  }
  TemporaryName(const TemporaryName &) = delete;
  TemporaryName &operator=(const TemporaryName &) = delete;

  std::string Name;
  int Error = 0;
};

/// Looks at the members before the events.
class RankReading final : TraceFrame {
public:
  RankReading(ByteSource &Source, const std::string &Path) : TraceFrame(Source, Path) {}

  std::optional<int64_t> run() {
    walk();
    return Rank;
  }

private:
  void readMember(const std::string &Key, const std::string &) override {
    const bool Wanted = Key == "distributedInfo";
    constexpr size_t Limit = 1 << 20;
    std::string Text;
    if (!Cursor.value(Wanted ? &Text : nullptr, Limit))
      return cutOff();
    if (!Wanted)
      return;
    const auto Info = nlohmann::json::parse(Text, nullptr, /*allow_exceptions=*/false);
    if (const auto Found = Info.is_object() ? Info.find("rank") : Info.end();
        Info.is_object() && Found != Info.end() && Found->is_number_integer())
      Rank = Found->get<int64_t>();
  }
  void readEvents() override { fail("not read any further"); }

  std::optional<int64_t> Rank;
};

} // namespace

Result<Combination> combineTraces(const std::vector<std::string> &Paths,
                                  const CombineOptions &Options, const std::string &Out) {
  std::vector<std::unique_ptr<ChromeText>> Texts;
  Combination All;
  for (const std::string &Path : Paths) {
    auto Text = ChromeText::open(Path);
    if (!Text)
      return Text.error();
    auto Source = (*Text)->read();
    if (!Source)
      return Source.error();
    auto Survey = surveyTrace(**Source, Path);
    if (!Survey)
      return Survey.error();
    Texts.push_back(std::move(*Text));
    All.Surveys.push_back(std::move(*Survey));
  }
  auto Plan = planCombination(All.Surveys, Paths, Options);
  if (!Plan)
    return Plan.error();
  All.Plan = std::move(*Plan);
  auto File = OutputFile::create(Out);
  if (!File)
    return File.error();
  CombineWriter Writer(**File, All.Surveys, All.Plan, Paths, Options);
  Writer.begin();
  for (size_t I = 0; I < Texts.size(); ++I) {
    auto Source = Texts[I]->read();
    if (!Source)
      return Source.error();
    if (const auto Failure = Writer.add(I, **Source))
      return *Failure;
  }
  Writer.end();
  if (const auto Failure = (*File)->commit())
    return *Failure;
  return All;
}

Result<JoinedTrace> readTogether(const std::vector<std::string> &Paths, const ReadOptions &Keep) {
  const TemporaryName File;
  if (File.Error)
    return Error{File.Name,
                 {},
                 fmt::format("cannot be made for the common trace: {}", std::strerror(File.Error))};
  auto Inputs = combineTraces(Paths, {}, File.Name);
  if (!Inputs)
    return Inputs.error();
  auto Whole = readTrace(File.Name, Keep);
  if (!Whole)
    return Whole.error();
  return JoinedTrace{std::move(*Whole), std::move(*Inputs)};
}

std::optional<int64_t> rankOfTrace(const std::string &Path) {
  auto Source = ByteSource::open(Path);
  return Source ? RankReading(**Source, Path).run() : std::nullopt;
}

} // namespace seamscope::tools
