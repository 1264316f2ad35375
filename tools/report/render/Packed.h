//===- Packed.h - compressed data in the page ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_PACKED_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_PACKED_H

#include "report/model/Chart.h"
#include "report/render/Render.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// Takes bytes in pieces of any size, compresses them with gzip and writes base64 as they come.
class PackedWriter {
public:
  explicit PackedWriter(const WriteText &Write);
  ~PackedWriter();
  PackedWriter(const PackedWriter &) = delete;
  PackedWriter &operator=(const PackedWriter &) = delete;

  void add(std::string_view Bytes);
  /// Nothing can be added afterwards.
  void end();

private:
  struct State;
  std::unique_ptr<State> Its;
};

/// Unsigned LEB128.
void addVarint(std::string &To, uint64_t Number);

/// For each event of a lane three varints: begin less the begin of the previous event (of the
/// first: less 0), duration, and index in Timeline::Names.
std::string laneBytes(const Timeline &Of, const Timeline::Lane &Lane);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_PACKED_H
