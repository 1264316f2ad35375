//===- RooflineSvg.cpp - rooflines as an image ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What page/roofline.js draws for readers with a browser. Figures are in the titles of dots, and
// the names of those with the most time are beside them where they fit.
//
//===----------------------------------------------------------------------===//
#include "report/render/RooflineSvg.h"

#include "report/model/Numbers.h"
#include "report/render/SvgImage.h"
#include "report/render/TextTable.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr double ImageWidth = 960, Margin = 16;
constexpr double PlotHeight = 480;                            ///< of a chart, with its axes
constexpr double Left = 92, Right = 20, Top = 8, Bottom = 44; ///< of a chart, around its plot
constexpr double LineHeight = 17;
constexpr size_t CharactersOfLine = 148; ///< of sentences
constexpr double CharacterWidth = 6.7;   ///< of labels, 11 pixels high and of one width
constexpr size_t Names = 10, NameWidth = 34;
constexpr double EagerRadius = 4; ///< of an operator that a kernel replaced

/// The colours are those of the page.
constexpr std::string_view Style =
    R"(svg { --surface: #ffffff; --grid: #e3e7eb; --text: #16202a; --faint: #51606e;
  --memory: #2f7ec2; --compute: #e09a2b; --none: #5d7186; }
@media (prefers-color-scheme: dark) { svg { --surface: #12171d; --grid: #2a333c; --text: #e4e9ee;
  --faint: #a3b0bc; --memory: #5ba4e6; --compute: #e6ab4d; --none: #8497aa; } }
.surface { fill: var(--surface); }
text { fill: var(--text); font: 12px "DejaVu Sans", "Liberation Sans", Arial, sans-serif; }
.title { font-size: 16px; font-weight: bold; }
.axis { fill: var(--faint); font-size: 11px; }
.label { font: 11px "DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace; }
.label, .roof-label { font-family: "DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas,
  monospace; font-size: 11px; paint-order: stroke; stroke: var(--surface); stroke-width: 3px; }
.grid { stroke: var(--grid); }
.roof { stroke: var(--faint); stroke-width: 1.5; }
.unused { stroke: var(--faint); stroke-dasharray: 3 3; }
.memory { fill: var(--memory); stroke: var(--memory); fill-opacity: 0.6; }
.compute { fill: var(--compute); stroke: var(--compute); fill-opacity: 0.6; }
.none { fill: var(--none); stroke: var(--none); fill-opacity: 0.6; }
.eager { fill: var(--surface); stroke: var(--text); stroke-width: 1.3; }
.link { stroke: var(--text); stroke-width: 0.8; stroke-opacity: 0.5; }
circle:hover { stroke: var(--text); stroke-width: 2; }
)";

double widthOf(std::string_view Text) {
  return static_cast<double>(characters(Text)) * CharacterWidth;
}

std::string roofText(const Roofline::Roof &Of) {
  return fmt::format("{}, {}", Of.Name, shownScaled(Of.Peak, Of.OfMemory ? "B/s" : "FLOP/s"));
}

/// FLOP/s that \p Of allows for a number of FLOPs a byte.
double allowed(const Roofline::Roof &Of, double FlopPerByte) {
  return Of.OfMemory ? Of.Peak * FlopPerByte : Of.Peak;
}

/// Powers of ten in [\p Least, \p Most]; with 2 and 5 of each if there are few.
std::vector<double> ticksOf(double Least, double Most) {
  const auto First = static_cast<int>(std::floor(std::log10(Least)));
  const auto Last = static_cast<int>(std::ceil(std::log10(Most)));
  const int Step = std::max(1, (Last - First + 9) / 10);
  std::vector<double> Made;
  for (int Power = First; Power <= Last; Power += Step)
    for (const double Factor : {1.0, 2.0, 5.0})
      if (const double Tick = Factor * std::pow(10, Power);
          Tick >= Least && Tick <= Most && (Factor == 1 || Last - First < 5))
        Made.push_back(Tick);
  return Made;
}

/// A logarithmic axis.
class Scale {
public:
  Scale(double Least, double Most, double From, double To)
      : Least(Least), Most(Most), From(From), To(To) {}
  double operator()(double Value) const {
    return From + (To - From) * std::log(Value / Least) / std::log(Most / Least);
  }

  const double Least, Most, From, To;
};

/// The middle of a chart: a point below memory's roof, one below a peak, or without a roof.
std::string_view kindOf(const Roofline &Of, const Roofline::Point &Point) {
  return !Point.Roof ? "none" : Of.Roofs[*Point.Roof].OfMemory ? "memory" : "compute";
}

class Drawing {
public:
  Drawing(SvgImage &To, const Roofline &Of, double Y)
      : To(To), Of(Of), X(scaleX(Of)), Y(scaleY(Of, Y)),
        MostNs(std::max<int64_t>(Of.Points.empty() ? 1 : Of.Points[0].TotalNs, 1)) {}

  void draw() {
    drawAxes();
    for (const Roofline::Point &Point : Of.Points) {
      const double R = radiusOf(Point);
      const Spot At = spotOf(Point);
      Taken.add({At.X - R, At.Y - R, 2 * R, 2 * R});
    }
    for (const Roofline::Replaced &Each : Of.Operators) {
      const Spot At = at(Each.FlopPerByte, Each.FlopPerS);
      Taken.add({At.X - EagerRadius, At.Y - EagerRadius, 2 * EagerRadius, 2 * EagerRadius});
    }
    drawRoofs();
    for (const Roofline::Replaced &Each : Of.Operators)
      To.line("link", at(Each.FlopPerByte, Each.FlopPerS), spotOf(Of.Points[Each.Point]));
    for (const Roofline::Point &Point : Of.Points)
      To.circle(kindOf(Of, Point), spotOf(Point), radiusOf(Point), titleOf(Point));
    for (const Roofline::Replaced &Each : Of.Operators)
      To.circle("eager", at(Each.FlopPerByte, Each.FlopPerS), EagerRadius, titleOf(Each));
    labelPoints();
  }

private:
  struct Extent {
    double Least = HUGE_VAL, Most = 0;

    void add(double Value) {
      Least = std::min(Least, Value);
      Most = std::max(Most, Value);
    }
  };

  static Scale scaleX(const Roofline &Of) {
    Extent All;
    for (const Roofline::Point &Point : Of.Points)
      All.add(Point.FlopPerByte);
    for (const Roofline::Replaced &Each : Of.Operators)
      All.add(Each.FlopPerByte);
    for (const Roofline::Roof &Memory : Of.Roofs)
      for (const Roofline::Roof &Peak : Of.Roofs)
        if (Memory.OfMemory && !Peak.OfMemory)
          All.add(Peak.Peak / Memory.Peak);
    return {All.Least / 3, All.Most * 12, Margin + Left, ImageWidth - Margin - Right};
  }

  static Scale scaleY(const Roofline &Of, double Y) {
    Extent All;
    for (const Roofline::Point &Point : Of.Points)
      All.add(Point.FlopPerS);
    for (const Roofline::Replaced &Each : Of.Operators)
      All.add(Each.FlopPerS);
    for (const Roofline::Roof &Each : Of.Roofs)
      if (!Each.OfMemory)
        All.add(Each.Peak);
    return {All.Least / 3, All.Most * 2, Y + PlotHeight - Bottom, Y + Top};
  }

  Spot at(double FlopPerByte, double FlopPerS) const { return {X(FlopPerByte), Y(FlopPerS)}; }
  Spot spotOf(const Roofline::Point &Point) const { return at(Point.FlopPerByte, Point.FlopPerS); }
  double radiusOf(const Roofline::Point &Point) const {
    return std::max(
        3.0, 16 * std::sqrt(static_cast<double>(Point.TotalNs) / static_cast<double>(MostNs)));
  }

  std::string titleOf(const Roofline::Point &Point) const {
    std::string Title =
        fmt::format("{}\n{:.2f} FLOP/byte, {}\n{} in {} call{}", escaped(Point.Name),
                    Point.FlopPerByte, shownScaled(Point.FlopPerS, "FLOP/s"),
                    shownTime(Point.TotalNs), Point.Calls, Point.Calls == 1 ? "" : "s");
    if (Point.KnownCalls < Point.Calls)
      Title += fmt::format("; figures of {} of them", Point.KnownCalls);
    Title += Point.Roof && Point.Percent ? fmt::format("\n{:.1f} % of its roof: {}", *Point.Percent,
                                                       roofText(Of.Roofs[*Point.Roof]))
                                         : std::string("\nno roof known");
    if (Point.Unit && Point.Unit != Point.Roof)
      Title += fmt::format("\ncomputes with {}", roofText(Of.Roofs[*Point.Unit]));
    return Title;
  }

  std::string titleOf(const Roofline::Replaced &Each) const {
    return fmt::format("{}: eager operator that {} replaced\n{:.2f} FLOP/byte, {}, by formula and "
                       "its own time\n{} in {} compared call{}",
                       escaped(Each.Name), escaped(Of.Points[Each.Point].Name), Each.FlopPerByte,
                       shownScaled(Each.FlopPerS, "FLOP/s"), shownTime(Each.TotalNs), Each.Calls,
                       Each.Calls == 1 ? "" : "s");
  }

  void drawAxes() {
    for (const double Tick : ticksOf(X.Least, X.Most)) {
      To.line("grid", {X(Tick), Y.From}, {X(Tick), Y.To});
      To.text("axis", {X(Tick), Y.From + 16}, fmt::format("{:g}", Tick), "middle");
    }
    for (const double Tick : ticksOf(Y.Least, Y.Most)) {
      To.line("grid", {X.From, Y(Tick)}, {X.To, Y(Tick)});
      std::string Text = shownScaled(Tick, "FLOP/s");
      if (const size_t Zero = Text.find(".0 "); Zero != Text.npos)
        Text.erase(Zero, 2);
      To.text("axis", {X.From - 6, Y(Tick) + 4}, Text, "end");
    }
    To.text("axis", {X.To, Y.From + 34}, "FLOP/byte (logarithmic)", "end");
    To.text("axis", {Margin + 4, (Y.From + Y.To) / 2}, "FLOP/s (logarithmic)", "middle", -90);
  }

  /// The roof of memory that allows most.
  double fastestMemory() const {
    double Most = 0;
    for (const Roofline::Roof &Each : Of.Roofs)
      if (Each.OfMemory)
        Most = std::max(Most, Each.Peak);
    return Most;
  }

  void drawRoofs() {
    std::set<size_t> Used;
    for (const Roofline::Point &Point : Of.Points)
      for (const auto &Roof : {Point.Roof, Point.Unit})
        if (Roof)
          Used.insert(*Roof);
    double Highest = 0;
    for (const Roofline::Roof &Each : Of.Roofs)
      if (!Each.OfMemory)
        Highest = std::max(Highest, Each.Peak);
    // Lines first: a name must not lie on one.
    std::vector<std::pair<size_t, std::pair<Spot, Spot>>> Lines;
    for (size_t I = 0; I < Of.Roofs.size(); ++I) {
      const Roofline::Roof &Roof = Of.Roofs[I];
      double From = X.Least, Until = X.Most;
      if (Roof.OfMemory) {
        From = std::max(From, Y.Least / Roof.Peak);
        Until = std::min(Until, (Highest > 0 ? Highest : Y.Most) / Roof.Peak);
      } else if (const double Memory = fastestMemory(); Memory > 0) {
        From = std::clamp(Roof.Peak / Memory, From, Until);
      }
      if (From >= Until)
        continue;
      const std::pair Ends(at(From, allowed(Roof, From)), at(Until, allowed(Roof, Until)));
      To.line(Used.contains(I) ? "roof" : "unused", Ends.first, Ends.second);
      Taken.addLine(Ends.first, Ends.second);
      Lines.emplace_back(I, Ends);
    }
    // Those that points are below have the first choice.
    std::ranges::stable_partition(Lines,
                                  [&](const auto &Each) { return Used.contains(Each.first); });
    for (const auto &[I, Ends] : Lines)
      labelRoof(Of.Roofs[I], Ends.first, Ends.second);
  }

  /// Along the line, above it, at the first place that is free; memory's from its low end, a peak's
  /// from its right end.
  void labelRoof(const Roofline::Roof &Roof, Spot From, Spot Until) {
    const std::string Text = roofText(Roof);
    const double Wide = widthOf(Text), Long = std::hypot(Until.X - From.X, Until.Y - From.Y);
    const Spot Along = {(Until.X - From.X) / Long, (Until.Y - From.Y) / Long};
    const Spot Above = {Along.Y, -Along.X};
    // Left of a peak's line is the slope of memory, or nothing.
    const double Before = Roof.OfMemory ? 0 : From.X - X.From;
    for (int Place = 0; 10 + 12 * Place + Wide <= Long + Before; ++Place) {
      const double Start = 10 + 12 * Place, At = Roof.OfMemory ? Start : Long - Start - Wide;
      std::vector<Box> Boxes;
      for (int Part = 0; Part <= Wide; Part += 4) {
        const Spot Middle = {From.X + Along.X * (At + Part) + Above.X * 9.5,
                             From.Y + Along.Y * (At + Part) + Above.Y * 9.5};
        Boxes.push_back({Middle.X - 4, Middle.Y - 4, 8, 8});
      }
      if (!Taken.take(Boxes))
        continue;
      To.text("roof-label",
              {From.X + Along.X * At + Above.X * 5, From.Y + Along.Y * At + Above.Y * 5}, Text,
              "start", std::atan2(Along.Y, Along.X) * 180 / std::numbers::pi);
      return;
    }
  }

  void labelPoints() {
    std::vector<std::string> Texts;
    for (const Roofline::Point &Point : Of.Points)
      Texts.push_back(escaped(Point.Name));
    Texts = shortenedApart(std::move(Texts), NameWidth);
    for (size_t I = 0; I < std::min(Texts.size(), Names); ++I)
      label(Texts[I], spotOf(Of.Points[I]), radiusOf(Of.Points[I]) + 3);
    for (size_t I = 0; I < std::min(Of.Operators.size(), Names); ++I)
      label(fit(Of.Operators[I].Name, NameWidth),
            at(Of.Operators[I].FlopPerByte, Of.Operators[I].FlopPerS), EagerRadius + 3);
  }

  /// Beside a dot, if there is room.
  void label(std::string_view Text, Spot At, double R) {
    const double Wide = widthOf(Text);
    for (const Spot &Place : {Spot{At.X + R, At.Y - 6}, Spot{At.X - R - Wide, At.Y - 6},
                              Spot{At.X - Wide / 2, At.Y - R - 12}, Spot{At.X - Wide / 2, At.Y + R},
                              Spot{At.X + R, At.Y - 18}, Spot{At.X + R, At.Y + 6},
                              Spot{At.X - R - Wide, At.Y - 18}, Spot{At.X - R - Wide, At.Y + 6}})
      if (Place.X >= X.From && Place.X + Wide <= X.To && Place.Y >= Y.To &&
          Place.Y + 12 <= Y.From && Taken.take({{Place.X, Place.Y, Wide, 12}})) {
        To.text("label", {Place.X, Place.Y + 10}, Text);
        return;
      }
  }

  SvgImage &To;
  const Roofline &Of;
  const Scale X, Y;
  const int64_t MostNs; ///< of a point
  Occupied Taken;
};

class Page {
public:
  void add(std::string_view Class, std::string_view Text) {
    for (const std::string &Line : linesOf(Text, CharactersOfLine)) {
      Below += LineHeight;
      Image.text(Class, {Margin, Below}, Line);
    }
  }

  void add(const Chart &Of, const Roofline &Held) {
    Below += LineHeight / 2;
    add("title", escaped(Of.Title));
    addLegend(Held);
    Drawing(Image, Held, Below + 8).draw();
    Below += PlotHeight + 8;
    // Names of roofs may not fit at their lines.
    std::string Roofs;
    for (const Roofline::Roof &Each : Held.Roofs)
      Roofs += (Roofs.empty() ? "Roofs: " : "; ") + roofText(Each);
    if (!Roofs.empty())
      add("text", Roofs + ".");
  }

  std::string document(std::string_view Title) const {
    return Image.document(ImageWidth, Below + Margin, Title, Style);
  }

  void skip(double Height) { Below += Height; }

private:
  void addLegend(const Roofline &Of) {
    Below += LineHeight + 2;
    double At = Margin + 6;
    const auto Entry = [&](std::string_view Class, std::string_view Text) {
      Image.circle(Class, {At, Below - 4}, 5);
      Image.text("axis", {At + 10, Below}, Text);
      At += 28 + 6.6 * static_cast<double>(characters(Text));
    };
    for (const auto &[Kind, Text] : {std::pair("memory", "nearest to memory's roof"),
                                     {"compute", "nearest to a roof of computing"},
                                     {"none", "no roof known"}})
      if (std::ranges::any_of(Of.Points, [&](const Roofline::Point &Point) {
            return kindOf(Of, Point) == std::string_view(Kind);
          }))
        Entry(Kind, Text);
    if (!Of.Operators.empty())
      Entry("eager", "eager operator that a kernel replaced, size fixed");
    if (!Of.Points.empty())
      Image.text(
          "axis", {At, Below},
          fmt::format("area: time of all calls, at most {}", shownTime(Of.Points[0].TotalNs)));
  }

  SvgImage Image;
  double Below = Margin / 2; ///< what is drawn ends here
};

} // namespace

void renderRooflineSvg(const Document &Of, const WriteText &Write) {
  Page Made;
  Made.add("title", escaped(Of.Title));
  for (const Section &Part : Of.Sections) {
    Made.skip(LineHeight / 2);
    Made.add("title", escaped(Part.Title));
    for (const Item &Each : Part.Items) {
      if (const auto *const Line = Each.as<Sentence>())
        Made.add("text", Line->Text);
      else if (const auto *const Drawn = Each.as<Chart>())
        if (const auto *const Held = std::get_if<Roofline>(&Drawn->Of))
          Made.add(*Drawn, *Held);
    }
  }
  Write(Made.document(Of.Title));
}

} // namespace seamscope::tools
