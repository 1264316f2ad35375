//===- TimeTrace.cpp - traces of -ftime-trace -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Reclassify.h"
#include "analysis/producers/Producers.h"

#include <algorithm>

namespace seamscope::tools {
namespace {

constexpr std::string_view Total = "Total ";

} // namespace

/// After the other events, each phase has the sum of its calls, "Total Frontend", on its own thread
/// from time 0 on. No other writer has such a sum for something that lasts as long as the whole
/// program.
void recogniseTimeTrace(Trace &Source) {
  const auto Has = [&](std::string_view Name) {
    return std::ranges::any_of(Source.Sites, [&](const Site &What) {
      return !What.Category && Source.text(What.Name) == Name;
    });
  };
  const bool IsClang = Has("Total ExecuteCompiler") && Has("ExecuteCompiler");
  if (!IsClang && !(Has("Total ExecuteLinker") && Has("ExecuteLinker")))
    return;
  Source.Info.Producer = IsClang ? "clang -ftime-trace" : "lld --time-trace";
  Reclassifier To(Source);
  for (uint32_t I = 0; I < Source.Events.size(); ++I) {
    if (To.siteOf(I).Category)
      continue;
    if (To.nameOf(I).starts_with(Total))
      To.set(I, ClangSums, SiteKind::Other);
    else
      To.set(I, ClangPhase, SiteKind::Span);
  }
}

} // namespace seamscope::tools
