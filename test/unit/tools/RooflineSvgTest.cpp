//===- RooflineSvgTest.cpp - rooflines as an image --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/RooflineSvg.h"
#include "report/render/SvgImage.h"

#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

bool has(const std::string &Image, std::string_view Text) { return Image.find(Text) != Image.npos; }

TEST(RooflineSvg, TextOfAnyKindIsTextOfXml) {
  EXPECT_EQ(xmlText("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
  EXPECT_EQ(xmlText(std::string_view("\x1b[1m\0\r", 6)), "\\x1b[1m\\x00\\r");
  EXPECT_EQ(xmlText("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(xmlText("\xef\xbf\xbf\xef\xbf\xbe"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(xmlText("\xe2\x80\xaeöß"), "\\u{202e}öß");
}

TEST(RooflineSvg, LinesBreakAtBlanks) {
  EXPECT_EQ(linesOf("ab cd efghij k", 5), (std::vector<std::string>{"ab cd", "efghij", "k"}));
  EXPECT_TRUE(linesOf("", 5).empty());
}

TEST(RooflineSvg, AreasAreTakenOnceAndAllOrNone) {
  Occupied Taken;
  Taken.addLine({0, 0}, {100, 100});
  EXPECT_FALSE(Taken.take({{0, 50, 5, 5}, {48, 48, 5, 5}}));
  EXPECT_TRUE(Taken.take({{0, 50, 5, 5}, {80, 20, 5, 5}}));
  EXPECT_FALSE(Taken.take({{1, 51, 5, 5}}));
}

Document documentOf(Roofline Of) {
  Section Part;
  Part.add(Sentence{"1 of 2 kernels", ForHtml});
  Part.add(Chart{"roofline", "Roofline of <a device>", std::move(Of)});
  return {"", "trace & more.json", {Part}, ""};
}

TEST(RooflineSvg, FiguresAreInTitles) {
  Roofline Of;
  Of.Roofs = {{"memory", 2e12, true}, {"fp32", 2e13, false}};
  Of.Points = {{0, "k<int>", 2.5, 1e12, 3000000, 4, 3, 1, 0, 20.0},
               {1, "unknown", 1, 1e9, 1000, 1, 1, {}, {}, {}}};
  Of.Operators = {{0, "add", 0.5, 2e11, 5000, 2}};
  const std::string Image = rendered(renderRooflineSvg, documentOf(Of));
  EXPECT_TRUE(has(Image, "<title>k&lt;int&gt;\n2.50 FLOP/byte, 1.0 TFLOP/s\n3.000 ms in 4 "
                         "calls; figures of 3 of them\n20.0 % of its roof: memory, 2.0 TB/s\n"
                         "computes with fp32, 20.0 TFLOP/s</title>"))
      << Image;
  EXPECT_TRUE(has(Image, "unknown\n1.00 FLOP/byte, 1.0 GFLOP/s\n1.00 us in 1 call\nno roof "
                         "known</title>"))
      << Image;
  EXPECT_TRUE(has(Image, "add: eager operator that k&lt;int&gt; replaced\n0.50 FLOP/byte, "
                         "200.0 GFLOP/s, by formula and its own time"))
      << Image;
  EXPECT_TRUE(has(Image, "Roofline of &lt;a device&gt;")) << Image;
  EXPECT_TRUE(has(Image, "trace &amp; more.json")) << Image;
  EXPECT_TRUE(has(Image, "1 of 2 kernels")) << Image;
  EXPECT_TRUE(has(Image, "Roofs: memory, 2.0 TB/s; fp32, 20.0 TFLOP/s.")) << Image;
}

TEST(RooflineSvg, PartsWithoutUseAreLeftOut) {
  Roofline Of;
  Of.Points = {{0, "one", 1, 1e9, 1000, 1, 1, {}, {}, {}}};
  const std::string Image = rendered(renderRooflineSvg, documentOf(Of));
  EXPECT_FALSE(has(Image, "Roofs:"));
  EXPECT_FALSE(has(Image, "class=\"eager\""));
  EXPECT_FALSE(has(Image, "nan"));
  EXPECT_FALSE(has(Image, "inf"));
}

} // namespace
} // namespace seamscope::tools
