//===- KernelNamesTest.cpp - names of kernels -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/KernelNames.h"
#include "TestFile.h"
#include "kernels/TargetRegion.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>

namespace seamscope::tools {
namespace {

std::string call(const char *Category, const char *Name, const char *Kernel, const char *File,
                 int Line, int Begin) {
  return fmt::format(R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": 1, "ts": {}, )"
                     R"("dur": 10, "args": {{"kernel": "{}", "file": "{}", "line": {}}}}})",
                     Category, Name, Begin, Kernel, File, Line);
}

std::map<std::string, std::string> kernelsByName(const Trace &Input) {
  std::map<std::string, std::string> Found;
  for (const Site &What : Input.Sites)
    Found[std::string(Input.text(What.Name))] = Input.text(What.Kernel);
  return Found;
}

TEST(KernelNames, ToldApartByFileAndLine) {
  Trace Input = traceOf(fmt::format(
      "[{},{},{},{},{},{},{},{}]", call("cpu_op", "main", "main", "/x/a.cpp", 3, 0),
      call("cpu_op", "main", "main", "/y/a.cpp", 3, 10),
      call("loop", "main [loop a.cpp:5]", "main", "/y/a.cpp", 5, 10),
      call("cpu_op", "f", "f", "/x/f.cpp", 3, 20), call("cpu_op", "f", "f", "/x/f.cpp", 30, 30),
      call("loop", "f [loop f.cpp:31]", "f", "/x/f.cpp", 31, 30),
      call("loop", "f [loop f.cpp:9]", "f", "/x/f.cpp", 9, 20),
      call("cpu_op", "one", "one", "/x/f.cpp", 50, 40)));
  tellKernelsApart(Input);
  const std::map<std::string, std::string> Expected = {
      {"main (x/a.cpp)", "main (x/a.cpp)"},
      {"main (y/a.cpp)", "main (y/a.cpp)"},
      {"main (y/a.cpp) [loop a.cpp:5]", "main (y/a.cpp)"},
      {"f (f.cpp:3)", "f (f.cpp:3)"},
      {"f (f.cpp:30)", "f (f.cpp:30)"},
      {"f (f.cpp:30) [loop f.cpp:31]", "f (f.cpp:30)"},
      {"f (f.cpp:3) [loop f.cpp:9]", "f (f.cpp:3)"},
      {"one", "one"}};
  EXPECT_EQ(kernelsByName(Input), Expected);
}

TEST(KernelNames, PartsInOtherFilesSayWhereTheirKernelIs) {
  // Both kernels have a loop in one header, and the second one a loop of a function `steps`.
  const auto Loop = [](const char *Name, const char *Kernel, const char *File, int Begin) {
    return fmt::format(
        R"({{"ph": "X", "cat": "loop", "name": "{}", "pid": 1, "tid": 1, "ts": {}, "dur": 4, )"
        R"("args": {{"kernel": "{}", "file": "v.h", "kernel_source": "{}", "line": 2}}}})",
        Name, Begin, Kernel, File);
  };
  Trace Input = traceOf(fmt::format(
      "[{},{},{},{},{}]", call("cpu_op", "step", "step", "a.cpp", 3, 0),
      call("cpu_op", "step", "step", "b.cpp", 3, 10), Loop("step [loop v.h:2]", "step", "a.cpp", 1),
      Loop("step [loop v.h:2]", "step", "b.cpp", 11),
      Loop("steps [loop v.h:2]", "step", "b.cpp", 15)));
  tellKernelsApart(Input);
  const std::map<std::string, std::string> Expected = {
      {"step (a.cpp)", "step (a.cpp)"},
      {"step (b.cpp)", "step (b.cpp)"},
      {"step (a.cpp) [loop v.h:2]", "step (a.cpp)"},
      {"step (b.cpp) [loop v.h:2]", "step (b.cpp)"},
      {"steps [loop v.h:2]", "step (b.cpp)"}};
  EXPECT_EQ(kernelsByName(Input), Expected);
}

TEST(KernelNames, PartsInHeadersSayWhichOverloadTheyAreOf) {
  // Overloads in one file, which both have code of a header.
  const auto Loop = [](int Line, int Begin) {
    return fmt::format(
        R"({{"ph": "X", "cat": "loop", "name": "step [loop v.h:{0}]", "pid": 1, "tid": 1, "ts": {1}, )"
        R"("dur": 4, "args": {{"kernel": "step", "file": "v.h", "kernel_source": "a.cpp", )"
        R"("kernel_line": {0}, "line": 1}}}})",
        Line, Begin);
  };
  Trace Input = traceOf(fmt::format("[{},{},{},{}]", call("cpu_op", "step", "step", "a.cpp", 3, 0),
                                    call("cpu_op", "step", "step", "a.cpp", 30, 10), Loop(30, 11),
                                    Loop(3, 1)));
  for (const auto &[Kernel, File, Line] : {std::tuple("step", "a.cpp", 3),
                                           {"step", "a.cpp", 30},
                                           {"step", "v.h", 0},
                                           {"f", "a.cpp", 1}}) {
    CountedWork Of;
    Of.Name = Of.Kernel = Kernel;
    Of.File = File;
    Of.Line = static_cast<uint32_t>(Line);
    Input.Work.push_back(Of);
  }
  Input.Work[2].KernelFile = "a.cpp";
  Input.Work[2].KernelLine = 30;
  tellKernelsApart(Input);
  const std::map<std::string, std::string> Expected = {
      {"step (a.cpp:3)", "step (a.cpp:3)"},
      {"step (a.cpp:30)", "step (a.cpp:30)"},
      {"step (a.cpp:3) [loop v.h:3]", "step (a.cpp:3)"},
      {"step (a.cpp:30) [loop v.h:30]", "step (a.cpp:30)"}};
  EXPECT_EQ(kernelsByName(Input), Expected);
  EXPECT_EQ(Input.Work[0].shownKernel(), "step (a.cpp:3)");
  EXPECT_EQ(Input.Work[1].shownKernel(), "step (a.cpp:30)");
  EXPECT_EQ(Input.Work[2].shownKernel(), "step (a.cpp:30)");
  // Which of both was inlined into `f` is not known.
  EXPECT_EQ(Input.Work[3].shownKernel(), "f");
  EXPECT_EQ(Input.Work[3].shown("step").size(), 2u);
}

TEST(KernelNames, GeneratedKernelsKeepTheirs) {
  Trace Input = traceOf(
      fmt::format("[{},{}]", call("cpu_op", "cpp_fused_add_0", "cpp_fused_add_0", "a.cpp", 3, 0),
                  call("cpu_op", "cpp_fused_add_0", "cpp_fused_add_0", "b.cpp", 3, 10)));
  tellKernelsApart(Input);
  for (const Site &What : Input.Sites)
    EXPECT_EQ(Input.text(What.Name), "cpp_fused_add_0");
}

TEST(KernelNames, OfTargetRegionsWithoutDeviceAndInode) {
  const char *const Relax = "__omp_offloading_fe00_53ca30__Z5relaxi_l5";
  EXPECT_EQ(targetRegionName(Relax, "/x/tgt.cpp"), "relax [target tgt.cpp:5]");
  EXPECT_EQ(targetRegionName(Relax, ""), "relax [target line 5]");
  EXPECT_EQ(targetRegionName("__omp_offloading_1_2_main_l12_1_debug__", "m.c"),
            "main [target m.c:12 #2]");
  EXPECT_EQ(targetRegionName("__omp_offloading_1_2_main_l12_debug__.1", "m.c"),
            "main [target m.c:12 #2]");
  EXPECT_EQ(targetRegionName("__omp_offloading_1_2__ZN1a1fIiEEvPT_i_l7", "m.cpp"),
            "a::f<int> [target m.cpp:7]");
  EXPECT_EQ(targetRegionName("__omp_offloading_1_2_in_l3_l7", "m.c"), "in_l3 [target m.c:7]");
  for (const char *Other :
       {"", "main", "__omp_offloading_", "__omp_offloading_1_2_", "__omp_offloading_1_2_l7",
        "__omp_offloading_1_2_f_l", "__omp_offloading_x_2_f_l7", "__omp_offloading_1_2__l7"})
    EXPECT_FALSE(targetRegionName(Other, "")) << Other;
  // As CUPTI and other tools name them.
  const Trace Input = traceOf(fmt::format("[{}]", call("kernel", Relax, Relax, "", 0, 0)));
  EXPECT_EQ(Input.text(Input.Sites[0].Name), "relax [target line 5]");
}

} // namespace
} // namespace seamscope::tools
