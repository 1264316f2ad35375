//===- ExecutedWork.cpp - what kernels computed and moved, as counted ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/work/ExecutedWork.h"

#include "analysis/core/KernelNames.h"
#include "trace/io/JsonParse.h"

#include <algorithm>
#include <ranges>

namespace seamscope::tools {
namespace {

using nlohmann::json;

constexpr std::string_view MathPrefix = "call.", VectorPrefix = "vector.", MaskedPrefix = "masked_",
                           ScatteredPrefix = "scattered_", StreamedPrefix = "streamed_";

constexpr const char *OfOneOfSeveral = "code that is in one of several kernels of this name";

struct Operation {
  std::string_view Key;
  int Flop;
};
constexpr Operation Operations[] = {
#define SEAMSCOPE_WORK(Name, Key, Flop) {Key, Flop},
#include "seamscope/work.def"
};

/// FLOPs of one operation. Integers do none.
int flopOf(std::string_view Key) {
  const auto [Type, What] = operationOf(Key);
  if (Type.empty() || Type.starts_with('i'))
    return 0;
  const auto *const Found = std::ranges::find(Operations, What, &Operation::Key);
  return Found == std::end(Operations) ? 0 : Found->Flop;
}

/// The words of each thread; nothing: not recorded.
std::map<TrackId, WorkRun> threadsOf(const CountedWork &Of) {
  std::map<TrackId, WorkRun> Found;
  for (const WorkRun &Run : Of.Runs) {
    WorkRun &Into = Found[Run.Track];
    Into.Calls += Run.Calls;
    Into.Words.resize(Run.Words.size());
    for (size_t I = 0; I < Run.Words.size(); ++I)
      Into.Words[I] += Run.Words[I];
  }
  return Found;
}

/// Work in a file that has none of several kernels of its name is of one of them.
void markUnsure(WorkByKernel &Found, const KernelIds &Ids) {
  const auto IsUnsure = [&](const KernelId &Id) { return !Id.File.empty() && !Ids.isOfOne(Id); };
  std::set<std::string> Names;
  for (const KernelId &Id : Found | std::views::keys)
    if (IsUnsure(Id))
      Names.insert(Id.Name);
  for (auto &[Id, Work] : Found)
    if (Names.contains(Id.Name))
      Work.All.Unknown.insert(OfOneOfSeveral);
}

} // namespace

class WorkDescription::Parsed {
public:
  explicit Parsed(const CountedWork &Of) : Of(Of), Text(parseJson(Of.Counts)) {
    if (Text.is_object() && isArray(Text, "files"))
      for (const json &File : Text["files"])
        Files.push_back(File.is_string() ? File.get<std::string>() : std::string());
  }

  std::optional<WorkByName> read(uint64_t Calls, const std::vector<uint64_t> &Counted) {
    if (!Text.is_object() || !isArray(Text, "classes"))
      return std::nullopt;
    Words = &Counted;
    Into.clear();
    KernelWork *const Own = Of.isOfOneKernel() ? &Into[Of.shownKernel()] : nullptr;
    if (Own && Of.Name == Of.Kernel)
      Own->Calls += Calls;
    if (Own)
      Own->LacksArrays = !isArray(Text, "arrays");
    const bool Ok =
        std::ranges::all_of(Text["classes"], [&](const json &Class) { return add(Class); }) &&
        (!Own || Own->LacksArrays || std::ranges::all_of(Text["arrays"], [&](const json &Array) {
          return addArray(Array, *Own);
        }));
    return Ok ? std::optional(std::move(Into)) : std::nullopt;
  }

private:
  static bool isArray(const json &Object, const char *Key) {
    return Object.contains(Key) && Object[Key].is_array();
  }
  static std::string textIn(const json &Object, const char *Key, const std::string &Else) {
    return Object.contains(Key) && Object[Key].is_string() ? Object[Key].get<std::string>() : Else;
  }

  bool add(const json &Class) {
    if (!Class.is_object() || !isArray(Class, "lines"))
      return false;
    Bounds Runs;
    bool IsCounted = false;
    if (Class.contains("word")) {
      if (!Class["word"].is_number_unsigned() || Class["word"].get<uint64_t>() >= Words->size())
        return false;
      const uint64_t Raw = (*Words)[Class["word"].get<uint64_t>()];
      const uint64_t Unit = Class.contains("unit") && Class["unit"].is_number_unsigned()
                                ? Class["unit"].get<uint64_t>()
                                : 1;
      if (!Unit || Raw % Unit)
        return false;
      const uint64_t Count = Raw / Unit;
      const bool IsAtMost = Class.contains("at_most") && Class["at_most"] == true;
      Runs = {IsAtMost ? 0 : Count, Count};
      IsCounted = true;
    }
    const std::string OfPass = textIn(Class, "kernel", Of.Kernel);
    const std::vector<std::string> Names = Of.shown(OfPass);
    if (Names.size() > 1) {
      for (const std::string &Each : Names)
        Into[Each].All.Unknown.insert(OfOneOfSeveral);
      return true;
    }
    const std::string &Name = Names.front();
    KernelWork &Kernel = Into[Name];
    // The arrays of inlined kernels are counted with those of the function.
    Kernel.LacksArrays |= Name != Of.shownKernel();
    const std::string Loop = nameOfPart(textIn(Class, "loop", ""), OfPass, Name);
    ExecutedWork Sum;
    // What never ran is not unknown.
    if ((!IsCounted || Runs.Most > 0) && isArray(Class, "unknown"))
      for (const json &Reason : Class["unknown"])
        if (Reason.is_string())
          Sum.Unknown.insert(Reason.get<std::string>());
    for (const json &Line : Class["lines"])
      if (!addLine(Line, Runs, Kernel, Sum))
        return false;
    if (!Loop.empty())
      Kernel.Loops[Loop].add(Sum);
    Kernel.All.add(Sum);
    return true;
  }

  bool addArray(const json &Array, KernelWork &Own) const {
    if (!Array.is_object() || !Array.contains("word") || !Array["word"].is_number_unsigned() ||
        Array["word"].get<uint64_t>() >= Words->size())
      return false;
    TouchedArray Made;
    Made.Name = textIn(Array, "name", "");
    if (Array.contains("file") && Array["file"].is_number_integer())
      Made.File = file(Array["file"].get<int64_t>());
    if (Array.contains("line") && Array["line"].is_number_unsigned())
      Made.Line = lineNumber(Array["line"]);
    Made.IsWritten = Array.contains("write") && Array["write"] == true;
    Made.Bytes = std::min((*Words)[Array["word"].get<uint64_t>()], Bounds::Largest);
    Own.Arrays.push_back(std::move(Made));
    return true;
  }

  std::string file(int64_t Number) const {
    return Number >= 0 && static_cast<size_t>(Number) < Files.size()
               ? Files[static_cast<size_t>(Number)]
               : std::string();
  }
  static uint32_t lineNumber(const json &Of) {
    return static_cast<uint32_t>(std::min<uint64_t>(Of.get<uint64_t>(), UINT32_MAX));
  }

  bool addLine(const json &Line, const Bounds &Runs, KernelWork &Kernel, ExecutedWork &Sum) {
    if (!Line.is_array() || Line.size() != 3 || !Line[0].is_number_integer() ||
        !Line[1].is_number_unsigned() || !Line[2].is_object())
      return false;
    ExecutedWork Work;
    for (const auto &[Key, Each] : Line[2].items()) {
      if (!Each.is_number_unsigned())
        return false;
      Bounds Count = Runs * Each.get<uint64_t>();
      std::string Name = Key;
      const bool IsPart = Name.starts_with(VectorPrefix) || Name.starts_with(ScatteredPrefix) ||
                          Name.starts_with(StreamedPrefix);
      if (const size_t At = Name.find(MaskedPrefix); At == 0 || (IsPart && At != Name.npos)) {
        Name.erase(At, MaskedPrefix.size());
        Count.Least = 0;
      }
      if (Runs.Most > 0)
        (IsPart ? Work.Parts : Work.Counts)[Name] += Count;
    }
    Sum.add(Work);
    if (!Work.Counts.empty())
      Kernel.line(file(Line[0].get<int64_t>()), lineNumber(Line[1])).add(Work);
    return true;
  }

  const CountedWork &Of;
  const json Text;
  const std::vector<uint64_t> *Words = nullptr;
  WorkByName Into;
  std::vector<std::string> Files;
};

WorkDescription::WorkDescription(const CountedWork &Of) : Text(std::make_unique<Parsed>(Of)) {}
WorkDescription::WorkDescription(WorkDescription &&) noexcept = default;
WorkDescription::~WorkDescription() = default;

std::optional<WorkByName> WorkDescription::read(uint64_t Calls,
                                                const std::vector<uint64_t> &Words) const {
  return Text->read(Calls, Words);
}

std::pair<std::string_view, std::string_view> operationOf(std::string_view Key) {
  const size_t Dot = Key.find('.');
  if (Dot == Key.npos || Key.starts_with(MathPrefix))
    return {{}, Key};
  return {Key.substr(0, Dot), Key.substr(Dot + 1)};
}

Bounds flopsOf(std::string_view Key, const Bounds &Count) {
  return Count * static_cast<uint64_t>(flopOf(Key));
}

Bounds ExecutedWork::flop() const {
  Bounds Sum;
  for (const auto &[Key, Count] : Counts)
    Sum += flopsOf(Key, Count);
  return Sum;
}

std::map<std::string, Bounds> ExecutedWork::flopByType() const {
  std::map<std::string, Bounds> Sums;
  for (const auto &[Key, Count] : Counts)
    if (const int Flop = flopOf(Key))
      Sums[std::string(operationOf(Key).first)] += Count * static_cast<uint64_t>(Flop);
  return Sums;
}

std::map<std::string, Bounds> ExecutedWork::mathCalls() const {
  std::map<std::string, Bounds> Sums;
  for (const auto &[Key, Count] : Counts)
    if (Key.starts_with(MathPrefix))
      Sums[Key.substr(MathPrefix.size())] += Count;
  return Sums;
}

bool ExecutedWork::isExact() const {
  return Unknown.empty() && std::ranges::all_of(Counts | std::views::values, &Bounds::isExact);
}

void ExecutedWork::add(const ExecutedWork &More) {
  for (const auto &[Key, Count] : More.Counts)
    Counts[Key] += Count;
  for (const auto &[Key, Count] : More.Parts)
    Parts[Key] += Count;
  Unknown.insert(More.Unknown.begin(), More.Unknown.end());
}

ExecutedWork &KernelWork::line(const std::string &File, uint32_t Line) {
  const auto Known = std::ranges::find_if(
      Lines, [&](const LineWork &Other) { return Other.Line == Line && Other.File == File; });
  return Known != Lines.end() ? Known->Work : Lines.emplace_back(LineWork{File, Line, {}}).Work;
}

void KernelWork::sortLines() {
  std::ranges::sort(Lines, {}, [](const LineWork &Line) { return std::tie(Line.File, Line.Line); });
}

void KernelWork::add(KernelWork &&More) {
  Calls += More.Calls;
  LacksArrays |= More.LacksArrays;
  std::ranges::move(More.Arrays, std::back_inserter(Arrays));
  All.add(More.All);
  for (const auto &[Loop, Part] : More.Loops)
    Loops[Loop].add(Part);
  for (const LineWork &Each : More.Lines)
    line(Each.File, Each.Line).add(Each.Work);
}

std::optional<FootprintSum> KernelWork::countedFootprint(bool IsWritten) const {
  if (LacksArrays)
    return std::nullopt;
  Bounds Sum = All.part(IsWritten ? "scattered_write" : "scattered_read");
  const uint64_t Scattered = Sum.Most;
  Sum += All.part(IsWritten ? "streamed_write" : "streamed_read");
  for (const TouchedArray &Array : Arrays)
    if (Array.IsWritten == IsWritten)
      Sum += {Array.Bytes, Array.Bytes};
  // Ranges may overlap, and have gaps.
  const Bounds Executed = IsWritten ? All.bytesWritten() : All.bytesRead();
  const uint64_t Bytes = std::min(Sum.Most, Executed.Most);
  return FootprintSum{Bytes, std::min(Scattered, Bytes)};
}

std::optional<FootprintSum> KernelWork::footprint(bool IsWritten) const {
  return All.Unknown.empty() ? countedFootprint(IsWritten) : std::nullopt;
}

std::optional<FootprintSum> KernelWork::footprint() const {
  return All.Unknown.empty() ? countedFootprint() : std::nullopt;
}

std::optional<FootprintSum> KernelWork::countedFootprint() const {
  const auto Read = countedFootprint(false), Written = countedFootprint(true);
  if (!Read || !Written)
    return std::nullopt;
  return FootprintSum{Read->Bytes + Written->Bytes, Read->Scattered + Written->Scattered};
}

WorkByKernel executedWork(const Trace &Source) {
  WorkByKernel Found;
  const KernelIds Ids(Source);
  for (const CountedWork &Of : Source.Work) {
    if (!Of.Id.empty())
      continue;
    const WorkDescription Text(Of);
    std::optional<WorkByName> Alone = Text.read(Of.Calls, Of.Words);
    if (!Alone) {
      for (const std::string &Kernel : Of.shown(Of.Kernel))
        Found[Ids.of(Kernel, Of.fileOfKernel())].All.Unknown.insert(
            "a description that cannot be read");
      continue;
    }
    for (auto &[Kernel, Work] : *Alone) {
      KernelWork &Into = Found[Ids.of(Kernel, Of.fileOfKernel())];
      Into.LacksThreads |= Of.Runs.empty();
      Into.add(std::move(Work));
    }
    for (const auto &[Track, Sum] : threadsOf(Of))
      if (const std::optional<WorkByName> Part = Text.read(Sum.Calls, Sum.Words))
        for (const auto &[Kernel, Work] : *Part)
          Found[Ids.of(Kernel, Of.fileOfKernel())].Threads[Track].add(Work.All);
  }
  markUnsure(Found, Ids);
  for (KernelWork &Work : Found | std::views::values)
    Work.sortLines();
  return Found;
}

} // namespace seamscope::tools
