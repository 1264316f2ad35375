//===- Document.cpp - a report before it has a format -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/model/Document.h"

#include <numeric>

#include <fmt/format.h>

namespace seamscope::tools {

Value::Value(const Value &) = default;
Value::Value(Value &&) noexcept = default;
Value &Value::operator=(const Value &) = default;
Value &Value::operator=(Value &&) noexcept = default;
Value::~Value() = default;

Cell::Cell(const Cell &) = default;
Cell::Cell(Cell &&) noexcept = default;
Cell &Cell::operator=(const Cell &) = default;
Cell &Cell::operator=(Cell &&) noexcept = default;
Cell::~Cell() = default;

Table::Table() = default;
Table::Table(const Table &) = default;
Table::Table(Table &&) noexcept = default;
Table &Table::operator=(const Table &) = default;
Table &Table::operator=(Table &&) noexcept = default;
Table::~Table() = default;

Item::Item(const Item &) = default;
Item::Item(Item &&) noexcept = default;
Item &Item::operator=(const Item &) = default;
Item &Item::operator=(Item &&) noexcept = default;
Item::~Item() = default;

std::optional<int64_t> Value::whole() const {
  if (const auto *Signed = as<int64_t>())
    return *Signed;
  if (const auto *Unsigned = as<uint64_t>())
    return static_cast<int64_t>(*Unsigned);
  return std::nullopt;
}

std::optional<double> Value::number() const {
  if (const auto *Unsigned = as<uint64_t>())
    return static_cast<double>(*Unsigned);
  if (const auto Whole = whole())
    return static_cast<double>(*Whole);
  if (const auto *Real = as<double>())
    return *Real;
  return std::nullopt;
}

void Table::leaveOut(size_t Found, size_t Most, std::string_view What) {
  if (Found > Most)
    Summaries.push_back({fmt::format("[{} {}]", Found - Most, What), {}});
}

Table view(const Table &From, std::string Title, std::vector<size_t> Rows,
           const std::vector<std::string> &Keys) {
  Table Made;
  Made.Key = From.Key + "-view";
  Made.Title = Title;
  Made.In = ForText;
  Made.Count = Rows.size();
  std::vector<size_t> Numbers;
  for (const std::string &Key : Keys) {
    Numbers.push_back(From.find(Key));
    Made.Columns.push_back(From.Columns[Numbers.back()]);
    Made.Columns.back().In |= ForText;
  }
  Made.Columns[0].Title = std::move(Title);
  auto Held = std::make_shared<const std::vector<size_t>>(std::move(Rows));
  Made.At = [At = From.At, Held, Numbers = std::move(Numbers)](size_t Row, size_t Column) {
    return At((*Held)[Row], Numbers[Column]);
  };
  const auto Mapped = [&](const auto &Of) -> std::remove_cvref_t<decltype(Of)> {
    if (!Of)
      return nullptr;
    return [Of, Held](size_t Row) { return Of((*Held)[Row]); };
  };
  Made.Depth = Mapped(From.Depth);
  Made.Stands = Mapped(From.Stands);
  Made.Notes = Mapped(From.Notes);
  Made.Details = Mapped(From.Details);
  Made.Summaries = From.Summaries;
  Made.Top = From.Top;
  Made.More = From.More;
  return Made;
}

Table treeTable(std::string Key, std::string Title, std::vector<Column> Columns,
                std::vector<TreeLine> Lines) {
  Table Made;
  Made.Key = std::move(Key);
  Made.Title = std::move(Title);
  Made.In = ForPeople;
  Made.Columns = std::move(Columns);
  Made.Count = Lines.size();
  auto Held = std::make_shared<const std::vector<TreeLine>>(std::move(Lines));
  std::vector<std::string> Keys;
  for (const Column &Each : Made.Columns)
    Keys.push_back(Each.Key);
  Made.At = [Held, Keys](size_t Row, size_t Column) -> Cell {
    const TreeLine &Line = (*Held)[Row];
    if (!Column)
      return Line.Name;
    for (const auto &[Name, Value] : Line.Cells)
      if (Name == Keys[Column])
        return Value;
    return Value(Absent());
  };
  Made.Depth = [Held](size_t Row) { return (*Held)[Row].Depth; };
  Made.Stands = [Held](size_t Row) { return (*Held)[Row].Stands; };
  Made.Notes = [Held](size_t Row) { return (*Held)[Row].Notes; };
  return Made;
}

std::vector<size_t> allRows(size_t Count) {
  std::vector<size_t> Rows(Count);
  std::iota(Rows.begin(), Rows.end(), size_t{0});
  return Rows;
}

const Table *findTable(const Document &Of, std::string_view Key) {
  for (const Section &Each : Of.Sections)
    for (const Item &One : Each.Items)
      if (const Table *Found = One.as<Table>(); Found && Found->Key == Key)
        return Found;
  return nullptr;
}

Table *findTable(Document &Of, std::string_view Key) {
  return const_cast<Table *>(findTable(std::as_const(Of), Key));
}

} // namespace seamscope::tools
