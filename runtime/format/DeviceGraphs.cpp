//===- DeviceGraphs.cpp - where nodes of CUDA graphs were captured ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "format/DeviceTrace.h"

#include "seamscope/abi.h"

#include <algorithm>

namespace seamscope::format {

bool DeviceTrace::collectCaptures() {
  if (!GraphNodes.size())
    return true;
  // Of entries with one number, the first is the creation of the node; a later one would be a clone
  // of itself.
  std::sort(GraphNodes.begin(), GraphNodes.end(),
            [](const DeviceGraphNode *A, const DeviceGraphNode *B) {
              return A->Node != B->Node ? A->Node < B->Node : A < B;
            });
  bool Ok = true;
  Spool->forEachSite([&](const SiteView &Site) {
    if (Site.Kind == SEAMSCOPE_SITE_LAUNCH && !(Site.Flags & SEAMSCOPE_SITE_COUNT))
      Ok = Ok && Captures.add(Site);
  });
  std::sort(Captures.begin(), Captures.end(),
            [](const SiteView &A, const SiteView &B) { return A.Id < B.Id; });
  return Ok;
}

const SiteView *DeviceTrace::captureOf(uint64_t Node) const {
  // Clones of clones: a graph in a graph. A longer chain is damage.
  for (int Depth = 0; Node && Depth < 16; ++Depth) {
    const DeviceGraphNode *const *At = std::lower_bound(
        GraphNodes.begin(), GraphNodes.end(), Node,
        [](const DeviceGraphNode *Each, uint64_t Wanted) { return Each->Node < Wanted; });
    uint64_t Original = 0;
    for (; At != GraphNodes.end() && (*At)->Node == Node; ++At) {
      const uint32_t Id = (*At)->Site;
      const SiteView *const Site =
          std::lower_bound(Captures.begin(), Captures.end(), Id,
                           [](const SiteView &Each, uint32_t Wanted) { return Each.Id < Wanted; });
      if (Id && Site != Captures.end() && Site->Id == Id)
        return Site;
      Original = (*At)->Original;
    }
    Node = Original;
  }
  return nullptr;
}

} // namespace seamscope::format
