//===- OperatorsTest.cpp - names are split into operators --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Operators.h"

#include "trace/model/GroupText.h"
#include "trace/model/TraceBuilder.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

using Words = std::vector<std::string>;

/// The operators of a kernel, as listed.
Words operatorsOf(std::string_view Name, std::string_view Ops, bool &CountsKnown) {
  TraceBuilder Builder;
  Site What;
  What.Name = Builder.strings().intern(Name);
  setOperators(What, Ops, Builder.strings());
  const Trace Source = Builder.finish();
  const OperatorList List = seamscope::tools::operatorsOf(Source, What);
  CountsKnown = List.CountsKnown;
  return List.Sequence;
}

Words ofName(std::string_view Name) {
  bool CountsKnown;
  return operatorsOf(Name, "", CountsKnown);
}

TEST(Operators, ListTellsTheCounts) {
  bool CountsKnown;
  EXPECT_EQ(operatorsOf("fused", "add,add,mul,add", CountsKnown),
            (Words{"add", "add", "mul", "add"}));
  EXPECT_TRUE(CountsKnown);
  EXPECT_EQ(operatorsOf("f", " aten::add_ , aten.mul.Tensor,,", CountsKnown),
            (Words{"add", "mul"}));
}

TEST(Operators, ListOutranksTheName) {
  bool CountsKnown;
  EXPECT_EQ(operatorsOf("cpp_fused_add_0", "mul", CountsKnown), (Words{"mul"}));
  EXPECT_TRUE(CountsKnown);
}

TEST(Operators, InductorNameIsASet) {
  bool CountsKnown;
  EXPECT_EQ(operatorsOf("cpp_fused_add_mul_0", "", CountsKnown), (Words{"add", "mul"}));
  EXPECT_FALSE(CountsKnown);
  EXPECT_EQ(ofName("graph_12_cpp_fused_add_mul_3"), (Words{"add", "mul"}));
  EXPECT_EQ(ofName("cpp_fused_expm1_2"), (Words{"expm1"}));
}

TEST(Operators, LongNamesStayWhole) {
  EXPECT_EQ(ofName("cpp_fused__softmax_0"), (Words{"_softmax"}));
  EXPECT_EQ(ofName("cpp_fused__softmax_add_native_layer_norm_17"),
            (Words{"_softmax", "add", "native_layer_norm"}));
  EXPECT_EQ(ofName("cpp_fused__to_copy_add_0"), (Words{"_to_copy", "add"}));
  EXPECT_EQ(ofName("cpp_fused_add_convert_element_type_0"), (Words{"add", "convert_element_type"}));
  EXPECT_EQ(ofName("cpp_fused_max_pool2d_with_indices_backward_mul_1"),
            (Words{"max_pool2d_with_indices_backward", "mul"}));
}

TEST(Operators, NeighboursAreNotJoined) {
  // Names that look like one operator but are two.
  EXPECT_EQ(ofName("cpp_fused_add_relu_0"), (Words{"add", "relu"}));
  EXPECT_EQ(ofName("cpp_fused_mul_sub_0"), (Words{"mul", "sub"}));
  EXPECT_EQ(ofName("cpp_fused_add_native_layer_norm_native_layer_norm_backward_0"),
            (Words{"add", "native_layer_norm", "native_layer_norm_backward"}));
}

TEST(Operators, UnknownWordsStandAlone) {
  EXPECT_EQ(ofName("cpp_fused_add_frobnicate_0"), (Words{"add", "frobnicate"}));
}

TEST(Operators, OtherNamesCarryNone) {
  EXPECT_EQ(ofName("fused"), Words{});
  EXPECT_EQ(ofName("cpp_fused_0"), Words{});
  EXPECT_EQ(ofName("my_cpp_fused_add_0"), Words{});
  EXPECT_EQ(ofName("aten::add"), Words{});
}

TEST(Operators, BareNames) {
  for (const char *Name : {"add", "add_", "aten::add", "aten::add_", "aten.add.Tensor",
                           "add.Tensor", " add\t", "prims.add"})
    EXPECT_EQ(bareOperator(Name), "add") << Name;
  EXPECT_EQ(bareOperator("__and__"), "__and__");
  EXPECT_EQ(bareOperator("_softmax"), "_softmax");
  EXPECT_EQ(bareOperator("  "), "");
}

} // namespace
