//===- EventScanner.h - finds where the events of a trace end -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trace is one array of millions of small objects. It is cut between two of them
// into windows that a JSON parser takes one by one, so that neither the memory nor
// the largest text that the parser takes limits a trace. The scanner only follows
// quotes and brackets, 64 bytes at a time; whether the text is JSON is the parser's
// to say.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_EVENTSCANNER_H
#define SEAMSCOPE_TOOLS_TRACE_EVENTSCANNER_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace seamscope::tools {

/// Follows the inside of one array over pieces of its text. A quote that a writer did not escape
/// costs one line: no string of JSON holds a raw line break, and so ends before one.
class EventScanner {
public:
  /// One that stops behind the first object or array, which then ends at boundary().
  static EventScanner ofOneEvent() {
    EventScanner Scanner;
    Scanner.StopAtFirst = true;
    return Scanner;
  }

  /// Looks at \p Text, the next piece. After it:
  void scan(std::string_view Text);

  /// bytes of all pieces up to behind the last object or array that ended at the array's own depth;
  uint64_t boundary() const { return Boundary; }
  /// whether the array's own ']' was seen, which then is at boundary();
  bool ended() const { return Ended; }
  /// bytes looked at: up to the ']' when ended().
  uint64_t scanned() const { return Position; }

  /// The first event boundary of \p Text, which begins at one: the bytes up to behind the first
  /// object; all of it when none ends.
  static size_t firstEvent(std::string_view Text);

private:
  // Whole blocks, until the end; where they stopped.
  const char *scanBlocks(const char *Block, const char *End);
  const char *scanBlocksAvx2(const char *Block, const char *End);
  void scanBlock(const char *Block, const char *Piece, unsigned Size);
  void scanBroken(const char *Block, const char *Piece, unsigned Size);
  bool endsLine(const char *Break, const char *Piece) const;
  void breakLine();
  /// An event begins or ends.
  void startLine(uint64_t At) {
    LineDepth = At;
    LastBreak.Newlines = 0;
    Broke &= At != 0;
  }
  /// Whether the end of an object is that of a broken event which seemed to have ended.
  bool isLeftOver(char Close) const { return Broke && Close == '}'; }
  uint64_t bare(uint64_t Quotes, uint64_t Backslashes, unsigned Size);
  void advance(const char *Block, uint64_t Opens, uint64_t Closes, uint64_t Newlines,
               uint64_t Inside, unsigned Size);

  uint64_t Position = 0;
  uint64_t Boundary = 0;
  uint64_t Depth = 0;
  uint64_t LineDepth = 0; ///< where the line began, or the event if it began in this line
  uint64_t InString = 0;  ///< all ones in a string
  struct {
    uint64_t Newlines = 0, Opens = 0, Closes = 0, Depth = 0;
  } LastBreak;          ///< of the last block with a line break, where LineDepth is not up to date
  bool Broke = false;   ///< a line was broken since the last event ended
  bool Escaped = false; ///< the next byte follows an odd number of backslashes
  bool Ended = false;
  bool StopAtFirst = false;
  std::array<char, 16> Tail{}; ///< the last bytes of the piece before
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_EVENTSCANNER_H
