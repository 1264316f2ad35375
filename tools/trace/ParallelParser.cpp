//===- ParallelParser.cpp - parses windows of events on several threads ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/ParallelParser.h"

namespace seamscope::tools {

ParallelParser::ParallelParser(TraceBuilder &Builder, EventParser &Serial, const ReadOptions &Keep,
                               unsigned Threads)
    : Builder(Builder), Serial(Serial) {
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
    const size_t Size = Mine.Window.size();
    const ChromeEvent::Repairs Before = Self.Parser.repairs();
    Self.Parser.parse(Mine.Window, Mine.Offset);
    Mine.Window.resize(Size); // the parser may have put something behind it
    const ChromeEvent::Repairs &After = Self.Parser.repairs();
    Done Ready = {
        &Self,
        Self.Builder.take(),
        {After.NoDuration - Before.NoDuration, After.NegativeDuration - Before.NegativeDuration},
        std::move(Mine.Window),
        Mine.Offset};
    Held.lock();
    Results.emplace(Mine.Number, std::move(Ready));
    HaveResult.notify_one();
  }
}

void ParallelParser::absorbReady(std::unique_lock<std::mutex> &Held) {
  while (!Results.empty() && Results.begin()->first == Absorbed) {
    Done Next = std::move(Results.begin()->second);
    Results.erase(Results.begin());
    Held.unlock();
    if (Builder.absorb(std::move(Next.Part), Next.By->Numbers)) {
      Repairs.NoDuration += Next.Repairs.NoDuration;
      Repairs.NegativeDuration += Next.Repairs.NegativeDuration;
    } else {
      Serial.parse(Next.Window, Next.Offset);
    }
    Held.lock();
    Spare.push_back(std::move(Next.Window));
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
  for (Worker &Self : Workers)
    Self.Thread.join();
}

bool ParallelParser::sawTorch() const {
  for (const Worker &Self : Workers)
    if (Self.Parser.sawTorch())
      return true;
  return false;
}

} // namespace seamscope::tools
