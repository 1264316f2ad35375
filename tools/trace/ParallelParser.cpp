//===- ParallelParser.cpp - parses windows of events on several threads ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/ParallelParser.h"

namespace seamscope::tools {

ParallelParser::ParallelParser(TraceBuilder &Builder, const ReadOptions &Keep, unsigned Threads)
    : Builder(Builder) {
  for (unsigned I = 0; I < Threads; ++I) {
    Worker &Self = Workers.emplace_back(Keep);
    Self.Thread = std::thread([this, &Self] { work(Self); });
  }
}

ParallelParser::~ParallelParser() { finish(); }

void ParallelParser::work(Worker &Self) {
  std::unique_lock Held(Lock);
  for (;;) {
    HaveTask.wait(Held, [&] { return !Tasks.empty() || NoMore; });
    if (Tasks.empty())
      return;
    Task Mine = std::move(Tasks.front());
    Tasks.pop_front();
    Held.unlock();
    Self.Parser.parse(Mine.Window, Mine.Offset);
    TraceBuilder::Part Part = Self.Builder.take();
    Held.lock();
    Spare.push_back(std::move(Mine.Window));
    Results.emplace(Mine.Number, Done{&Self, std::move(Part)});
    HaveResult.notify_one();
  }
}

void ParallelParser::absorbReady(std::unique_lock<std::mutex> &Held) {
  while (!Results.empty() && Results.begin()->first == Absorbed) {
    Done Next = std::move(Results.begin()->second);
    Results.erase(Results.begin());
    Held.unlock();
    Builder.absorb(std::move(Next.Part), Next.By->Numbers);
    Held.lock();
    ++Absorbed;
  }
}

void ParallelParser::parse(std::string Window, uint64_t Offset) {
  std::unique_lock Held(Lock);
  absorbReady(Held);
  const uint64_t Most = 3 * Workers.size();
  while (Given - Absorbed >= Most) {
    HaveResult.wait(Held, [&] { return Results.contains(Absorbed); });
    absorbReady(Held);
  }
  Tasks.push_back({Given++, std::move(Window), Offset});
  HaveTask.notify_one();
}

std::string ParallelParser::spare() {
  const std::lock_guard Held(Lock);
  if (Spare.empty())
    return {};
  std::string Text = std::move(Spare.back());
  Spare.pop_back();
  return Text;
}

void ParallelParser::finish() {
  {
    std::unique_lock Held(Lock);
    while (Absorbed < Given) {
      HaveResult.wait(Held, [&] { return Results.contains(Absorbed); });
      absorbReady(Held);
    }
    if (NoMore)
      return;
    NoMore = true;
    HaveTask.notify_all();
  }
  for (Worker &Self : Workers) {
    Self.Thread.join();
    Builder.absorbNames(Self.Builder, Self.Numbers);
  }
}

ChromeEvent::Repairs ParallelParser::repairs() const {
  ChromeEvent::Repairs Sum;
  for (const Worker &Self : Workers) {
    Sum.NoDuration += Self.Parser.repairs().NoDuration;
    Sum.NegativeDuration += Self.Parser.repairs().NegativeDuration;
  }
  return Sum;
}

bool ParallelParser::sawTorch() const {
  for (const Worker &Self : Workers)
    if (Self.Parser.sawTorch())
      return true;
  return false;
}

} // namespace seamscope::tools
