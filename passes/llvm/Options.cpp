//===- Options.cpp - parameters, environment, file, command line -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment works with every clang; clang knows -mllvm flags of a -fpass-plugin only from 22
// on.
//
//===----------------------------------------------------------------------===//
#include "Options.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include <optional>

using namespace llvm;

namespace seamscope {
namespace {

// One string flag per option: its text goes through the parser that reads all other sources, so
// each kind of value is parsed in one place.
#define SEAMSCOPE_OPTION(Field, Name, Type, Default, Help)                                         \
  cl::list<std::string> Cl##Field("seamscope-" Name, cl::Hidden, cl::ValueOptional,                \
                                  cl::desc("Seamscope: " Help));
#include "Options.def"
cl::opt<std::string> ClConfig("seamscope-config", cl::Hidden,
                              cl::desc("Seamscope: file of options, one a line"));

constexpr StringLiteral Names[] = {
#define SEAMSCOPE_OPTION(Field, Name, Type, Default, Help) Name,
#include "Options.def"
    "config"};

Error fail(StringRef Origin, const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Twine(Origin) + ": " + Message);
}

/// The known name closest to \p Wrong, or an empty one if none is close.
StringRef nearest(StringRef Wrong) {
  StringRef Best;
  unsigned BestDistance = 4;
  for (StringRef Name : Names)
    if (unsigned Distance = Wrong.edit_distance(Name, true, BestDistance);
        Distance < BestDistance) {
      Best = Name;
      BestDistance = Distance;
    }
  return Best;
}

Error assign(bool &Field, StringRef Name, std::optional<StringRef> Value, bool No,
             StringRef Origin) {
  if (!Value || *Value == "on" || *Value == "true" || *Value == "1")
    Field = !No;
  else if (*Value == "off" || *Value == "false" || *Value == "0")
    Field = No;
  else
    return fail(Origin, "option '" + Name + "' must be 'on' or 'off', not '" + *Value + "'");
  return Error::success();
}

Error assign(KeepMode &Field, StringRef Name, std::optional<StringRef> Value, bool No,
             StringRef Origin) {
  if (!No && Value == StringRef("auto")) {
    Field = KeepMode::Auto;
  } else if (!No && Value == StringRef("all")) {
    Field = KeepMode::All;
  } else if (!No && Value == StringRef("none")) {
    Field = KeepMode::None;
  } else {
    bool On = true;
    if (Error E = assign(On, Name, Value, No, Origin)) {
      consumeError(std::move(E));
      return fail(Origin, "option '" + Name + "' must be 'auto', 'all' or 'none', not '" +
                              Value.value_or("") + "'");
    }
    Field = On ? KeepMode::Auto : KeepMode::None;
  }
  return Error::success();
}

Error assign(unsigned &Field, StringRef Name, std::optional<StringRef> Value, bool No,
             StringRef Origin) {
  if (No || !Value || Value->getAsInteger(10, Field))
    return fail(Origin, "option '" + Name + "' takes a whole number, as in '" + Name + "=256'");
  return Error::success();
}

Error assign(std::string &Field, StringRef Name, std::optional<StringRef> Value, bool No,
             StringRef Origin) {
  if (No || !Value || Value->empty())
    return fail(Origin, "option '" + Name + "' needs a value, as in '" + Name + "=VALUE'");
  Field = Value->str();
  return Error::success();
}

Error assign(std::vector<std::string> &Field, StringRef Name, std::optional<StringRef> Value,
             bool No, StringRef Origin) {
  if (No || !Value || Value->empty())
    return fail(Origin, "option '" + Name + "' needs a value, as in '" + Name + "=A,B'");
  SmallVector<StringRef> Parts;
  Value->split(Parts, ',', -1, false);
  for (StringRef Part : Parts)
    Field.push_back(Part.trim().str());
  return Error::success();
}

} // namespace

Error Options::set(StringRef Setting, StringRef Origin) {
  auto [Name, Rest] = Setting.split('=');
  Name = Name.trim();
  std::optional<StringRef> Value;
  if (Setting.contains('='))
    Value = Rest.trim();
  if (Name == "config") {
    if (!Value || Value->empty())
      return fail(Origin, "option 'config' needs a file, as in 'config=FILE'");
    return readFile(*Value, Origin);
  }
  StringRef Positive = Name;
  const bool No = Positive.consume_front("no-");
#define SEAMSCOPE_OPTION(Field, OptionName, Type, Default, Help)                                   \
  if (Positive == OptionName)                                                                      \
    return assign(Field, OptionName, Value, No, Origin);
#include "Options.def"
  std::string Message = ("unknown option '" + Name + "'").str();
  if (StringRef Near = nearest(Positive); !Near.empty())
    Message += (" (did you mean '" + Twine(No ? "no-" : "") + Near + "'?)").str();
  else
    Message += "; known options: " + join(std::begin(Names), std::end(Names), ", ");
  return fail(Origin, Message);
}

Error Options::readFile(StringRef Path, StringRef Origin) {
  // A pipe could block the compiler. The wrapper has the same bound.
  constexpr uint64_t Largest = 64 << 20;
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status) &&
      (!sys::fs::is_regular_file(Status) || Status.getSize() > Largest))
    return fail(Origin, "cannot read '" + Path + "': it is not a regular file of at most 64 MB");
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return fail(Origin, "cannot read '" + Path + "': " + Buffer.getError().message());
  SmallVector<StringRef> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n');
  for (size_t I = 0; I < Lines.size(); ++I) {
    StringRef Line = Lines[I].split('#').first.trim();
    if (Line.empty())
      continue;
    const std::string Where = (Path + ":" + Twine(I + 1)).str();
    // A file that reads files could read itself.
    if (Line.starts_with("config"))
      return fail(Where, "a config file cannot name another");
    if (Error E = set(Line, Where))
      return E;
  }
  return Error::success();
}

Error Options::check(StringRef Origin) const {
  if (Select != "auto" && Select != "marked" && Select != "all")
    return fail(Origin, "option 'select' must be 'auto', 'marked' or 'all', not '" + Select + "'");
  if (Lto != "link" && Lto != "compile")
    return fail(Origin, "option 'lto' must be 'link' or 'compile', not '" + Lto + "'");
  if (unsigned Levels; Loops != "off" && Loops != "host" && Loops != "auto" &&
                       (StringRef(Loops).getAsInteger(10, Levels) || !Levels))
    return fail(Origin,
                "option 'loops' must be 'off', 'host', 'auto' or a number of levels from 1, not '" +
                    Loops + "'");
  if (Work != "host" && Work != "on" && Work != "exact" && Work != "off")
    return fail(Origin, "option 'work' must be 'host', 'on', 'exact' or 'off', not '" + Work + "'");
  for (const std::string &Pair : Rename) {
    auto [From, To] = StringRef(Pair).split(':');
    if (From.empty() || To.empty())
      return fail(Origin, "option 'rename' takes FUNCTION:NAME, not '" + Pair + "'");
  }
  return Error::success();
}

Error Options::parse(StringRef Text, StringRef Origin) {
  SmallVector<StringRef> Settings;
  Text.split(Settings, ';', -1, false);
  for (StringRef Setting : Settings)
    if (!Setting.trim().empty())
      if (Error E = set(Setting.trim(), Origin))
        return E;
  return check(Origin);
}

Expected<Options> Options::collect(StringRef Parameters) {
  Options Result;
  if (std::optional<std::string> Text = sys::Process::GetEnv("SEAMSCOPE_PASS"))
    if (Error E = Result.parse(*Text, "SEAMSCOPE_PASS"))
      return E;
  if (!ClConfig.empty())
    if (Error E = Result.readFile(ClConfig, "-seamscope-config"))
      return E;
#define SEAMSCOPE_OPTION(Field, Name, Type, Default, Help)                                         \
  for (const std::string &Value : Cl##Field)                                                       \
    if (Error E = Result.set(Value.empty() ? Name : Name "=" + Value, "-seamscope-" Name))         \
      return E;
#include "Options.def"
  if (Error E = Result.parse(Parameters, "seamscope<>"))
    return E;
  return Result;
}

} // namespace seamscope
