//===- SiteText.cpp - sites and tracks of the model as Chrome trace JSON --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/SiteText.h"

#include "trace/io/Decimal.h"
#include "trace/io/JsonParse.h"
#include "trace/io/JsonText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace seamscope::tools {

using Json = nlohmann::ordered_json;

std::string labelText(std::string_view Text) {
  int64_t Number;
  const auto [End, Code] = std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  const bool IsNumber = Code == std::errc() && End == Text.data() + Text.size();
  return IsNumber && fmt::to_string(Number) == Text ? std::string(Text) : quotedText(Text);
}

std::string trackText(const Trace &Source, const Track &Known) {
  return fmt::format(R"("pid":{},"tid":{})", labelText(Source.text(Known.Process)),
                     labelText(Source.text(Known.Thread)));
}

void addFields(Json &Object, const Trace &Source, const Site &What) {
  const auto Text = [&](const char *Key, StringId Id) {
    if (Id)
      Object[Key] = Source.text(Id);
  };
  Text("kernel", What.Kernel);
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) Text(Key, What.Field);
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key)                                                      \
  if (What.Field)                                                                                  \
    Object[Key] = What.Field;
#include "format/site-arguments.def"
}

std::string siteArguments(const Trace &Source, const Site &What) {
  Json Object = Json::object();
  addFields(Object, Source, What);
  if (What.Device >= 0)
    Object["device"] = What.Device;
  for (const auto &[Key, Array] : {std::pair("Input Dims", What.InputDims),
                                   {"Input type", What.InputTypes},
                                   {"Input Strides", What.InputStrides},
                                   {"Concrete Inputs", What.InputValues}})
    if (Json Value = parseJson<Json>(Source.text(Array)); !Value.is_discarded())
      Object[Key] = std::move(Value);
  std::string Result = jsonText(Object);
  Result = Result.substr(1, Result.size() - 2);
  // Those of a group are in its text.
  const auto Number = [&](const char *Key, const std::string &Written) {
    Result += fmt::format("{}\"{}\":{}", Result.empty() ? "" : ",", Key, Written);
  };
  if (!What.Group && What.Flop > 0)
    Number("kernel_flop", fmt::to_string(What.Flop));
  if (!What.Group && What.Bytes > 0)
    Number("kernel_num_gb",
           fmt::format("{}.{:09}", What.Bytes / 1'000'000'000, What.Bytes % 1'000'000'000));
  return Result;
}

std::string siteEntry(const Trace &Source, const Site &What) {
  Site Plain = What;
  Plain.InputDims = Plain.InputTypes = Plain.InputStrides = Plain.InputValues = 0;
  std::string Inputs;
  if (What.InputDims)
    for (const StringId Text : What.inputs())
      Inputs += (Inputs.empty() ? ",\"inputs\":[" : ",") + quotedText(Source.text(Text));
  return fmt::format(R"({{"cat":{},"name":{},"args":{{{}}}{}}})",
                     quotedText(Source.text(What.Category)), quotedText(Source.text(What.Name)),
                     siteArguments(Source, Plain), Inputs.empty() ? "" : Inputs + "]");
}

std::string throttledText(const Trace &Source) {
  std::string Result;
  for (const ThrottledCalls &Calls : Source.Throttled) {
    const Site &What = Source.Sites[Calls.Site];
    Result += fmt::format(
        R"({}{{{},"cat":{},"name":{},"ts":{},"every":{},"timed":{},"untimed":{},"args":{{{}}}}})",
        Result.empty() ? "[" : ",", trackText(Source, Source.Tracks[Calls.Track]),
        quotedText(Source.text(What.Category)), quotedText(Source.text(What.Name)),
        microsecondsText(Calls.SinceNs), Calls.Every, Calls.Timed, Calls.Untimed,
        siteArguments(Source, What));
  }
  return Result.empty() ? Result : Result + "]";
}

} // namespace seamscope::tools
