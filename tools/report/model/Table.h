//===- Table.h - rows of a report, computed on request ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_MODEL_TABLE_H
#define SEAMSCOPE_TOOLS_REPORT_MODEL_TABLE_H

#include "report/model/Column.h"
#include "report/model/Value.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace seamscope::tools {

struct Item;

/// How a row stands out.
enum class Emphasis : uint8_t { None, Strong, Faint };

/// A row after all others, for many rows or for none.
struct Summary {
  std::string Label;                               ///< "[unattributed]"
  std::vector<std::pair<std::string, Cell>> Cells; ///< by Column::Key
  uint8_t In = ForPeople;                          ///< Faces

  const Cell *find(std::string_view Key) const {
    const auto Found = std::ranges::find(Cells, Key, [](const auto &Each) { return Each.first; });
    return Found == Cells.end() ? nullptr : &Found->second;
  }
};

/// Rows are requested one by one and in order, so that writers need no memory for them.
struct Table {
  std::string Key;   ///< of the JSON, and the id on the page; dots make nested objects
  std::string Title; ///< heading on the page
  std::vector<Column> Columns;
  size_t Count = 0;
  std::function<Cell(size_t Row, size_t Column)> At;
  uint8_t In = ForAll; ///< Faces

  // For people; empty fields do not apply.
  std::function<size_t(size_t Row)> Depth; ///< in a tree, in preorder; its texts are indented
  std::function<Emphasis(size_t Row)> Stands;
  std::function<std::vector<std::string>(size_t Row)> Notes; ///< lines below the row
  std::function<std::vector<Item>(size_t Row)> Details;      ///< shown by the page's panel
  std::vector<Summary> Summaries;
  size_t Top = SIZE_MAX;     ///< rows of the text; the others are summed in one row
  size_t Data = SIZE_MAX;    ///< rows of data
  std::string More = "more"; ///< what the left-out rows are called
  bool Attached = false;     ///< text: no blank line before it
  /// Text of 120 characters by default, with one blank between columns; JSON: a line for each row.
  bool Dense = false;
  bool Plain = false;       ///< JSON: rows are the values of its only column
  std::string_view Unknown; ///< CSV: text for unknown values

  Table();
  Table(const Table &);
  Table(Table &&) noexcept;
  Table &operator=(const Table &);
  Table &operator=(Table &&) noexcept;
  ~Table();

  /// Notes that of \p Found things only \p Most are in the table, if so.
  void leaveOut(size_t Found, size_t Most, std::string_view What = "more");
  size_t dataRows() const { return std::min(Count, Data); }
  /// Index of the column \p Key; Columns.size(): no such column.
  size_t find(std::string_view Key) const {
    return static_cast<size_t>(std::ranges::find(Columns, Key, &Column::Key) - Columns.begin());
  }
  Cell at(size_t Row, std::string_view Key) const {
    const size_t Index = find(Key);
    return Index < Columns.size() ? At(Row, Index) : Cell();
  }
};

/// What the result type T of a function implies for its column in JSON: the type, and whether null
/// is possible. A Value or a Cell implies nothing.
template <typename T> struct JsonOf {
  static constexpr const char *Type = std::same_as<T, bool>                          ? "boolean"
                                      : std::integral<T>                             ? "integer"
                                      : std::floating_point<T>                       ? "number"
                                      : std::constructible_from<std::string_view, T> ? "string"
                                                                                     : "";
  /// NaN and infinities become null.
  static constexpr bool Nullable = !*Type || std::floating_point<T>;
};
template <typename T> struct JsonOf<std::optional<T>> : JsonOf<T> {
  static constexpr bool Nullable = true;
};

/// A column, and its value for a row of type T: anything that std::invoke accepts with a row, such
/// as a pointer to a member.
template <typename T> struct Field : Column {
  std::function<Cell(const T &)> Get;

  template <typename F> Field(Column Head, F Of) : Column(std::move(Head)), Get(std::move(Of)) {
    using Given = JsonOf<std::remove_cvref_t<std::invoke_result_t<const F &, const T &>>>;
    Nullable = Nullable && Given::Nullable;
    if (Type.empty())
      Type = Given::Type;
  }
};

template <typename T> using Fields = std::vector<Field<T>>;

/// \p Inner of the result of \p Outer for a row.
template <typename F, typename G> auto member(F Outer, G Inner) {
  return [Outer, Inner](const auto &Row) { return std::invoke(Inner, std::invoke(Outer, Row)); };
}
/// A member that is a text or a number; nothing if it is empty or 0.
template <typename T, typename M> auto orNull(M T::*Member) {
  return [Member](const auto &Row) {
    if constexpr (std::integral<M>)
      return unlessZero(std::invoke(Member, Row));
    else
      return textOrNull(std::invoke(Member, Row));
  };
}

template <typename T> std::vector<Column> columnsOf(const Fields<T> &Of) {
  return {Of.begin(), Of.end()};
}

/// One table row for each element of \p Rows, which must outlive the table.
template <typename T>
Table makeTable(std::string Key, std::string Title, std::span<const T> Rows, Fields<T> Of) {
  Table Made;
  Made.Key = std::move(Key);
  Made.Title = std::move(Title);
  Made.Columns = columnsOf(Of);
  Made.Count = Rows.size();
  Made.At = [Rows, Of = std::make_shared<const Fields<T>>(std::move(Of))](
                size_t Row, size_t Column) { return (*Of)[Column].Get(Rows[Row]); };
  return Made;
}

/// A table that owns its rows.
template <typename T>
Table makeTable(std::string Key, std::string Title, std::vector<T> Rows, Fields<T> Of) {
  auto Held = std::make_shared<const std::vector<T>>(std::move(Rows));
  Table Made =
      makeTable(std::move(Key), std::move(Title), std::span<const T>(*Held), std::move(Of));
  Made.At = [Held, Inner = std::move(Made.At)](size_t Row, size_t Column) {
    return Inner(Row, Column);
  };
  return Made;
}

/// For scripts only.
inline Table forJson(Table Of) {
  Of.In = ForJson;
  return Of;
}
template <typename T> Fields<T> forJson(Fields<T> Of) {
  for (Field<T> &Each : Of)
    Each.In = ForJson;
  return Of;
}
/// For scripts, and for people if it has rows.
inline Table shownIfAny(Table Of, uint8_t People = ForPeople) {
  Of.In = ForJson | (Of.Count ? People : 0);
  return Of;
}

/// A column whose values are records: \p Get returns a span or a vector of them.
template <typename T, typename R, typename F>
Field<T> rowsField(std::string Key, std::string Help, Fields<R> Of, F Get) {
  Column Head(std::move(Key), "", Unit::Rows, std::move(Help));
  Head.Nested = std::make_shared<const std::vector<Column>>(columnsOf(Of));
  Head.Nullable = false;
  auto Inner = std::make_shared<const Fields<R>>(std::move(Of));
  return {std::move(Head), [Inner, Get = std::move(Get)](const T &Row) -> Cell {
            auto Rows = Get(Row);
            using Given = decltype(Rows);
            if constexpr (std::same_as<Given, std::span<const R>>)
              return Value(std::make_shared<const Table>(makeTable("", "", Rows, *Inner)));
            else
              return Value(std::make_shared<const Table>(
                  makeTable("", "", std::vector<R>(std::move(Rows)), *Inner)));
          }};
}

/// The records in a member.
template <typename T, typename R>
Field<T> rowsField(std::string Key, std::string Help, Fields<R> Of, std::vector<R> T::*Member) {
  return rowsField<T>(std::move(Key), std::move(Help), std::move(Of),
                      [Member](const T &Row) { return std::span<const R>(Row.*Member); });
}

/// One record as a value.
template <typename R> Value recordOf(const R &Of, const Fields<R> &Columns) {
  return Value::Record{
      std::make_shared<const Table>(makeTable("", "", std::vector<R>(1, Of), Columns))};
}

/// A column whose value is one record: \p Get returns a pointer to it, null if there is none.
template <typename T, typename R, typename F>
Field<T> recordField(std::string Key, std::string Help, Fields<R> Of, F Get) {
  Column Head(std::move(Key), "", Unit::Record, std::move(Help));
  Head.Nested = std::make_shared<const std::vector<Column>>(columnsOf(Of));
  auto Inner = std::make_shared<const Fields<R>>(std::move(Of));
  return {std::move(Head), [Inner, Get = std::move(Get)](const T &Row) -> Cell {
            const R *Only = Get(Row);
            return Only ? Cell(recordOf(*Only, *Inner)) : Cell();
          }};
}

/// Rows that \p Has refuses lack the key.
template <typename T, typename F> Field<T> fieldIf(F Has, Field<T> Of) {
  Of.Optional = true;
  Of.Get = [Has, Inner = std::move(Of.Get)](const T &Row) {
    return Has(Row) ? Inner(Row) : Cell(Value(Absent()));
  };
  return Of;
}

/// Rows without a value lack the key.
template <typename T> Field<T> optionalField(Field<T> Of) {
  Of.Optional = true;
  Of.Get = [Inner = std::move(Of.Get)](const T &Row) {
    Cell Known = Inner(Row);
    return Known.Data.isKnown() ? Known : Cell(Value(Absent()));
  };
  return Of;
}

/// Some rows and columns of \p From, for people: \p Rows by number and \p Keys, in the given order.
/// The first column is called \p Title.
Table view(const Table &From, std::string Title, std::vector<size_t> Rows,
           const std::vector<std::string> &Keys);

/// 0, 1, ... \p Count - 1.
std::vector<size_t> allRows(size_t Count);

/// Applies \p Of to a record, if there is one.
template <typename T, typename R, typename F> Fields<T> fieldsOf(const Fields<R> &Of, F Get) {
  Fields<T> Made;
  for (const Field<R> &Each : Of)
    Made.push_back({static_cast<const Column &>(Each), member(Get, Each.Get)});
  return Made;
}

/// Appends \p More to \p To.
template <typename T> void append(Fields<T> &To, Fields<T> More) {
  To.insert(To.end(), std::make_move_iterator(More.begin()), std::make_move_iterator(More.end()));
}

/// A line of a table whose rows are not records: absent values stay empty.
struct TreeLine {
  Cell Name;
  std::vector<std::pair<const char *, Cell>> Cells; ///< by Column::Key
  size_t Depth = 0;
  Emphasis Stands = Emphasis::None;
  std::vector<std::string> Notes = {};
};

/// A table for people of such lines.
Table treeTable(std::string Key, std::string Title, std::vector<Column> Columns,
                std::vector<TreeLine> Lines);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_MODEL_TABLE_H
