//===- Convert.cpp - seamscope convert ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Verbs.h"
#include "trace/ByteSource.h"
#include "trace/ChromeReader.h"
#include "trace/EventsCsv.h"
#include "trace/OutputFile.h"
#include "trace/ReadTrace.h"
#include "trace/SpoolToChrome.h"

#include <memory>

namespace seamscope::tools {
namespace {

/// Copies JSON as it stands, so that nothing of a foreign trace is lost, while it is being read: a
/// broken trace is not passed on.
int copyJson(const std::string &In, const std::string &Out) {
  auto Source = ByteSource::open(In);
  if (!Source)
    return fail(Source.error());
  auto Target = OutputFile::create(Out);
  if (!Target)
    return fail(Target.error());
  (*Source)->copyTo([&](std::string_view Bytes) { (*Target)->write(Bytes); });
  auto Read = readChromeTrace(**Source, In);
  if (!Read)
    return fail(Read.error());
  if (Read->Info.Damage)
    return fail(*Read->Info.Damage);
  if (const auto Failure = (*Target)->commit())
    return fail(*Failure);
  return tellOfDamage(Read->Info, /*Strict=*/false);
}

int convert(const std::string &In, const std::string &Out) {
  if (Out.ends_with(".csv") || Out.ends_with(".csv.gz")) {
    auto Source = readTrace(In);
    if (!Source)
      return fail(Source.error());
    if (Source->Info.Damage)
      return fail(*Source->Info.Damage);
    if (const int Written = writeResult(Out, eventsCsv(*Source)))
      return Written;
    return tellOfDamage(Source->Info, /*Strict=*/false);
  }
  if (!Out.ends_with(".json") && !Out.ends_with(".json.gz") && Out != "-") {
    complain("convert: cannot tell the format of '" + Out +
             "': its name must end in .json, .json.gz, .csv or .csv.gz");
    return BadUsage;
  }
  if (isSpool(In)) {
    auto File = SpoolFile::open(In);
    if (!File)
      return fail(File.error());
    if (const Error *Damage = (*File)->damage())
      return fail(*Damage);
    if (const auto Failure = writeChrome(**File, Out, /*Recovered=*/false))
      return fail(*Failure);
    return Success;
  }
  return copyJson(In, Out);
}

} // namespace

Action addConvert(CLI::App &Verb) {
  auto In = std::make_shared<std::string>();
  auto Out = std::make_shared<std::string>();
  Verb.add_option("IN", *In, "Spool or Chrome trace JSON, also .gz; - is standard input")
      ->required();
  Verb.add_option("OUT", *Out,
                  "File to write; its name tells the format: .json, .json.gz, .csv (one line an "
                  "event, times in ns) or .csv.gz")
      ->required();
  return [In, Out] { return convert(*In, *Out); };
}

} // namespace seamscope::tools
