//===- OwnCache.h - where compiled kernels are kept between runs ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_OWNCACHE_H
#define SEAMSCOPE_TOOLS_RUN_OWNCACHE_H

#include "trace/io/Error.h"

#include <optional>
#include <string>

namespace seamscope::tools {

/// The folder of this user's caches: below XDG_CACHE_HOME, else HOME, else /tmp.
std::string ownCache();

/// Makes \p Folder, and what of its path is not there, for this user alone, whatever the umask.
/// What lies in it is code that is run later. Nothing, or why others could put theirs there: it is
/// another user's or others may write to it; or on its way, from the first folder on that everybody
/// may write to, somebody else's folder or link stands. private.py has the same rule.
std::optional<Error> makePrivate(const std::string &Folder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_OWNCACHE_H
