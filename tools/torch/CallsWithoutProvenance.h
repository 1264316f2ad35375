//===- CallsWithoutProvenance.h - nodes of calls without it ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_CALLSWITHOUTPROVENANCE_H
#define SEAMSCOPE_TOOLS_TORCH_CALLSWITHOUTPROVENANCE_H

#include "torch/FxGraph.h"
#include "torch/OutputCode.h"
#include "torch/Provenance.h"

#include <cstdint>
#include <map>

namespace seamscope::tools {

/// For calls of \p Code without an entry in \p Map, the node of \p PostGrad that they compute, if
/// calls and nodes of such operators pair up unambiguously.
std::map<uint32_t, uint32_t> nodesWithoutProvenance(const OutputCode &Code, const FxGraph &PostGrad,
                                                    const Provenance &Map);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_CALLSWITHOUTPROVENANCE_H
