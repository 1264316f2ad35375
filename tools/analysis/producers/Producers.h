//===- Producers.h - recognises producers without known categories --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PRODUCERS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PRODUCERS_H

#include "trace/model/Trace.h"

namespace seamscope::tools {

// Producers that give their events no category, or their own, are recognised by their metadata and
// by the form of their events; each has a file here. Their events get a category, a kind and a
// device, and the trace gets its producer.

/// The categories of producers' own sums, and of tracks that repeat other tracks: they have no
/// kind, and are shown unchanged.
constexpr std::string_view AscendSums = "Overlap Analysis", ClangSums = "Total",
                           XlaSums = "XLA track";
/// Categories of stretches of the host that are shown by name.
constexpr std::string_view ClangPhase = "clang", OnnxSession = "Session", XlaHost = "XLA host";

constexpr bool isProducerSum(std::string_view Category) {
  return Category == AscendSums || Category == ClangSums || Category == XlaSums;
}
constexpr bool isProducerPhase(std::string_view Category) {
  return Category == ClangPhase || Category == OnnxSession || Category == XlaHost;
}

/// torch_npu: work of Ascend NPUs.
void recogniseAscend(Trace &Source);
/// kineto on MTIA devices.
void recogniseMtia(Trace &Source);
/// ONNX Runtime: the nodes of a model.
void recogniseOnnxRuntime(Trace &Source);
/// Whether a site, before that, is a node.
bool isOnnxNode(const Trace &Source, const Site &What);
/// -ftime-trace of clang and lld: what a compiler does.
void recogniseTimeTrace(Trace &Source);
/// XLA, under JAX and TensorFlow.
void recogniseXla(Trace &Source);

/// All of them.
inline void recogniseProducers(Trace &Source) {
  recogniseAscend(Source);
  recogniseMtia(Source);
  recogniseOnnxRuntime(Source);
  recogniseTimeTrace(Source);
  recogniseXla(Source);
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PRODUCERS_H
