//===- Column.h - one column of a report, declared once ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_MODEL_COLUMN_H
#define SEAMSCOPE_TOOLS_REPORT_MODEL_COLUMN_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// What the numbers of a column are, which decides how they are shown to people. Scripts get them
/// unchanged.
enum class Unit : uint8_t {
  Name,    ///< text of a trace or program: untrusted
  Text,    ///< words
  Count,   ///< of things
  Ns,      ///< time
  Change,  ///< a difference of times in ns, with its sign
  Percent, ///< 0 to 100
  Ratio,   ///< without unit, two decimals
  Rate,    ///< shown in units of Column::Scale
  Bytes,   ///< of memory or of a file
  Flop,    ///< floating-point operations
  Place,   ///< file, line and column of a source
  Flag,    ///< true or false
  List,    ///< texts or numbers
  Spark,   ///< numbers, drawn as a line
  Rows,    ///< of records
  Record,  ///< one record
};

/// Readers of a document; bits.
enum Faces : uint8_t {
  ForText = 1,
  ForJson = 2,
  ForCsv = 4,
  ForHtml = 8,
  ForPeople = ForText | ForHtml,
  ForData = ForJson | ForCsv,
  ForAll = ForPeople | ForData,
};

/// Whether more is better or worse; shown by colours.
enum class Better : uint8_t { Neither, Less, More };

/// A column of a table, or a single value. It determines the column of the text, the header of the
/// CSV, the key of the JSON and its entry in the schema, the tooltip of the page and the entry in
/// the manual.
struct Column {
  std::string Key;   ///< "total_ns"; for a value in an object within the row, "gap.total_ns"
  std::string Title; ///< for people; empty: only in data
  Unit Of = Unit::Text;
  std::string Help;      ///< what it is, with its unit; part of a sentence
  uint8_t In = ForAll;   ///< Faces
  bool Sums = false;     ///< values of left-out rows are summed
  bool Left = false;     ///< aligned as text is
  bool Optional = false; ///< a row may lack the key
  bool Wide = false;     ///< on the page: can be chosen, but is not shown at first
  Better Good = Better::Neither;
  double Scale = 1;     ///< of a Rate: 1e9 of bytes/s shows GB/s
  size_t Cut = 0;       ///< usual width of a text in characters; 0: never cut
  size_t Least = 16;    ///< least width to which a narrow line may cut it
  std::string Header;   ///< in the CSV, if it differs from the key
  std::string Chosen;   ///< its name for --columns; empty: cannot be chosen
  bool Nullable = true; ///< may be unknown; false: never null in data
  std::string Type;     ///< type of its values in JSON Schema, "integer|string"; empty: by its unit
  std::shared_ptr<const std::vector<Column>> Nested; ///< for Rows and Record

  Column(std::string Key, std::string Title, Unit Of, std::string Help);
  /// A column only for data.
  Column(std::string Key, Unit Of, std::string Help);
  Column(const Column &);
  Column(Column &&) noexcept;
  Column &operator=(const Column &);
  Column &operator=(Column &&) noexcept;
  ~Column();

  Column sum() const;
  Column left() const;
  Column optional() const;
  /// Not in the text by default.
  Column aside() const;
  Column wide() const;
  Column cut(size_t Width) const;
  Column least(size_t Width) const;
  Column scaled(double Unit) const;
  Column better(Better Which) const;
  Column in(unsigned Which) const;
  Column titled(std::string Text) const;
  Column keyed(std::string Text) const;
  Column chosen(std::string Name) const;
  Column header(std::string Name) const;
  Column typed(std::string Names) const;
  Column helped(std::string Text) const;

  bool isText() const {
    return Of == Unit::Name || Of == Unit::Text || Of == Unit::Place || Of == Unit::List;
  }
};

/// Columns that many tables share.
namespace column {
Column name(std::string Title);
Column calls();
Column total();
Column self();
Column wait();
Column busy();
Column imbalance();
Column source();
/// A part in percent of what \p Of says.
Column percent(std::string Key, std::string Title, std::string Of);
} // namespace column

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_MODEL_COLUMN_H
