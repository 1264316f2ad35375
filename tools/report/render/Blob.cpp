//===- Blob.cpp - the events of a timeline, packed for the page ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/Blob.h"

#include <zlib.h>

namespace seamscope::tools {
namespace {

void addNumber(std::string &To, uint64_t Number) {
  for (; Number >= 0x80; Number >>= 7)
    To += static_cast<char>(0x80 | (Number & 0x7f));
  To += static_cast<char>(Number);
}

/// Takes bytes in pieces of any size.
class Base64 {
public:
  explicit Base64(const WriteText &Write) : Write(Write) {}

  void add(std::string_view Bytes) {
    Pending += Bytes;
    encode(Pending.size() / 3 * 3);
  }
  void end() {
    const size_t Rest = Pending.size();
    if (!Rest)
      return;
    Pending.resize(3);
    std::string Last = encoded(Pending);
    for (size_t I = Rest; I < 3; ++I)
      Last[I + 1] = '=';
    Write(Last);
  }

private:
  static std::string encoded(std::string_view Bytes) {
    constexpr char Digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string Text;
    Text.reserve(Bytes.size() / 3 * 4);
    for (size_t I = 0; I + 2 < Bytes.size(); I += 3) {
      const auto At = [&](size_t Index) {
        return static_cast<uint32_t>(static_cast<unsigned char>(Bytes[Index]));
      };
      const uint32_t Three = At(I) << 16 | At(I + 1) << 8 | At(I + 2);
      for (int Shift = 18; Shift >= 0; Shift -= 6)
        Text += Digits[Three >> Shift & 63];
    }
    return Text;
  }
  void encode(size_t Count) {
    if (!Count)
      return;
    Write(encoded(std::string_view(Pending).substr(0, Count)));
    Pending.erase(0, Count);
  }

  const WriteText &Write;
  std::string Pending;
};

} // namespace

std::string laneBytes(const Timeline &Of, const Timeline::Lane &Lane) {
  std::string Bytes;
  int64_t Before = 0;
  for (const uint32_t Number : Lane.Events) {
    const Timeline::Event &Each = Of.Events[Number];
    addNumber(Bytes, static_cast<uint64_t>(Each.BeginNs - Before));
    addNumber(Bytes, static_cast<uint64_t>(Each.DurationNs));
    addNumber(Bytes, Each.Name);
    Before = Each.BeginNs;
  }
  return Bytes;
}

void writeBlob(const Timeline &Of, const WriteText &Write) {
  constexpr int Gzip = 16 + MAX_WBITS;
  z_stream Deflate{};
  deflateInit2(&Deflate, Z_DEFAULT_COMPRESSION, Z_DEFLATED, Gzip, 8, Z_DEFAULT_STRATEGY);
  Base64 Out(Write);
  std::string Piece(1 << 16, '\0');
  const auto Feed = [&](std::string &Bytes, int Flush) {
    Deflate.next_in = reinterpret_cast<Bytef *>(Bytes.data());
    Deflate.avail_in = static_cast<uInt>(Bytes.size());
    do {
      Deflate.next_out = reinterpret_cast<Bytef *>(Piece.data());
      Deflate.avail_out = static_cast<uInt>(Piece.size());
      deflate(&Deflate, Flush);
      Out.add(std::string_view(Piece).substr(0, Piece.size() - Deflate.avail_out));
    } while (!Deflate.avail_out);
  };
  for (const Timeline::Lane &Each : Of.Lanes) {
    std::string Bytes = laneBytes(Of, Each);
    Feed(Bytes, Z_NO_FLUSH);
  }
  std::string Nothing;
  Feed(Nothing, Z_FINISH);
  deflateEnd(&Deflate);
  Out.end();
}

} // namespace seamscope::tools
