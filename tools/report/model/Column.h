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

/// What the numbers of a column are, which decides how people see them. Data have them as they are.
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
  List,    ///< of texts or numbers
  Spark,   ///< of numbers, drawn as a line
  Rows,    ///< of records
  Record,  ///< one record
};

/// What reads a document; bits.
enum Faces : uint8_t {
  ForText = 1,
  ForJson = 2,
  ForCsv = 4,
  ForHtml = 8,
  ForPeople = ForText | ForHtml,
  ForData = ForJson | ForCsv,
  ForAll = ForPeople | ForData,
};

/// What is good of a number; colours say it.
enum class Better : uint8_t { Neither, Less, More };

/// A column of a table, or a value that stands alone. From this come the column of the text, the
/// header of the CSV, the key of the JSON and its entry in the schema, the tooltip of the page and
/// the entry in the manual.
struct Column {
  std::string Key;   ///< "total_ns"; of a value in an object within the row "gap.total_ns"
  std::string Title; ///< for people; empty: data have it alone
  Unit Of = Unit::Text;
  std::string Help;      ///< what it is, with its unit; a part of a sentence
  uint8_t In = ForAll;   ///< Faces
  bool Sums = false;     ///< rows that are left out are added up
  bool Left = false;     ///< aligned as text is
  bool Optional = false; ///< a row may lack the key
  bool Wide = false;     ///< on the page: offered, and not shown at first
  Better Good = Better::Neither;
  double Scale = 1;     ///< of a Rate: 1e9 of bytes/s shows GB/s
  size_t Cut = 0;       ///< usual width of a text in characters; 0: never cut
  size_t Least = 16;    ///< to which a narrow line may cut it
  std::string Header;   ///< of the CSV, where that is not the key
  std::string Chosen;   ///< what --columns calls it; empty: it can't be chosen
  bool Nullable = true; ///< it may be unknown; false: data never have null
  std::string Type;     ///< of its values in JSON Schema, "integer|string"; empty: by its unit
  std::shared_ptr<const std::vector<Column>> Nested; ///< of Rows and Record

  Column(std::string Key, std::string Title, Unit Of, std::string Help)
      : Key(std::move(Key)), Title(std::move(Title)), Of(Of), Help(std::move(Help)),
        Left(Of == Unit::Place) {
    if (this->Title.empty())
      In = ForData;
    if (Of == Unit::Rows || Of == Unit::Record || Of == Unit::List)
      In = ForJson;
  }
  /// One that data alone have.
  Column(std::string Key, Unit Of, std::string Help)
      : Column(std::move(Key), "", Of, std::move(Help)) {}

  Column sum() const { return with(&Column::Sums, true); }
  Column left() const { return with(&Column::Left, true); }
  Column optional() const { return with(&Column::Optional, true); }
  /// Not in the text by itself.
  Column aside() const { return in(ForData | ForHtml); }
  Column wide() const { return aside().with(&Column::Wide, true); }
  Column cut(size_t Width) const { return with(&Column::Cut, Width); }
  Column least(size_t Width) const { return with(&Column::Least, Width); }
  Column scaled(double Unit) const { return with(&Column::Scale, Unit); }
  Column better(Better Which) const { return with(&Column::Good, Which); }
  Column in(unsigned Which) const { return with(&Column::In, static_cast<uint8_t>(Which)); }
  Column titled(std::string Text) const { return with(&Column::Title, std::move(Text)); }
  Column keyed(std::string Text) const { return with(&Column::Key, std::move(Text)); }
  Column chosen(std::string Name) const { return with(&Column::Chosen, std::move(Name)); }
  Column header(std::string Name) const { return with(&Column::Header, std::move(Name)); }
  Column typed(std::string Names) const { return with(&Column::Type, std::move(Names)); }
  Column helped(std::string Text) const { return with(&Column::Help, std::move(Text)); }

  bool isText() const {
    return Of == Unit::Name || Of == Unit::Text || Of == Unit::Place || Of == Unit::List;
  }

private:
  template <typename T, typename U> Column with(T Column::*Member, U &&To) const {
    Column Changed = *this;
    Changed.*Member = std::forward<U>(To);
    return Changed;
  }
};

/// Columns that many tables have.
namespace column {
inline Column name(std::string Title) {
  return Column("name", std::move(Title), Unit::Name, "its name").cut(48);
}
inline Column calls() { return {"calls", "Calls", Unit::Count, "how often it was called"}; }
inline Column total() {
  return {"total_ns", "Total", Unit::Ns, "sum of the durations, with what was called inside"};
}
inline Column self() {
  return {"self_ns", "Self", Unit::Ns, "time of its own, without what is inside"};
}
inline Column wait() {
  return {"wait_ns", "Wait", Unit::Ns, "time that threads waited for others"};
}
inline Column busy() { return {"busy_ns", "Busy", Unit::Ns, "time that threads worked"}; }
inline Column imbalance() {
  return {"imbalance", "Imbalance", Unit::Ratio, "largest over mean busy time of the threads"};
}
inline Column source() {
  return Column("source", "Source", Unit::Place, "file, line and column in the source").cut(40);
}
/// A part in percent, of what \p Of says.
inline Column percent(std::string Key, std::string Title, std::string Of) {
  return Column(std::move(Key), std::move(Title), Unit::Percent, std::move(Of)).in(ForPeople);
}
} // namespace column

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_MODEL_COLUMN_H
