//===- SymbolsTest.cpp - names and lines of code, unwinding ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "symbols/DebugLines.h"
#include "symbols/Symbols.h"
#include "symbols/Unwind.h"

#include <algorithm>
#include <cinttypes>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <mutex>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "gtest/gtest.h"

using namespace seamscope::tools;

namespace symbols_test {

__attribute__((noinline)) const void *here() { return __builtin_return_address(0); }

// Functions to look up: `around` has the code of `inside`, which was inlined.
constexpr uint32_t InsideLine = __LINE__ + 2, CallLine = __LINE__ + 6;
inline __attribute__((always_inline)) const void *inside() {
  const void *const At = here();
  return At;
}
__attribute__((noinline)) const void *around() {
  const void *const At = inside();
  return At;
}

std::mutex Lock;
std::condition_variable Ready;
bool Go = false;
int Waiter = 0;

__attribute__((noinline)) void waitForGo() {
  std::unique_lock<std::mutex> Held(Lock);
  Waiter = gettid();
  while (!Go)
    Ready.wait(Held);
}

/// What this process has mapped from files, as code.
std::vector<Mapping> mappings() {
  std::vector<Mapping> All;
  std::ifstream Maps("/proc/self/maps");
  for (std::string Line; std::getline(Maps, Line);) {
    Mapping Of;
    char Rights[5] = {};
    int Path = 0;
    if (std::sscanf(Line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &Of.Begin,
                    &Of.End, Rights, &Of.FileOffset, &Path) < 4 ||
        Rights[2] != 'x' || Line[static_cast<size_t>(Path)] != '/')
      continue;
    Of.File.Path = Line.substr(static_cast<size_t>(Path));
    if (const auto File = ElfFile::open(Of.File.Path))
      Of.File.BuildId = (*File)->buildId();
    All.push_back(Of);
  }
  return All;
}

const CodePlace &placeOf(SymbolFinder &Finder, uint64_t Address) {
  static const CodePlace None;
  for (const Mapping &Of : mappings())
    if (Address >= Of.Begin && Address < Of.End)
      return Finder.at(Of.File, Address - Of.Begin + Of.FileOffset);
  return None;
}

TEST(Symbols, NamesTheInlinedChainWithItsLines) {
  SymbolFinder Finder;
  const CodePlace &Place = placeOf(Finder, reinterpret_cast<uint64_t>(around()) - 1);
  ASSERT_EQ(Place.Frames.size(), 2u);
  // Line tables alone have plain names.
  const auto IsNamed = [](const std::string &Function, const std::string &Plain) {
    return Function == Plain || Function == "symbols_test::" + Plain + "()";
  };
  EXPECT_PRED2(IsNamed, Place.Frames[0].Function, "inside");
  EXPECT_TRUE(Place.Frames[0].File.ends_with("SymbolsTest.cpp"));
  EXPECT_EQ(Place.Frames[0].Line, InsideLine);
  EXPECT_PRED2(IsNamed, Place.Frames[1].Function, "around");
  EXPECT_EQ(Place.Frames[1].Line, CallLine);
  EXPECT_TRUE(Finder.complaints().empty());
}

TEST(Symbols, WritesTemplatesAsThePassDoes) {
  EXPECT_EQ(demangled("_Z3sumISt6vectorIS0_IiSaIiEESaIS2_EEEiRKT_"),
            "int sum<std::vector<std::vector<int, std::allocator<int>>, "
            "std::allocator<std::vector<int, std::allocator<int>>>>>"
            "(std::vector<std::vector<int, std::allocator<int>>, "
            "std::allocator<std::vector<int, std::allocator<int>>>> const&)");
  EXPECT_EQ(demangled("main"), "main");
}

TEST(Symbols, NamesALibrarysFunctionWithoutDebugInformation) {
  SymbolFinder Finder;
  const CodePlace &Place = placeOf(Finder, reinterpret_cast<uint64_t>(&std::qsort));
  ASSERT_FALSE(Place.Frames.empty());
  EXPECT_EQ(Place.Frames.back().Function, "qsort");
}

TEST(Symbols, DoesNotNameWhatLiesBetweenFunctions) {
  const auto Own = ElfFile::open("/proc/self/exe");
  ASSERT_TRUE(bool(Own));
  EXPECT_EQ((*Own)->functionAt(UINT64_MAX).Text, "");
  EXPECT_EQ((*Own)->functionAt(0).Text, "");
  EXPECT_FALSE((*Own)->addressOf(UINT64_MAX));
}

TEST(Symbols, DoesNotUseAnotherBuild) {
  SymbolFinder Finder;
  const std::vector<Mapping> All = mappings();
  ASSERT_FALSE(All.empty());
  EXPECT_TRUE(Finder.at({All[0].File.Path, "0123"}, All[0].FileOffset).Frames.empty());
  EXPECT_TRUE(Finder.at({"/nonexistent/lib.so", ""}, 0).Frames.empty());
  EXPECT_TRUE(Finder.at({"[vdso]", ""}, 0).Frames.empty());
  ASSERT_EQ(Finder.complaints().size(), 2u);
  EXPECT_NE(Finder.complaints()[0].find("is another build than the recorded one"),
            std::string::npos);
  EXPECT_NE(Finder.complaints()[0].find("recorded 0123"), std::string::npos);
  EXPECT_NE(Finder.complaints()[1].find("No such file"), std::string::npos);
}

TEST(Symbols, UsesAnOlderFileWhoseBuildIdWasNotRecorded) {
  std::vector<Mapping> All = mappings();
  std::erase_if(All, [](const Mapping &Of) { return Of.File.BuildId.empty(); });
  ASSERT_FALSE(All.empty());
  const MappedFile Unknown{All[0].File.Path, ""};
  SymbolFinder Since(std::numeric_limits<int64_t>::max()), Before(1);
  EXPECT_TRUE(Since.fileOf(Unknown));
  EXPECT_TRUE(Since.complaints().empty());
  EXPECT_FALSE(Before.fileOf(Unknown));
  ASSERT_EQ(Before.complaints().size(), 1u);
  EXPECT_NE(Before.complaints()[0].find("was written after the recording"), std::string::npos);
}

TEST(Symbols, RefusesWhatIsNoElfFile) {
  const std::string Pipe = testing::TempDir() + "symbols-pipe";
  unlink(Pipe.c_str());
  ASSERT_EQ(mkfifo(Pipe.c_str(), 0600), 0);
  EXPECT_EQ(ElfFile::open(Pipe).error().Reason, "is not a regular file");
  unlink(Pipe.c_str());
  const std::string Text = testing::TempDir() + "symbols-text";
  std::ofstream(Text) << "\x7f"
                      << "ELF and no more";
  EXPECT_FALSE(bool(ElfFile::open(Text)));
  unlink(Text.c_str());
}

TEST(Symbols, FindsTheCallersOfABlockedThread) {
  std::thread Waiting(waitForGo);
  // The kernel's words on the thread: once it waits, the call's number and then SP and PC at the
  // end.
  uint64_t Sp = 0, Pc = 0;
  for (bool Waits = false; !Waits; std::this_thread::yield()) {
    int Thread = 0;
    {
      const std::lock_guard<std::mutex> Held(Lock);
      Thread = Waiter;
    }
    if (!Thread)
      continue;
    std::ifstream File("/proc/self/task/" + std::to_string(Thread) + "/syscall");
    std::string Line;
    std::getline(File, Line);
    if (Line.find(' ') == std::string::npos)
      continue; // "running"
    const size_t Last = Line.rfind(' '), Before = Line.rfind(' ', Last - 1);
    Pc = std::strtoull(Line.c_str() + Last, nullptr, 16);
    Sp = std::strtoull(Line.c_str() + Before, nullptr, 16);
    Waits = true;
  }
  std::string Stack(2048, '\0');
  std::memcpy(Stack.data(), reinterpret_cast<const void *>(Sp), Stack.size());
  {
    const std::lock_guard<std::mutex> Held(Lock);
    Go = true;
  }
  Ready.notify_all();
  Waiting.join();

  SymbolFinder Finder;
  const Unwinder Unwind(mappings(), Finder);
  std::vector<std::string> Names;
  for (const uint64_t Address : Unwind.callers(Pc, Sp, Stack)) {
    const CodePlace &Place = placeOf(Finder, Address);
    Names.push_back(Place.Frames.empty() ? "?" : Place.Frames.back().Function);
  }
  EXPECT_NE(std::ranges::find(Names, "pthread_cond_wait"), Names.end())
      << testing::PrintToString(Names);
  EXPECT_NE(std::ranges::find(Names, "symbols_test::waitForGo()"), Names.end())
      << testing::PrintToString(Names);
  // Without the stack there is only the place itself.
  EXPECT_EQ(Unwind.callers(Pc, Sp, {}).size(), 1u);
}

TEST(Symbols, ReadsTheNamesOfCodeMadeAtRunTime) {
  const std::string Folder = testing::TempDir();
  const std::string Path = Folder + "/perf-4242.map";
  std::ofstream(Path)
      << "1000 20 first\n2000 10 second with blanks\nnot a line\nffffffffffffffff 8 x\n";
  const JitNames Names("4242", std::nullopt, Folder);
  EXPECT_EQ(Names.at(0x1000), "first");
  EXPECT_EQ(Names.at(0x101f), "first");
  EXPECT_EQ(Names.at(0x1020), "");
  EXPECT_EQ(Names.at(0x2008), "second with blanks");
  EXPECT_EQ(Names.at(0), "");
  EXPECT_EQ(JitNames("4242", INT64_MAX, Folder).at(0x1000), "") << "of an earlier process";
  EXPECT_EQ(JitNames("../4242", std::nullopt, Folder).at(0x1000), "");
  unlink(Path.c_str());
}

} // namespace symbols_test
