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
#include "trace/SqliteFile.h"
#include "trace/TraceToChrome.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

namespace seamscope::tools {
namespace {

/// After the output is written: tells what is missing of the input.
int tellOfRest(const TraceInfo &Info, const std::string &Out) {
  const int Code = tellOfDamage(Info, /*Strict=*/false);
  if (Info.Damage)
    complain((Out == "-" ? "the output" : Out) + " holds what could be read of it");
  return Code;
}

/// Writes what was read anew.
int writeAnew(const Trace &Source, const std::string &Out) {
  if (!Source.Profile.empty())
    return fail({Source.Info.Path, {}, "is damaged and holds sums of mode profile: not converted"});
  auto Target = OutputFile::create(Out);
  if (!Target)
    return fail(Target.error());
  writeChrome(Source, **Target);
  if (const auto Failure = (*Target)->commit())
    return fail(*Failure);
  return tellOfRest(Source.Info, Out);
}

/// Where a copy waits until it is known to be whole.
class HeldCopy {
public:
  HeldCopy() : File(std::tmpfile()) {}
  ~HeldCopy() {
    if (File)
      std::fclose(File);
  }
  HeldCopy(const HeldCopy &) = delete;
  HeldCopy &operator=(const HeldCopy &) = delete;

  void add(std::string_view Bytes) {
    if (!Why && (!File || std::fwrite(Bytes.data(), 1, Bytes.size(), File) != Bytes.size()))
      Why = errno ? errno : EIO;
  }
  /// Passes it on. 0, or why that cannot be done, as errno has it.
  int pour(OutputFile &Target) {
    if (!Why && (!File || std::fflush(File) != 0 || std::fseek(File, 0, SEEK_SET) != 0))
      Why = errno ? errno : EIO;
    char Buffer[1 << 16];
    size_t Count = 0;
    while (!Why && (Count = std::fread(Buffer, 1, sizeof(Buffer), File)) > 0)
      Target.write({Buffer, Count});
    return !Why && std::ferror(File) ? EIO : Why;
  }

private:
  std::FILE *File;
  int Why = 0;
};

/// Copies JSON as it stands, so that nothing of a foreign trace is lost. It is read at the same
/// time: of a trace that is cut off, or that holds what is no JSON, what could be read is written
/// anew.
int copyJson(const std::string &In, const std::string &Out) {
  auto Source = ByteSource::open(In);
  if (!Source)
    return fail(Source.error());
  auto Target = OutputFile::create(Out);
  if (!Target)
    return fail(Target.error());
  std::optional<HeldCopy> Held;
  if ((*Target)->isHeld()) {
    (*Source)->copyTo([&](std::string_view Bytes) { (*Target)->write(Bytes); });
  } else {
    Held.emplace();
    (*Source)->copyTo([&](std::string_view Bytes) { Held->add(Bytes); });
  }
  auto Read = readChromeTrace(**Source, In);
  if (!Read)
    return fail(Read.error());
  if (Read->Info.Damage || Read->Info.NotJson)
    return writeAnew(*Read, Out);
  if (const int Why = Held ? Held->pour(**Target) : 0)
    return fail({In, {}, std::string("cannot be held until it is read: ") + std::strerror(Why)});
  if (const auto Failure = (*Target)->commit())
    return fail(*Failure);
  return tellOfDamage(Read->Info, /*Strict=*/false);
}

int convert(const std::string &In, const std::string &Out) {
  if (Out.ends_with(".csv") || Out.ends_with(".csv.gz")) {
    auto Source = readTrace(In);
    if (!Source)
      return fail(Source.error());
    const int Written = writeResult(Out, eventsCsv(*Source));
    return Written ? Written : tellOfRest(Source->Info, Out);
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
  if (isSqlite(In)) {
    auto Source = readTrace(In);
    return Source ? writeAnew(*Source, Out) : fail(Source.error());
  }
  return copyJson(In, Out);
}

} // namespace

Action addConvert(CLI::App &Verb) {
  auto In = std::make_shared<std::string>();
  auto Out = std::make_shared<std::string>();
  Verb.add_option("IN", *In,
                  "Chrome trace JSON, also .gz, an SQLite export of nsys or database of nvprof, or "
                  "a spool; - is standard input (JSON alone)")
      ->required();
  Verb.add_option("OUT", *Out,
                  "File to write; its name tells the format: .json, .json.gz, .csv (one line an "
                  "event, times in ns) or .csv.gz")
      ->required();
  return [In, Out] { return convert(*In, *Out); };
}

} // namespace seamscope::tools
