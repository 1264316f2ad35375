//===- Value.h - the values of a report's cells ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_MODEL_VALUE_H
#define SEAMSCOPE_TOOLS_REPORT_MODEL_VALUE_H

#include <concepts>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace seamscope::tools {

// Sections make values, cells, columns and tables in hundreds of places: copying and destroying
// them is compiled once, not inlined everywhere.

struct Table;

/// Not applicable: scripts do not see the key at all.
struct Absent {};

/// A place in a source file; 0 and empty if not known.
struct Place {
  std::string_view File;
  uint32_t Line = 0, Column = 0;
};

/// One value. std::monostate: not known, null for scripts and "-" for people. Views of texts live
/// as long as the trace.
struct Value {
  using List = std::vector<Value>;
  /// Rows of records within a record.
  using Rows = std::shared_ptr<const Table>;
  /// One record within a record: the only row of a table.
  struct Record {
    Rows Only;
  };

  std::variant<std::monostate, Absent, bool, int64_t, uint64_t, double, std::string_view,
               std::string, Place, List, Rows, Record>
      Held;

  Value() = default;
  Value(const Value &);
  Value(Value &&) noexcept;
  Value &operator=(const Value &);
  Value &operator=(Value &&) noexcept;
  ~Value();
  Value(std::nullopt_t) {}
  Value(Absent) : Held(Absent()) {}
  Value(bool Is) : Held(Is) {}
  template <std::signed_integral T> Value(T Number) : Held(static_cast<int64_t>(Number)) {}
  template <std::unsigned_integral T> Value(T Number) : Held(static_cast<uint64_t>(Number)) {}
  Value(double Number) : Held(Number) {}
  Value(const char *Text) : Held(std::string_view(Text)) {}
  Value(std::string_view Text) : Held(Text) {}
  Value(std::string Text) : Held(std::move(Text)) {}
  Value(const Place &Where) : Held(Where) {}
  Value(List Values) : Held(std::move(Values)) {}
  Value(Rows Nested) : Held(std::move(Nested)) {}
  Value(Record Nested) : Held(std::move(Nested)) {}
  template <typename T> Value(const std::optional<T> &Known) {
    if (Known)
      *this = Value(*Known);
  }

  bool isKnown() const { return Held.index() > 1; }
  bool isAbsent() const { return std::holds_alternative<Absent>(Held); }
  template <typename T> const T *as() const { return std::get_if<T>(&Held); }
  /// The value of a number; else nothing.
  std::optional<double> number() const;
  /// The same for integers; unsigned ones wrap.
  std::optional<int64_t> whole() const;
};

/// \p Text, or nothing if it is empty.
inline Value textOrNull(std::string_view Text) { return Text.empty() ? Value() : Value(Text); }
/// \p Number, or nothing if it is 0.
template <typename T> Value unlessZero(T Number) { return Number ? Value(Number) : Value(); }
/// \p Number, or nothing if it is below 0.
template <typename T> Value unlessNegative(T Number) {
  return Number < 0 ? Value() : Value(Number);
}
/// \p Known; without it, the row lacks the key.
template <typename T> Value orAbsent(const std::optional<T> &Known) {
  return Known ? Value(*Known) : Value(Absent());
}
/// A list of all elements of \p Range.
template <typename R> Value listOf(const R &Range) {
  return Value::List(std::begin(Range), std::end(Range));
}

/// A value, and its text for people if that differs from its unit's form.
struct Cell {
  Value Data;
  std::optional<std::string> Shown = {}; ///< untrusted text is escaped by the output format

  Cell() = default;
  Cell(const Cell &);
  Cell(Cell &&) noexcept;
  Cell &operator=(const Cell &);
  Cell &operator=(Cell &&) noexcept;
  ~Cell();
  template <typename T>
    requires std::constructible_from<Value, T &&>
  Cell(T &&Of) : Data(std::forward<T>(Of)) {}
  Cell(Value Of, std::string Text) : Data(std::move(Of)), Shown(std::move(Text)) {}
  /// With a text only if it says more than the value.
  Cell(Value Of, std::optional<std::string> Text) : Data(std::move(Of)), Shown(std::move(Text)) {}
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_MODEL_VALUE_H
