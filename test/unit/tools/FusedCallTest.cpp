//===- FusedCallTest.cpp - work of fused kernels, from a trace ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/FusedCall.h"

#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

FusedWork called(const char *Kernel, const char *Dims, const char *Types, const char *Values) {
  return fusedCallWork(Kernel, OpArguments::parse(Dims, Types, "", Values));
}

TEST(FusedCall, Names) {
  EXPECT_TRUE(isFusedTritonLoop("triton_poi_fused_add_0"));
  EXPECT_TRUE(isFusedTritonLoop("triton_per_fused_sum_1"));
  EXPECT_TRUE(isFusedTritonLoop("triton_red_fused_sum_1"));
  EXPECT_FALSE(isFusedTritonLoop("triton_tem_fused_mm_1"));
  EXPECT_FALSE(isFusedTritonLoop("aten::add"));
}

TEST(FusedCall, EachArgumentOnce) {
  // The first argument has not the size of a result: nothing is changed in place.
  const FusedWork Work =
      called("triton_poi_fused_add_0", "[[512], [8, 512], [8, 512], []]",
             R"(["float", "c10::BFloat16", "float", "Scalar"])", R"(["", "", "", "4096"])");
  EXPECT_EQ(Work.Bytes, 512 * 4 + 4096 * 2 + 4096 * 4);
  EXPECT_FALSE(Work.BytesAtLeast);
}

TEST(FusedCall, TheFirstMayBeReadAndWritten) {
  const FusedWork Work = called("triton_poi_fused_add_0", "[[8, 512], [8, 512], []]",
                                R"(["float", "float", "Scalar"])", R"(["", "", "4096"])");
  EXPECT_EQ(Work.Bytes, 2 * 4096 * 4);
  EXPECT_TRUE(Work.BytesAtLeast);
  // So may a result with one element a row.
  EXPECT_TRUE(called("triton_red_fused_sum_0", "[[8], [8, 512], [], []]",
                     R"(["float", "float", "Scalar", "Scalar"])", R"(["", "", "8", "512"])")
                  .BytesAtLeast);
  EXPECT_FALSE(called("triton_red_fused_sum_0", "[[512], [8, 512], [8], [], []]",
                      R"(["float", "float", "float", "Scalar", "Scalar"])",
                      R"(["", "", "", "8", "512"])")
                   .BytesAtLeast);
  // More numbers: sizes that are not fixed.
  EXPECT_TRUE(called("triton_poi_fused_add_0", "[[512], [8, 512], [], [], []]",
                     R"(["float", "float", "Scalar", "Scalar", "Scalar"])",
                     R"(["", "", "8", "512", "4096"])")
                  .BytesAtLeast);
}

TEST(FusedCall, OperationsOnlyIfThereAreNone) {
  const char *Dims = "[[8, 512], [8, 512], []]", *Types = R"(["float", "float", "Scalar"])",
             *Values = R"(["", "", "4096"])";
  EXPECT_EQ(called("triton_poi_fused__to_copy_clone_t_3", Dims, Types, Values).Flop, 0);
  const FusedWork Work = called("triton_poi_fused_add_3", Dims, Types, Values);
  EXPECT_EQ(Work.Flop, std::nullopt);
  EXPECT_EQ(Work.FlopWhy, "its name lists an operator once, however often it runs");
}

TEST(FusedCall, NotKnown) {
  const auto Why = [](const char *Kernel) {
    const FusedWork Work = called(Kernel, "[[8, 512], [8, 512], []]",
                                  R"(["float", "float", "Scalar"])", R"(["", "", "4096"])");
    EXPECT_EQ(Work.Flop, std::nullopt);
    EXPECT_EQ(Work.Bytes, std::nullopt);
    return Work.BytesWhy;
  };
  EXPECT_EQ(Why("triton_poi_fused_add_slice_0"), "aten::slice may read a part of a tensor");
  EXPECT_EQ(Why("triton_poi_fused_embedding_0"), "aten::embedding may read a part of a tensor");
  EXPECT_EQ(Why("triton_poi_fused_index_put_0"),
            "aten::index_put: shapes do not say what it reads and writes");
  EXPECT_EQ(Why("triton_poi_fused_frobnicate_0"),
            "aten::frobnicate: shapes do not say what it reads and writes");
  EXPECT_EQ(Why("triton_poi_fused_abs_add_cos_div_exp_log_mul_neg_relu_sin_0"),
            "its name may be cut after 10 operators");
  EXPECT_EQ(fusedCallWork("triton_poi_fused_add_0", {}).BytesWhy,
            "shapes were not recorded (record_shapes=True)");
  EXPECT_EQ(called("triton_poi_fused_add_0", "[[8, 512], []]", R"(["x", "Scalar"])", R"(["", "8"])")
                .BytesWhy,
            "the element type was not recorded (--dtype)");
}

} // namespace
} // namespace seamscope::tools
