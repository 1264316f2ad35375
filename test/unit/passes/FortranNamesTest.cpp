//===- FortranNamesTest.cpp - demangling of flang's symbols ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FortranNames.h"
#include <gtest/gtest.h>

namespace seamscope {
namespace {

TEST(FortranNames, ProceduresHaveTheirScopes) {
  EXPECT_EQ(demangleFortran("_QPfoo"), "foo");
  EXPECT_EQ(demangleFortran("_QMmPsaxpy"), "m::saxpy");
  EXPECT_EQ(demangleFortran("_QFhostPinner"), "host::inner");
  EXPECT_EQ(demangleFortran("_QMmFhostPinner"), "m::host::inner");
  EXPECT_EQ(demangleFortran("_QMmSsubPdeep"), "m::sub::deep");
  EXPECT_EQ(demangleFortran("_QMmSone_2StwoFhostPinner$3"), "m::one_2::two::host::inner$3");
}

TEST(FortranNames, MainProgramHasNoNameOfItsOwn) {
  EXPECT_EQ(demangleFortran("_QQmain"), "main");
  EXPECT_EQ(demangleFortran("_QFPinner"), "main::inner");
}

TEST(FortranNames, NothingElseIsAProcedure) {
  for (const char *Symbol : {"",
                             "_",
                             "_Q",
                             "_QQ",
                             "_QQmainly",
                             "_QQclX48656C6C6F",
                             "_QM",
                             "_QMm",
                             "_QMmP",
                             "_QP",
                             "_QPA",
                             "_QMPx",
                             "_QSPx",
                             "_QMmEx",
                             "_QMmTt",
                             "_QMmE.dt.t",
                             "_QMmFPx",
                             "_QMmPfoo..omp_par",
                             "_QMmPfoo.1",
                             "_QMmPfooPbar",
                             "_QMmECn",
                             "_QCcommon",
                             "_QFB99999999999999999999Ex",
                             "_QNlist",
                             "QMmPfoo",
                             "__QMmPfoo",
                             "_QMm Psaxpy",
                             "_QM\xff\xfePx",
                             "main",
                             "_ZN1m5saxpyEv"})
    EXPECT_EQ(demangleFortran(Symbol), "") << Symbol;
}

TEST(FortranNames, EmbeddedNulEndsNothing) {
  EXPECT_EQ(demangleFortran(std::string_view("_QMm\0Pfoo", 9)), "");
  EXPECT_EQ(demangleFortran(std::string_view("_QPfoo\0", 7)), "");
}

TEST(FortranNames, LongAndDeepNamesEnd) {
  std::string Deep = "_Q", Shown;
  for (int I = 0; I < 10000; ++I) {
    Deep += "Fa";
    Shown += "a::";
  }
  EXPECT_EQ(demangleFortran(Deep), "");
  EXPECT_EQ(demangleFortran(Deep + "Pf"), Shown + "f");
  EXPECT_EQ(demangleFortran("_QP" + std::string(100000, 'x')), std::string(100000, 'x'));
}

} // namespace
} // namespace seamscope
