//===- Filter.cpp - filters of rows ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Filter.h"

#include <algorithm>

#include <regex.h>

namespace seamscope::tools {

// Uses POSIX's matcher, since std::regex recurses for each character of the name.
struct NameFilter::Expression {
  regex_t Compiled;
  ~Expression() { regfree(&Compiled); }
};

NameFilter::NameFilter() = default;
NameFilter::~NameFilter() = default;
NameFilter::NameFilter(NameFilter &&) noexcept = default;
NameFilter &NameFilter::operator=(NameFilter &&) noexcept = default;

std::string NameFilter::set(const std::string &Pattern) {
  regex_t Compiled;
  if (const int Code = regcomp(&Compiled, Pattern.c_str(), REG_EXTENDED | REG_NOSUB)) {
    char Why[256];
    regerror(Code, &Compiled, Why, sizeof(Why));
    return Why;
  }
  Held = std::make_unique<Expression>();
  Held->Compiled = Compiled;
  return {};
}

bool NameFilter::passes(std::string_view Name) const {
  if (!Held)
    return true;
  // A name from a file may contain a NUL byte: the text after it is not matched.
  return regexec(&Held->Compiled, std::string(Name).c_str(), 0, nullptr, 0) == 0;
}

namespace {

template <typename Row, typename NameFn, typename CountFn>
FilteredOut filterBy(std::vector<Row> &Rows, const NameFilter &Filter, NameFn Name, CountFn Count) {
  FilteredOut Out;
  std::erase_if(Rows, [&](const Row &R) {
    if (Filter.passes(Name(R)))
      return false;
    ++Out.Rows;
    Count(R, Out);
    return true;
  });
  return Out;
}

} // namespace

FilteredOut filterRows(std::vector<KernelRow> &Rows, const Trace &Source,
                       const NameFilter &Filter) {
  return filterBy(
      Rows, Filter, [&](const KernelRow &Row) { return Source.text(Source.Sites[Row.Site].Name); },
      [](const KernelRow &Row, FilteredOut &Out) {
        Out.Calls += Row.Times.Calls;
        Out.TotalNs += Row.Times.TotalNs;
        Out.SelfNs += Row.SelfNs.value_or(0);
      });
}

FilteredOut filterRows(std::vector<OperatorTimesRow> &Rows, const Trace &Source,
                       const NameFilter &Filter) {
  return filterBy(
      Rows, Filter, [&](const OperatorTimesRow &Row) { return Source.text(Row.Name); },
      [](const OperatorTimesRow &Row, FilteredOut &Out) {
        Out.Calls += Row.Calls;
        Out.TotalNs += Row.DeviceNs;
        Out.SelfNs += Row.SelfNs;
      });
}

FilteredOut filterRows(std::vector<SampleRow> &Rows, const NameFilter &Filter) {
  return filterBy(
      Rows, Filter, [](const SampleRow &Row) { return std::string_view(Row.Key); },
      [](const SampleRow &Row, FilteredOut &Out) {
        Out.Calls += Row.Samples;
        Out.TotalNs += Row.Ns;
        Out.SelfNs += Row.Ns;
      });
}

FilteredOut filterRows(std::vector<GroupRow> &Rows, const NameFilter &Filter) {
  return filterBy(
      Rows, Filter, [](const GroupRow &Row) { return std::string_view(Row.Key); },
      [](const GroupRow &Row, FilteredOut &Out) {
        Out.Calls += Row.Calls;
        Out.TotalNs += Row.TotalNs;
        Out.SelfNs += Row.SelfNs;
      });
}

} // namespace seamscope::tools
