//===- CallLog.cpp - what calls of kernels need, by a run's folder --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/replay/CallLog.h"
#include "run/replay/JsonEntry.h"
#include "trace/io/InputFile.h"
#include "trace/io/OutputFolder.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

using namespace entry;

namespace fs = std::filesystem;
/// The code of some thousand kernels.
constexpr uint64_t LargestLog = 256u << 20;

/// The largest size of a storage that is believed.
constexpr uint64_t MostBytes = uint64_t{1} << 40;

constexpr ElementType Types[] = {
    {"float64", "F64", 8}, {"float32", "F32", 4}, {"float16", "F16", 2}, {"bfloat16", "BF16", 2},
    {"int64", "I64", 8},   {"int32", "I32", 4},   {"int16", "I16", 2},   {"int8", "I8", 1},
    {"uint8", "U8", 1},    {"bool", "Bool", 1}};

bool isIdentifier(std::string_view Name) {
  return !Name.empty() && !(Name[0] >= '0' && Name[0] <= '9') &&
         std::ranges::all_of(Name, [](char C) {
           return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') ||
                  C == '_';
         });
}

/// The names of the parameters of `void kernel(...)` in \p Code.
std::vector<std::string> parametersIn(std::string_view Code) {
  const size_t Open = Code.find("kernel("), Close = Code.find(')', Open);
  if (Open == Code.npos || Close == Code.npos)
    throw Refusal{"its code has no function kernel()"};
  std::vector<std::string> Names;
  std::string_view List = Code.substr(Open + 7, Close - Open - 7);
  while (!List.empty()) {
    const size_t End = std::min(List.find(','), List.size());
    const std::string_view One = List.substr(0, End);
    const size_t Last = One.find_last_not_of(" \t\r\n");
    const size_t Begin = Last == One.npos ? One.npos : One.find_last_of(" \t\r\n*&", Last);
    if (Begin == One.npos || !isIdentifier(One.substr(Begin + 1, Last - Begin)))
      throw Refusal{"the parameters of its function kernel() cannot be read"};
    Names.emplace_back(One.substr(Begin + 1, Last - Begin));
    List.remove_prefix(std::min(End + 1, List.size()));
  }
  return Names;
}

CallArgument argumentOf(const Json &Entry, std::string Name, const std::string &Declared) {
  CallArgument Result;
  Result.Name = std::move(Name);
  if (const auto Value = Entry.find("value"); Value != Entry.end()) {
    if (!Value->is_number() && !Value->is_boolean())
      throw Refusal{fmt::format("{} is not a number", Result.Name)};
    Result.IsReal = Declared.find("double") != Declared.npos || Value->is_number_float();
    if (Declared.find("float") != Declared.npos)
      throw Refusal{fmt::format("{} is a number of type {}", Result.Name, Declared)};
    Result.Value = Value->is_boolean() ? std::to_string(Value->get<bool>()) : Value->dump();
    return Result;
  }
  Result.Type = elementType(text(Entry, "dtype"));
  if (!Result.Type)
    throw Refusal{fmt::format("{} has elements of type {}", Result.Name, text(Entry, "dtype"))};
  const Json &Shape = member(Entry, "shape");
  if (!Shape.is_array())
    throw Refusal{"shape is not a list"};
  uint64_t Elements = 1;
  for (const Json &Size : Shape) {
    if (!Size.is_number_unsigned() || Size.get<uint64_t>() > MostBytes / Elements)
      throw Refusal{fmt::format("{} is larger than any tensor", Result.Name)};
    Elements *= std::max<uint64_t>(1, Size.get<uint64_t>());
    Result.Shape.push_back(Size.get<int64_t>());
  }
  Result.Bytes = number(Entry, "bytes", MostBytes);
  Result.Offset = number(Entry, "offset", Result.Bytes);
  Result.Storage = number(Entry, "storage", 1u << 16);
  // Parameters that are not const may be read as well, by their names.
  Result.Writes = !Declared.starts_with("const");
  Result.Reads = !Result.Writes || !Result.Name.starts_with("out_ptr");
  if (const auto Limits = Entry.find("limits"); Limits != Entry.end() && Limits->is_array()) {
    if (Limits->size() != 2 || !(*Limits)[0].is_number_integer() ||
        !(*Limits)[1].is_number_integer())
      throw Refusal{"limits are not two numbers"};
    Result.Limits = {(*Limits)[0].get<int64_t>(), (*Limits)[1].get<int64_t>()};
    if (Result.Limits->first > Result.Limits->second)
      throw Refusal{"limits are not two numbers in their order"};
  }
  return Result;
}

/// Whether the arguments' tensors that share memory agree in its size, and each memory is known.
void checkStorages(const std::vector<CallArgument> &Arguments) {
  std::vector<uint64_t> Sizes;
  for (const CallArgument &One : Arguments) {
    if (!One.Type)
      continue;
    Sizes.resize(std::max(Sizes.size(), One.Storage + 1), UINT64_MAX);
    uint64_t &Known = Sizes[One.Storage];
    if (Known != UINT64_MAX && Known != One.Bytes)
      throw Refusal{"tensors of one storage differ in its size"};
    Known = One.Bytes;
  }
  if (std::ranges::find(Sizes, UINT64_MAX) != Sizes.end())
    throw Refusal{"a storage is not known"};
}

/// The name of the folder with captured contents; empty: they were not captured.
std::string capturedName(const Json &Entry) {
  std::string Name = text(Entry, "captured");
  if (!Name.empty() && !isOwnName(Name))
    throw Refusal{"the folder of its contents is not in that of the run"};
  return Name;
}

/// A list of \p Size elements.
const Json &listOf(const Json &List, size_t Size, const char *What) {
  if (!List.is_array() || List.size() != Size)
    throw Refusal{fmt::format("{} is not a list of {}", What, Size)};
  return List;
}

/// A name of a variable, as it may be written between quotes in assembly.
bool isSymbol(std::string_view Name) {
  return !Name.empty() && std::ranges::all_of(Name, [](char C) {
    return C > ' ' && C <= '~' && C != '"' && C != '\\';
  });
}

/// Words that choose a level of optimisation or a processor; none if there is any other.
std::vector<std::string> optionsIn(std::string_view Text) {
  constexpr std::string_view Known[] = {"-O", "-march=", "-mcpu=", "-mtune="};
  std::vector<std::string> Words;
  while (!Text.empty()) {
    const size_t End = std::min(Text.find(' '), Text.size());
    const std::string_view Word = Text.substr(0, End);
    Text.remove_prefix(std::min(End + 1, Text.size()));
    const bool IsKnown =
        std::ranges::any_of(Known, [&](std::string_view Each) { return Word.starts_with(Each); });
    if (!IsKnown || Word.find_first_of(";$'`()&|<>") != Word.npos || !isSymbol(Word))
      return {};
    Words.emplace_back(Word);
  }
  return Words;
}

CallImage imageOf(const Json &Entry) {
  constexpr uint64_t HighestAddress = (uint64_t{1} << 57) - 1;
  CallImage Result;
  Result.Entry = text(Entry, "entry");
  Result.Options = optionsIn(text(Entry, "options"));
  Result.Llvm = text(Entry, "llvm");
  if (!isIdentifier(Result.Entry) || Result.Options.empty() || Result.Llvm.empty() ||
      Result.Llvm.find_first_not_of("0123456789") != Result.Llvm.npos)
    throw Refusal{"it is not known how to compile it"};
  const Json &Memory = member(Entry, "memory"), &Data = member(Entry, "data");
  if (!Memory.is_array() || Memory.empty() || !Data.is_array())
    throw Refusal{"memory is not a list of parts"};
  uint64_t End = 1;
  for (const Json &Each : Memory) {
    listOf(Each, 4, "memory");
    const ImagePart &One = Result.Memory.emplace_back(
        ImagePart{asNumber(Each[0], "an element of memory", HighestAddress),
                  asNumber(Each[1], "an element of memory", MostBytes),
                  asNumber(Each[2], "an element of memory", 1) != 0,
                  asNumber(Each[3], "an element of memory", 1) != 0});
    constexpr uint64_t SmallestPage = 4096;
    if (One.Address < End || !One.Bytes || One.Address % SmallestPage || One.Bytes % SmallestPage)
      throw Refusal{"memory is not a list of pages by address"};
    End = One.Address + One.Bytes;
  }
  for (const Json &Each : Data) {
    listOf(Each, 3, "data");
    const uint64_t Address = asNumber(Each[1], "an element of data", HighestAddress);
    if (!Each[0].is_string() || !isSymbol(Each[0].get<std::string>()))
      throw Refusal{"data has something else than the name of a symbol"};
    constexpr uint64_t OfFunction = 2; // SeamscopeReplayDataKind
    auto &Into = asNumber(Each[2], "an element of data", OfFunction) == OfFunction
                     ? Result.Functions
                     : Result.Data;
    if (Address)
      Into.emplace_back(Each[0].get<std::string>(), Address);
  }
  return Result;
}

void addTriton(KernelCall &To, const Json &Entry) {
  To.Code = text(Entry, "triton");
  To.Triton = TritonCall{text(Entry, "symbol"), text(Entry, "device"), {}};
  const Json &Arguments = member(Entry, "arguments"), &Changed = member(Entry, "changed"),
             &Config = member(Entry, "config");
  if (!Arguments.is_array() || !Changed.is_array() || !(Config.is_null() || Config.is_object()) ||
      !isIdentifier(text(Entry, "function")))
    throw Refusal{"its entry is not one of a kernel of Triton"};
  for (const Json &Each : Arguments) {
    const std::string Name = text(Each, "name");
    const bool Changes = std::ranges::find(Changed, Json(Name)) != Changed.end();
    // Null is a value that the kernel was compiled for.
    if (const auto Value = Each.find("value"); Value == Each.end())
      To.Arguments.push_back(argumentOf(
          Each, Name, Changes || Name.find("out_ptr") != Name.npos ? "pointer" : "const pointer"));
    else if (!Value->is_number() && !Value->is_boolean() && !Value->is_null())
      throw Refusal{fmt::format("{} is not a number", Name)};
  }
  checkStorages(To.Arguments);
  Json Call = Entry;
  Call.erase("triton");
  To.Triton->Text = Call.dump(1);
}

KernelCall callOf(const Json &Entry) {
  if (Entry.contains("refused"))
    throw Refusal{text(Entry, "refused")};
  KernelCall Result;
  Result.Number = number(Entry, "call", UINT32_MAX);
  if (Entry.contains("memory")) {
    Result.Image = imageOf(Entry);
    Result.Threads = static_cast<int>(number(Entry, "threads", 65536));
    Result.Captured = capturedName(Entry);
    if (Result.Captured.empty())
      throw Refusal{"it has no folder of contents"};
    return Result;
  }
  Result.Torch = text(Entry, "torch");
  Result.Captured = capturedName(Entry);
  if (Entry.contains("triton")) {
    addTriton(Result, Entry);
    return Result;
  }
  Result.Library = text(Entry, "library");
  Result.Code = text(Entry, "code");
  Result.Threads = static_cast<int>(number(Entry, "threads", 65536));
  const Json &Command = member(Entry, "command");
  if (!Command.is_array())
    throw Refusal{"command is not a list"};
  for (const Json &Word : Command)
    Result.Command.push_back(Word.is_string() ? Word.get<std::string>() : std::string());
  if (Result.Command.size() < 2)
    throw Refusal{"its compiler's command is not known"};
  const Json &Arguments = member(Entry, "arguments");
  const std::vector<std::string> Names = parametersIn(Result.Code);
  if (!Arguments.is_array() || Arguments.size() != Names.size())
    throw Refusal{fmt::format("{} parameters, but {} arguments", Names.size(), Arguments.size())};
  for (size_t I = 0; I < Names.size(); ++I)
    Result.Arguments.push_back(argumentOf(Arguments[I], Names[I], text(Arguments[I], "type")));
  checkStorages(Result.Arguments);
  return Result;
}

} // namespace

const ElementType *elementType(std::string_view OfTorch) {
  const auto *const Found = std::ranges::find(Types, OfTorch, &ElementType::Torch);
  return Found == std::end(Types) ? nullptr : Found;
}

uint64_t CallArgument::usedBytes() const {
  if (!Type)
    return 0;
  uint64_t Elements = 1;
  for (const int64_t Size : Shape)
    Elements *= static_cast<uint64_t>(Size);
  return std::min(Elements * Type->Bytes, Bytes - Offset);
}

size_t KernelCall::storages() const {
  size_t Count = 0;
  for (const CallArgument &Each : Arguments)
    Count = Each.Type ? std::max(Count, Each.Storage + 1) : Count;
  return Count;
}

std::pair<uint64_t, uint64_t> KernelCall::bytes() const {
  uint64_t Reads = 0, Writes = 0;
  for (const CallArgument &Each : Arguments) {
    Reads += Each.Reads ? Each.usedBytes() : 0;
    Writes += Each.Writes ? Each.usedBytes() : 0;
  }
  if (Image)
    for (const ImagePart &Each : Image->Memory) {
      Reads += Each.Reads ? Each.Bytes : 0;
      Writes += Each.Writes ? Each.Bytes : 0;
    }
  return {Reads, Writes};
}

std::string callLogIn(const std::string &Folder) {
  return (fs::path(Folder) / "calls.jsonl").string();
}

std::string capturedIn(const std::string &Folder) {
  return (fs::path(Folder) / "captured").string();
}

std::string replaysIn(const std::string &Folder) { return (fs::path(Folder) / "replay").string(); }

Result<CallLog> readCallLog(const std::string &Folder) {
  const auto Text = readRegular(callLogIn(Folder), LargestLog);
  if (!Text)
    return Text.error();
  CallLog Log;
  std::string Kernel; // of the line
  forEachLine(
      *Text,
      [&](const Json &Entry) {
        Kernel = text(Entry, "kernel");
        Log.Calls.push_back(callOf(Entry));
        Log.Calls.back().Kernel = std::exchange(Kernel, {});
      },
      [&](const Refusal &Why) { Log.Refused.emplace_back(std::exchange(Kernel, {}), Why.Why); });
  return Log;
}

} // namespace seamscope::tools
