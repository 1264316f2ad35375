//===- InductorTest.cpp - finding a kernel's name in Inductor's output -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "wrapper/Inductor.h"
#include <gtest/gtest.h>

namespace seamscope::wrapper {
namespace {

TEST(KernelName, FirstOfSeveralNamesForOneText) {
  EXPECT_EQ(kernelNameIn("a_0 = async_compile.cpp_pybinding([], r'''\nx;\n''')\n"
                         "b_1 = async_compile.cpp_pybinding([], r'''\nx;\n''')\n",
                         "\nx;\n// more"),
            "a_0");
}

TEST(KernelName, LongestTextThatBeginsTheSource) {
  EXPECT_EQ(kernelNameIn("a_0 = async_compile.cpp_pybinding([], r'''x;''')\n"
                         "b_1 = async_compile.cpp_pybinding([], r'''x; y;''')\n",
                         "x; y; z;"),
            "b_1");
}

TEST(KernelName, EmptyTextNamesNothing) {
  EXPECT_EQ(kernelNameIn("a_0 = async_compile.cpp_pybinding([], r'''''')\n", "x;"), "");
}

TEST(KernelName, TextWithoutAnEndNamesNothing) {
  EXPECT_EQ(kernelNameIn("a_0 = async_compile.cpp_pybinding([], r'''x;", "x;"), "");
}

TEST(KernelName, CallWithoutANameNamesNothing) {
  EXPECT_EQ(kernelNameIn(" = async_compile.cpp_pybinding([], r'''x;''')", "x;"), "");
}

} // namespace
} // namespace seamscope::wrapper
