//===- SvgImage.cpp - an image of lines, circles and text -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/SvgImage.h"

#include "trace/io/Escape.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace seamscope::tools {

void Occupied::addLine(Spot From, Spot To) {
  constexpr double Step = 4; // below the height of text
  const int Parts =
      std::max(1, static_cast<int>(std::hypot(To.X - From.X, To.Y - From.Y) / Step) + 1);
  for (int Part = 0; Part <= Parts; ++Part)
    add({From.X + (To.X - From.X) * Part / Parts, From.Y + (To.Y - From.Y) * Part / Parts, 1, 1});
}

bool Occupied::take(const std::vector<Box> &All) {
  const auto Touch = [](const Box &A, const Box &B) {
    return A.Left < B.Left + B.Width && B.Left < A.Left + A.Width && A.Top < B.Top + B.Height &&
           B.Top < A.Top + A.Height;
  };
  for (const Box &New : All)
    for (const Box &Known : Boxes)
      if (Touch(New, Known))
        return false;
  std::ranges::copy(All, std::back_inserter(Boxes));
  return true;
}

std::string xmlText(std::string_view Text) {
  std::string Made;
  while (!Text.empty()) {
    const size_t Bytes = std::max<size_t>(characterBytes(Text), 1);
    const std::string_view Character = Text.substr(0, Bytes);
    if (Character == "<")
      Made += "&lt;";
    else if (Character == ">")
      Made += "&gt;";
    else if (Character == "&")
      Made += "&amp;";
    else if (Character == "\"")
      Made += "&quot;";
    else if (Character == "\n")
      Made += Character;
    // Control characters, bytes that are not UTF-8, and the two that are not characters of XML.
    else if (Character == "\xef\xbf\xbe" || Character == "\xef\xbf\xbf")
      Made += "\xef\xbf\xbd";
    else
      Made += escaped(Character);
    Text.remove_prefix(Bytes);
  }
  return Made;
}

std::vector<std::string> linesOf(std::string_view Text, size_t Width) {
  std::vector<std::string> Lines;
  while (!Text.empty()) {
    const size_t End = std::min(Text.find(' '), Text.size());
    const std::string_view Word = Text.substr(0, End);
    if (!Lines.empty() && characters(Lines.back()) + 1 + characters(Word) <= Width)
      Lines.back().append(" ").append(Word);
    else
      Lines.emplace_back(Word);
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
  return Lines;
}

void SvgImage::line(std::string_view Class, Spot From, Spot To) {
  fmt::format_to(std::back_inserter(Elements),
                 "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                 Class, From.X, From.Y, To.X, To.Y);
}

void SvgImage::circle(std::string_view Class, Spot Centre, double Radius, std::string_view Title) {
  fmt::format_to(std::back_inserter(Elements),
                 "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"", Class, Centre.X,
                 Centre.Y, Radius);
  Elements += Title.empty() ? "/>\n" : fmt::format("><title>{}</title></circle>\n", xmlText(Title));
}

void SvgImage::text(std::string_view Class, Spot At, std::string_view Text, std::string_view Anchor,
                    double Degrees) {
  const std::string Turned =
      Degrees == 0
          ? std::string()
          : fmt::format(" transform=\"rotate({:.2f} {:.1f} {:.1f})\"", Degrees, At.X, At.Y);
  fmt::format_to(std::back_inserter(Elements),
                 "<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n",
                 Class, At.X, At.Y, Anchor, Turned, xmlText(Text));
}

std::string SvgImage::document(double Width, double Height, std::string_view Title,
                               std::string_view Style) const {
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
                     "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n"
                     "<title>{2}</title>\n<style>\n{3}</style>\n"
                     "<rect class=\"surface\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n{4}</svg>\n",
                     Width, Height, xmlText(Title), Style, Elements);
}

} // namespace seamscope::tools
