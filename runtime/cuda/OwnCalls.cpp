//===- OwnCalls.cpp - tells Seamscope's calls of CUDA from the program's ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records come later than calls, and from other threads, so times identify a call.
//
//===----------------------------------------------------------------------===//
#include "cuda/OwnCalls.h"

#include "cuda/Libraries.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <pthread.h>
#include <set>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace seamscope::cuda {
namespace {

struct Times {
  uint64_t BeginNs, EndNs;
};

/// Never destroyed, since a thread of CUPTI may still call when destructors run.
struct Known {
  std::mutex Lock;
  std::unordered_map<uint32_t, std::vector<Times>> Of; ///< by thread, in their order
  std::set<std::pair<uint32_t, uint32_t>> Streams;
  std::unordered_set<uint32_t> Correlations; ///< of work on no stream
};
Known &known() {
  static auto *const Created = new Known;
  return *Created;
}

std::atomic<bool> Watching;
thread_local unsigned Depth = 0;

uint64_t nowNs() {
  uint64_t Ns = 0;
  Cupti::get()->GetTimestamp(&Ns);
  return Ns;
}

/// As CUPTI's records have it.
uint32_t thisThread() {
  if (Cupti::get()->SetThreadIdType)
    return static_cast<uint32_t>(gettid());
  return static_cast<uint32_t>(pthread_self());
}

} // namespace

void watchOwnCalls() { Watching = true; }

OwnCalls::OwnCalls() {
  if (Depth++ || !Watching)
    return;
  const uint64_t Now = nowNs();
  Known &K = known();
  const std::lock_guard Guard(K.Lock);
  K.Of[thisThread()].push_back({Now, UINT64_MAX});
}

OwnCalls::~OwnCalls() {
  if (--Depth || !Watching)
    return;
  const uint64_t Now = nowNs();
  Known &K = known();
  const std::lock_guard Guard(K.Lock);
  if (std::vector<Times> &Own = K.Of[thisThread()]; !Own.empty())
    Own.back().EndNs = Now;
}

void addOwnStream(CUcontext Context, CUstream Stream) {
  const Cupti *const C = Watching ? Cupti::get() : nullptr;
  uint32_t OfContext = 0, OfStream = 0;
  if (!C || !C->GetContextId || !C->GetStreamIdEx || C->GetContextId(Context, &OfContext) ||
      C->GetStreamIdEx(Context, Stream, 0, &OfStream))
    return;
  Known &K = known();
  const std::lock_guard Guard(K.Lock);
  K.Streams.emplace(OfContext, OfStream);
}

bool isOwnCall(uint32_t Thread, uint64_t BeginNs) {
  Known &K = known();
  const std::lock_guard Guard(K.Lock);
  const auto Found = K.Of.find(Thread);
  if (Found == K.Of.end())
    return false;
  const auto Behind = std::ranges::upper_bound(Found->second, BeginNs, {}, &Times::BeginNs);
  return Behind != Found->second.begin() && std::prev(Behind)->EndNs >= BeginNs;
}

void addOwnWork(uint32_t Correlation) {
  Known &K = known();
  const std::lock_guard Guard(K.Lock);
  K.Correlations.insert(Correlation);
}

bool isOwnWork(uint32_t Context, uint32_t Stream, uint32_t Correlation) {
  Known &K = known();
  const std::lock_guard Guard(K.Lock);
  return K.Streams.contains({Context, Stream}) || K.Correlations.contains(Correlation);
}

} // namespace seamscope::cuda
