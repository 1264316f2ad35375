//===- ArrowTable.h - columns as Arrow has them -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_COLUMNS_ARROWTABLE_H
#define SEAMSCOPE_TOOLS_COLUMNS_ARROWTABLE_H

#include "seamscope/trace.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// What every consumer has: Spark refuses files with unsigned numbers or flags of other widths.
enum class ArrowType : uint8_t { Int32, Int64, Double, Text, Name };

/// Texts one after the other, as UTF-8: what is not UTF-8 becomes U+FFFD.
class ArrowTexts {
public:
  ArrowTexts() : Ends{0} {}
  void add(std::string_view Text);
  size_t size() const { return Ends.size() - 1; }
  /// Whether Arrow's offsets can name all of it: less than 2 GiB.
  bool fits() const { return Bytes.size() <= INT32_MAX; }
  const int32_t *offsets() const { return Ends.data(); }
  const char *data() const { return Bytes.data(); }

private:
  std::vector<int32_t> Ends;
  std::string Bytes;
};

/// A column of a table: one value for each row.
class ArrowColumn {
public:
  ArrowColumn(std::string Name, ArrowType Type, std::string Help)
      : Name(std::move(Name)), Help(std::move(Help)), Type(Type) {}

  // A value for the next row, of the column's type; Name: the index of a text in the dictionary.
  void add(int64_t Value);
  void add(double Value);
  void add(std::string_view Value);
  void addNull();
  void reserve(size_t Rows);

  size_t size() const { return Rows; }
  int64_t nulls() const { return Nulls; }
  /// A bit for each row; null: no row is null.
  const uint8_t *valid() const { return Nulls ? Valid.data() : nullptr; }
  /// Numbers, or the offsets of texts.
  const void *values() const;
  /// Of texts.
  const char *bytes() const { return Texts.data(); }
  bool fits() const { return Texts.fits(); }

  const std::string Name, Help;
  const ArrowType Type;

private:
  void mark(bool IsValid);

  size_t Rows = 0;
  int64_t Nulls = 0;
  std::vector<uint8_t> Valid;
  std::vector<int32_t> Narrow;
  std::vector<int64_t> Wide;
  std::vector<double> Real;
  ArrowTexts Texts;
};

struct ArrowTable {
  std::string Name;
  std::vector<ArrowColumn> Columns;        ///< of equal length
  std::shared_ptr<const ArrowTexts> Names; ///< the dictionary; null: no column has ArrowType::Name

  size_t rows() const { return Columns.empty() ? 0 : Columns[0].size(); }
};

/// Makes a stream of \p Of, in batches of at most \p BatchRows rows. It keeps the table alive.
void streamTable(std::shared_ptr<const ArrowTable> Of, ArrowArrayStream &To,
                 size_t BatchRows = size_t{1} << 20);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_COLUMNS_ARROWTABLE_H
