//===- Texts.cpp - hostile names and numbers ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done to one text: made fit to be shown, read as a time, taken apart
// into the operators that a kernel's name holds.
//
//===----------------------------------------------------------------------===//
#include "Checks.h"

#include "analysis/core/Operators.h"
#include "kernels/Category.h"
#include "kernels/InductorNames.h"
#include "report/render/Render.h"
#include "trace/io/Decimal.h"
#include "trace/io/Escape.h"
#include "work/DType.h"
#include "wrapper/Inductor.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

using namespace seamscope;
using namespace seamscope::tools;

namespace {

void checkEscaped(std::string_view Text) {
  const std::string Shown = escaped(Text);
  (void)nlohmann::json(Shown).dump(); // throws when it is not UTF-8
  for (const char C : Shown)
    SEAMSCOPE_CHECK(static_cast<unsigned char>(C) >= 0x20 && C != 0x7f);
  SEAMSCOPE_CHECK(escaped(Shown) == Shown);
  for (const size_t Width : {size_t{0}, size_t{1}, size_t{3}, size_t{4}, size_t{10}, Text.size()}) {
    const std::string Short = shortened(Shown, Width);
    SEAMSCOPE_CHECK(characters(Short) == std::min(characters(Shown), Width));
    (void)nlohmann::json(Short).dump();
  }
  const std::string Field = csvField(Text);
  SEAMSCOPE_CHECK(Field.find_first_of("\r\n") == Field.npos);
  // A spreadsheet takes what begins so for a formula; a negative number is none.
  const bool IsFormula =
      !Field.empty() && std::string_view("=+-@").find(Field[0]) != std::string::npos;
  SEAMSCOPE_CHECK(!IsFormula || (Field.size() > 1 && Field[0] == '-' &&
                                 Field.find_first_not_of("0123456789", 1) == Field.npos));
}

/// \p Text as a JSON number, by another way: a long double has 64 bits.
void checkDecimal(std::string_view Text) {
  const auto Ns = nanosecondsFromMicroseconds(Text);
  if (Text.find('\0') != Text.npos)
    return; // to the other library that is the end
  const nlohmann::json Number = nlohmann::json::parse(Text, nullptr, false);
  // JSON may have white space around it.
  const auto IsDigit = [](char C) { return C >= '0' && C <= '9'; };
  if (!Number.is_number() || !(Text[0] == '-' || IsDigit(Text[0])) || !IsDigit(Text.back()))
    return;
  const std::string Copy(Text);
  const long double Expected = std::strtold(Copy.c_str(), nullptr) * 1000;
  constexpr long double Most = 9.2e18L;
  if (std::fabs(Expected) < Most) {
    // What has an exponent of more than 32 bits is refused.
    if (!Ns)
      SEAMSCOPE_CHECK(Text.find_first_of("eE") != Text.npos);
    else
      SEAMSCOPE_CHECK(std::fabs(static_cast<long double>(*Ns) - Expected) <= 2);
  } else if (std::fabs(Expected) > 1e19L) {
    SEAMSCOPE_CHECK(!Ns);
  }
}

void checkName(std::string_view Name) {
  SEAMSCOPE_CHECK(!categoryName(categorize(Name)).empty());
  const std::string Bare = bareOperator(Name);
  SEAMSCOPE_CHECK(Bare.size() <= Name.size());
  size_t Size = 0;
  for (const std::string &Word : splitInductorName(Name)) {
    SEAMSCOPE_CHECK(!Word.empty());
    Size += Word.size();
  }
  SEAMSCOPE_CHECK(Size <= Name.size());
  const DType Type = typeOfProfilerName(Name);
  SEAMSCOPE_CHECK(!nameOf(Type).empty() && sizeOf(Type) >= 0);
  SEAMSCOPE_CHECK(sizeOf(typeOfTorchName(Name)) >= 0);
  static_cast<void>(kindOfCategory(Name));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  // A copy of its own, so that a look past its end is found.
  const std::vector<char> Copy(Data, Data + Size);
  const std::string_view Text(Copy.data(), Copy.size());
  checkEscaped(Text);
  checkDecimal(Text);
  checkName(Text);
  // Output code and the source that it is to name.
  const std::string_view Python = Text.substr(0, Text.find('\0'));
  const std::string_view Main = Text.substr(std::min(Text.size(), Python.size() + 1));
  SEAMSCOPE_CHECK(wrapper::kernelNameIn(Python, Main).size() <= Python.size());
  return 0;
}
