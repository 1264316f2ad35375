//===- Spool.cpp - hostile spool files ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A spool is made of blocks of 256 KiB, nearly all of which are zeros. An input
// tells only what is not zero:
//
//   u16 size, bytes            what the header begins with
//   then, for each block:
//   u16 size, bytes            what the block begins with
//
// The last block can be marked as cut off: its size has the top bit set.
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "MemoryFile.h"

#include "format/ChromeTrace.h"
#include "trace/chrome/ChromeReader.h"
#include "trace/spool/ReadSpool.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

using namespace seamscope;
using namespace seamscope::fuzz;

namespace {

constexpr size_t MostBlocks = 6;

struct Piece {
  std::span<const uint8_t> Bytes;
  bool CutOff;
};

Piece nextPiece(std::span<const uint8_t> &Input) {
  if (Input.size() < 2)
    return {{}, true};
  const unsigned Word = Input[0] | Input[1] << 8;
  Input = Input.subspan(2);
  const size_t Size = std::min<size_t>(Word & 0x7fff, Input.size());
  const Piece Result = {Input.first(Size), (Word & 0x8000) != 0};
  Input = Input.subspan(Size);
  return Result;
}

std::vector<uint8_t> spoolOf(std::span<const uint8_t> Input) {
  std::vector<uint8_t> Spool;
  const auto Add = [&](const Piece &P, size_t Whole) {
    const size_t Begin = Spool.size();
    Spool.insert(Spool.end(), P.Bytes.begin(), P.Bytes.end());
    Spool.resize(Begin + (P.CutOff ? P.Bytes.size() : Whole));
  };
  Add(nextPiece(Input), format::HeaderBytes);
  for (size_t Block = 0; Block < MostBlocks && Input.size() >= 2; ++Block)
    Add(nextPiece(Input), format::BlockBytes);
  return Spool;
}

bool appendTo(void *Context, const char *Text, size_t Size) {
  static_cast<std::string *>(Context)->append(Text, Size);
  return true;
}

/// What the runtime would write of the spool is JSON, and the same calls.
void checkWritten(const tools::SpoolFile &File, const tools::Trace &Direct) {
  const format::SpoolReader &Reader = File.reader();
  std::string Text;
  format::ChromeTraceOptions Options;
  Options.TraceName = "t.json";
  Options.Version = "1.2.3";
  Options.Facts.End = File.end();
  Options.Facts.EndNs = File.endNs();
  SEAMSCOPE_CHECK(format::writeChromeTrace(Reader, Options, {appendTo, &Text}));
  SEAMSCOPE_CHECK(nlohmann::json::accept(Text));
  const MemoryFile Json({reinterpret_cast<const uint8_t *>(Text.data()), Text.size()});
  auto Source = tools::ByteSource::open(Json.path());
  SEAMSCOPE_CHECK(Source);
  const auto Written = tools::readChromeTrace(**Source, "t.json", {.Threads = 1});
  // A spool whose times make no sense gives a trace of which less can be kept.
  if (!Written || Written->Info.SkippedEvents || !Direct.Info.Notes.empty() || Direct.Info.Damage)
    return;
  checkTrace(*Written);
  SEAMSCOPE_CHECK(!Written->Info.Damage);
  SEAMSCOPE_CHECK(Written->Events.BeginNs == Direct.Events.BeginNs);
  SEAMSCOPE_CHECK(Written->Events.DurationNs == Direct.Events.DurationNs);
  SEAMSCOPE_CHECK(Written->Open.size() == Direct.Open.size());
  SEAMSCOPE_CHECK(Written->Profile.size() == Direct.Profile.size());
  SEAMSCOPE_CHECK(Written->Samples.Ns == Direct.Samples.Ns);
  SEAMSCOPE_CHECK(Written->OffCpu.BeginNs == Direct.OffCpu.BeginNs);
  SEAMSCOPE_CHECK(Written->OffCpu.OffNs == Direct.OffCpu.OffNs);
  SEAMSCOPE_CHECK(Written->Sampling.size() == Direct.Sampling.size());
  for (size_t I = 0; I < Direct.Profile.size(); ++I)
    SEAMSCOPE_CHECK(Written->Profile[I].TotalNs == Direct.Profile[I].TotalNs &&
                    Written->Profile[I].Calls == Direct.Profile[I].Calls);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::vector<uint8_t> Bytes = spoolOf({Data, Size});
  const MemoryFile File(Bytes);
  auto Spool = tools::SpoolFile::open(File.path());
  SEAMSCOPE_CHECK(!Spool || tools::isSpool(File.path()));
  if (!Spool)
    return 0;
  const tools::Trace Read = tools::readSpool(**Spool, "spool");
  checkTrace(Read);
  checkAnalyses(Read, /*Reports=*/hashOf({Data, Size}) % 8 == 0);
  checkWritten(**Spool, Read);
  return 0;
}
