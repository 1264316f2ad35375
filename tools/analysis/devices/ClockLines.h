//===- ClockLines.h - what a clock may differ from another by -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CLOCKLINES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CLOCKLINES_H

#include <cstdint>
#include <vector>

namespace seamscope::tools {

/// A difference of two clocks that grows evenly: its values at the begin and at the end of a
/// stretch of time; ns.
struct ClockLine {
  double First = 0, Last = 0;
};

/// All lines within bounds at some times: a convex polygon in the plane of their values at both
/// ends, cut by each bound.
class ClockLines {
public:
  /// How much two clocks' rates differ at most. Oscillators of computers are within 100 ppm of
  /// their rate.
  static constexpr double MostRate = 200e-6;

  /// The lines that lie between \p Least and \p Most at some time of the stretch.
  ClockLines(int64_t BeginNs, int64_t EndNs, double Least, double Most);
  /// Only the line 0, for the reference itself.
  ClockLines(int64_t BeginNs, int64_t EndNs);

  // False: no line would be left, and nothing is cut off.
  bool keepBelow(int64_t Ns, double Most);
  bool keepAbove(int64_t Ns, double Least);

  // Of all lines:
  double most(int64_t Ns) const;
  double least(int64_t Ns) const;
  /// A line amidst them; one that does not grow if its error() is hardly larger.
  ClockLine middle() const;
  /// How far any of them is from \p Of at most, during the stretch.
  double error(const ClockLine &Of) const;

private:
  double share(int64_t Ns) const { return static_cast<double>(Ns - BeginNs) / LengthNs; }
  /// Keeps lines with First * \p A + Last * \p B <= \p Most.
  bool cut(double A, double B, double Most);

  int64_t BeginNs;
  double LengthNs;
  std::vector<ClockLine> Corners; ///< in order around the polygon
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CLOCKLINES_H
