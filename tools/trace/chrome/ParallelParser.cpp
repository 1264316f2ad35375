//===- ParallelParser.cpp - parses windows of events on several threads ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/ParallelParser.h"

#include <algorithm>

namespace seamscope::tools {

ParallelParser::ParallelParser(TraceBuilder &Builder, EventParser &Serial, const ReadOptions &Keep,
                               unsigned Threads)
    : Builder(Builder), Serial(Serial),
      Windows(
          Threads,
          [this](unsigned Self, Task What) { return parse(Workers[Self], std::move(What)); },
          [this](Parsed Next) { absorb(std::move(Next)); }) {
  // No window was added yet: the threads wait.
  for (unsigned I = 0; I < std::max(1u, Threads); ++I)
    Workers.emplace_back(Keep);
}

ParallelParser::Parsed ParallelParser::parse(Worker &Self, Task What) {
  const size_t Size = What.Window.size();
  const ChromeEvent::Repairs Before = Self.Parser.repairs();
  Self.Parser.parse(What.Window, What.Offset);
  What.Window.resize(Size); // the parser may have put something behind it
  const ChromeEvent::Repairs &After = Self.Parser.repairs();
  return {&Self,
          Self.Builder.take(),
          {After.NoDuration - Before.NoDuration, After.NegativeDuration - Before.NegativeDuration},
          std::move(What)};
}

void ParallelParser::absorb(Parsed Next) {
  if (Builder.absorb(std::move(Next.Part), Next.By->Numbers)) {
    Repairs.NoDuration += Next.Repairs.NoDuration;
    Repairs.NegativeDuration += Next.Repairs.NegativeDuration;
  } else {
    Serial.parse(Next.Of.Window, Next.Of.Offset);
  }
  Spare.push_back(std::move(Next.Of.Window));
}

std::string ParallelParser::spare() {
  if (Spare.empty())
    return {};
  std::string Text = std::move(Spare.back());
  Spare.pop_back();
  return Text;
}

void ParallelParser::addPassedOver(std::map<std::string, uint64_t, std::less<>> &Counts) const {
  for (const Worker &Self : Workers)
    for (const auto &[What, Count] : Self.Parser.passedOver())
      Counts[What] += Count;
}

bool ParallelParser::sawTorch() const {
  return std::ranges::any_of(Workers, [](const Worker &Self) { return Self.Parser.sawTorch(); });
}

} // namespace seamscope::tools
