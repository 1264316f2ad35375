//===- Graphs.cpp - where the nodes of CUDA graphs were captured -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch on a captured stream creates a node during the launch's call. Instantiating the graph
// clones the node, and work is recorded with the clone's number. CUPTI notifies its only subscriber
// of both. Seamscope subscribes only if that is useful, since no other tool can subscribe then.
//
//===----------------------------------------------------------------------===//
#include "cuda/Graphs.h"

#include "cuda/Entries.h"
#include "cuda/Guarded.h"
#include "cuda/Libraries.h"
#include "cuda/Settings.h"
#include "cuda/State.h"
#include "seamscope/devices.h"

#include <atomic>
#include <mutex>
#include <unordered_set>

namespace seamscope::cuda {

using namespace format;

namespace {

/// Nodes that a launch created, and their clones.
struct KnownNodes {
  std::mutex Lock;
  std::unordered_set<uint64_t> Ids;
};
KnownNodes &known() {
  static auto *const Created = new KnownNodes;
  return *Created;
}

uint64_t idOf(CUgraphNode Node) {
  uint64_t Id = 0;
  return Node && !Cupti::get()->GetGraphNodeId(Node, &Id) ? Id : 0;
}

void note(uint64_t Node, uint64_t Original, uint32_t Site) {
  DeviceGraphNode Entry = {};
  Entry.Node = Node;
  Entry.Original = Original;
  Entry.Site = Site;
  append(Entry, DeviceEntryKind::GraphNode);
}

void noteResource(CUpti_CallbackId Id, const void *Data) {
  const auto *Graph = static_cast<const CUpti_GraphData *>(
      static_cast<const CUpti_ResourceData *>(Data)->resourceDescriptor);
  const uint64_t Node = Graph ? idOf(Graph->node) : 0;
  if (!Node)
    return;
  KnownNodes &Known = known();
  if (Id == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED) {
    const uint32_t Site = seamscope_open_call();
    if (!Site)
      return;
    const std::lock_guard Guard(Known.Lock);
    Known.Ids.insert(Node);
    note(Node, 0, Site);
  } else if (Id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED) {
    const uint64_t Original = idOf(Graph->originalNode);
    const std::lock_guard Guard(Known.Lock);
    if (!Known.Ids.contains(Original))
      return;
    Known.Ids.insert(Node);
    note(Node, Original, 0);
  }
}

void onResource(void *, CUpti_CallbackDomain Domain, CUpti_CallbackId Id, const void *Data) {
  if (!isOver() && Domain == CUPTI_CB_DOMAIN_RESOURCE && Data)
    guarded([&] { noteResource(Id, Data); });
}

bool subscribe() {
  const Cupti *const C = Cupti::get();
  if (!C || !C->Subscribe || !C->EnableCallback || !C->GetGraphNodeId)
    return false;
  CUpti_SubscriberHandle Subscriber = nullptr;
  if (C->Subscribe(&Subscriber, onResource, nullptr))
    return false;
  return !C->EnableCallback(1, Subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                            CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED) &&
         !C->EnableCallback(1, Subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                            CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
}

} // namespace

void watchGraphs() {
  static std::atomic<bool> Decided;
  const GraphMode Mode = Settings::get().Graphs;
  if (Decided.load(std::memory_order_acquire) || Mode == GraphMode::Off)
    return;
  if (Mode == GraphMode::IfLaunched && !seamscope_launches_graphs())
    return;
  if (Decided.exchange(true))
    return;
  // torch.profiler must be able to subscribe.
  const bool Leave = Mode == GraphMode::IfLaunched && !loadedPath("libtorch_cuda").empty();
  count(!Leave && subscribe() ? DeviceCountOf::CapturesSeen : DeviceCountOf::CapturesUnseen, 1);
}

} // namespace seamscope::cuda
