// Runs one kernel alone and measures it. Part of a folder that `seamscope replay` wrote; see
// README.md there.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <call.h> // next to this file, as is
#include <storage.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <malloc.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

extern "C" void omp_set_num_threads(int); // omp.h may be that of another compiler

namespace {

constexpr std::size_t Line = 64; // bytes; also how torch aligns tensors
constexpr std::size_t Count = sizeof(Storages) / sizeof(Storages[0]);
constexpr std::size_t Arguments = sizeof(Places) / sizeof(Places[0]);

[[noreturn]] void fail(const std::string &Why) {
  std::fprintf(stderr, "replay: %s\n", Why.c_str());
  std::exit(1);
}

/// The memory of the kernel's tensors. Some share one storage.
struct Memory {
  std::vector<unsigned char *> Of; // by storage
  std::vector<std::vector<unsigned char>>
      Start; // what they hold before each call, where that is needed
} Held;

template <typename T, typename FnT> void fillWith(unsigned char *To, std::size_t Bytes, FnT Next) {
  for (std::size_t I = 0; I + sizeof(T) <= Bytes; I += sizeof(T)) {
    const T Value = static_cast<T>(Next());
    std::memcpy(To + I, &Value, sizeof(T));
  }
}

std::uint16_t halfOf(float Value) { // of a normal number in [2^-14, 2): rounds towards zero
  std::uint32_t Bits;
  std::memcpy(&Bits, &Value, sizeof Bits);
  return static_cast<std::uint16_t>(((Bits >> 23) - 127 + 15) << 10 | (Bits >> 13 & 0x3ff));
}

std::uint16_t bfloatOf(float Value) {
  std::uint32_t Bits;
  std::memcpy(&Bits, &Value, sizeof Bits);
  return static_cast<std::uint16_t>(Bits >> 16);
}

/// Floating-point values are uniform in [0.1, 1): no logarithm, root or quotient of them is
/// special. Integers are uniform between the least and the greatest that the program's call had, so
/// that indices are valid.
void fill(const Storage &Of, unsigned char *To) {
  if (Of.File) {
    std::FILE *File = std::fopen(Of.File, "rb");
    if (!File || fseeko(File, static_cast<off_t>(Of.PlaceInFile), SEEK_SET) != 0 ||
        std::fread(To, 1, Of.Bytes, File) != Of.Bytes)
      fail(std::string(Of.File) + ": cannot be read whole; run the program in its own folder");
    std::fclose(File);
    return;
  }
  static std::mt19937_64 Random(1);
  std::uniform_real_distribution<double> Real(0.1, 1);
  std::uniform_int_distribution<std::int64_t> Whole(Of.Low, Of.High);
  const auto Float = [&] { return Real(Random); };
  const auto Int = [&] { return Whole(Random); };
  switch (Of.Holds) {
  case Type::F64:
    return fillWith<double>(To, Of.Bytes, Float);
  case Type::F32:
    return fillWith<float>(To, Of.Bytes, Float);
  case Type::F16:
    return fillWith<std::uint16_t>(To, Of.Bytes,
                                   [&] { return halfOf(static_cast<float>(Float())); });
  case Type::BF16:
    return fillWith<std::uint16_t>(To, Of.Bytes,
                                   [&] { return bfloatOf(static_cast<float>(Float())); });
  case Type::I64:
    return fillWith<std::int64_t>(To, Of.Bytes, Int);
  case Type::I32:
    return fillWith<std::int32_t>(To, Of.Bytes, Int);
  case Type::I16:
    return fillWith<std::int16_t>(To, Of.Bytes, Int);
  case Type::I8:
    return fillWith<std::int8_t>(To, Of.Bytes, Int);
  case Type::U8:
    return fillWith<std::uint8_t>(To, Of.Bytes, Int);
  case Type::Bool:
    return fillWith<std::uint8_t>(To, Of.Bytes, [&] { return Int() & 1; });
  }
}

/// Maps memory at an address that it has in the program. If something else lies there, this program
/// starts again: the system then puts its own memory elsewhere.
unsigned char *mapThere(std::uintptr_t Address, std::size_t Bytes, char **Word) {
  void *const There = reinterpret_cast<void *>(Address);
  void *const Found = mmap(There, Bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (Found == There)
    return static_cast<unsigned char *>(Found);
  constexpr int Most = 50;
  const char *const Before = std::getenv("REPLAY_STARTS");
  const int Starts = Before ? std::atoi(Before) : 0;
  if (Starts < Most) {
    setenv("REPLAY_STARTS", std::to_string(Starts + 1).c_str(), 1);
    personality(PER_LINUX); // addresses are chosen at random
    execv("/proc/self/exe", Word);
  }
  fail("the memory of the call lies where this program has its own");
}

/// Puts a jump to each function where the program has it.
void mapFunctions(char **Word) {
  const auto Page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  std::set<std::uintptr_t> Pages;
  for (const FunctionAt *Each = Functions; Each && Each->Address; ++Each) {
#ifdef __x86_64__
    const unsigned char Jump[] = {0xff, 0x25, 0, 0, 0, 0}; // to the address behind it
#else
    const std::uint32_t Jump[] = {0x58000050, 0xd61f0200}; // aarch64: ldr x16, 8; br x16
#endif
    for (const std::uintptr_t At :
         {Each->Address, Each->Address + sizeof Jump + sizeof(void *) - 1})
      if (Pages.insert(At / Page * Page).second)
        mapThere(At / Page * Page, Page, Word);
    std::memcpy(reinterpret_cast<void *>(Each->Address), Jump, sizeof Jump);
    std::memcpy(reinterpret_cast<void *>(Each->Address + sizeof Jump), &Each->Code, sizeof(void *));
  }
  for (const std::uintptr_t Each : Pages) {
    auto *const Begin = reinterpret_cast<char *>(Each);
    mprotect(Begin, Page, PROT_READ | PROT_EXEC);
    __builtin___clear_cache(Begin, Begin + Page);
  }
}

void prepare(char **Word) {
  Held.Of.resize(Count);
  Held.Start.resize(Count);
  // First, as long as little of this program's own is there.
  for (std::size_t I = 0; I < Count; ++I)
    if (Storages[I].Address)
      Held.Of[I] = mapThere(Storages[I].Address, Storages[I].Bytes, Word);
  mapFunctions(Word);
  for (std::size_t I = 0; I < Count; ++I) {
    if (!Held.Of[I]) {
      const std::size_t Bytes = (Storages[I].Bytes + Line - 1) / Line * Line + Line;
      Held.Of[I] = static_cast<unsigned char *>(std::aligned_alloc(Line, Bytes));
      if (!Held.Of[I])
        fail("not enough memory");
      std::memset(Held.Of[I], 0, Bytes);
    }
    if (Storages[I].Reads || Storages[I].Address)
      fill(Storages[I], Held.Of[I]);
    if (Storages[I].Reads && Storages[I].Writes)
      Held.Start[I].assign(Held.Of[I], Held.Of[I] + Storages[I].Bytes);
  }
}

/// How the memory is before a call.
struct Variant {
  const char *Name, *What;
  bool Cold;    // the tensors' memory is in no cache
  bool New;     // results go to memory that the process did not touch yet
  bool Written; // the inputs were just written, by all threads
};
constexpr Variant Variants[] = {
    {"hot", "called again and again on the same memory", false, false, false},
    {"written", "inputs just written by all threads", false, false, true},
    {"cold", "no tensor in a cache", true, false, false},
    {"new", "results in new memory (page faults)", false, true, false},
    {"cold and new", "both", true, true, false},
};

void evict(unsigned char *From, std::size_t Bytes) {
#ifdef __x86_64__
  for (std::size_t I = 0; I < Bytes; I += Line)
    _mm_clflush(From + I);
  _mm_mfence();
#else
  (void)From, (void)Bytes;
#endif
}

/// Memory larger than any cache, for processors whose programs cannot evict lines.
void evictAll() {
#ifndef __x86_64__
  static std::vector<unsigned char> Large(512u << 20);
#pragma omp parallel for
  for (std::size_t I = 0; I < Large.size(); I += Line)
    ++Large[I];
#endif
}

/// Copies in parallel, as the kernel's threads share the work: what one thread writes is in its own
/// processor's caches.
void restore(unsigned char *To, const std::vector<unsigned char> &From) {
  const auto Lines = static_cast<std::int64_t>((From.size() + Line - 1) / Line);
#pragma omp parallel for schedule(static)
  for (std::int64_t L = 0; L < Lines; ++L) {
    const std::size_t Begin = static_cast<std::size_t>(L) * Line;
    std::memcpy(To + Begin, From.data() + Begin, std::min(Line, From.size() - Begin));
  }
}

std::int64_t timeCall(const Variant &As) {
  std::vector<unsigned char *> Of = Held.Of;
  const auto IsNew = [&](std::size_t I) {
    return As.New && Storages[I].Writes && !Storages[I].Reads;
  };
  for (std::size_t I = 0; I < Count; ++I) {
    if (!Held.Start[I].empty())
      restore(Of[I], Held.Start[I]);
    if (IsNew(I) && Storages[I].Address) {
      if (madvise(Of[I], Storages[I].Bytes, MADV_DONTNEED) != 0)
        fail("memory cannot be given back");
    } else if (IsNew(I)) {
      void *const Fresh = mmap(nullptr, Storages[I].Bytes + Line, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (Fresh == MAP_FAILED)
        fail("not enough memory");
      Of[I] = static_cast<unsigned char *>(Fresh);
    }
    if (As.Written && Storages[I].Reads) {
      volatile unsigned char *const Bytes = Of[I];
      const auto Lines = static_cast<std::int64_t>(Storages[I].Bytes / Line);
#pragma omp parallel for
      for (std::int64_t L = 0; L < Lines; ++L)
        Bytes[static_cast<std::size_t>(L) * Line] = Bytes[static_cast<std::size_t>(L) * Line];
    }
  }
  if (As.Cold) {
    for (std::size_t I = 0; I < Count; ++I)
      if (!IsNew(I)) // what is new is in no cache
        evict(Of[I], Storages[I].Bytes);
    evictAll();
  }
  std::vector<void *> At(Arguments + 1);
  for (std::size_t I = 0; I < Arguments; ++I)
    At[I] = Of[Places[I].Storage] + Places[I].Offset;
  const auto Begin = std::chrono::steady_clock::now();
  call(At.data());
  const auto End = std::chrono::steady_clock::now();
  for (std::size_t I = 0; I < Count; ++I)
    if (Of[I] != Held.Of[I])
      munmap(Of[I], Storages[I].Bytes + Line);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(End - Begin).count();
}

/// Whether the kernel has results that can be in new memory.
bool hasNew() {
  return std::any_of(std::begin(Storages), std::end(Storages),
                     [](const Storage &Each) { return Each.Writes && !Each.Reads; });
}

/// The contents of all memory that the kernel writes, one after the other.
void writeResults(const std::string &To) {
  std::FILE *const File = std::fopen(To.c_str(), "wb");
  bool Ok = File;
  for (std::size_t I = 0; I < Count; ++I)
    if (Storages[I].Writes)
      Ok = Ok && std::fwrite(Held.Of[I], 1, Storages[I].Bytes, File) == Storages[I].Bytes;
  if ((File && std::fclose(File) != 0) || !Ok)
    fail(To + ": cannot be written whole");
}

/// The median, with its 95 % interval from order statistics.
struct Median {
  std::int64_t Ns = 0, Low = 0, High = 0, Least = 0;
  std::size_t Calls = 0;
};

Median medianOf(std::vector<std::int64_t> Times) {
  std::sort(Times.begin(), Times.end());
  const double N = static_cast<double>(Times.size()), Half = 0.98 * std::sqrt(N);
  const auto At = [&](double Rank) {
    return Times[static_cast<std::size_t>(std::min(std::max(0.0, Rank), N - 1))];
  };
  return {At(N / 2), At(std::floor(N / 2 - Half) - 1), At(std::ceil(N / 2 + Half)), Times.front(),
          Times.size()};
}

/// Seconds since \p Begin.
double since(std::chrono::steady_clock::time_point Begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin).count();
}

/// Calls for a while: the system may start all threads on one processor, and takes some time to
/// move them.
void warmUp(double Seconds) {
  const auto Begin = std::chrono::steady_clock::now();
  do
    timeCall(Variants[0]);
  while (since(Begin) < Seconds);
}

/// Calls until the interval is within 2 % of the median, or for \p Seconds.
Median measure(const Variant &As, double Seconds) {
  // Of fewer than six calls, not even all are a 95 % interval.
  constexpr std::size_t Fewest = 6, Least = 15, Most = 100000;
  const double LeastSeconds = Seconds / 20;
  for (int Warm = 0; Warm < 3; ++Warm)
    timeCall(As);
  std::vector<std::int64_t> Times;
  const auto Begin = std::chrono::steady_clock::now();
  for (std::size_t Next = Least; Times.size() < Most;) {
    Times.push_back(timeCall(As));
    const double Took = since(Begin);
    if (Times.size() < Fewest || ((Times.size() < Next || Took < LeastSeconds) && Took < Seconds))
      continue;
    const Median Found = medianOf(Times);
    Next = Times.size() + Times.size() / 4;
    const double Width = static_cast<double>(Found.High - Found.Low) / 2;
    if (Took >= Seconds || Width <= 0.02 * static_cast<double>(Found.Ns))
      break;
  }
  return medianOf(std::move(Times));
}

/// Whether the program's memory has \p Pointer.
bool isPrograms(const void *Pointer) {
  const auto At = reinterpret_cast<std::uintptr_t>(Pointer);
  std::size_t Low = 0, High = Count; // storages with addresses are in their order
  while (Low < High) {
    const std::size_t Middle = (Low + High) / 2;
    if (Storages[Middle].Address + Storages[Middle].Bytes <= At)
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low < Count && Storages[Low].Address && Storages[Low].Address <= At;
}

} // namespace

#ifdef __GLIBC__
// What the program allocated stays: this program's allocator does not know it.
extern "C" void __libc_free(void *);
extern "C" void *__libc_realloc(void *, std::size_t);
extern "C" void free(void *Pointer) {
  if (!isPrograms(Pointer))
    __libc_free(Pointer);
}
extern "C" void *realloc(void *Pointer, std::size_t Bytes) {
  if (!isPrograms(Pointer))
    return __libc_realloc(Pointer, Bytes);
  void *const Copy = std::malloc(Bytes);
  if (Copy)
    std::memcpy(Copy, Pointer, std::min(Bytes, malloc_usable_size(Pointer)));
  return Copy;
}
#endif

int main(int Words, char **Word) {
  double Seconds = 2;
  bool WithNew = hasNew();
  std::string Only, Results, Json;
  int Threads = RecordedThreads;
  for (int I = 1; I < Words; ++I) {
    const std::string Name = Word[I];
    if (Name == "--no-new")
      WithNew = false;
    else if (Name == "--json" && I + 1 < Words)
      Json = Word[++I];
    else if (Name == "--only" && I + 1 < Words)
      Only = Word[++I];
    else if (Name == "--results" && I + 1 < Words)
      Results = Word[++I];
    else if (Name == "--seconds" && I + 1 < Words)
      Seconds = std::atof(Word[++I]);
    else if (Name == "--threads" && I + 1 < Words)
      Threads = std::atoi(Word[++I]);
    else {
      std::fprintf(
          stderr,
          "usage: replay [--threads N] [--seconds N, of each measurement] [--only "
          "NAME] [--no-new] [--json FILE]\n       replay --results FILE [--threads N]: calls the "
          "kernel once, and writes the memory that it writes\n");
      return 2;
    }
  }
  if (!Only.empty() && std::none_of(std::begin(Variants), std::end(Variants),
                                    [&](const Variant &Each) { return Only == Each.Name; })) {
    std::fprintf(stderr, "replay: --only takes the name of a line\n");
    return 2;
  }
  if (Threads < 1 || !(Seconds > 0)) {
    std::fprintf(stderr, "replay: --threads and --seconds take numbers above 0\n");
    return 2;
  }
  omp_set_num_threads(Threads);
  prepare(Word);
  if (!Results.empty()) {
    timeCall(Variants[0]);
    writeResults(Results);
    return 0;
  }
  warmUp(Seconds / 4);
  std::FILE *const File = Json.empty() ? nullptr : std::fopen(Json.c_str(), "w");
  if (!Json.empty() && !File)
    fail(Json + ": cannot be written");
  if (File)
    std::fprintf(File, "{\"threads\": %d, \"variants\": [", Threads);
  else
    std::printf("%s, %d threads\n%-14s %12s %12s %12s %12s %8s\n", KernelName, Threads, "",
                "median us", "low", "high", "least", "calls");
  bool First = true;
  for (const Variant &Each : Variants) {
    if (!Only.empty() ? Only != Each.Name : Each.New && !WithNew)
      continue;
    const Median Found = measure(Each, Seconds);
    const auto Us = [](std::int64_t Ns) { return static_cast<double>(Ns) / 1000; };
    if (File)
      std::fprintf(File,
                   "%s{\"name\": \"%s\", \"median_ns\": %lld, \"low_ns\": %lld, \"high_ns\": %lld, "
                   "\"min_ns\": %lld, \"calls\": %zu}",
                   std::exchange(First, false) ? "" : ", ", Each.Name,
                   static_cast<long long>(Found.Ns), static_cast<long long>(Found.Low),
                   static_cast<long long>(Found.High), static_cast<long long>(Found.Least),
                   Found.Calls);
    else
      std::printf("%-14s %12.2f %12.2f %12.2f %12.2f %8zu  %s\n", Each.Name, Us(Found.Ns),
                  Us(Found.Low), Us(Found.High), Us(Found.Least), Found.Calls, Each.What);
    std::fflush(stdout);
  }
  rusage Used;
  getrusage(RUSAGE_SELF, &Used);
  if (!File)
    std::printf("preempted %ld times\n", Used.ru_nivcsw);
  else if (std::fprintf(File, "], \"preempted\": %ld}\n", Used.ru_nivcsw) < 0 ||
           std::fclose(File) != 0)
    fail(Json + ": cannot be written");
}
