//===- ColumnStream.cpp - tables of numbers and texts from a pipe ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/columns/ColumnStream.h"

#include "trace/chrome/JsonFields.h"
#include "trace/io/JsonParse.h"

#include <algorithm>
#include <bit>

namespace seamscope::tools {

static_assert(std::endian::native == std::endian::little);

/// More rows or bytes at once are a mistake.
static constexpr size_t RowLimit = size_t{1} << 24, ByteLimit = size_t{1} << 32;

const StreamColumn *StreamBatch::find(std::string_view Name) const {
  const auto Found = std::ranges::find(Columns, Name, &StreamColumn::Name);
  return Found == Columns.end() ? nullptr : &*Found;
}

bool ColumnStream::fail(std::string Why) {
  Failed = Error{Path, {}, std::move(Why)};
  return false;
}

template <typename T> bool ColumnStream::read(std::vector<T> &Into, size_t Count) {
  Into.resize(Count);
  return fread(Into.data(), sizeof(T), Count, From) == Count || cutOff();
}

bool ColumnStream::readColumn(StreamColumn &Into, const std::string &Kind, size_t Rows) {
  if (Kind != "number")
    Into.Numbers.clear();
  if (Kind != "real")
    Into.Reals.clear();
  Into.Texts.clear();
  if (Kind == "number")
    return read(Into.Numbers, Rows);
  if (Kind == "real")
    return read(Into.Reals, Rows);
  if (Kind != "text")
    return fail("has a column of a kind that this tool does not know");
  std::vector<int32_t> Lengths;
  if (!read(Lengths, Rows))
    return false;
  size_t Bytes = 0;
  for (const int32_t Length : Lengths)
    Bytes += Length < 0 ? ByteLimit : static_cast<size_t>(Length);
  if (Bytes >= ByteLimit)
    return fail("has too long texts");
  for (const int32_t Length : Lengths) {
    std::string &Text = Into.Texts.emplace_back(static_cast<size_t>(Length), '\0');
    if (fread(Text.data(), 1, Text.size(), From) != Text.size())
      return cutOff();
  }
  return true;
}

bool ColumnStream::next(StreamBatch &Into) {
  std::string Line;
  for (int C; (C = fgetc(From)) != '\n';) {
    if (C == EOF || Line.size() > 1 << 20)
      return cutOff();
    Line += static_cast<char>(C);
  }
  const nlohmann::json Head = parseJson(Line);
  if (const std::string Why = textOf(Head, "error"); !Why.empty())
    return fail(Why);
  if (!member(Head, "end").is_null())
    return false;
  // What the last batch had is written over: new memory for each would cost more than the rest.
  Into.Table = textOf(Head, "table");
  Into.Rows = countOf(Head, "rows");
  if (Into.Rows > RowLimit)
    return fail("has too many rows at once");
  const nlohmann::json &Columns = member(Head, "columns");
  Into.Columns.resize(Columns.size());
  auto Next = Into.Columns.begin();
  for (const nlohmann::json &Each : Columns) {
    if (!Each.is_array() || Each.size() != 2 || !Each[0].is_string() || !Each[1].is_string())
      return fail("has a column without a name");
    StreamColumn &Column = *Next++;
    Column.Name = Each[0].get<std::string>();
    if (!readColumn(Column, Each[1].get<std::string>(), Into.Rows))
      return false;
  }
  return true;
}

} // namespace seamscope::tools
