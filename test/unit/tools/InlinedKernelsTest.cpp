//===- InlinedKernelsTest.cpp - kernels without events -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/TraceHead.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

TEST(InlinedKernels, OneIsSingular) {
  InlinedKernels Inlined;
  EXPECT_TRUE(Inlined.empty());
  Inlined.add("axpy", "/home/me/k.cpp", 12);
  Inlined.add("axpy", "/home/me/k.cpp", 12);
  EXPECT_EQ(
      Inlined.sentence(),
      "1 kernel was inlined by the optimiser: axpy (k.cpp:12); its time is in that of its callers");
}

TEST(InlinedKernels, ManyAreCountedAndTheFirstNamed) {
  InlinedKernels Inlined;
  for (int I = 1; I <= 7; ++I)
    Inlined.add("k" + std::to_string(I), I == 2 ? "" : "k.cpp", I == 3 ? 0 : I);
  EXPECT_EQ(
      Inlined.sentence(),
      "7 kernels were inlined by the optimiser: k1 (k.cpp:1), k2, k3 (k.cpp), k4 (k.cpp:4), k5 "
      "(k.cpp:5), ...; their time is in that of their callers");
}

TEST(InlinedKernels, OfTwoTracesOfAProgramEachIsThereOnce) {
  InlinedKernels One, Two;
  One.add("axpy", "k.cpp", 12);
  One.addUnnamed(3);
  Two.add("axpy", "k.cpp", 12);
  Two.add("dot", "k.cpp", 20);
  Two.addUnnamed(5);
  One.add(Two);
  ASSERT_EQ(One.named().size(), 2u);
  EXPECT_EQ(One.named()[1].Name, "dot");
  EXPECT_EQ(One.unnamed(), 5u);
}

TEST(InlinedKernels, UnnamedOnesMakeTheNumberALowerBound) {
  InlinedKernels Inlined;
  addInlinedKernels(nlohmann::json::parse(
                        R"({"inlined":[{"name":"a","file":"x/k.h","line":3},7,{"name":5}],
                            "inlined_more":18446744073709551615})"),
                    Inlined);
  Inlined.addUnnamed(2);
  EXPECT_EQ(Inlined.sentence(),
            "more than 1 kernels were inlined by the optimiser: a (k.h:3), ...; "
            "their time is in that of their callers");
}
