//===- Choose.cpp - choice of columns --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/model/Document.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

/// The same table with its columns in another order.
Table permuted(const Table &From, std::vector<size_t> Numbers) {
  Table Made = From;
  for (size_t I = 0; I < Numbers.size(); ++I)
    Made.Columns[I] = From.Columns[Numbers[I]];
  Made.At = [At = From.At, Numbers = std::move(Numbers)](size_t Row, size_t Column) {
    return At(Row, Numbers[Column]);
  };
  return Made;
}

/// The names by which a table's columns can be chosen, in column order.
std::vector<std::string> choosable(const Table &Of) {
  std::vector<std::string> Names;
  for (const Column &Each : Of.Columns)
    if (!Each.Chosen.empty())
      Names.push_back(Each.Chosen);
  return Names;
}

} // namespace

std::string chooseColumns(Document &Of, const std::vector<std::string> &Names) {
  Table *const Main = findTable(Of, Of.Main);
  if (!Main || Names.empty() || Names == std::vector<std::string>{"all"})
    return {};
  std::vector<size_t> Order = {0};
  std::vector<std::string> Keys = {Main->Columns[0].Key};
  for (const std::string &Name : Names) {
    const auto Found = std::ranges::find(Main->Columns, Name, &Column::Chosen);
    if (Name.empty() || Found == Main->Columns.end())
      return fmt::format("there is no column '{}' here; the columns are {}", Name,
                         fmt::join(choosable(*Main), ","));
    Order.push_back(static_cast<size_t>(Found - Main->Columns.begin()));
    Keys.push_back(Found->Key);
  }
  // These columns are in the text of any table that has its own columns.
  if (Table *const Text = findTable(Of, Of.Main + "-view"))
    *Text = view(*Main, Text->Columns[0].Title, allRows(Main->Count), Keys);
  for (Column &Each : Main->Columns)
    Each.In &= static_cast<uint8_t>(~ForCsv);
  for (const size_t Number : Order)
    Main->Columns[Number].In |= ForCsv;
  for (size_t Number = 0; Number < Main->Columns.size(); ++Number)
    if (std::ranges::find(Order, Number) == Order.end())
      Order.push_back(Number);
  // A column that is named twice appears once.
  std::vector<size_t> Once;
  for (const size_t Number : Order)
    if (std::ranges::find(Once, Number) == Once.end())
      Once.push_back(Number);
  *Main = permuted(*Main, std::move(Once));
  return {};
}

} // namespace seamscope::tools
