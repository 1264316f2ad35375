//===- SvgImage.h - an image of lines, circles and text -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_SVGIMAGE_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_SVGIMAGE_H

#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A place in an image, in pixels from its upper left corner.
struct Spot {
  double X = 0, Y = 0;
};

/// A rectangle in an image, in pixels.
struct Box {
  double Left = 0, Top = 0, Width = 0, Height = 0;
};

/// The areas of an image that have lines or text.
class Occupied {
public:
  void add(const Box &Of) { Boxes.push_back(Of); }
  void addLine(Spot From, Spot To);
  /// Adds \p All if none of them touches what is there; else changes nothing and returns false.
  bool take(const std::vector<Box> &All);

private:
  std::vector<Box> Boxes;
};

/// The elements of an SVG image, in order. Classes are those of the image's style.
class SvgImage {
public:
  void line(std::string_view Class, Spot From, Spot To);
  /// \p Title: shown by viewers when the pointer is on the circle.
  void circle(std::string_view Class, Spot Centre, double Radius, std::string_view Title = {});
  /// \p Anchor: "start", "middle" or "end". \p Degrees: clockwise around the spot.
  void text(std::string_view Class, Spot At, std::string_view Text,
            std::string_view Anchor = "start", double Degrees = 0);

  /// A document of \p Width by \p Height pixels.
  std::string document(double Width, double Height, std::string_view Title,
                       std::string_view Style) const;

private:
  std::string Elements;
};

/// \p Text as characters of XML: valid UTF-8 in, without characters that XML lacks out.
std::string xmlText(std::string_view Text);

/// \p Text in lines of at most \p Width characters; longer words have a line of their own.
std::vector<std::string> linesOf(std::string_view Text, size_t Width);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_SVGIMAGE_H
