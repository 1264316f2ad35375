//===- Judge.h - what is wrong with a trace, before any figure is made ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_JUDGE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_JUDGE_H

#include "trace/model/Trace.h"

namespace seamscope::tools {

/// Fills Trace::Health and EventDetails::Unserved. Events at times that cannot be are taken out,
/// and what cannot last as long as it says is clipped: figures are made of the rest. To be called
/// once, of the whole trace. One that was cut out of another was judged with that.
void judge(Trace &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_JUDGE_H
