//===- Column.cpp - one column of a report, declared once --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/model/Column.h"

namespace seamscope::tools {
namespace {

template <typename T, typename U> Column with(const Column &Of, T Column::*Member, U &&To) {
  Column Changed = Of;
  Changed.*Member = std::forward<U>(To);
  return Changed;
}

} // namespace

Column::Column(std::string Key, std::string Title, Unit Of, std::string Help)
    : Key(std::move(Key)), Title(std::move(Title)), Of(Of), Help(std::move(Help)),
      Left(Of == Unit::Place) {
  if (this->Title.empty())
    In = ForData;
  if (Of == Unit::Rows || Of == Unit::Record || Of == Unit::List)
    In = ForJson;
}

Column::Column(std::string Key, Unit Of, std::string Help)
    : Column(std::move(Key), "", Of, std::move(Help)) {}

Column::Column(const Column &) = default;
Column::Column(Column &&) noexcept = default;
Column &Column::operator=(const Column &) = default;
Column &Column::operator=(Column &&) noexcept = default;
Column::~Column() = default;

Column Column::sum() const { return with(*this, &Column::Sums, true); }
Column Column::left() const { return with(*this, &Column::Left, true); }
Column Column::optional() const { return with(*this, &Column::Optional, true); }
Column Column::aside() const { return in(ForData | ForHtml); }
Column Column::wide() const { return with(aside(), &Column::Wide, true); }
Column Column::cut(size_t Width) const { return with(*this, &Column::Cut, Width); }
Column Column::least(size_t Width) const { return with(*this, &Column::Least, Width); }
Column Column::scaled(double Unit) const { return with(*this, &Column::Scale, Unit); }
Column Column::better(Better Which) const { return with(*this, &Column::Good, Which); }
Column Column::in(unsigned Which) const {
  return with(*this, &Column::In, static_cast<uint8_t>(Which));
}
Column Column::titled(std::string Text) const {
  return with(*this, &Column::Title, std::move(Text));
}
Column Column::keyed(std::string Text) const { return with(*this, &Column::Key, std::move(Text)); }
Column Column::chosen(std::string Name) const {
  return with(*this, &Column::Chosen, std::move(Name));
}
Column Column::header(std::string Name) const {
  return with(*this, &Column::Header, std::move(Name));
}
Column Column::typed(std::string Names) const {
  return with(*this, &Column::Type, std::move(Names));
}
Column Column::helped(std::string Text) const {
  return with(*this, &Column::Help, std::move(Text));
}

namespace column {
Column name(std::string Title) {
  return Column("name", std::move(Title), Unit::Name, "its name").cut(48);
}
Column calls() { return {"calls", "Calls", Unit::Count, "how often it was called"}; }
Column total() {
  return {"total_ns", "Total", Unit::Ns, "sum of the durations, with what was called inside"};
}
Column self() { return {"self_ns", "Self", Unit::Ns, "time of its own, without what is inside"}; }
Column wait() { return {"wait_ns", "Wait", Unit::Ns, "time that threads waited for others"}; }
Column busy() { return {"busy_ns", "Busy", Unit::Ns, "time that threads worked"}; }
Column imbalance() {
  return {"imbalance", "Imbalance", Unit::Ratio, "largest over mean busy time of the threads"};
}
Column source() {
  return Column("source", "Source", Unit::Place, "file, line and column in the source").cut(40);
}
Column percent(std::string Key, std::string Title, std::string Of) {
  return Column(std::move(Key), std::move(Title), Unit::Percent, std::move(Of)).in(ForPeople);
}
} // namespace column

} // namespace seamscope::tools
