//===- OwnCache.h - cache of compiled kernels between runs ----------------===//
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

/// Makes \p Folder, and missing folders of its path, for this user alone, whatever the umask. The
/// folder contains code that is run later. Returns nothing, or why other users could put code
/// there: it belongs to another user, others may write to it, or, from the first folder on that
/// everybody may write to, its path has a folder or link of another user. private.py has the same
/// rule.
std::optional<Error> makePrivate(const std::string &Folder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_OWNCACHE_H
