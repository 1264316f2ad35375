//===- ReplayFolder.cpp - one call of a kernel, as a program --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/replay/ReplayFolder.h"
#include "run/replay/ImageFiles.h"
#include "trace/io/InputFile.h"
#include "trace/io/OutputFile.h"
#include "trace/io/OutputFolder.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t LargestHarness = 1u << 20;

/// A word in a list of CMake.
std::string cmakeWord(std::string_view Word) {
  std::string Text = "\"";
  for (const char C : Word) {
    if (C == '"' || C == '\\' || C == '$' || C == ';')
      Text += '\\';
    Text += C;
  }
  return Text + '"';
}

std::string cmakeLists(const KernelBuild &Build) {
  std::vector<std::string> Flags;
  for (const std::string &Each : Build.Flags)
    Flags.push_back(cmakeWord(Each));
  return fmt::format(R"(cmake_minimum_required(VERSION 3.18)
project(replay CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(OpenMP REQUIRED)

# The kernel, with the options that it had.
add_library(kernel OBJECT kernel.cpp)
target_compile_options(kernel PRIVATE {})
target_include_directories(kernel PRIVATE include)

add_executable(replay main.cpp $<TARGET_OBJECTS:kernel>)
target_compile_options(replay PRIVATE -O2)
target_include_directories(replay PRIVATE .)
target_link_libraries(replay PRIVATE OpenMP::OpenMP_CXX)
# Vector functions such as exp and erf: Debian's libsleef-dev has them; torch's libtorch_cpu too.
find_library(SLEEF_LIBRARY sleef)
if(SLEEF_LIBRARY)
  target_link_libraries(replay PRIVATE ${{SLEEF_LIBRARY}})
elseif(TORCH_LIBRARIES_DIR)
  target_link_directories(replay PRIVATE ${{TORCH_LIBRARIES_DIR}})
  target_link_libraries(replay PRIVATE torch_cpu c10)
endif()
)",
                     fmt::join(Flags, "\n                       "));
}

std::string readme(const KernelCall &Of, const KernelBuild &Build) {
  return fmt::format(
      R"(# {0}

Call {1} of a kernel that torch {2} compiled, as a program of its own. It needs neither torch nor
Seamscope.

    cmake -B build -DCMAKE_CXX_COMPILER=clang++ && cmake --build build
    build/replay

The kernel was compiled by `{3}`. Where it uses vector functions such as `exp`, it needs
libsleef (Debian: libsleef-dev), or `-DTORCH_LIBRARIES_DIR=.../torch/lib`.

{4} `build/replay --help` lists the options. The time of a call is measured with the memory of its
tensors in different states; each line has the median, its 95 % interval and the least.
)",
      plainName(Of.Kernel), Of.Number, plainName(Of.Torch), Build.Compiler,
      Of.Captured.empty()
          ? "Its inputs are made up: floating-point numbers are uniform in [0.1, 1), "
            "integers uniform between the least and the greatest of the program's "
            "call."
          : "data/ has the contents of the program's tensors: they may be private.");
}

} // namespace

std::optional<Error> writeReplayFile(const OutputFolder &In, const std::string &Name,
                                     const std::string &Text) {
  auto File = In.create(Name, {.OverInput = true});
  if (!File)
    return File.error();
  (*File)->write(Text);
  return (*File)->commit();
}

std::string folderName(const std::string &Kernel) {
  constexpr size_t MostOwn = 200, Most = 80;
  if (isOwnName(Kernel) && Kernel.size() <= MostOwn &&
      Kernel.find_first_of(" <>'\"\\$*?;&|()[]{}") == Kernel.npos)
    return Kernel;
  std::string Name;
  for (const char C : plainName(Kernel)) {
    const char Next = C == ' ' || C == ':' ? '_' : C;
    if (Name.size() < Most && !(Next == '_' && Name.ends_with('_')))
      Name += Next;
  }
  // Other kernels may have become the same. FNV-1a, so that a kernel keeps its folder.
  uint32_t Hash = 2166136261u;
  for (const char C : Kernel)
    Hash = (Hash ^ static_cast<unsigned char>(C)) * 16777619u;
  return fmt::format("{}-{:08x}", Name, Hash);
}

KernelBuild buildOf(const KernelCall &Of) {
  if (Of.Image)
    return imageBuild(*Of.Image);
  KernelBuild Result;
  Result.Compiler = Of.Command[0];
  const std::vector<std::string> &Words = Of.Command;
  // Word 1 is the source.
  for (size_t I = 2; I < Words.size(); ++I) {
    const std::string &Word = Words[I];
    if (Word == "-o" || Word == "-include") {
      ++I;
    } else if (Word.starts_with("-I")) {
      if (Word.find("/torch/include") != Word.npos)
        Result.Headers.push_back(Word.substr(2));
    } else if (Word.starts_with("-L")) {
      if (Word.ends_with("/torch/lib"))
        Result.Libraries.push_back(Word.substr(2));
    } else if (Word == "-D" && I + 1 < Words.size()) {
      Result.Flags.push_back("-D" + Words[++I]);
    } else if (!Word.starts_with("-l") && Word != "-shared") {
      Result.Flags.push_back(Word);
    }
  }
  return Result;
}

std::string callHeader(const KernelCall &Of) {
  const size_t Count = Of.storages();
  std::vector<const CallArgument *> First(Count);
  std::vector<bool> Reads(Count), Writes(Count);
  std::vector<std::pair<int64_t, int64_t>> Limits(Count, {0, 1});
  for (const CallArgument &Each : Of.Arguments) {
    if (!Each.Type)
      continue;
    const size_t Its = Each.Storage;
    First[Its] = First[Its] ? First[Its] : &Each;
    Reads[Its] = Reads[Its] || Each.Reads;
    Writes[Its] = Writes[Its] || Each.Writes;
    Limits[Its] = Each.Limits.value_or(Limits[Its]);
  }
  const auto Literal = [](int64_t Number) {
    return Number == INT64_MIN ? "INT64_MIN" : fmt::format("{}LL", Number);
  };
  std::string Storages, Places, Parameters, Passed;
  for (size_t I = 0; I < Count; ++I)
    Storages += fmt::format(
        "    {{{}u, Type::{}, {}, {}, {}, {}, {}}}, // {}\n", First[I]->Bytes,
        First[I]->Type->Harness, Reads[I] ? "true" : "false", Writes[I] ? "true" : "false",
        Literal(Limits[I].first), Literal(Limits[I].second),
        Of.Captured.empty() ? "nullptr" : fmt::format("\"data/{}.bin\"", I), First[I]->Name);
  size_t Tensors = 0;
  for (const CallArgument &Each : Of.Arguments) {
    const char *const Comma = Parameters.empty() ? "" : ", ";
    if (Each.Type) {
      Places += fmt::format("    {{{}, {}}}, // {}: [{}]\n", Each.Storage, Each.Offset, Each.Name,
                            fmt::join(Each.Shape, ", "));
      Parameters += fmt::format("{}{}void *{}", Comma, Each.Writes ? "" : "const ", Each.Name);
      Passed += fmt::format("{}At[{}]", Comma, Tensors++);
    } else {
      Parameters +=
          fmt::format("{}{} {}", Comma, Each.IsReal ? "double" : "std::int64_t", Each.Name);
      Passed += Comma + Each.Value;
    }
  }
  return fmt::format(R"(// {0}: what call {1} passed.
#include <storage.h> // next to this file

constexpr const char *KernelName = "{0}";
constexpr int RecordedThreads = {2};
constexpr Storage Storages[] = {{
{3}}};

constexpr Place Places[] = {{
{4}}};

inline const FunctionAt *const Functions = nullptr;

extern "C" void kernel({5});
inline void call(void *const *At) {{ kernel({6}); }}
)",
                     plainName(Of.Kernel), Of.Number, Of.Threads, Storages, Places, Parameters,
                     Passed);
}

Result<std::vector<std::pair<std::string, std::string>>>
harnessFiles(const std::string &Share, std::initializer_list<const char *> Names) {
  std::vector<std::pair<std::string, std::string>> Files;
  for (const char *const Name : Names) {
    auto Text = readRegular((fs::path(Share) / Name).string(), LargestHarness);
    if (!Text)
      return Text.error();
    Files.emplace_back(Name, std::move(*Text));
  }
  return Files;
}

std::vector<std::string> capturedFiles(const KernelCall &Of) {
  std::vector<std::string> Names;
  if (Of.Image)
    Names = {"memory.bin"};
  for (size_t I = 0; I < Of.storages() && !Of.Captured.empty(); ++I)
    Names.push_back(fmt::format("{}.bin", I));
  return Names;
}

std::optional<Error> writeReplayFiles(const std::string &To,
                                      const std::vector<std::pair<std::string, std::string>> &Files,
                                      const std::string &From,
                                      const std::vector<std::string> &Data) {
  std::error_code Failed;
  fs::create_directories(To, Failed);
  const auto Folder = OutputFolder::open(To);
  if (!Folder)
    return Folder.error();
  for (const auto &[Name, Text] : Files)
    if (auto Why = writeReplayFile(*Folder, Name, Text))
      return Why;
  if (Data.empty())
    return std::nullopt;
  const fs::path Into = fs::path(To) / "data";
  fs::remove_all(Into, Failed);
  fs::create_directory(Into, Failed);
  for (const std::string &Name : Data)
    if (!Failed)
      fs::copy_file(fs::path(From) / Name, Into / Name, Failed);
  if (Failed)
    return Error{
        Into.string(), {}, fmt::format("cannot be filled from {}: {}", From, Failed.message())};
  return std::nullopt;
}

std::optional<Error> writeReplayFolder(const std::string &To, const KernelCall &Of,
                                       const KernelBuild &Build, const std::string &Share,
                                       const std::string &Run) {
  auto Harness = harnessFiles(Share, {"main.cpp", "storage.h"});
  if (!Harness)
    return Harness.error();
  auto &Files = *Harness;
  const std::string From = (fs::path(capturedIn(Run)) / Of.Captured).string();
  if (Of.Image) {
    auto Texts = imageFiles(Of, Build, From);
    if (!Texts)
      return Texts.error();
    for (auto &Each : *Texts)
      Files.push_back(std::move(Each));
  } else {
    Files.emplace_back("kernel.cpp", Of.Code);
    Files.emplace_back("call.h", callHeader(Of));
    Files.emplace_back("CMakeLists.txt", cmakeLists(Build));
    Files.emplace_back("README.md", readme(Of, Build));
  }
  return writeReplayFiles(To, Files, From, capturedFiles(Of));
}

std::optional<Error> copyHeaders(const std::string &To, const std::string &Dependencies,
                                 const std::vector<std::string> &Headers) {
  std::error_code Failed;
  const fs::path Into = fs::path(To) / "include";
  fs::remove_all(Into, Failed);
  std::string Word;
  std::vector<std::string> Words;
  for (size_t I = 0; I <= Dependencies.size(); ++I) {
    const char C = I < Dependencies.size() ? Dependencies[I] : '\n';
    const char Next = I + 1 < Dependencies.size() ? Dependencies[I + 1] : '\n';
    if (C == '\\' && (Next == ' ' || Next == '#' || Next == '\\')) {
      Word += Next;
      ++I;
    } else if (C == '$' && Next == '$') {
      Word += C;
      ++I;
    } else if (C == ' ' || C == '\n' || C == '\\') {
      if (!Word.empty())
        Words.push_back(std::move(Word));
      Word.clear();
    } else {
      Word += C;
    }
  }
  for (const std::string &Each : Words)
    for (const std::string &Base : Headers) {
      if (!Each.starts_with(Base + "/"))
        continue;
      const fs::path Copy = (Into / Each.substr(Base.size() + 1)).lexically_normal();
      if (!Copy.string().starts_with(Into.string() + "/"))
        break;
      fs::create_directories(Copy.parent_path(), Failed);
      fs::copy_file(Each, Copy, fs::copy_options::overwrite_existing, Failed);
      if (Failed)
        return Error{Copy.string(), {}, fmt::format("cannot be copied: {}", Failed.message())};
      break;
    }
  return std::nullopt;
}

} // namespace seamscope::tools
