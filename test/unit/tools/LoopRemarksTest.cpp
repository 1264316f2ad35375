//===- LoopRemarksTest.cpp - which loops of a file clang vectorised -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/folder/LoopRemarks.h"
#include "run/join/CodeAdvice.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

/// As clang 22 writes it for five loops, one of them in a header.
constexpr const char *Yaml = R"(--- !Analysis
Pass:            loop-vectorize
Name:            CantIdentifyArrayBounds
DebugLoc:        { File: k.main.cpp, Line: 4, Column: 59 }
Function:        kernel
Args:
  - String:          'loop not vectorized: '
  - String:          cannot identify array bounds
...
--- !Missed
Pass:            loop-vectorize
Name:            MissedDetails
DebugLoc:        { File: '/tmp/a ''b''/k.main.cpp', Line: 4, Column: 2 }
Function:        kernel
Args:
  - String:          loop not vectorized
...
--- !Passed
Pass:            loop-vectorize
Name:            Vectorized
DebugLoc:        { File: k.main.cpp, Line: 5, Column: 2 }
Function:        kernel
Args:
  - String:          'vectorized '
  - String:          ''
  - String:          'loop (vectorization width: '
  - VectorizationFactor: '4'
  - String:          ', interleaved count: '
  - InterleaveCount: '2'
  - String:          ')'
...
--- !Analysis
Pass:            loop-vectorize
Name:            CantVectorizeLibcall
DebugLoc:        { File: '/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/cmath', 
                   Line: 1498, Column: 12 }
Function:        kernel
Args:
  - String:          'loop not vectorized: '
  - String:          call instruction cannot be vectorized
...
--- !Analysis
Pass:            loop-vectorize
Name:            CantVectorizeInstruction
DebugLoc:        { File: k.main.cpp, Line: 6, Column: 2 }
Function:        kernel
Args:
  - String:          'loop not vectorized: '
  - String:          instruction cannot be vectorized
...
--- !Missed
Pass:            loop-vectorize
Name:            MissedDetails
DebugLoc:        { File: k.main.cpp, 
                   Line: 6, Column: 2 }
Function:        kernel
Args:
  - String:          loop not vectorized
...
--- !Missed
Pass:            loop-vectorize
Name:            MissedDetails
DebugLoc:        { File: vec_base.h, Line: 6, Column: 2 }
Function:        kernel
Args:
  - String:          loop not vectorized
...
--- !AnalysisFPCommute
Pass:            loop-vectorize
Name:            CantReorderFPOps
DebugLoc:        { File: k.main.cpp, Line: 7, Column: 44 }
Function:        kernel
Args:
  - String:          'loop not vectorized: it''s not safe'
...
--- !Missed
Pass:            loop-vectorize
Name:            MissedDetails
DebugLoc:        { File: k.main.cpp, Line: 7, Column: 13 }
)";

TEST(LoopRemarks, ReasonsBelongToTheLoopBehindThem) {
  const std::vector<LoopRemark> Loops = loopRemarks(Yaml, "k.main.cpp");
  const std::vector<LoopRemark> Right = {{4, false, "cannot identify array bounds"},
                                         {5, true, ""},
                                         {6, false, "call instruction cannot be vectorized"},
                                         {7, false, "it's not safe"}};
  EXPECT_EQ(Loops, Right);
}

TEST(LoopRemarks, WhatIsNone) {
  EXPECT_TRUE(loopRemarks("", "k.main.cpp").empty());
  EXPECT_TRUE(
      loopRemarks("--- !Missed\nDebugLoc: { File: k.main.cpp, Line: x }\n", "k.main.cpp").empty());
  EXPECT_TRUE(loopRemarks("--- !Missed\nDebugLoc: '", "k.main.cpp").empty());
  EXPECT_TRUE(loopRemarks(Yaml, "main.cpp").empty());
  EXPECT_EQ(remarksBeside("/c/k.main.cpp"), "/c/k.main.opt.yaml");
  EXPECT_EQ(remarksBeside("k.py"), "");
}

TEST(LoopRemarks, SilentWhereClangVectorisedAll) {
  const std::string Source = "1\n2\n3\n4\n5\n// Python bindings\n7\n";
  const std::vector<LoopRemark> Loops = loopRemarks(Yaml, "k.main.cpp");
  EXPECT_EQ(clangOnLoops(Loops, Source),
            "; clang vectorised 1 of 2 loops, not that of line 4 (cannot identify array bounds)")
      << "the binding is torch's";
  EXPECT_EQ(clangOnLoops({}, Source), "");
  EXPECT_EQ(clangOnLoops(std::vector<LoopRemark>{{5, true, ""}}, Source), std::nullopt);
  EXPECT_EQ(clangOnLoops(std::vector<LoopRemark>(5, {2, false, ""}), Source),
            "; clang vectorised 0 of 5 loops, not that of line 2, line 2, line 2 and 2 more");
}

} // namespace
