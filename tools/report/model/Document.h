//===- Document.h - a report before it has a format -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sections create documents and know no output format; formats (report/render)
// show them and know no analysis.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_MODEL_DOCUMENT_H
#define SEAMSCOPE_TOOLS_REPORT_MODEL_DOCUMENT_H

#include "report/model/Chart.h"
#include "report/model/Table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace seamscope::tools {

/// A single value: data, and if it has a title, a fact of the page.
struct Fact {
  Column What; ///< dots in its key make nested objects
  Cell Of;
};

/// A line of text.
struct Sentence {
  std::string Text; ///< names in it are escaped
  uint8_t In = ForPeople;
  bool Apart = false;   ///< a blank line before it
  bool Warning = false; ///< on the page
};

/// A place on the page.
struct Link {
  std::string Table;        ///< Table::Key; empty: a section
  size_t Row = 0;           ///< of the table
  std::string Section = {}; ///< Section::Id
};

/// What is wrong, what it costs at most and what to do.
struct Finding {
  std::string Kind, Evidence, Remedy; ///< untrusted
  int64_t SavingNs = 0;
  std::optional<double> Percent; ///< of the window
  uint8_t In = ForAll;
  std::optional<Link> Where = {};
};

/// Samples at a line, of all of its kernel: a share with its 95 % interval.
struct LineSamples {
  uint64_t Count = 0;
  double Share = 0, Low = 0, High = 1;
};

/// What a line of code executed, for people.
struct CodeWork {
  std::string Flop, Read, Written, Math;
};

/// Source text with figures for its lines; for the page.
struct Code {
  std::string Title, Language; ///< "cpp", "python" or "text"
  uint32_t First = 1;
  std::vector<std::string> Lines;                  ///< untrusted
  std::vector<std::optional<int64_t>> HeatNs;      ///< by line; empty: none
  std::vector<std::optional<LineSamples>> Samples; ///< by line, where code retired; empty: none
  std::vector<std::optional<CodeWork>> Work;       ///< by line; empty: none
  std::vector<std::string> Roofs; ///< by line, the nearest one of its loops; empty: none
  bool Apart = false;             ///< text: a blank line before it
};

/// Two items side by side.
struct Pair;

struct Item {
  std::variant<Table, Fact, Sentence, Finding, Chart, Code, std::shared_ptr<const Pair>> Held;

  Item(const Item &);
  Item(Item &&) noexcept;
  Item &operator=(const Item &);
  Item &operator=(Item &&) noexcept;
  ~Item();
  template <typename T>
    requires(!std::same_as<std::remove_cvref_t<T>, Item>)
  Item(T &&Of) : Held(std::forward<T>(Of)) {}
  template <typename T> const T *as() const { return std::get_if<T>(&Held); }
};

struct Pair {
  Item Left, Right;
};

struct Section {
  std::string Id, Title; ///< for the page
  std::vector<Item> Items{};

  void add(Item Of) { Items.push_back(std::move(Of)); }
  void fact(Column What, Cell Of) { add(Fact{std::move(What), std::move(Of)}); }
  /// A line for people; nothing if the text is empty.
  void say(std::string Text) { line({std::move(Text)}); }
  /// With a blank line before it.
  void sayApart(std::string Text) { line({std::move(Text), ForPeople, true}); }
  void warn(std::string Text) { line({std::move(Text), ForPeople, false, true}); }

private:
  void line(Sentence Of) {
    if (!Of.Text.empty())
      add(std::move(Of));
  }
};

struct Document {
  std::string Schema; ///< "seamscope.report/1"
  std::string Title;  ///< for the page; untrusted
  std::vector<Section> Sections;

  /// Which table gives the rows of the CSV, by key.
  std::string Main;

  /// Keys of the JSON in their order, if that differs from the order of the sections.
  std::vector<std::string_view> Keys = {};
};

/// The table \p Key of \p Of; null: no such table.
const Table *findTable(const Document &Of, std::string_view Key);
Table *findTable(Document &Of, std::string_view Key);

/// Keeps in the main table's text and CSV only the first column and those in \p Names, in that
/// order. For none and "all", the columns stay unchanged. Returns an empty text, or what is wrong
/// with a name.
std::string chooseColumns(Document &Of, const std::vector<std::string> &Names);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_MODEL_DOCUMENT_H
