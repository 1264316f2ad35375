//===- SourceFile.cpp - a source file with figures by line ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/SourceFile.h"

#include "report/sections/CountedWork.h"
#include "report/sections/FusedOperators.h"
#include "report/sections/LineWork.h"
#include "report/sections/Source.h"
#include "run/folder/SourceRoots.h"
#include "run/join/TorchRun.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

bool isNamed(std::string_view File, std::string_view Wanted) {
  return File == Wanted || (File.ends_with(Wanted) && File[File.size() - Wanted.size() - 1] == '/');
}

/// Whether operators of fused kernels have lines in it.
bool hasOperators(const ReportContext &In, std::string_view File) {
  return std::ranges::any_of(In.Numbers.Kernels, [&](const KernelRow &Row) {
    return std::ranges::any_of(operatorLines(In, Row), [&](const OperatorLine &Each) {
      return Each.Python && Each.Python->File == File;
    });
  });
}

/// The text of a file: of a generated one, the copy in the folder of the run.
Result<std::string> textOf(const ReportContext &In, const std::string &File,
                           const SourceRoots &Roots) {
  if (In.Input.Torch)
    for (const KernelRow &Row : In.Numbers.Kernels)
      if (const GeneratedKernel *const Kernel = In.Input.Torch->kernel(Row.Site);
          Kernel && !Kernel->Source.empty() && In.Source.text(In.site(Row.Site).File) == File)
        return std::string(Kernel->Source);
  return Roots.read(File);
}

void addKernelNames(Section &To, const std::string &File, const std::vector<std::string> &Names) {
  constexpr size_t Most = 8;
  std::vector<std::string> Shown;
  for (size_t I = 0; I < std::min(Names.size(), Most); ++I)
    Shown.push_back(fit(Names[I], 60));
  if (Names.size() > Most)
    Shown.push_back(fmt::format("{} more", Names.size() - Most));
  To.add(Sentence{fmt::format("{}: code of {} kernel{}: {}", escaped(File), Names.size(),
                              Names.size() == 1 ? "" : "s", fmt::join(Shown, ", ")),
                  ForPeople, To.Items.empty()});
}

/// Adds the file with its figures, or why it is not read.
void addText(Section &To, const Result<std::string> &Text, Code Made) {
  Text ? To.add(std::move(Made)) : To.say(Text.error().message());
}

void addCompiled(Section &To, const Context &In, const std::string &File,
                 const SourceRoots &Roots) {
  LineTimes Times, DeviceTimes;
  LineTime Here, Elsewhere;
  WorkByLine Lines;
  ExecutedWork All;
  std::vector<std::string> Names, OnDevices;
  std::vector<const KernelRow *> Rows;
  int64_t DeviceNs = 0;
  size_t Counting = 0; ///< kernels
  for (const KernelRow &Row : In->Numbers.Kernels) {
    const Site &What = In->site(Row.Site);
    if (What.Device >= 0) {
      if (In->Source.text(What.File) == File) {
        OnDevices.emplace_back(In->name(Row.Site));
        DeviceNs = saturatingSum(DeviceNs, Row.Times.TotalNs);
        int64_t &OfLine = DeviceTimes[What.Line];
        OfLine = saturatingSum(OfLine, Row.Times.TotalNs);
      }
      continue;
    }
    LineTime OfKernel, OfOthers;
    bool IsIn = In->Source.text(What.File) == File;
    const auto &Known = In->lines();
    for (auto At = Known.lower_bound({Row.Site, 0, 0});
         At != Known.end() && At->first.Kernel == Row.Site; ++At) {
      const auto &[Place, Time] = *At;
      const bool IsHere = Place.Line && In->Source.text(Place.File) == File;
      (IsHere ? OfKernel : OfOthers).add(Time);
      IsIn |= IsHere;
      if (IsHere)
        Times[Place.Line] += Time.SelfNs + Time.WaitNs;
    }
    WorkByLine OwnLines;
    addLinesOf(OwnLines, *In, Row, File);
    if (!IsIn && OwnLines.empty())
      continue;
    for (const auto &[Line, Work] : OwnLines)
      Lines[Line].add(Work);
    Here.add(OfKernel);
    Elsewhere.add(OfOthers);
    if (const KernelWork *const Counted = countedWork(*In, Row)) {
      All.add(Counted->All);
      ++Counting;
    }
    Names.emplace_back(In->name(Row.Site));
    Rows.push_back(&Row);
  }
  // Times of threads and of devices do not add up.
  const bool IsOfDevices = Names.empty();
  addKernelNames(To, File, IsOfDevices ? OnDevices : Names);
  if (IsOfDevices) {
    Times = std::move(DeviceTimes);
    To.say(fmt::format("lines: {} on devices, each kernel's on its own line", shownTime(DeviceNs)));
  } else if (!In->Source.Profile.empty()) {
    To.say("times of lines: unknown, the trace holds sums (mode profile), not calls");
  } else {
    To.say(lineTimesText(Here, Elsewhere));
  }
  if (DeviceNs && !IsOfDevices)
    To.say(fmt::format("{} of kernels on devices are not in it: name one of these kernels",
                       shownTime(DeviceNs)));
  if (Counting) {
    ExecutedWork Sum;
    for (const auto &[Line, Work] : Lines)
      Sum.add(Work);
    To.say(fmt::format(
        "work on these lines: {}; of these kernels in all: {}{}{}", workText(Sum), workText(All),
        All.Unknown.empty() ? "" : ", and more that is not known",
        Counting == Names.size()
            ? ""
            : fmt::format("; {} of {} kernels counted their work", Counting, Names.size())));
  }
  const Result<std::string> Text = textOf(*In, File, Roots);
  Code Made = Text ? codeOf(escaped(File), *Text, 1, UINT32_MAX, Times) : Code();
  if (File.ends_with(".py"))
    Made.Language = "python";
  addLineWork(Made, Lines);
  // Two kernels may have loops at one line: a template's, or those of a function that is inlined.
  // Which of them the line is near to is not one figure.
  if (Rows.size() == 1)
    addLineRoofs(Made, *In, *Rows[0], File);
  addText(To, Text, std::move(Made));
}

void addPython(Section &To, const Context &In, const std::string &File, const SourceRoots &Roots) {
  WorkByLine Lines;
  ExecutedWork Here, Elsewhere, Several, Rest;
  std::vector<std::string> Names, Joined;
  size_t Unknown = 0; ///< kernels
  for (const KernelRow &Row : In->Numbers.Kernels) {
    const std::vector<OperatorLine> Operators = operatorLines(*In, Row);
    Unknown += Operators.empty() && In->Input.Torch->kernel(Row.Site);
    if (std::ranges::none_of(Operators, [&](const OperatorLine &Each) {
          return Each.Python && Each.Python->File == File;
        }))
      continue;
    Names.emplace_back(In->name(Row.Site));
    bool IsJoined = false;
    for (const OperatorLine &Each : Operators) {
      IsJoined |= Each.IsJoined;
      if (Each.IsRest)
        Rest.add(*Each.Work);
      else if (!Each.Python)
        Several.add(*Each.Work);
      else if (Each.Python->File != File)
        Elsewhere.add(*Each.Work);
      else {
        Here.add(*Each.Work);
        Lines[Each.Python->Line].add(*Each.Work);
      }
    }
    if (IsJoined)
      Joined.push_back(fit(In->name(Row.Site), 60));
  }
  addKernelNames(To, File, Names);
  To.say("times of lines: unknown, a kernel computes its operators together");
  To.say(fmt::format("work on these lines: {}", workText(Here)));
  const auto Say = [&](const char *What, const ExecutedWork &Of) {
    if (!Of.Counts.empty())
      To.say(fmt::format("{}: {}", What, workText(Of)));
  };
  Say("on lines of other files", Elsewhere);
  Say("of operators that are on several lines, or on none that is known", Several);
  Say("of no operator (loops, addresses, shared loads)", Rest);
  if (Unknown)
    To.say(fmt::format("{} more kernel{} of torch.compile did not count work by operator, of this "
                       "file or others",
                       Unknown, Unknown == 1 ? "" : "s"));
  if (!Joined.empty())
    To.say(fmt::format("the compiler joined instructions of several operators of {}: a line may "
                       "have work of another",
                       fmt::join(Joined, ", ")));
  const Result<std::string> Text = Roots.read(File);
  Code Made = Text ? codeOf(escaped(File), *Text, 1, UINT32_MAX, {}) : Code();
  Made.Language = "python";
  Made.HeatNs.clear();
  addLineWork(Made, Lines);
  addText(To, Text, std::move(Made));
}

} // namespace

std::vector<std::string> sourceFilesNamed(const ReportContext &In, std::string_view Wanted) {
  std::set<std::string> Found;
  const auto Add = [&](std::string_view File) {
    if (!File.empty() && isNamed(File, Wanted))
      Found.emplace(File);
  };
  if (Wanted.empty())
    return {};
  for (const auto &[Place, Time] : In.lines())
    Add(In.Source.text(Place.File));
  for (const KernelRow &Row : In.Numbers.Kernels) {
    Add(In.Source.text(In.site(Row.Site).File));
    if (const KernelWork *const Counted = anyWork(In, Row))
      for (const LineWork &Line : Counted->Lines)
        Add(Line.File);
    for (const OperatorLine &Each : operatorLines(In, Row))
      if (Each.Python)
        Add(Each.Python->File);
  }
  return {Found.begin(), Found.end()};
}

void addSourceFile(Section &To, const Context &In, const std::string &File,
                   const SourceRoots &Roots) {
  hasOperators(*In, File) ? addPython(To, In, File, Roots) : addCompiled(To, In, File, Roots);
}

} // namespace seamscope::tools
