//===- ImageFiles.cpp - a kernel of any program, as a program -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/replay/ImageFiles.h"
#include "trace/io/InputFile.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t LargestCode = 256u << 20, LargestArguments = 1u << 20;

/// Smaller parts keep what they hold, whatever the kernel does first: on such a page may be
/// something else.
constexpr uint64_t LeastResult = 65536;

std::string callHeader(const KernelCall &Of, const std::string &Arguments) {
  const CallImage &Image = *Of.Image;
  std::string Storages, Values;
  uint64_t PlaceInFile = 0;
  for (const ImagePart &Each : Image.Memory) {
    const bool IsResult = !Each.Reads && Each.Writes && Each.Bytes >= LeastResult;
    Storages += fmt::format(
        "    {{{}u, Type::U8, {}, {}, 0, 0, \"data/memory.bin\", 0x{:x}u, {}u}},\n", Each.Bytes,
        IsResult ? "false" : "true", Each.Writes ? "true" : "false", Each.Address, PlaceInFile);
    PlaceInFile += Each.Bytes;
  }
  for (const char Each : Arguments)
    Values += fmt::format("{}, ", static_cast<unsigned>(static_cast<unsigned char>(Each)));
  return fmt::format(R"(// {0}: what call {1} passed.
#include <storage.h> // next to this file

constexpr const char *KernelName = "{0}";
constexpr int RecordedThreads = {2};

constexpr Storage Storages[] = {{
{3}}};

constexpr Place Places[] = {{{{0, 0}}}};

/// Of the kernel, in the order of its parameters.
alignas(64) inline unsigned char Values[] = {{{4}0}};
alignas(64) inline unsigned char Result[4096];

extern "C" const FunctionAt replay_functions[]; // in symbols.s
inline const FunctionAt *const Functions = replay_functions;

extern "C" void {5}(void *Arguments, void *Result);
inline void call(void *const *) {{ {5}(Values, Result); }}
)",
                     plainName(Of.Kernel), Of.Number, Of.Threads, Storages, Values, Image.Entry);
}

/// Assembly: where the program's variables are, and a table of functions that pointers may have.
std::string symbols(const CallImage &Of) {
  std::string Text;
  for (const auto &[Name, Address] : Of.Data)
    Text += fmt::format(".globl \"{0}\"\n.set \"{0}\", 0x{1:x}\n", Name, Address);
  Text += ".data\n.balign 8\n.globl replay_functions\nreplay_functions:\n";
  for (const auto &[Name, Address] : Of.Functions)
    Text += fmt::format(".quad 0x{:x}, \"{}\"\n", Address, Name);
  return Text + ".quad 0, 0\n.section .note.GNU-stack,\"\",@progbits\n";
}

} // namespace

std::string missingFunctions(const std::vector<std::string> &Names) {
  std::string Text =
      R"(// Functions that the kernel's code names and that are in another file or library of the program.
#include <cstdio>
#include <cstdlib>

[[maybe_unused]] [[noreturn]] static void missing(const char *Name) {
  std::fprintf(stderr, "replay: error: the kernel calls %s, which is in another file or library of the program\n", Name);
  std::exit(1);
}
)";
  for (size_t I = 0; I < Names.size(); ++I)
    Text += fmt::format("\nextern \"C\" void missing{0}() __asm__(\"{1}\");\n"
                        "extern \"C\" void missing{0}() {{ missing(\"{1}\"); }}\n",
                        I, Names[I]);
  return Text;
}

namespace {

std::string cmakeLists(const KernelBuild &Build) {
  return fmt::format(R"(cmake_minimum_required(VERSION 3.18)
project(replay CXX ASM)
set(CMAKE_CXX_STANDARD 17)
find_package(OpenMP REQUIRED)
if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "kernel.ll is code of LLVM: use -DCMAKE_CXX_COMPILER=clang++")
endif()

# The kernel as it is before the inliner, with the level that it had.
set(KERNEL_OPTIONS "{}" CACHE STRING "Options of the compiler for the kernel")
add_custom_command(OUTPUT kernel.o DEPENDS kernel.ll
  COMMAND ${{CMAKE_CXX_COMPILER}} ${{KERNEL_OPTIONS}} -c ${{CMAKE_CURRENT_SOURCE_DIR}}/kernel.ll -o kernel.o)

add_executable(replay main.cpp missing.cpp symbols.s ${{CMAKE_CURRENT_BINARY_DIR}}/kernel.o)
target_compile_options(replay PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O2>)
target_include_directories(replay PRIVATE .)
target_link_libraries(replay PRIVATE OpenMP::OpenMP_CXX m)
target_link_options(replay PRIVATE {})
)",
                     fmt::join(Build.Flags, ";"), fmt::join(Build.LinkFlags, " "));
}

std::string readme(const KernelCall &Of) {
  return fmt::format(
      R"(# {0}

Call {1} of a kernel, as a program of its own. It does not need Seamscope.

    cmake -B build -DCMAKE_CXX_COMPILER=clang++-{2} && cmake --build build
    build/replay

`kernel.ll` is the kernel's code before the inliner, with what it calls, as LLVM {2} writes it.
data/memory.bin has the memory that the call touches, whole pages of it: it may be private. The
program puts it at the same addresses, and `symbols.s` says where the variables of the original
program are there. `build/replay --help` lists the options. Run it in this folder. The time of a
call is measured with the memory in different states; each line has the median, its 95 % interval
and the least.
)",
      plainName(Of.Kernel), Of.Number, Of.Image->Llvm);
}

} // namespace

KernelBuild imageBuild(const CallImage &Of) {
  KernelBuild Result;
  Result.Compiler = "clang++-" + Of.Llvm;
  Result.Source = "kernel.ll";
  Result.More = {"symbols.s", "missing.cpp"};
  Result.Missing = "missing.cpp";
  // Variables are at any distance from the code.
  // The code may have other kernels, whose calls of functions are not needed, and paths that no
  // call takes.
  Result.Flags = Of.Options;
  for (const char *Each :
       {"-fPIC", "-ffunction-sections", "-fdata-sections", "-Wno-override-module"})
    Result.Flags.emplace_back(Each);
  Result.LinkFlags = {"-Wl,--gc-sections", "-Wl,--no-demangle"};
  return Result;
}

Result<std::vector<std::pair<std::string, std::string>>>
imageFiles(const KernelCall &Of, const KernelBuild &Build, const std::string &Captured) {
  const auto Code = readRegular((fs::path(Captured) / "kernel.ll").string(), LargestCode);
  if (!Code)
    return Code.error();
  const auto Arguments =
      readRegular((fs::path(Captured) / "arguments.bin").string(), LargestArguments);
  if (!Arguments)
    return Arguments.error();
  return std::vector<std::pair<std::string, std::string>>{{"kernel.ll", *Code},
                                                          {"call.h", callHeader(Of, *Arguments)},
                                                          {"symbols.s", symbols(*Of.Image)},
                                                          {"missing.cpp", missingFunctions({})},
                                                          {"CMakeLists.txt", cmakeLists(Build)},
                                                          {"README.md", readme(Of)}};
}

} // namespace seamscope::tools
