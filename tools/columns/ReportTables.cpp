//===- ReportTables.cpp - the tables of a report as columns ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "columns/ReportTables.h"
#include "report/render/Render.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace seamscope::tools {
namespace {

/// A key of the JSON as a name of a column: dots make nested objects there.
std::string columnName(std::string_view Prefix, std::string_view Key) {
  std::string Name =
      Prefix.empty() ? std::string(Key) : std::string(Prefix) + "_" + std::string(Key);
  std::ranges::replace(Name, '.', '_');
  return Name;
}

ArrowType typeOf(const Column &Of) {
  const std::string_view Type = Of.Type.empty() ? jsonTypeOf(Of.Of) : Of.Type;
  const bool IsList = Of.Of == Unit::List; // the type is that of its values
  return IsList              ? ArrowType::Text
         : Type == "integer" ? ArrowType::Int64
         : Type == "number"  ? ArrowType::Double
         : Type == "boolean" ? ArrowType::Int32
                             : ArrowType::Text;
}

std::optional<int64_t> wholeOf(const Value &Of) {
  if (const bool *Flag = Of.as<bool>())
    return *Flag;
  if (const uint64_t *Large = Of.as<uint64_t>(); Large && *Large > INT64_MAX)
    return std::nullopt;
  return Of.whole();
}

/// Fills a table, and those of what is in its rows.
class Maker {
public:
  Maker(std::string Name, const std::vector<Column> &Columns, const std::string &Outer = {})
      : Made(std::make_shared<ArrowTable>()) {
    Made->Name = std::move(Name);
    Made->Columns.emplace_back("row", ArrowType::Int64, "number of the row in this table, from 0");
    if (!Outer.empty())
      Made->Columns.emplace_back(Outer + "_row", ArrowType::Int64, "row of " + Outer);
    Parts = partsOf(Columns, "");
  }

  /// The columns of \p From may be some of this table's, in another order.
  void add(const Table &From, std::optional<int64_t> OuterRow = {}) {
    std::vector<size_t> Sources;
    for (const Part &Each : Parts)
      Sources.push_back(From.find(Each.Key));
    for (size_t I = 0; I < From.dataRows(); ++I)
      addRow(
          [&](size_t Number) {
            return Sources[Number] < From.Columns.size() ? From.At(I, Sources[Number]).Data
                                                         : Value();
          },
          OuterRow);
  }

  /// \p At: the value for a key by its number among the keys.
  template <typename FnT> void addRow(FnT At, std::optional<int64_t> OuterRow = {}) {
    const auto Row = static_cast<int64_t>(Made->rows());
    Made->Columns[0].add(Row);
    if (OuterRow)
      Made->Columns[1].add(*OuterRow);
    for (size_t I = 0; I < Parts.size(); ++I)
      put(Parts[I], At(I), Row);
  }

  void collect(std::vector<std::shared_ptr<const ArrowTable>> &To) {
    To.push_back(Made);
    collect(Parts, To);
  }

private:
  struct Part {
    std::string Key;
    size_t Target = 0; ///< here; of a place, that of its file
    bool IsPlace = false;
    std::vector<Part> Members = {};        ///< of a record
    std::unique_ptr<Maker> Rows = nullptr; ///< of records in this row
  };

  size_t column(std::string Name, ArrowType Type, const std::string &Help) {
    Made->Columns.emplace_back(std::move(Name), Type, Help);
    return Made->Columns.size() - 1;
  }

  std::vector<Part> partsOf(const std::vector<Column> &Columns, const std::string &Prefix) {
    std::vector<Part> Found;
    for (const Column &Of : Columns) {
      if (!(Of.In & ForJson))
        continue;
      const std::string Name = columnName(Prefix, Of.Key.empty() ? "value" : Of.Key);
      Part &One = Found.emplace_back();
      One.Key = Of.Key;
      if (Of.Of == Unit::Record && Of.Nested) {
        One.Members = partsOf(*Of.Nested, Name);
      } else if (Of.Of == Unit::Rows && Of.Nested) {
        One.Rows = std::make_unique<Maker>(Made->Name + "_" + Name, *Of.Nested, Made->Name);
      } else if (Of.Of == Unit::Place) {
        One.IsPlace = true;
        One.Target = column(Name + "_file", ArrowType::Text, Of.Help + ": file");
        column(Name + "_line", ArrowType::Int64, Of.Help + ": line");
        column(Name + "_column", ArrowType::Int64, Of.Help + ": column");
      } else {
        One.Target = column(Name, typeOf(Of), Of.Help);
      }
    }
    return Found;
  }

  void put(Part &To, const Value &What, int64_t Row) {
    if (To.Rows) {
      if (const auto *Its = What.as<Value::Rows>())
        To.Rows->add(**Its, Row);
      // Operators of a kernel are records or only names.
      if (const auto *Its = What.as<Value::List>())
        for (const Value &Each : *Its)
          To.Rows->addRow([&](size_t Number) { return Number ? Value() : Each; }, Row);
      return;
    }
    if (!To.Members.empty()) {
      const auto *Its = What.as<Value::Record>();
      for (Part &Each : To.Members)
        put(Each, Its ? Its->Only->at(0, Each.Key).Data : Value(), Row);
      return;
    }
    ArrowColumn &Column = Made->Columns[To.Target];
    if (To.IsPlace) {
      const auto *Where = What.as<Place>();
      const auto Number = [&](size_t At, uint32_t Of) {
        ArrowColumn &Its = Made->Columns[To.Target + At];
        Of ? Its.add(int64_t{Of}) : Its.addNull();
      };
      Where && !Where->File.empty() ? Column.add(Where->File) : Column.addNull();
      Number(1, Where ? Where->Line : 0);
      Number(2, Where ? Where->Column : 0);
      return;
    }
    putSingle(Column, What);
  }

  static void putSingle(ArrowColumn &To, const Value &What) {
    if (!What.isKnown())
      return To.addNull();
    switch (To.Type) {
    case ArrowType::Double: {
      const auto Number = What.number();
      return Number && std::isfinite(*Number) ? To.add(*Number) : To.addNull();
    }
    case ArrowType::Text:
      if (const auto *Text = What.as<std::string>())
        return To.add(std::string_view(*Text));
      if (const auto *Text = What.as<std::string_view>())
        return To.add(*Text);
      return To.add(std::string_view(jsonText(What)));
    default: {
      const auto Number = wholeOf(What);
      return Number ? To.add(*Number) : To.addNull();
    }
    }
  }

  static void collect(std::vector<Part> &Of, std::vector<std::shared_ptr<const ArrowTable>> &To) {
    for (Part &Each : Of) {
      collect(Each.Members, To);
      if (Each.Rows)
        Each.Rows->collect(To);
    }
  }

  std::shared_ptr<ArrowTable> Made;
  std::vector<Part> Parts;
};

} // namespace

std::vector<std::shared_ptr<const ArrowTable>> reportTables(const Document &Of,
                                                            const Document &Example) {
  Table Single; // the values outside of tables
  std::vector<Value> Known;
  std::vector<std::pair<std::string, Maker>> Makers;
  for (const Item *One : dataItems(Example))
    if (const Fact *Its = One->as<Fact>()) {
      Column What = Its->What;
      if (Its->Of.Data.as<double>())
        What.Type = "number";
      Single.Columns.push_back(std::move(What));
    } else if (const Table *Rows = One->as<Table>()) {
      std::string Name = columnName("", Rows->Key);
      Maker Empty(Name, Rows->Columns);
      Makers.emplace_back(std::move(Name), std::move(Empty));
    }
  Known.resize(Single.Columns.size());
  for (const Item *One : dataItems(Of))
    if (const Fact *Its = One->as<Fact>()) {
      if (const size_t At = Single.find(Its->What.Key); At < Known.size())
        Known[At] = Its->Of.Data;
    } else if (const Table *Rows = One->as<Table>()) {
      const auto Same = std::ranges::find(Makers, columnName("", Rows->Key),
                                          [](const auto &Each) { return Each.first; });
      if (Same != Makers.end())
        Same->second.add(*Rows);
    }
  Single.Count = 1;
  Single.At = [&](size_t, size_t Column) { return Cell(Known[Column]); };
  std::vector<std::shared_ptr<const ArrowTable>> Made;
  Maker Report("report", Single.Columns);
  Report.add(Single);
  Report.collect(Made);
  for (auto &[Name, Each] : Makers)
    Each.collect(Made);
  return Made;
}

} // namespace seamscope::tools
