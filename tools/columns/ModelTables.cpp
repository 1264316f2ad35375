//===- ModelTables.cpp - a trace as it was read, as tables ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "columns/ModelTables.h"

#include "trace/model/RowFields.h"

#include <optional>

namespace seamscope::tools {
namespace {

/// Makes the columns of a kind of rows.
class ColumnMaker {
public:
  explicit ColumnMaker(std::vector<ArrowColumn> &To) : To(To) {}
  template <typename T> void number(const char *Name, const T &) {
    To.emplace_back(
        Name, std::is_same_v<T, std::optional<double>> ? ArrowType::Double : ArrowType::Int64, "");
  }
  void text(const char *Name, StringId) { To.emplace_back(Name, ArrowType::Int64, ""); }
  void site(const char *Name, SiteId) { To.emplace_back(Name, ArrowType::Int64, ""); }
  void track(const char *Name, TrackId) { To.emplace_back(Name, ArrowType::Int64, ""); }

private:
  std::vector<ArrowColumn> &To;
};

/// Adds the values of a row.
class RowWriter {
public:
  explicit RowWriter(std::vector<ArrowColumn> &To, size_t Column) : To(To), Column(Column) {}
  template <typename T> void number(const char *, const T &Value) {
    next().add(static_cast<int64_t>(Value));
  }
  template <typename T> void number(const char *, const std::optional<T> &Value) {
    Value ? next().add(*Value) : next().addNull();
  }
  void text(const char *, StringId Value) { next().add(static_cast<int64_t>(Value)); }
  void site(const char *, SiteId Value) { next().add(static_cast<int64_t>(Value)); }
  void track(const char *, TrackId Value) { next().add(static_cast<int64_t>(Value)); }

private:
  ArrowColumn &next() { return To[Column++]; }

  std::vector<ArrowColumn> &To;
  size_t Column;
};

template <typename RowT> ArrowTable tableOf(const std::vector<RowT> &Rows) {
  ArrowTable Made{RowFields<RowT>::Name, {}, nullptr};
  if constexpr (IsOfEvent<RowT>)
    Made.Columns.emplace_back("event", ArrowType::Int64, "");
  const RowT None{};
  RowFields<RowT>::visit(None, ColumnMaker(Made.Columns));
  for (ArrowColumn &Each : Made.Columns)
    Each.reserve(Rows.size());
  for (const RowT &Row : Rows) {
    if constexpr (IsOfEvent<RowT>)
      Made.Columns[0].add(int64_t{Row.Event});
    RowFields<RowT>::visit(Row, RowWriter(Made.Columns, IsOfEvent<RowT>));
  }
  return Made;
}

ArrowTable eventTable(const EventColumns &Of) {
  ArrowTable Made{"event", {}, nullptr};
  for (const char *const Name : {"ts", "dur", "site", "track", "team_thread"})
    Made.Columns.emplace_back(Name, ArrowType::Int64, "");
  for (ArrowColumn &Each : Made.Columns)
    Each.reserve(Of.size());
  for (size_t I = 0; I < Of.size(); ++I) {
    Made.Columns[0].add(Of.BeginNs[I]);
    Made.Columns[1].add(Of.DurationNs[I]);
    Made.Columns[2].add(int64_t{Of.Site[I]});
    Made.Columns[3].add(int64_t{Of.Track[I]});
    Made.Columns[4].add(int64_t{Of.teamThread(I)});
  }
  return Made;
}

/// Other tables have the numbers of its rows. Their order decides between equals in reports.
ArrowTable stringTable(const StringTable &Of) {
  ArrowTable Made{"string", {}, nullptr};
  Made.Columns.emplace_back("text", ArrowType::Text, "");
  for (StringId Id = 0; Id < Of.size(); ++Id)
    Made.Columns[0].add(Of[Id]);
  return Made;
}

/// Calls \p Visit with each vector of rows.
template <typename FnT> void forEachTable(const Trace &Of, FnT Visit) {
  Visit(Of.Sites);
  Visit(Of.Tracks);
  Visit(Of.Processes);
  Visit(Of.Correlations);
  Visit(Of.Open);
#define SEAMSCOPE_DETAIL(Type, Column) Visit(Of.Details.Column);
#include "trace/model/details.def"
}

} // namespace

std::vector<std::string> ModelTables::names() {
  std::vector<std::string> Names = {"string", "event"};
  forEachTable(Trace(), [&]<typename RowT>(const std::vector<RowT> &) {
    if constexpr (RowFields<RowT>::Name != nullptr)
      Names.emplace_back(RowFields<RowT>::Name);
  });
  return Names;
}

std::shared_ptr<const ArrowTable> ModelTables::make(std::string_view Name) const {
  if (Name == "string")
    return std::make_shared<const ArrowTable>(stringTable(Source.Strings));
  if (Name == "event")
    return std::make_shared<const ArrowTable>(eventTable(Source.Events));
  std::shared_ptr<const ArrowTable> Made;
  forEachTable(Source, [&]<typename RowT>(const std::vector<RowT> &Rows) {
    if constexpr (RowFields<RowT>::Name != nullptr)
      if (Name == RowFields<RowT>::Name)
        Made = std::make_shared<const ArrowTable>(tableOf(Rows));
  });
  return Made;
}

} // namespace seamscope::tools
