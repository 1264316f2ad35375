//===- TouchedMemory.cpp - the memory that a call reads and writes --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "replay/TouchedMemory.h"

#include "core/Platform.h"
#include "seamscope/seamscope.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

namespace seamscope {
namespace {

enum StateBits : uint8_t { Accessed = 1, Written = 2, WrittenFirst = 4 };

struct Interval {
  uintptr_t Begin, End;
  bool IsKept = false; ///< it is part of what a call touches, whatever that is
};

/// A list in mapped memory: that of the program's allocator will be protected.
template <typename T> class MappedList {
public:
  explicit MappedList(size_t Most) : Most(Most) {
    void *const Room = mmap(nullptr, Most * sizeof(T), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    Items = Room == MAP_FAILED ? nullptr : static_cast<T *>(Room);
  }
  ~MappedList() {
    if (Items)
      munmap(Items, Most * sizeof(T));
  }
  MappedList(const MappedList &) = delete;
  MappedList &operator=(const MappedList &) = delete;

  bool add(const T &One) {
    if (!Items || Size == Most)
      return false;
    Items[Size++] = One;
    return true;
  }
  T *begin() { return Items; }
  T *end() { return Items + Size; }
  size_t bytes() const { return Most * sizeof(T); }
  Interval room() const {
    const auto Begin = reinterpret_cast<uintptr_t>(Items);
    return {Begin, Begin + bytes()};
  }
  size_t size() const { return Size; }
  bool ok() const { return Items; }
  T *release() {
    T *const Mine = Items;
    Items = nullptr;
    return Mine;
  }

private:
  T *Items = nullptr;
  size_t Size = 0, Most;
};

constexpr size_t MostRanges = 1 << 17;

/// What cannot be protected: libraries of the system, which a copy of the kernel has of its own,
/// and the memory of this thread's variables, which signal handlers and the system use. The
/// outermost frames of a thread lie next to the latter.
struct Excluded {
  MappedList<Interval> List{MostRanges};
  bool IsWhole = true;
};

bool isOfSystem(const char *Path) {
  static constexpr const char *Names[] = {"ld-",    "ld64.",        "libc++",   "libc.",
                                          "libdl.", "libgcc_s.",    "libgomp.", "libiomp5",
                                          "libm.",  "libmvec",      "libomp.",  "libpthread.",
                                          "librt.", "libseamscope", "libsleef", "libstdc++"};
  const char *const Slash = strrchr(Path, '/');
  const char *const Name = Slash ? Slash + 1 : Path;
  for (const char *Each : Names)
    if (strncmp(Name, Each, strlen(Each)) == 0)
      return true;
  return false;
}

int excludeModule(dl_phdr_info *Module, size_t, void *Context) {
  auto &Into = *static_cast<Excluded *>(Context);
  uintptr_t Begin = UINTPTR_MAX, End = 0;
  for (int I = 0; I < Module->dlpi_phnum; ++I)
    if (const auto &Segment = Module->dlpi_phdr[I]; Segment.p_type == PT_LOAD) {
      const uintptr_t At = Module->dlpi_addr + Segment.p_vaddr;
      Begin = At < Begin ? At : Begin;
      End = At + Segment.p_memsz > End ? At + Segment.p_memsz : End;
    }
  constexpr uintptr_t Page = 4095; // no system has smaller ones
  if (End && isOfSystem(Module->dlpi_name))
    Into.IsWhole &= Into.List.add({Begin & ~Page, (End + Page) & ~Page});
  return 0;
}

/// One line of /proc/self/maps.
struct Mapping {
  uintptr_t Begin, End;
  char Rights[5];
  bool IsNamed;
  bool IsKernels; ///< [vdso] and the like
};

bool parseMapping(const char *Line, Mapping &Found) {
  unsigned long Begin = 0, End = 0;
  int Name = 0;
  if (sscanf(Line, "%lx-%lx %4s %*s %*s %*s %n", &Begin, &End, Found.Rights, &Name) != 3)
    return false;
  Found.Begin = Begin;
  Found.End = End;
  const char *const Text = Line + Name;
  Found.IsNamed = Name && *Text && *Text != '\n';
  Found.IsKernels = Found.IsNamed && strncmp(Text, "[v", 2) == 0;
  return true;
}

/// Of the child. A copy, as the object itself lies on a stack that will be protected.
struct Run {
  const TouchedMemory::Range *Ranges;
  size_t Count;
  uint8_t *States;
  uintptr_t Piece;
  uint8_t *Ended;
  void (*Invoke)(void *);
  void *Arguments;
} TheRun;

const TouchedMemory::Range *rangeOf(uintptr_t Address, const TouchedMemory::Range *Ranges,
                                    size_t Count) {
  size_t Low = 0, High = Count;
  while (Low < High) {
    const size_t Middle = (Low + High) / 2;
    if (Ranges[Middle].End <= Address)
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low < Count && Ranges[Low].Begin <= Address ? &Ranges[Low] : nullptr;
}

/// Whether the access that raised the signal is a write; where that is not told, a second fault of
/// a piece is.
bool isWrite([[maybe_unused]] const ucontext_t *Of, [[maybe_unused]] bool Before) {
#ifdef __x86_64__
  return Of->uc_mcontext.gregs[REG_ERR] & 2;
#else
  return Before;
#endif
}

void onFault(int Signal, siginfo_t *Info, void *Context) {
  const int Errno = errno;
  const auto Address = reinterpret_cast<uintptr_t>(Info->si_addr);
  const TouchedMemory::Range *const In = rangeOf(Address, TheRun.Ranges, TheRun.Count);
  if (!In) {
    signal(Signal, SIG_DFL); // the access is done again
    return;
  }
  const uintptr_t Number = (Address - In->Begin) / TheRun.Piece;
  uint8_t *const State = TheRun.States + In->FirstState + Number;
  const uint8_t Before = __atomic_fetch_or(State, Accessed, __ATOMIC_RELAXED);
  const bool Writes = isWrite(static_cast<const ucontext_t *>(Context), Before);
  if (Writes && !In->IsWritable) {
    signal(Signal, SIG_DFL);
    return;
  }
  if (Writes)
    __atomic_fetch_or(State, static_cast<uint8_t>(Before ? Written : Written | WrittenFirst),
                      __ATOMIC_RELAXED);
  const uintptr_t Begin = In->Begin + Number * TheRun.Piece;
  const uintptr_t End = In->End - Begin < TheRun.Piece ? In->End : Begin + TheRun.Piece;
  mprotect(reinterpret_cast<void *>(Begin), End - Begin,
           Writes ? PROT_READ | PROT_WRITE : PROT_READ);
  errno = Errno;
}

void nothing(void *) {}

/// Lets OpenMP start its threads, so that they find their stacks while these can be used.
void startThreads(unsigned Threads) {
  using ParallelT = void (*)(void (*)(void *), void *, unsigned, unsigned);
  if (const auto Parallel = reinterpret_cast<ParallelT>(dlsym(RTLD_DEFAULT, "GOMP_parallel")))
    Parallel(nothing, nullptr, Threads, 0);
}

} // namespace

TouchedMemory::~TouchedMemory() {
  if (Ranges)
    munmap(Ranges, RangesBytes);
  if (States)
    munmap(States, Pieces + 1);
}

/// Lists what is mapped, less what is left out.
bool TouchedMemory::findRanges() {
  Excluded Not;
  if (!Not.List.ok())
    return false;
  dl_iterate_phdr(excludeModule, &Not);
  constexpr uintptr_t AroundThread = 64 * 1024;
  const auto Pointer = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
  const auto Page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  Not.IsWhole &= Not.List.add(
      {(Pointer - AroundThread) & ~(Page - 1), (Pointer + AroundThread) & ~(Page - 1), true});
  // What follows works on these lists.
  MappedList<Range> Found(MostRanges);
  Not.IsWhole &= Not.List.add(Found.room()) && Not.List.add(Not.List.room());
  FILE *const Maps = Not.IsWhole && Found.ok() ? fopen("/proc/self/maps", "re") : nullptr;
  if (!Maps)
    return false;
  bool IsWhole = true;
  Mapping Last = {};
  // No line is longer: a path has at most PATH_MAX bytes, which may be written as four.
  static char Line[4 * PATH_MAX + 256];
  const auto Here = reinterpret_cast<uintptr_t>(&Last);
  while (IsWhole && fgets(Line, sizeof Line, Maps)) {
    Mapping Next = {};
    IsWhole = parseMapping(Line, Next);
    // A thread's stack has a guard below it.
    constexpr uintptr_t LargestGuard = 64 * 1024;
    const bool IsStack = Last.End == Next.Begin && strncmp(Last.Rights, "---", 3) == 0 &&
                         Last.End - Last.Begin <= LargestGuard && !Next.IsNamed &&
                         (Here < Next.Begin || Here >= Next.End);
    Last = Next;
    if (Next.Rights[0] != 'r' || Next.Rights[2] == 'x' || Next.IsKernels || IsStack)
      continue;
    // What is left out is cut out of it, from left to right.
    for (uintptr_t At = Next.Begin; IsWhole && At < Next.End;) {
      Interval Cut = {Next.End, Next.End};
      for (const Interval &Each : Not.List)
        if (Each.End > At && Each.Begin < Next.End && Each.Begin < Cut.Begin)
          Cut = {Each.Begin < At ? At : Each.Begin, Each.End, Each.IsKept};
      if (Cut.Begin > At)
        IsWhole = Found.add({At, Cut.Begin, 0, Next.Rights[1] == 'w', false});
      const uintptr_t End = Cut.End < Next.End ? Cut.End : Next.End;
      if (Cut.IsKept && IsWhole)
        IsWhole = Found.add({Cut.Begin, End, 0, Next.Rights[1] == 'w', true});
      At = End;
    }
  }
  fclose(Maps);
  if (!IsWhole)
    return false;
  Count = Found.size();
  RangesBytes = Found.bytes();
  Ranges = Found.release();
  return true;
}

/// Gives each piece a state. The system allows some 65,000 mappings, and each piece may become one.
bool TouchedMemory::makeStates() {
  constexpr uintptr_t MostPieces = 16384;
  uintptr_t Total = 0;
  for (size_t I = 0; I < Count; ++I)
    Total += Ranges[I].End - Ranges[I].Begin;
  Piece = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  while (Total / Piece > MostPieces)
    Piece *= 2;
  for (size_t I = 0; I < Count; ++I) {
    Ranges[I].FirstState = Pieces;
    Pieces += (Ranges[I].End - Ranges[I].Begin + Piece - 1) / Piece;
  }
  void *const Room =
      mmap(nullptr, Pieces + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (Room == MAP_FAILED)
    return false;
  States = static_cast<uint8_t *>(Room);
  for (size_t I = 0; I < Count; ++I)
    if (Ranges[I].IsKept)
      memset(States + Ranges[I].FirstState, Accessed | Written,
             (Ranges[I].End - Ranges[I].Begin + Piece - 1) / Piece);
  return true;
}

void TouchedMemory::onChildsStack() {
  for (size_t I = 0; I < TheRun.Count; ++I)
    if (const Range &Each = TheRun.Ranges[I]; !Each.IsKept)
      mprotect(reinterpret_cast<void *>(Each.Begin), Each.End - Each.Begin, PROT_NONE);
  TheRun.Invoke(TheRun.Arguments);
  *TheRun.Ended = 1;
  _exit(0);
}

const char *TouchedMemory::run(void (*Invoke)(void *), void *Arguments, unsigned Threads) {
  if (!findRanges() || !makeStates())
    return "no memory is left to find out what it touches";
  constexpr size_t StackBytes = 256u << 20;
  void *const Stack = mmap(nullptr, StackBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Stack == MAP_FAILED)
    return "no memory is left for a stack";
  TheRun = {Ranges, Count, States, Piece, States + Pieces, Invoke, Arguments};
  const pid_t Child = fork();
  if (Child == 0) {
    constexpr unsigned MostSeconds = 120;
    seamscope_set_mode(SEAMSCOPE_OFF);
    // What the kernel prints, it prints again in the program.
    if (const int Null = open("/dev/null", O_WRONLY | O_CLOEXEC); Null >= 0) {
      dup2(Null, STDOUT_FILENO);
      dup2(Null, STDERR_FILENO);
    }
    startThreads(Threads);
    struct sigaction Action = {};
    Action.sa_sigaction = onFault;
    Action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &Action, nullptr);
    signal(SIGALRM, SIG_DFL);
    sigset_t Needed;
    sigemptyset(&Needed);
    sigaddset(&Needed, SIGSEGV);
    sigaddset(&Needed, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &Needed, nullptr);
    alarm(MostSeconds);
    static ucontext_t Here, There;
    getcontext(&There);
    There.uc_stack.ss_sp = Stack;
    There.uc_stack.ss_size = StackBytes;
    makecontext(&There, onChildsStack, 0);
    swapcontext(&Here, &There);
    _exit(1);
  }
  munmap(Stack, StackBytes);
  if (Child < 0)
    return "the process cannot be forked";
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  if (__atomic_load_n(States + Pieces, __ATOMIC_ACQUIRE))
    return nullptr;
  return WIFSIGNALED(Status) && WTERMSIG(Status) == SIGALRM
             ? "it did not end in a copy of the process within two minutes"
             : "it did not end in a copy of the process";
}

bool TouchedMemory::next(uintptr_t From, TouchedRun &Found) const {
  Found = {};
  for (size_t I = 0; I < Count; ++I) {
    const Range &In = Ranges[I];
    if (In.End <= From)
      continue;
    const uintptr_t First = From > In.Begin ? (From - In.Begin) / Piece : 0;
    for (uintptr_t Number = First; In.Begin + Number * Piece < In.End; ++Number) {
      const uint8_t State = States[In.FirstState + Number];
      const uintptr_t Begin = In.Begin + Number * Piece;
      const bool Reads = !(State & WrittenFirst), Writes = State & Written;
      const bool Joins =
          Found.End == Begin && State && Found.Reads == Reads && Found.Writes == Writes;
      if (Found.End && !Joins)
        return true;
      if (!State)
        continue;
      if (!Found.End)
        Found = {Begin, Begin, Reads, Writes};
      Found.End = In.End - Begin < Piece ? In.End : Begin + Piece;
    }
  }
  return Found.End != 0;
}

} // namespace seamscope
