//===- SiteText.h - sites and tracks of the model as Chrome trace JSON ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROME_SITETEXT_H
#define SEAMSCOPE_TOOLS_TRACE_CHROME_SITETEXT_H

#include "trace/model/Trace.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

#include <string_view>

namespace seamscope::tools {

/// `"pid":1,"tid":2`: numbers where they are some, which viewers expect.
std::string trackText(const Trace &Source, const Track &Known);

/// A pid or tid.
std::string labelText(std::string_view Text);

/// Adds the kernel and the fields of site-arguments.def that \p What has to \p Object.
void addFields(nlohmann::ordered_json &Object, const Trace &Source, const Site &What);

/// The members of an event's `args` that its site stands for, without the braces.
std::string siteArguments(const Trace &Source, const Site &What);

/// The site as an object with `cat`, `name` and `args`, and with the texts of its inputs as they
/// are.
std::string siteEntry(const Trace &Source, const Site &What);

/// The array "throttled" of a trace of mode `trace`; empty: no calls were throttled.
std::string throttledText(const Trace &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROME_SITETEXT_H
