//===- OnnxRuntime.cpp - traces of ONNX Runtime ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Reclassify.h"
#include "analysis/producers/Producers.h"

#include <algorithm>

namespace seamscope::tools {
namespace {

/// Follows the name of a node, which may be empty. Older versions also have fences around it.
constexpr std::string_view OfNode = "_kernel_time";

} // namespace

bool isOnnxNode(const Trace &Source, const Site &What) {
  return Source.text(What.Category) == NodeCategory && Source.text(What.Name).ends_with(OfNode);
}

/// A node becomes an operator that is called by its type, with the node's own name in Site::Node.
void recogniseOnnxRuntime(Trace &Source) {
  if (std::ranges::none_of(Source.Sites, [&](const Site &What) { return isOnnxNode(Source, What); }))
    return;
  Source.Info.Producer = "ONNX Runtime";
  Reclassifier To(Source);
  for (uint32_t I = 0; I < Source.Events.size(); ++I) {
    const Site &Old = To.siteOf(I);
    if (isOnnxNode(Source, Old)) {
      Site New = Old;
      std::string_view Node = Source.text(Old.Name);
      Node.remove_suffix(OfNode.size());
      New.Node = Source.Strings.intern(std::string(Node));
      // Some providers give no types.
      New.Name = Old.Operators ? Old.Operators : New.Node;
      New.Operators = 0;
      New.Kind = SiteKind::Operator;
      To.replace(I, New);
    } else if (Source.text(Old.Category) == OnnxSession) {
      To.set(I, OnnxSession, SiteKind::Span);
    }
  }
}

} // namespace seamscope::tools
