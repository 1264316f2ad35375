//===- Packed.cpp - compressed data in the page --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/Packed.h"

#include <zlib.h>

namespace seamscope::tools {
namespace {

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

struct PackedWriter::State {
  explicit State(const WriteText &Write) : Out(Write), Piece(1 << 16, '\0') {
    constexpr int Gzip = 16 + MAX_WBITS;
    deflateInit2(&Deflate, Z_DEFAULT_COMPRESSION, Z_DEFLATED, Gzip, 8, Z_DEFAULT_STRATEGY);
  }
  ~State() { deflateEnd(&Deflate); }
  State(const State &) = delete;
  State &operator=(const State &) = delete;

  void feed(std::string_view Bytes, int Flush) {
    // zlib's interface is not const, but it does not write there.
    Deflate.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Bytes.data()));
    Deflate.avail_in = static_cast<uInt>(Bytes.size());
    do {
      Deflate.next_out = reinterpret_cast<Bytef *>(Piece.data());
      Deflate.avail_out = static_cast<uInt>(Piece.size());
      deflate(&Deflate, Flush);
      Out.add(std::string_view(Piece).substr(0, Piece.size() - Deflate.avail_out));
    } while (!Deflate.avail_out);
  }

  z_stream Deflate{};
  Base64 Out;
  std::string Piece;
};

PackedWriter::PackedWriter(const WriteText &Write) : Its(std::make_unique<State>(Write)) {}
PackedWriter::~PackedWriter() = default;

void PackedWriter::add(std::string_view Bytes) {
  // zlib counts in 32 bits.
  constexpr size_t Most = size_t{1} << 30;
  for (; Bytes.size() > Most; Bytes.remove_prefix(Most))
    Its->feed(Bytes.substr(0, Most), Z_NO_FLUSH);
  Its->feed(Bytes, Z_NO_FLUSH);
}

void PackedWriter::end() {
  Its->feed({}, Z_FINISH);
  Its->Out.end();
}

void addVarint(std::string &To, uint64_t Number) {
  for (; Number >= 0x80; Number >>= 7)
    To += static_cast<char>(0x80 | (Number & 0x7f));
  To += static_cast<char>(Number);
}

std::string laneBytes(const Timeline &Of, const Timeline::Lane &Lane) {
  std::string Bytes;
  int64_t Before = 0;
  for (const uint32_t Number : Lane.Events) {
    const Timeline::Event &Each = Of.Events[Number];
    addVarint(Bytes, static_cast<uint64_t>(Each.BeginNs - Before));
    addVarint(Bytes, static_cast<uint64_t>(Each.DurationNs));
    addVarint(Bytes, Each.Name);
    Before = Each.BeginNs;
  }
  return Bytes;
}

} // namespace seamscope::tools
