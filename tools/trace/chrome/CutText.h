//===- CutText.h - what a cut trace says of the whole, in JSON ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The member "seamscope_cut" of a Chrome trace (docs/formats.md).
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROME_CUTTEXT_H
#define SEAMSCOPE_TOOLS_TRACE_CHROME_CUTTEXT_H

#include "trace/model/TraceBuilder.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// The name of the member.
constexpr std::string_view CutMember = "seamscope_cut";

/// \p Cut of the part \p Source as an object. \p Sites: siteEntry() of the sites that the reader is
/// to know before all others.
std::string cutText(const Trace &Source, const TraceCut &Cut,
                    const std::vector<std::string> &Sites);

/// Takes it in. The tracks and sites that it names get the first numbers when it stands before the
/// events. False: it is no such object, and nothing is taken.
bool readCut(const nlohmann::json &Value, TraceBuilder &Builder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROME_CUTTEXT_H
