//===- InputFile.h - opens files of unknown kind --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_INPUTFILE_H
#define SEAMSCOPE_TOOLS_TRACE_INPUTFILE_H

#include "trace/io/Descriptor.h"
#include "trace/io/Error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// Opens a regular file. Never waits, as opening a FIFO would: only a trace that the user named may
/// be a pipe. \p Flags: more flags for open(2), such as O_NOFOLLOW, or O_RDWR to write too.
Result<Descriptor> openRegular(const std::string &Path, int Flags = 0);

/// All of such a file; fails if it has more than \p Limit bytes.
Result<std::string> readRegular(const std::string &Path, uint64_t Limit, int Flags = 0);

/// Whether the file at \p Path is regular and begins with these bytes.
bool beginsWith(const std::string &Path, std::string_view Bytes);

/// Up to \p Size bytes of an open file from its position on; fewer at its end, -1 on an error.
int64_t readUpTo(int Descriptor, void *Into, size_t Size);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_INPUTFILE_H
