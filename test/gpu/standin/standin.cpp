//===- standin.cpp - runs kernels of a device module on the CPU ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "standin.h"

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ucontext.h>

namespace standin {
namespace {

constexpr size_t StackBytes = 64 << 10;
constexpr uint32_t Warp = 32;

enum class State : uint8_t { Ready, AtBarrier, Meeting, Exchanging, Ended };

struct Fiber {
  ucontext_t Context;
  std::unique_ptr<char[]> Stack;
  State Is = State::Ready;
  const void *Place = nullptr; ///< Place where threads meet
  uint32_t Together = 0;       ///< of the warp: a bit for each thread that met it there
  uint32_t With = 0;           ///< the threads of the warp that exchange values
  uint64_t Given = 0;
  uint64_t Values[Warp] = {}; ///< of these
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

/// Lets threads of a warp continue once all that exchange values with them have given theirs.
bool letExchange() {
  bool Any = false;
  for (uint32_t I = 0; I < Fibers.size(); ++I) {
    const uint32_t Begin = I / Warp * Warp, With = Fibers[I].With;
    const auto IsThere = [&](uint32_t Lane) {
      const size_t Other = Begin + Lane;
      return !(With >> Lane & 1) ||
             (Other < Fibers.size() && Fibers[Other].Is == State::Exchanging &&
              Fibers[Other].With == With);
    };
    bool All = Fibers[I].Is == State::Exchanging;
    for (uint32_t Lane = 0; Lane < Warp; ++Lane)
      All = All && IsThere(Lane);
    if (!All)
      continue;
    uint64_t Values[Warp] = {};
    for (uint32_t Lane = 0; Lane < Warp; ++Lane)
      if (With >> Lane & 1)
        Values[Lane] = Fibers[Begin + Lane].Given;
    for (uint32_t Lane = 0; Lane < Warp; ++Lane)
      if (With >> Lane & 1) {
        std::copy(Values, Values + Warp, Fibers[Begin + Lane].Values);
        Fibers[Begin + Lane].Is = State::Ready;
      }
    Any = true;
  }
  return Any;
}

/// What the threads \p With of the warp give here, by lane; they all come here.
const uint64_t *exchange(uint32_t With, uint64_t Given) {
  Fiber &Own = Fibers[Thread];
  if (!(With >> Thread % Warp & 1)) {
    fprintf(stderr, "stand-in: thread %u is not among those that it exchanges with\n", Thread);
    abort();
  }
  // Threads of the warp that the block does not have, or that ended, do not come.
  for (uint32_t Lane = 0; Lane < Warp; ++Lane) {
    const size_t Other = Thread / Warp * Warp + Lane;
    if (Other >= Fibers.size() || Fibers[Other].Is == State::Ended)
      With &= ~(1u << Lane);
  }
  Own.With = With;
  Own.Given = Given;
  stop(State::Exchanging);
  return Fibers[Thread].Values;
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

/// In two registers, as LLVM returns a struct of i32 and i1.
struct Match {
  uint64_t With, All;
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
    while (letMeet() || letExchange() || passBarrier());
    for (const Fiber &Each : Fibers)
      if (Each.Is != State::Ended) {
        fprintf(stderr, "stand-in: threads wait for others that do not come\n");
        abort();
      }
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
void standin_membar() {}
uint64_t standin_timer() { return (Ns + Since) & ~uint64_t{31}; }
Match standin_match_all(uint32_t With, uint64_t Given) {
  const uint64_t *const Values = exchange(With, Given);
  bool All = true;
  for (uint32_t Lane = 0; Lane < Warp; ++Lane)
    All = All && (!(With >> Lane & 1) || Values[Lane] == Given);
  return {All ? With : 0, All};
}
uint32_t standin_redux_add(uint32_t Given, uint32_t With) {
  const uint64_t *const Values = exchange(With, Given);
  uint32_t Sum = 0;
  for (uint32_t Lane = 0; Lane < Warp; ++Lane)
    Sum += With >> Lane & 1 ? static_cast<uint32_t>(Values[Lane]) : 0;
  return Sum;
}
// The source's lane lies in the part of the warp that the fourth operand says.
uint32_t standin_shfl_idx_i32(uint32_t With, uint32_t Given, uint32_t From, uint32_t Clamp) {
  const uint32_t Mask = Clamp >> 8, Lane = Thread % Warp;
  return static_cast<uint32_t>(
      exchange(With, Given)[(Lane & Mask) | ((From & ~Mask) & (Warp - 1))]);
}
uint32_t standin_shfl_down_i32(uint32_t With, uint32_t Given, uint32_t By, uint32_t) {
  const uint32_t Lane = Thread % Warp;
  const uint64_t *const Values = exchange(With, Given);
  return Lane + By < Warp ? static_cast<uint32_t>(Values[Lane + By]) : Given;
}
float standin_shfl_down_f32(uint32_t With, float Given, uint32_t By, uint32_t Clamp) {
  return std::bit_cast<float>(
      standin_shfl_down_i32(With, std::bit_cast<uint32_t>(Given), By, Clamp));
}
}

} // namespace standin
