//===- Chrome.cpp - hostile Chrome traces ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An input is a file as it lies on a disk: a finding can be given to
// `seamscope report` as it is.
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "DetailChecks.h"
#include "MemoryFile.h"
#include "Reference.h"

#include "analysis/health/Judge.h"
#include "trace/chrome/ChromeReader.h"

#include <span>

using namespace seamscope;
using namespace seamscope::fuzz;

namespace {

tools::Result<tools::Trace> read(const MemoryFile &File, size_t ChunkBytes, unsigned Threads,
                                 size_t WindowBytes) {
  auto Source = tools::ByteSource::open(File.path(), ChunkBytes);
  SEAMSCOPE_CHECK(Source);
  return tools::readChromeTrace(**Source, "trace",
                                {.Threads = Threads, .WindowBytes = WindowBytes});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::span<const uint8_t> Bytes(Data, Size);
  const uint64_t Hash = hashOf(Bytes);
  const MemoryFile File(Bytes);
  const auto Whole = read(File, 1 << 16, 1, tools::DefaultWindowBytes);
  if (Whole) {
    checkTrace(*Whole);
    checkAnalyses(*Whole, /*Reports=*/Hash % 8 == 0);
    // As reports see it.
    auto Judged = read(File, 1 << 16, 1, tools::DefaultWindowBytes);
    SEAMSCOPE_CHECK(Judged);
    tools::judge(*Judged);
    checkAnalyses(*Judged, /*Reports=*/Hash % 8 == 1);
  }
  if (Whole && Hash % 4 == 1) {
    auto Source = tools::ByteSource::open(File.path(), 1 << 16);
    SEAMSCOPE_CHECK(Source);
    const auto Detailed = tools::readChromeTrace(**Source, "trace",
                                                 {.Autograd = true,
                                                  .Stacks = true,
                                                  .Launches = true,
                                                  .Collectives = true,
                                                  .Memory = true,
                                                  .Syncs = true,
                                                  .Threads = 1});
    SEAMSCOPE_CHECK(Detailed);
    checkDetails(*Detailed);
  }
  // Cut into pieces wherever, it is the same trace.
  const size_t ChunkBytes = 1 + Hash / 8 % 200, WindowBytes = 1 + Hash / 1600 % 300;
  const unsigned Threads = 1 + Hash / 480000 % 3;
  const auto Pieces = read(File, ChunkBytes, Threads, WindowBytes);
  if (Pieces)
    checkTrace(*Pieces);
  checkSame(Whole, Pieces);
  if (Size < 2 || Data[0] != 0x1f || Data[1] != 0x8b)
    checkAgainstTree({reinterpret_cast<const char *>(Data), Size}, Whole);
  return 0;
}
