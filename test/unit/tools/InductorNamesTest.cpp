//===- InductorNamesTest.cpp - what Inductor's names of kernels say -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/InductorNames.h"

#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

TEST(InductorNames, KernelsOfTheHost) {
  for (const char *Name : {"cpp_fused_add_0", "graph_0_cpp_fused_add_0", "graph_12_kernel"})
    EXPECT_TRUE(isInductorHostKernel(Name)) << Name;
  for (const char *Name : {"aten::add", "my_cpp_fused_add_0", "graph_0_add", "kernel", ""})
    EXPECT_FALSE(isInductorHostKernel(Name)) << Name;
}

TEST(InductorNames, TheGraphInFrontIsNoPartOfTheName) {
  EXPECT_EQ(inductorName("graph_0_cpp_fused_add_0"), "cpp_fused_add_0");
  EXPECT_EQ(inductorName("cpp_fused_add_0"), "cpp_fused_add_0");
  for (const char *Name : {"graph_", "graph_7", "graph_x_kernel", "graph__kernel"})
    EXPECT_EQ(inductorName(Name), Name);
}

TEST(InductorNames, OperatorsOfFusedKernels) {
  EXPECT_EQ(operatorsInName("graph_3_cpp_fused_add_mul_0"),
            (std::vector<std::string>{"add", "mul"}));
  EXPECT_EQ(operatorsInName("cpp_fused_0"), std::vector<std::string>());
  EXPECT_EQ(operatorsInName("my_cpp_fused_add_0"), std::nullopt);
  EXPECT_TRUE(holdsInductorName("void my_cpp_fused_add_0(float)"));
  EXPECT_FALSE(holdsInductorName("fused_add_0"));
}

} // namespace
} // namespace seamscope::tools
