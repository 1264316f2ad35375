//===- OldSpool.cpp - spools of earlier versions --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/spool/OldSpool.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace seamscope::tools {

using namespace format;

namespace {

/// The entry of a site in version 2. Version 1 ends before Dims.
struct OldSite {
  uint32_t Size;
  uint32_t Id;
  uint32_t Kind;
  uint32_t Line;
  uint32_t Column;
  uint32_t Name;
  uint32_t LinkageName;
  uint32_t Kernel;
  uint32_t File;
  uint32_t Ops;
  uint32_t Dims;
  uint32_t Types;
  uint32_t Strides;
  uint32_t Values;
};
static_assert(sizeof(OldSite) == 56);

constexpr size_t siteBytes(uint32_t Version) {
  return Version == 1 ? offsetof(OldSite, Dims) : sizeof(OldSite);
}

/// SpoolHeader::CallCost came with version 3, in the middle.
constexpr size_t NewField = offsetof(SpoolHeader, CallCost);
constexpr size_t NewFieldBytes = sizeof(SpoolHeader::CallCost);
constexpr size_t OldHeaderBytes = sizeof(SpoolHeader) - NewFieldBytes;

/// The name of a thread filled in version 1 what a framework's number of it takes today.
constexpr size_t OldThreadName = offsetof(ThreadEntry, FrameworkThread);

/// Writes one site's entry of \p Old, which is whole, to the end of \p New.
/// Returns what is wrong with its texts, or null.
const char *appendSite(std::vector<unsigned char> &New, const unsigned char *Old,
                       uint32_t Version) {
  const size_t Head = siteBytes(Version);
  OldSite From{};
  std::memcpy(&From, Old, Head);
  const char *Wrong = nullptr;
  const auto Text = [&](uint32_t Offset) -> uint32_t {
    if (!Offset)
      return 0;
    if (entryText(Old, Head, From.Size, Offset))
      return static_cast<uint32_t>(Offset - Head + sizeof(SiteEntry));
    Wrong = SiteTextOutside;
    return 0;
  };
  const auto Array = [&](uint32_t Offset) -> uint32_t {
    const uint32_t At = Text(Offset);
    const auto *Json = reinterpret_cast<const char *>(Old + Offset);
    if (!At || !*Json || isJsonArray(Json))
      return At;
    Wrong = SiteInputsNoArray;
    return 0;
  };
  SiteEntry To{};
  To.Size = static_cast<uint32_t>((From.Size - Head + sizeof(SiteEntry) + 7) / 8 * 8);
  To.Id = From.Id;
  To.Kind = From.Kind;
  To.Line = From.Line;
  To.Column = From.Column;
  To.Name = Text(From.Name);
  To.LinkageName = Text(From.LinkageName);
  To.Kernel = Text(From.Kernel);
  To.File = Text(From.File);
  To.Ops = Text(From.Ops);
  To.Dims = Array(From.Dims);
  To.Types = Array(From.Types);
  To.Strides = Array(From.Strides);
  To.Values = Array(From.Values);
  const size_t At = New.size();
  New.resize(At + To.Size);
  std::memcpy(New.data() + At, &To, sizeof(To));
  std::memcpy(New.data() + At + sizeof(To), Old + Head, From.Size - Head);
  return Wrong;
}

/// Entries of sites, in blocks: the first of them takes the place of the old one.
struct SiteBlocks {
  std::vector<std::vector<unsigned char>> Entries;
  SpoolError Wrong;
};

SiteBlocks rewriteSites(const unsigned char *Block, uint64_t Offset, uint32_t Version) {
  SiteBlocks Result;
  Result.Entries.emplace_back();
  const auto Bad = [&](size_t At, const char *Reason) {
    if (Reason && !Result.Wrong.Reason)
      Result.Wrong = {Offset + At, Reason};
  };
  const size_t Head = siteBytes(Version);
  const size_t Room = BlockBytes - sizeof(BlockHeader);
  const size_t Misfit = forEachSizedEntry(Block, Head, [&](size_t At, uint32_t Size) {
    const size_t Grown = Size - Head + sizeof(SiteEntry) + 7;
    if (Grown > Room)
      return Bad(At, "a site entry fills its block, and has no room in today's layout");
    if (Result.Entries.back().size() + Grown > Room)
      Result.Entries.emplace_back();
    Bad(At, appendSite(Result.Entries.back(), Block + At, Version));
  });
  if (Misfit)
    Bad(Misfit, SiteDoesNotFit);
  return Result;
}

/// The second half of a long call was a record like any other, known by its place alone.
void rewriteLongCalls(Record *Records) {
  for (size_t I = 0; I + 1 < RecordsPerBlock; ++I) {
    if (!Records[I].Begin || Records[I].Site != EscapeLong)
      continue;
    Record &Rest = Records[I + 1];
    if (!Rest.Begin || Rest.Duration || Rest.Site >= EscapeFirst)
      continue; // not committed; what stands there is another record
    Rest.Duration = Rest.Site;
    Rest.Site = EscapeLongRest;
    ++I;
  }
}

void rewriteThreads(ThreadEntry *Threads) {
  for (size_t I = 0; I < ThreadsPerBlock; ++I) {
    auto *Entry = reinterpret_cast<unsigned char *>(&Threads[I]);
    std::memmove(Threads[I].Name, Entry + OldThreadName, sizeof(Threads[I].Name));
    Threads[I].Name[sizeof(Threads[I].Name) - 1] = 0;
    Threads[I].FrameworkThread = 0;
  }
}

} // namespace

uint32_t upgradeSpoolHeader(void *Page, size_t Size) {
  auto *Bytes = static_cast<unsigned char *>(Page);
  auto *Header = static_cast<SpoolHeader *>(Page);
  if (Size < sizeof(SpoolHeader) || std::memcmp(Header->Magic, SpoolMagic, sizeof(SpoolMagic)) ||
      Header->Version < 1 || Header->Version >= OldestSpoolVersion ||
      Header->HeaderSize != OldHeaderBytes)
    return 0;
  const uint32_t Version = Header->Version;
  std::memmove(Bytes + NewField + NewFieldBytes, Bytes + NewField, OldHeaderBytes - NewField);
  Header->CallCost = 0;
  Header->Version = OldestSpoolVersion;
  Header->HeaderSize = sizeof(SpoolHeader);
  return Version;
}

SpoolError upgradeSpoolBlocks(std::vector<uint64_t> &Data, size_t &Size, uint32_t Version) {
  SpoolError Wrong;
  const auto Bytes = [&] { return reinterpret_cast<unsigned char *>(Data.data()); };
  const auto Header = [&] { return reinterpret_cast<SpoolHeader *>(Data.data()); };
  if (Size < HeaderBytes)
    return Wrong;
  const uint64_t Claimed = Header()->BlocksClaimed;
  const uint64_t Blocks = std::min<uint64_t>(Claimed, (Size - HeaderBytes) / BlockBytes);
  std::vector<std::vector<unsigned char>> More; // entries that found no room in their old block
  for (uint64_t I = 0; I < Blocks; ++I) {
    const uint64_t Offset = HeaderBytes + I * BlockBytes;
    unsigned char *Block = Bytes() + Offset;
    unsigned char *Content = Block + sizeof(BlockHeader);
    switch (reinterpret_cast<BlockHeader *>(Block)->Kind) {
    case BlockKind::Events:
      rewriteLongCalls(reinterpret_cast<Record *>(Content));
      break;
    case BlockKind::Threads:
      if (Version == 1)
        rewriteThreads(reinterpret_cast<ThreadEntry *>(Content));
      break;
    case BlockKind::Sites: {
      SiteBlocks New = rewriteSites(Block, Offset, Version);
      if (New.Wrong.Reason && !Wrong.Reason)
        Wrong = New.Wrong;
      std::memset(Content, 0, BlockBytes - sizeof(BlockHeader));
      std::memcpy(Content, New.Entries[0].data(), New.Entries[0].size());
      std::move(New.Entries.begin() + 1, New.Entries.end(), std::back_inserter(More));
      break;
    }
    default:
      break;
    }
  }
  if (More.empty())
    return Wrong;
  if (Claimed > Blocks) // before the blocks that are added hide it
    Wrong = {Size, "truncated: blocks are missing at its end"};
  const size_t End = HeaderBytes + Blocks * BlockBytes;
  Size = End + More.size() * BlockBytes;
  Data.resize((Size + 7) / 8);
  std::memset(Bytes() + End, 0, Size - End);
  for (size_t I = 0; I < More.size(); ++I) {
    unsigned char *Block = Bytes() + End + I * BlockBytes;
    BlockHeader Head{};
    Head.Kind = BlockKind::Sites;
    std::memcpy(Block, &Head, sizeof(Head));
    std::memcpy(Block + sizeof(Head), More[I].data(), More[I].size());
  }
  Header()->BlocksClaimed = Blocks + More.size();
  return Wrong;
}

} // namespace seamscope::tools
