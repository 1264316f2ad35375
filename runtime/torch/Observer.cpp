//===- Observer.cpp - spans of RecordFunctions, RecordFunctions of kernels -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All state between calls belongs to a thread, so that locks are only taken for a kind of call that
// the thread has not seen before.
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

/// Properties of all calls with the same words.
struct Kind {
  uint32_t Site;
  /// The name is that of an Inductor kernel that reports itself to the profiler, such as
  /// `graph_0_cpp_fused_add_0`.
  bool NamesKernel;
  /// Autograd's frame around a node; the node has the sequence number.
  bool Evaluates;
  /// An operator of a library, by its name: scopes around operators have no `::`.
  bool IsOperator;
};

/// A kind of call that the thread has seen.
struct KnownCall {
  uint64_t Hash;
  size_t At, Size; ///< its words
  Kind What;
  uint32_t Next; ///< number of the kind that last came after it; 0: none
};

/// Finds the kind of a call by its words.
class KnownCalls {
public:
  KnownCalls() { clear(); }

  /// Null if the kind is new.
  const Kind *find(const Words &Call) {
    // Steps repeat, so the same kind of call usually comes next. Then no hash is needed.
    if (const uint32_t Expected = Kinds[Last].Next; isSame(Kinds[Expected], Call)) {
      Last = Expected;
      return &Kinds[Expected].What;
    }
    const uint64_t Hash = Call.hash();
    for (size_t I = Hash;; ++I) {
      const uint32_t Number = Slots[I & (Slots.size() - 1)];
      if (!Number)
        return nullptr;
      if (Kinds[Number].Hash == Hash && isSame(Kinds[Number], Call))
        return follow(Number);
    }
  }

  const Kind *add(const Words &Call, Kind What) {
    // A program whose shapes never repeat must not fill the memory.
    constexpr size_t MostWords = 4u << 20;
    if (Log.size() + Call.size() > MostWords)
      clear();
    const auto Number = static_cast<uint32_t>(Kinds.size());
    Kinds.push_back({Call.hash(), Log.size(), Call.size(), What, 0});
    Log.insert(Log.end(), Call.data(), Call.data() + Call.size());
    if (Kinds.size() * 2 > Slots.size()) {
      Slots.assign(Slots.size() * 2, 0);
      for (uint32_t Moved = 1; Moved < Number; ++Moved)
        freeSlot(Kinds[Moved].Hash) = Moved;
    }
    freeSlot(Kinds[Number].Hash) = Number;
    return follow(Number);
  }

private:
  bool isSame(const KnownCall &K, const Words &Call) const {
    return K.Size == Call.size() &&
           !std::memcmp(&Log[K.At], Call.data(), K.Size * sizeof(uint64_t));
  }

  const Kind *follow(uint32_t Number) {
    Kinds[Last].Next = Number;
    Last = Number;
    return &Kinds[Number].What;
  }

  uint32_t &freeSlot(size_t I) {
    while (Slots[I & (Slots.size() - 1)])
      ++I;
    return Slots[I & (Slots.size() - 1)];
  }

  void clear() {
    Log.assign(1, 0);
    Kinds.assign(1, {}); // number 0 stands for none: it has no words
    Slots.assign(256, 0);
    Last = 0;
  }

  Vector<uint64_t> Log;
  Vector<KnownCall> Kinds;
  Vector<uint32_t> Slots; ///< numbers of kinds, by hash; 0: free
  uint32_t Last;
};

/// A kernel that was reported to torch's profiler.
struct MirroredKernel {
  const void *Frame;
  at::RecordFunction *Call; ///< null: there was no memory
};

class Context;

struct Thread {
  Words Call;
  bool Busy = false; ///< Call is in use: reading a tensor's sizes can run operators
  KnownCalls Calls;
  /// Torch's callbacks of the thread. The object lasts as long as the thread; torch takes longer to
  /// find it than to read it.
  const at::RecordFunctionTLS &Callbacks = at::get_record_function_tls_();
  Map<String, size_t, HashString> KindsOfName;
  Context *Free = nullptr;
  size_t FreeCount = 0;
  Context *Evaluating = nullptr; ///< autograd's innermost open frame
  bool Mirrored = false;         ///< kernels of this thread are reported to torch's profiler
  bool IsReporting = false;      ///< the RecordFunction that begins now reports a kernel
  size_t Operators = 0;          ///< open operators
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

/// Lives from a call's begin to its end; the thread then reuses it for its next call.
class Context final : public at::ObserverContext {
public:
  SeamscopeSpan Span{};
  Thread *Evaluator = nullptr; ///< for a frame of autograd: its thread
  Context *Outer = nullptr;    ///< the frame around it
  bool HasNode = false;        ///< the node in the frame has begun
  Thread *Operator = nullptr;  ///< for an operator: its thread

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
    // Bounded, since calls may end on another thread than the one on which they began.
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

/// Adds a kind of call that is new to the thread.
const Kind *remember(Thread &T, const at::RecordFunction &Call, const Words &Key) {
  // A scalar that changes with every call would make a site for each.
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
  return T.Calls.add(Key, {seamscope_span_site(&Site), namesKernel(Call.name()), Evaluates,
                           !IsScope && !Evaluates && std::strstr(Call.name(), "::")});
}

Kind kindOf(Thread &T, const at::RecordFunction &Call) {
  const auto Find = [&](Words &Key) {
    Key.set(Call);
    const Kind *Found = T.Calls.find(Key);
    return *(Found ? Found : remember(T, Call, Key));
  };
  if (T.Busy) {
    Words Inner;
    return Find(Inner);
  }
  struct InUse {
    bool &Flag;
    explicit InUse(bool &Flag) : Flag(Flag) { Flag = true; }
    ~InUse() { Flag = false; }
  } const Guard(T.Busy);
  return Find(T.Call);
}

/// Reports kernels of the thread while torch's profiler runs on it: it then has a thread-local
/// callback.
void followProfiler(Thread &T) {
  const bool Runs = !T.Callbacks.sorted_tls_callbacks_.empty();
  if (Runs == T.Mirrored)
    return;
  T.Mirrored = Runs;
  seamscope_mirror_thread(Runs);
}

/// Ends kernels with frames up to \p Frame. Frames below it were left by longjmp.
void endUpTo(Thread &T, const void *Frame) {
  while (!T.Open.empty() && T.Open.back().Frame <= Frame) {
    at::RecordFunction *Call = T.Open.back().Call;
    T.Open.pop_back();
    destroy(Call);
  }
}

void beginMirrored(const SeamscopeSite *Site, const char *Name, const void *Frame) {
  Thread *T = Current;
  // The profiler's tables would count a wait as an operator.
  if (!T || !T->Mirrored || Site->kind == SEAMSCOPE_SITE_TEAM_WAIT)
    return;
  T->IsReporting = true;
  try {
    endUpTo(*T, Frame);
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
    // The profiler lacks this kernel; the program continues.
  }
  T->IsReporting = false;
}

void endMirrored(const void *Frame) {
  Thread *T = Current;
  if (!T)
    return;
  try {
    endUpTo(*T, Frame);
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
    T->Mirrored = T->IsReporting = false;
    T->Open.clear(); // they belong to the parent
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
    if (T->IsReporting)
      return nullptr;
    followProfiler(*T);
    const Kind What = kindOf(*T, Call);
    // The hooks of the kernel that makes this call record it.
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
    if (What.IsOperator && !Call.isAsync()) {
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
    // While torch's profiler runs, its end stamp comes later and would include the time of a look.
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
