//===- ByteSourceTest.cpp - plain, compressed and broken files ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/ByteSource.h"
#include "TestFile.h"

#include <zlib.h>

using namespace seamscope::tools;

namespace {

std::string gzipped(std::string_view Text) {
  z_stream Z{};
  EXPECT_EQ(deflateInit2(&Z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string Out(deflateBound(&Z, Text.size()) + 64, '\0');
  Z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Text.data()));
  Z.avail_in = static_cast<uInt>(Text.size());
  Z.next_out = reinterpret_cast<Bytef *>(Out.data());
  Z.avail_out = static_cast<uInt>(Out.size());
  EXPECT_EQ(deflate(&Z, Z_FINISH), Z_STREAM_END);
  Out.resize(Z.total_out);
  deflateEnd(&Z);
  return Out;
}

struct Outcome {
  std::string Text, Reason;
  uint64_t Offset = 0;
};

Outcome readAll(std::string_view Bytes, size_t ChunkBytes) {
  const TestFolder Folder;
  auto Source = ByteSource::open(Folder.file("file", Bytes), ChunkBytes);
  EXPECT_TRUE(Source);
  Outcome Result;
  std::string Copy;
  (*Source)->copyTo([&](std::string_view Chunk) { Copy += Chunk; });
  for (std::string_view Chunk; !(Chunk = (*Source)->chunk()).empty();) {
    EXPECT_EQ((*Source)->offset(), Result.Text.size());
    // Not all of it at once.
    const size_t Count = (Chunk.size() + 1) / 2;
    Result.Text += Chunk.substr(0, Count);
    (*Source)->take(Count);
  }
  EXPECT_TRUE((*Source)->chunk().empty()); // and it stays so
  EXPECT_EQ(Copy, Result.Text);
  EXPECT_EQ((*Source)->storedBytes(), Bytes.size());
  if (const Error *Why = (*Source)->error()) {
    Result.Reason = Why->Reason;
    Result.Offset = Why->Offset.value_or(UINT64_MAX);
  }
  return Result;
}

/// Text that does not shrink to nothing.
std::string someText(size_t Size) {
  std::string Text;
  for (unsigned Value = 1; Text.size() < Size; Value = Value * 1103515245 + 12345)
    Text += std::to_string(Value);
  return Text.substr(0, Size);
}

constexpr size_t ChunkSizes[] = {1, 2, 3, 100, 4096, ByteSource::DefaultChunkBytes};

TEST(ByteSource, GivesTheBytesOfPlainAndCompressedFiles) {
  for (const size_t Chunk : ChunkSizes)
    for (const size_t Size : {0, 1, 2, 3, 100, 5000}) {
      const std::string Text = someText(Size);
      EXPECT_EQ(readAll(Text, Chunk).Text, Text);
      const Outcome Inflated = readAll(gzipped(Text), Chunk);
      EXPECT_EQ(Inflated.Text, Text);
      EXPECT_EQ(Inflated.Reason, "");
    }
}

TEST(ByteSource, OneByteOfGzipsTwoIsPlain) {
  EXPECT_EQ(readAll("\x1f", 1).Text, "\x1f");
  EXPECT_EQ(readAll("\x1fx", 1).Text, "\x1fx");
}

TEST(ByteSource, MembersFollowEachOtherAndPaddingIsNone) {
  for (const size_t Chunk : ChunkSizes) {
    const Outcome Result =
        readAll(gzipped("one") + gzipped("") + gzipped("two") + std::string(100, '\0'), Chunk);
    EXPECT_EQ(Result.Text, "onetwo");
    EXPECT_EQ(Result.Reason, "");
  }
}

TEST(ByteSource, CutOffStreamGivesWhatIsThere) {
  const std::string Text = someText(5000) + std::string(1000, 'a'), Whole = gzipped(Text);
  std::string Before;
  for (size_t Size = 2; Size < Whole.size(); Size += Size + 30 < Whole.size() ? 13 : 1) {
    const Outcome Result = readAll(Whole.substr(0, Size), 4096);
    EXPECT_EQ(Result.Reason, "the gzip stream is cut off") << Size;
    EXPECT_TRUE(Text.starts_with(Result.Text));
    EXPECT_EQ(Result.Offset, Result.Text.size());
    EXPECT_GE(Result.Text.size(), Before.size());
    Before = Result.Text;
    // Also when it comes in other pieces.
    for (const size_t Chunk : {1, 3, 100})
      EXPECT_EQ(readAll(Whole.substr(0, Size), Chunk).Text, Result.Text) << Size << ' ' << Chunk;
  }
  EXPECT_EQ(Before, Text);
}

TEST(ByteSource, DamagedStreamGivesWhatCameBefore) {
  const std::string Text = someText(5000);
  std::string Sum = gzipped(Text);
  Sum[Sum.size() - 6] ^= 1;
  for (const size_t Chunk : ChunkSizes) {
    const Outcome Result = readAll(Sum, Chunk);
    EXPECT_EQ(Result.Text, Text);
    EXPECT_EQ(Result.Reason, "the gzip stream is damaged: incorrect data check");
    EXPECT_EQ(Result.Offset, Text.size());
  }
  EXPECT_EQ(
      readAll(std::string("\x1f\x8b\x08nonsense", 11), 100).Reason.find("the gzip stream is "), 0u);
}

TEST(ByteSource, GivesUpWhatInflatesAsNoTraceDoes) {
  std::string Bomb;
  const std::string Part = gzipped(std::string(8 << 20, 'a'));
  for (int I = 0; I < 40; ++I)
    Bomb += Part;
  const TestFolder Folder;
  auto Source = ByteSource::open(Folder.file("bomb.gz", Bomb));
  ASSERT_TRUE(Source);
  for (std::string_view Chunk; !(Chunk = (*Source)->chunk()).empty();)
    (*Source)->take(Chunk.size());
  ASSERT_TRUE((*Source)->error());
  EXPECT_NE((*Source)->error()->Reason.find("more than 200 times"), std::string::npos);
  EXPECT_LT((*Source)->offset(), uint64_t{300} << 20);
}

TEST(ByteSource, RefusesWhatIsNoFile) {
  EXPECT_NE(ByteSource::open("/").error().Reason.find("directory"), std::string::npos);
  EXPECT_FALSE(ByteSource::open("/nonexistent"));
}

} // namespace
