//===- Combine.cpp - several traces as one --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/Combine.h"
#include "trace/io/OutputFile.h"
#include "trace/rewrite/ChromeText.h"
#include "trace/rewrite/CombineWriter.h"

#include <memory>

namespace seamscope::tools {

Result<Combination> combineTraces(const std::vector<std::string> &Paths,
                                  const CombineOptions &Options, const std::string &Out,
                                  const CorrectTimes &Correct) {
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
  if (Correct)
    if (auto Failure = Correct(All.Plan))
      return *Failure;
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

} // namespace seamscope::tools
