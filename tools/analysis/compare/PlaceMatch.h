//===- PlaceMatch.h - which places of two versions correspond -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PLACEMATCH_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PLACEMATCH_H

#include "analysis/compare/Places.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// How two corresponding places were found.
enum class PlaceMatch : uint8_t {
  None,      ///< one side only
  Source,    ///< the line in one version of the source corresponds to the line in the other
  Line,      ///< same function, line and column
  Order,     ///< by order, nesting and distances in the function; nothing else fits as well
  Ambiguous, ///< the same, and something else fits too
  Name,      ///< kernels of one name
  Renamed,   ///< kernels of different names, by their contents
};

/// "none", "source", "line", "order", "ambiguous", "name", "renamed".
std::string_view placeMatchName(PlaceMatch Match);

/// The texts that each side's program was built from, by the names that its trace has for the
/// files; nothing for a text that is not certainly known.
struct SourceTexts {
  using Reader = std::function<std::optional<std::string>(std::string_view File)>;
  Reader First, Second;
};

/// For each place of both sides its counterpart, or CodePlace::None, and how it was found. A place
/// without one is Ambiguous if it could be the counterpart of a place that has another.
struct PlacePairs {
  std::vector<uint32_t> ToSecond, ToFirst;
  std::vector<PlaceMatch> OfFirst, OfSecond;
};

PlacePairs matchPlaces(const std::vector<CodePlace> &First, const std::vector<CodePlace> &Second,
                       const SourceTexts &Texts = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PLACEMATCH_H
