//===- Document.h - a report before it has a face ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sections make it, and know no face; faces (report/render) show it, and know no analysis.
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

/// A value that stands alone: data, and with a title a fact of the page.
struct Fact {
  Column What; ///< dots of its key go into objects
  Cell Of;
};

/// A line of text.
struct Sentence {
  std::string Text; ///< names in it are escaped
  uint8_t In = ForPeople;
  bool Apart = false;   ///< a blank line before it
  bool Warning = false; ///< on the page
};

/// Where on the page something is.
struct Link {
  std::string Table;        ///< Table::Key; empty: a section
  size_t Row = 0;           ///< of the table
  std::string Section = {}; ///< Section::Id
};

/// What is wrong, what that costs at most and what to do.
struct Finding {
  std::string Kind, Evidence, Remedy; ///< untrusted
  int64_t SavingNs = 0;
  std::optional<double> Percent; ///< of the window
  uint8_t In = ForAll;
  std::optional<Link> Where = {};
};

/// Source text with what belongs to its lines; for the page.
struct Code {
  std::string Title, Language; ///< "cpp", "python" or "text"
  uint32_t First = 1;
  std::vector<std::string> Lines;             ///< untrusted
  std::vector<std::optional<int64_t>> HeatNs; ///< by line; empty: none
  bool Apart = false;                         ///< text: a blank line before it
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
  std::string Id, Title; ///< of the page
  std::vector<Item> Items{};

  void add(Item Of) { Items.push_back(std::move(Of)); }
  void fact(Column What, Cell Of) { add(Fact{std::move(What), std::move(Of)}); }
  /// A line for people; nothing for an empty text.
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
  std::string Title;  ///< of the page; untrusted
  std::vector<Section> Sections;

  /// The rows of the CSV: the table with this key.
  std::string Main;

  /// Keys of the JSON in their order, where that is not the order of the sections.
  std::vector<std::string_view> Keys = {};
};

/// The table \p Key of \p Of; null: there is none.
const Table *findTable(const Document &Of, std::string_view Key);
Table *findTable(Document &Of, std::string_view Key);

/// Leaves of the main table's text and CSV the first column and those that \p Names has, in that
/// order; none and "all": the columns as they are. An empty text, or what is wrong with a name.
std::string chooseColumns(Document &Of, const std::vector<std::string> &Names);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_MODEL_DOCUMENT_H
