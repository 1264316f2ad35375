//===- standin.cpp - runs kernels of a device module on the CPU ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "standin.h"

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <ucontext.h>

namespace standin {
namespace {

constexpr size_t StackBytes = 64 << 10;
constexpr uint32_t Warp = 32;

enum class State : uint8_t { Ready, AtBarrier, Meeting, Ended };

struct Fiber {
  ucontext_t Context;
  std::unique_ptr<char[]> Stack;
  State Is = State::Ready;
  const void *Place = nullptr; ///< Place where threads meet
  uint32_t Together = 0;       ///< of the warp: a bit for each thread that met it there
};

ucontext_t Scheduler;
std::vector<Fiber> Fibers;
const std::function<void()> *Body;
Launch *Now;
uint32_t Thread, Block; // that run
uint64_t Ns = 1'700'000'000'000'000'000, Clock = 1000, LastGrid = 40;

/// Of one SM: room for a block at a time.
struct Room {
  uint32_t Sm;
  uint64_t FreeAt; ///< ns after the launch's begin
};
uint64_t Since = 0; ///< ns after the launch's begin, on the SM that runs Block
uint32_t Sm;

struct Place {
  uint32_t X, Y, Z;
};

Place placeOf(uint32_t Number, Size In) {
  return {Number % In.X, Number / In.X % In.Y, Number / In.X / In.Y};
}

void runFiber() {
  (*Body)();
  Fibers[Thread].Is = State::Ended;
  swapcontext(&Fibers[Thread].Context, &Scheduler);
}

void stop(State Why) {
  Fibers[Thread].Is = Why;
  swapcontext(&Fibers[Thread].Context, &Scheduler);
}

/// In each warp the threads at the same place as the first one continue together.
bool letMeet() {
  bool Any = false;
  for (uint32_t Begin = 0; Begin < Fibers.size(); Begin += Warp) {
    const uint32_t End = std::min<uint32_t>(Begin + Warp, static_cast<uint32_t>(Fibers.size()));
    const void *Place = nullptr;
    uint32_t Together = 0;
    for (uint32_t I = Begin; I < End; ++I)
      if (Fibers[I].Is == State::Meeting && (!Place || Place == Fibers[I].Place)) {
        Place = Fibers[I].Place;
        Together |= 1u << (I - Begin);
      }
    for (uint32_t I = Begin; I < End; ++I)
      if (Together >> (I - Begin) & 1) {
        Fibers[I].Is = State::Ready;
        Fibers[I].Together = Together;
        Any = true;
      }
  }
  return Any;
}

bool passBarrier() {
  bool Any = false;
  for (Fiber &Each : Fibers)
    if (Each.Is == State::AtBarrier) {
      Each.Is = State::Ready;
      Any = true;
    }
  return Any;
}

/// A trap ends its thread: it never leaves the kernel.
void onTrap(int) {
  ++Now->Trapped;
  Fibers[Thread].Is = State::Ended;
  setcontext(&Scheduler);
}

struct Clocks {
  uint64_t First, Second;
};

Clocks readClocks(bool AtEntry) {
  // The clocks differ in rate, the global timer ticks coarsely, and SMs start at different times.
  Since += 7 + Now->Reads.size() % 5;
  const uint64_t Timer = (Ns + Since) & ~uint64_t{31}, Cycles = Clock + Sm * 1000 + Since * 2;
  Now->Reads.push_back({Block, Thread, AtEntry, Timer, Cycles, Sm});
  return AtEntry ? Clocks{Timer, Cycles} : Clocks{Cycles, Timer};
}

} // namespace

uint32_t Sms = 132, BlocksPerSm = 2;

void setClocks(uint64_t NewNs, uint64_t NewClock) {
  Ns = NewNs;
  Clock = NewClock;
}

Launch launch(Size Blocks, Size Threads, const std::function<void()> &Kernel) {
  Launch Run{++LastGrid, Blocks, Threads, {}};
  Now = &Run;
  Body = &Kernel;
  struct sigaction Trap = {};
  Trap.sa_handler = onTrap;
  Trap.sa_flags = SA_NODEFER;
  for (const int Signal : {SIGILL, SIGTRAP})
    sigaction(Signal, &Trap, nullptr);
  std::vector<Room> Rooms;
  for (uint32_t Each = 0; Each < Sms * BlocksPerSm; ++Each)
    Rooms.push_back({Each % Sms, 0});
  for (Block = 0; Block < Blocks.all(); ++Block) {
    // The next block runs on the SM that is free first.
    Room &Place = *std::min_element(Rooms.begin(), Rooms.end(), [](const Room &A, const Room &B) {
      return A.FreeAt < B.FreeAt;
    });
    Sm = Place.Sm;
    Since = Place.FreeAt + 40;
    Fibers.clear();
    Fibers.resize(Threads.all());
    for (Fiber &Each : Fibers) {
      Each.Stack.reset(new char[StackBytes]);
      getcontext(&Each.Context);
      Each.Context.uc_stack.ss_sp = Each.Stack.get();
      Each.Context.uc_stack.ss_size = StackBytes;
      makecontext(&Each.Context, runFiber, 0);
    }
    do
      for (Thread = 0; Thread < Fibers.size(); ++Thread)
        if (Fibers[Thread].Is == State::Ready) {
          Since += 3;
          swapcontext(&Scheduler, &Fibers[Thread].Context);
        }
    while (letMeet() || passBarrier());
    Place.FreeAt = Since;
    Run.LengthNs = std::max(Run.LengthNs, Since);
  }
  Ns += Run.LengthNs;
  Clock += Run.LengthNs * 2;
  return Run;
}

extern "C" {
uint32_t standin_tid_x() { return placeOf(Thread, Now->Threads).X; }
uint32_t standin_tid_y() { return placeOf(Thread, Now->Threads).Y; }
uint32_t standin_tid_z() { return placeOf(Thread, Now->Threads).Z; }
uint32_t standin_ntid_x() { return Now->Threads.X; }
uint32_t standin_ntid_y() { return Now->Threads.Y; }
uint32_t standin_ntid_z() { return Now->Threads.Z; }
uint32_t standin_ctaid_x() { return placeOf(Block, Now->Blocks).X; }
uint32_t standin_ctaid_y() { return placeOf(Block, Now->Blocks).Y; }
uint32_t standin_ctaid_z() { return placeOf(Block, Now->Blocks).Z; }
uint32_t standin_nctaid_x() { return Now->Blocks.X; }
uint32_t standin_nctaid_y() { return Now->Blocks.Y; }
uint32_t standin_nctaid_z() { return Now->Blocks.Z; }
uint32_t standin_laneid() { return Thread % Warp; }
uint32_t standin_smid() { return Sm; }
uint64_t standin_gridid() { return Now->Grid; }
// A thread is alone there, or together with all that come before any of them continues.
uint32_t standin_activemask() {
  Fibers[Thread].Place = __builtin_return_address(0);
  Fibers[Thread].Together = 1u << Thread % Warp;
  if (Since % 4)
    stop(State::Meeting);
  return Fibers[Thread].Together;
}
void standin_warp_sync() {}
uint64_t standin_clock() {
  Since += 2 + Now->Borders.size() % 3;
  const uint64_t Cycles = Clock + Sm * 1000 + Since * 2;
  // The first of them writes for all.
  const uint32_t Together = Fibers[Thread].Together;
  if (!(Together & ((1u << Thread % Warp) - 1)))
    Now->Borders.push_back({Block, Thread / Warp, Together, Cycles});
  return Cycles;
}
Clocks standin_clocks_at_entry() { return readClocks(true); }
Clocks standin_clocks_at_exit() { return readClocks(false); }
void standin_barrier(uint32_t) { stop(State::AtBarrier); }
}

} // namespace standin
