//===- InductorNames.cpp - operators in Inductor's kernel names -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/InductorNames.h"

#include <algorithm>
#include <cctype>

namespace seamscope::tools {
namespace {

constexpr std::string_view Fused = "cpp_fused_";
constexpr std::string_view OfGraph = "graph_";

/// Operators whose names contain an underscore. A missing name is split into its words, which then
/// match no eager operator and are shown as unmatched.
constexpr std::string_view UnderscoredOperators[] = {
#define SEAMSCOPE_ATEN_OP(NAME) #NAME,
#include "kernels/AtenOps.def"
};

} // namespace

bool isInductorHostKernel(std::string_view Name) {
  if (Name.starts_with(OfGraph))
    return Name.find("_cpp_fused_") != Name.npos || Name.ends_with("_kernel");
  return Name.starts_with(Fused);
}

bool holdsInductorName(std::string_view Name) { return Name.find(Fused) != Name.npos; }

std::string_view inductorName(std::string_view Kernel) {
  if (!Kernel.starts_with(OfGraph))
    return Kernel;
  const size_t End = Kernel.find_first_not_of("0123456789", OfGraph.size());
  return End == Kernel.npos || End == OfGraph.size() || Kernel[End] != '_' ? Kernel
                                                                           : Kernel.substr(End + 1);
}

std::optional<std::vector<std::string>> operatorsInName(std::string_view Kernel) {
  const size_t At = Kernel.find(Fused);
  if (At == Kernel.npos || (At != 0 && !Kernel.starts_with(OfGraph)))
    return std::nullopt;
  std::string_view Middle = Kernel.substr(At + Fused.size());
  // The number of the kernel; for a kernel without operators, that is all.
  const size_t Number = Middle.rfind('_') + 1; // 0 without an underscore
  if (Number < Middle.size() &&
      std::ranges::all_of(Middle.substr(Number), [](unsigned char C) { return std::isdigit(C); }))
    Middle = Middle.substr(0, Number ? Number - 1 : 0);
  return splitInductorName(Middle);
}

std::vector<std::string> splitInductorName(std::string_view Middle) {
  std::vector<std::string> Words;
  while (!Middle.empty()) {
    std::string_view Best;
    for (std::string_view Known : UnderscoredOperators)
      if (Middle.starts_with(Known) && Known.size() > Best.size() &&
          (Middle.size() == Known.size() || Middle[Known.size()] == '_'))
        Best = Known;
    if (Best.empty())
      // An operator's own leading underscore belongs to it.
      Best = Middle.substr(0, Middle.find('_', Middle.starts_with('_') ? 1 : 0));
    if (!Best.empty() && Best != "_")
      Words.emplace_back(Best);
    Middle.remove_prefix(std::min(Middle.size(), Best.size() + 1));
  }
  return Words;
}

} // namespace seamscope::tools
