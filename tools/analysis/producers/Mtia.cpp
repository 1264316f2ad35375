//===- Mtia.cpp - traces of MTIA devices ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Reclassify.h"
#include "analysis/producers/Producers.h"

#include <algorithm>

namespace seamscope::tools {

/// All work of a device's control processors has one category, and is read as copies: most of it is
/// requests to a DMA engine. Some run kernels; waiting for an event and recording one are not work.
void recogniseMtia(Trace &Source) {
  constexpr std::string_view Category = "mtia_ccp_events";
  const auto IsOne = [&](const Site &What) { return Source.text(What.Category) == Category; };
  if (std::ranges::none_of(Source.Sites, IsOne))
    return;
  Reclassifier To(Source);
  for (uint32_t I = 0; I < Source.Events.size(); ++I) {
    if (!IsOne(To.siteOf(I)))
      continue;
    const std::string_view Name = To.nameOf(I);
    if (Name.starts_with("event_"))
      To.set(I, "task", SiteKind::Other);
    else if (!Name.starts_with("dma"))
      To.set(I, Category, SiteKind::Kernel, To.siteOf(I).Device);
  }
}

} // namespace seamscope::tools
