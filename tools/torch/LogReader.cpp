//===- LogReader.cpp - the records of a structured log of torch -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/LogReader.h"
#include "torch/SourceLine.h"

namespace seamscope::tools {

Result<LogReader> LogReader::open(const std::string &Path) {
  auto Source = ByteSource::openRegular(Path);
  if (!Source)
    return Source.error();
  return LogReader(std::move(*Source));
}

char LogReader::peek() {
  const std::string_view Chunk = Source->chunk();
  return Chunk.empty() ? 0 : Chunk[0];
}

bool LogReader::readLine() {
  Line.clear();
  bool Any = false, TooLong = false;
  for (;;) {
    const std::string_view Chunk = Source->chunk();
    if (Chunk.empty())
      break;
    Any = true;
    const size_t End = Chunk.find('\n');
    const std::string_view Part = Chunk.substr(0, End);
    if (Line.size() + Part.size() > Limit)
      TooLong = true;
    else if (!TooLong)
      Line += Part;
    Source->take(End == Chunk.npos ? Chunk.size() : End + 1);
    if (End != Chunk.npos)
      break;
  }
  if (TooLong)
    Line.clear();
  return Any;
}

bool LogReader::isRecord() {
  std::string_view Text = Line;
  std::optional<uint32_t> RecordRank;
  constexpr std::string_view RankStart = "[rank", RankEnd = "]:";
  if (Text.starts_with(RankStart)) {
    const size_t End = Text.find(RankEnd);
    if (End == Text.npos)
      return false;
    RecordRank = parseUnsigned(Text.substr(RankStart.size(), End - RankStart.size()));
    Text.remove_prefix(End + RankEnd.size());
  }
  // V0130 08:26:16.891000 28899 torch/_inductor/graph.py:27] {
  constexpr std::string_view Levels = "VDIWEC";
  if (Text.size() < 5 || Levels.find(Text[0]) == Levels.npos || !parseUnsigned(Text.substr(1, 4)))
    return false;
  const size_t At = Text.find("] {");
  if (At == Text.npos)
    return false;
  std::string_view Prefix = Text.substr(0, At);
  Process = 0;
  for (unsigned Word = 0; Word < 3 && !Prefix.empty(); ++Word) {
    const size_t Blank = Prefix.find(' ');
    if (Word == 2)
      Process = parseUnsigned(Prefix.substr(0, Blank)).value_or(0);
    Prefix.remove_prefix(Blank == Prefix.npos ? Prefix.size() : Blank + 1);
  }
  Rank = RecordRank;
  Json.assign(Text.substr(At + 2));
  return true;
}

bool LogReader::next() {
  while (readLine())
    if (!Line.empty() && Line[0] != '\t' && isRecord())
      return true;
  return false;
}

std::string_view LogReader::kind() const {
  const std::string_view Text = Json;
  if (!Text.starts_with("{\""))
    return {};
  const size_t End = Text.find('"', 2);
  return End == Text.npos ? std::string_view() : Text.substr(2, End - 2);
}

bool LogReader::payload(std::string &Text) {
  Text.clear();
  bool Any = false, TooLong = false;
  while (peek() == '\t' && readLine()) {
    // A line beyond the limit is empty, without even its tab.
    TooLong = TooLong || Line.empty() || Text.size() + Line.size() > Limit;
    if (TooLong) {
      Text.clear();
      continue;
    }
    if (Any)
      Text += '\n';
    Any = true;
    Text.append(Line, 1);
  }
  return Any && !TooLong;
}

} // namespace seamscope::tools
