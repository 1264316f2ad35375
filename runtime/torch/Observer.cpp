//===- Observer.cpp - from a RecordFunction to a span, and back ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is kept between two calls belongs to the thread: no lock is taken unless a call is of a kind
// that the thread has not seen.
//
//===----------------------------------------------------------------------===//
#include "Observer.h"

#include "Memory.h"
#include "Signature.h"
#include "Waits.h"

#include <cstring>
#include <pthread.h>

namespace seamscope::bridge {
namespace {

/// What all calls with the same words are.
struct Kind {
  uint32_t Site;
  /// Named as Inductor names a kernel that shows itself to the profiler: `graph_0_cpp_fused_add_0`.
  bool NamesKernel;
  /// Autograd's frame around a node, which itself tells the sequence number.
  bool Evaluates;
  /// An operator of a library: what holds operators has no such name.
  bool Operates;
};

/// A kind of call that was seen.
struct Known {
  uint64_t Hash;
  size_t At, Size; ///< its words
  Kind What;
};

/// Words to site.
class KnownCalls {
public:
  KnownCalls() : Slots(256) {}

  const Known *find(const Words &Call, uint64_t Hash) const {
    for (size_t I = Hash;; ++I) {
      const Known &K = Slots[I & (Slots.size() - 1)];
      if (!K.Size)
        return nullptr;
      if (K.Hash == Hash && K.Size == Call.size() &&
          !std::memcmp(&Log[K.At], Call.data(), K.Size * sizeof(uint64_t)))
        return &K;
    }
  }

  const Known *add(const Words &Call, Known K) {
    // A program whose shapes never come back must not fill the memory.
    constexpr size_t MostWords = 4u << 20;
    if (Log.size() + Call.size() > MostWords) {
      Log.clear();
      Slots.assign(256, {});
      Count = 0;
    }
    K.At = Log.size();
    K.Size = Call.size();
    Log.insert(Log.end(), Call.data(), Call.data() + Call.size());
    if (++Count * 2 > Slots.size()) {
      Vector<Known> Old(Slots.size() * 2);
      Old.swap(Slots);
      for (const Known &Moved : Old)
        if (Moved.Size)
          *freeSlot(Moved.Hash) = Moved;
    }
    Known *Slot = freeSlot(K.Hash);
    *Slot = K;
    return Slot;
  }

private:
  Known *freeSlot(size_t I) {
    while (Slots[I & (Slots.size() - 1)].Size)
      ++I;
    return &Slots[I & (Slots.size() - 1)];
  }

  Vector<uint64_t> Log;
  Vector<Known> Slots;
  size_t Count = 0;
};

/// A kernel that torch's profiler was notified of.
struct MirroredKernel {
  const void *Frame;
  at::RecordFunction *Call; ///< null: the kernel tells it itself
};

class Context;

struct Thread {
  Words Call;
  bool Busy = false; ///< Call is in use: asking a tensor for its sizes can run operators
  KnownCalls Calls;
  Map<String, size_t, HashString> KindsOfName;
  Context *Free = nullptr;
  size_t FreeCount = 0;
  Context *Evaluating = nullptr; ///< autograd's innermost open frame
  bool Mirrored = false;         ///< kernels of this thread are reported to torch's profiler
  bool Telling = false;          ///< what begins now is one of them
  size_t Operators = 0;          ///< open ones
  Waits Idle;
  Vector<MirroredKernel> Open;
  Map<const SeamscopeSite *, bool> Silent;

  ~Thread();
};

__thread Thread *Current __attribute__((tls_model("initial-exec")));
pthread_key_t Key;
bool HaveKey, Active = true, ChildrenToo;

Thread *makeThread() {
  Current = make<Thread>();
  if (HaveKey)
    pthread_setspecific(Key, Current);
  return Current;
}

Thread *thisThread() { return Current ? Current : makeThread(); }

/// Lives from a call's begin to its end; then the thread takes it for its next call.
class Context final : public at::ObserverContext {
public:
  SeamscopeSpan Span{};
  Thread *Evaluator = nullptr; ///< of a frame of autograd: the thread it is open on
  Context *Outer = nullptr;    ///< the frame around it
  bool HasNode = false;        ///< the node in the frame has begun
  Thread *Operator = nullptr;  ///< of an operator: the thread it is open on

  static void *operator new(size_t Size) {
    if (Thread *T = Current; T && T->Free) {
      Context *First = T->Free;
      T->Free = *link(First);
      --T->FreeCount;
      return First;
    }
    return memory::take(Size);
  }
  static void operator delete(void *Memory, size_t Size) {
    // Calls that end on another thread than they begin on gather there.
    constexpr size_t Most = 256;
    Thread *T = Current;
    if (!T || T->FreeCount >= Most)
      return memory::give(Memory, Size);
    auto *First = static_cast<Context *>(Memory);
    *link(First) = T->Free;
    T->Free = First;
    ++T->FreeCount;
  }

  static Context **link(void *Memory) { return static_cast<Context **>(Memory); }
};

Thread::~Thread() {
  while (Free) {
    void *Memory = Free;
    Free = *Context::link(Memory);
    memory::give(Memory, sizeof(Context));
  }
}

constexpr char EvaluatePrefix[] = "autograd::engine::evaluate_function: ";

bool namesKernel(const char *Name) {
  if (std::strncmp(Name, "graph_", 6) != 0)
    return false;
  const char *Digits = Name + 6, *Text = Digits;
  while (*Text >= '0' && *Text <= '9')
    ++Text;
  return Text > Digits && *Text == '_';
}

/// The first time that the thread sees such a call.
const Known *remember(Thread &T, const at::RecordFunction &Call, const Words &Key, uint64_t Hash) {
  // A scalar that is another one at every call would make a site of each.
  constexpr size_t MostKinds = 4096;
  const Texts Text(Call);
  const bool IsScope = Call.scope() == at::RecordScope::USER_SCOPE;
  const bool Evaluates = std::strncmp(Call.name(), EvaluatePrefix, sizeof(EvaluatePrefix) - 1) == 0;
  const bool TooMany = ++T.KindsOfName[Call.name()] > MostKinds;
  const auto OrNull = [](const String &Json) { return Json.empty() ? nullptr : Json.c_str(); };
  const SeamscopeSpanSite Site = {IsScope ? SEAMSCOPE_SITE_ANNOTATION : SEAMSCOPE_SITE_OPERATOR,
                                  Call.name(),
                                  OrNull(Text.Dims),
                                  OrNull(Text.Types),
                                  OrNull(Text.Strides),
                                  TooMany ? nullptr : OrNull(Text.Values)};
  return T.Calls.add(Key, {Hash,
                           0,
                           0,
                           {seamscope_span_site(&Site), namesKernel(Call.name()), Evaluates,
                            !IsScope && !Evaluates && std::strstr(Call.name(), "::")}});
}

Kind kindOf(Thread &T, const at::RecordFunction &Call) {
  if (T.Busy) {
    Words Own;
    Own.set(Call);
    const uint64_t Hash = Own.hash();
    const Known *Found = T.Calls.find(Own, Hash);
    return (Found ? Found : remember(T, Call, Own, Hash))->What;
  }
  struct InUse {
    bool &Flag;
    explicit InUse(bool &Flag) : Flag(Flag) { Flag = true; }
    ~InUse() { Flag = false; }
  } const Guard(T.Busy);
  T.Call.set(Call);
  const uint64_t Hash = T.Call.hash();
  const Known *Found = T.Calls.find(T.Call, Hash);
  return (Found ? Found : remember(T, Call, T.Call, Hash))->What;
}

/// torch's profiler watches a thread through a callback of the thread's own.
void followProfiler(Thread &T) {
  const bool Runs = !at::get_record_function_tls_().sorted_tls_callbacks_.empty();
  if (Runs == T.Mirrored)
    return;
  T.Mirrored = Runs;
  seamscope_mirror_thread(Runs);
}

/// Ends what lies below \p Frame, or with \p Too at it: longjmp left it.
void endBelow(Thread &T, const void *Frame, bool Too) {
  while (!T.Open.empty() &&
         (T.Open.back().Frame < Frame || (Too && T.Open.back().Frame == Frame))) {
    at::RecordFunction *Call = T.Open.back().Call;
    T.Open.pop_back();
    destroy(Call);
  }
}

void beginMirrored(const SeamscopeSite *Site, const char *Name, const void *Frame) {
  Thread *T = Current;
  // The profiler's tables would take a wait for an operator.
  if (!T || !T->Mirrored || Site->kind == SEAMSCOPE_SITE_TEAM_WAIT)
    return;
  T->Telling = true;
  try {
    endBelow(*T, Frame, true);
    bool Silent = Site->kind == SEAMSCOPE_SITE_KERNEL;
    if (Silent) {
      const auto [Found, New] = T->Silent.try_emplace(Site, false);
      if (New)
        Found->second = recordsItself(Site);
      Silent = Found->second;
    }
    if (!Silent) {
      T->Open.push_back({Frame, nullptr});
      T->Open.back().Call = make<at::RecordFunction>(at::RecordScope::FUNCTION);
      if (T->Open.back().Call->isActive())
        T->Open.back().Call->before(Name);
    }
  } catch (...) {
    // The profiler lacks this one; the program goes on.
  }
  T->Telling = false;
}

void endMirrored(const void *Frame) {
  Thread *T = Current;
  if (!T)
    return;
  try {
    endBelow(*T, Frame, true);
  } catch (...) {
  }
}

void forgetThread(void *Pointer) {
  auto *T = static_cast<Thread *>(Pointer);
  if (Current == T)
    Current = nullptr;
  destroy(T);
}

void afterForkInChild() {
  memory::afterForkInChild();
  Active = ChildrenToo;
  if (Thread *T = Current) {
    T->Mirrored = T->Telling = false;
    T->Open.clear(); // the parent's
    T->Evaluating = nullptr;
    T->Idle.forget();
  }
}

} // namespace

std::unique_ptr<at::ObserverContext> beginCall(const at::RecordFunction &Call) {
  if (!Active || seamscope_mode() == SEAMSCOPE_OFF) {
    if (Current)
      Current->Idle.forget();
    return nullptr;
  }
  try {
    Thread *T = thisThread();
    if (T->Telling)
      return nullptr;
    followProfiler(*T);
    const Kind What = kindOf(*T, Call);
    // The kernel that calls it is recorded by its own hooks.
    if (What.NamesKernel && seamscope_in_kernel())
      return nullptr;
    auto New = std::make_unique<Context>();
    SeamscopeSpan &Span = New->Span;
    Span.site = What.Site;
    Span.thread = seamscope_thread();
    Span.sequence = Call.seqNr();
    Span.forward_thread = static_cast<uint32_t>(Call.forwardThreadId());
    Span.framework_thread = static_cast<uint32_t>(Call.threadId());
    if (What.Evaluates) {
      New->Evaluator = T;
      New->Outer = T->Evaluating;
      T->Evaluating = New.get();
    } else if (Context *Frame = T->Evaluating;
               Frame && !Frame->HasNode && Call.scope() == at::RecordScope::BACKWARD_FUNCTION) {
      Frame->HasNode = true;
      Frame->Span.sequence = Span.sequence;
      Frame->Span.forward_thread = Span.forward_thread;
    }
    const bool Outermost = !T->Operators;
    if (What.Operates && !Call.isAsync()) {
      New->Operator = T;
      ++T->Operators;
    }
    // Last, so that none of the above is part of the call.
    Span.begin = Outermost ? T->Idle.begin() : seamscope_now();
    return New;
  } catch (...) {
    return nullptr;
  }
}

void endCall(const at::RecordFunction &, at::ObserverContext *Pointer) {
  if (!Pointer)
    return;
  // First, so that none of the rest is part of the call.
  const uint64_t End = seamscope_now();
  auto *Ended = static_cast<Context *>(Pointer);
  if (Ended->Evaluator && Ended->Evaluator == Current)
    Current->Evaluating = Ended->Outer;
  SeamscopeSpan &Span = Ended->Span;
  Span.end = End;
  seamscope_span(&Span);
  if (Thread *T = Current) {
    if (Ended->Operator == T && T->Operators)
      --T->Operators;
    // torch's profiler, which comes after us, would have what a look takes in the call.
    if (!T->Operators)
      T->Idle.end(End, !T->Mirrored);
  }
}

uint64_t scopeBegins() {
  Thread *T = Current;
  return T && Active && !T->Operators && seamscope_mode() != SEAMSCOPE_OFF ? T->Idle.begin()
                                                                           : seamscope_now();
}

const SeamscopeMirror *mirror() {
  static constexpr SeamscopeMirror Both = {beginMirrored, endMirrored};
  return &Both;
}

void watchForks(bool Children) {
  ChildrenToo = Children;
  HaveKey = pthread_key_create(&Key, forgetThread) == 0;
  pthread_atfork(nullptr, nullptr, afterForkInChild);
}

} // namespace seamscope::bridge
