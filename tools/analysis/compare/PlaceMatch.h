//===- PlaceMatch.h - which places of two versions are the same one -------===//
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

/// How two places were found to be the same one.
enum class PlaceMatch : uint8_t {
  None,      ///< one side only
  Source,    ///< the line of one version of the source was followed to that of the other
  Line,      ///< same function, line and column
  Order,     ///< by order, nesting and distances in the function; nothing else fits as well
  Ambiguous, ///< the same, and something else fits too
  Name,      ///< kernels of one name
  Renamed,   ///< kernels whose names differ, by what is in them
};

/// "none", "source", "line", "order", "ambiguous", "name", "renamed".
std::string_view placeMatchName(PlaceMatch Match);

/// The texts that the program of each side was built from, by the names that its trace has for the
/// files; nothing for one that is not known for certain.
struct SourceTexts {
  using Reader = std::function<std::optional<std::string>(std::string_view File)>;
  Reader First, Second;
};

/// For each place of both sides its counterpart, or CodePlace::None, and how it was found. A place
/// without one is Ambiguous where it could be that of a place that has another.
struct PlacePairs {
  std::vector<uint32_t> ToSecond, ToFirst;
  std::vector<PlaceMatch> OfFirst, OfSecond;
};

PlacePairs matchPlaces(const std::vector<CodePlace> &First, const std::vector<CodePlace> &Second,
                       const SourceTexts &Texts = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PLACEMATCH_H
