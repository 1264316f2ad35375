//===- EventText.cpp - one event's text, changed where it stands ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/EventText.h"

#include "trace/chrome/SimdJson.h"
#include "trace/io/Decimal.h"

#include <algorithm>
#include <charconv>

namespace seamscope::tools {

namespace od = simdjson::ondemand;

struct EventText::Library {
  od::parser Parser;
  simdjson::dom::parser Checker;
};

namespace {

bool isSpace(char C) { return C == ' ' || C == '\n' || C == '\r' || C == '\t'; }

/// Up to the end of the number, word or string that it begins with.
std::string_view scalarAt(std::string_view Token) {
  if (Token.starts_with('"')) {
    size_t End = 1;
    while (End < Token.size() && Token[End] != '"')
      End += Token[End] == '\\' ? 2 : 1;
    return Token.substr(0, End + 1);
  }
  const auto IsPart = [](char C) {
    return (C >= '0' && C <= '9') || (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '+' ||
           C == '-' || C == '.';
  };
  return Token.substr(0,
                      static_cast<size_t>(std::ranges::find_if_not(Token, IsPart) - Token.begin()));
}

EventText::Member memberOf(std::string_view Key, od::value Value) {
  EventText::Member Result;
  Result.Key = Key;
  od::json_type Type;
  if (Value.type().get(Type)) {
    // Such as `inf`, which some writers put.
    Result.Json = scalarAt(Value.raw_json_token());
    return Result;
  }
  switch (Type) {
  case od::json_type::string:
    Result.Kind = EventText::Type::String;
    Result.Json = scalarAt(Value.raw_json_token());
    Result.Text = get(Value.get_string());
    break;
  case od::json_type::number:
    Result.Kind = EventText::Type::Number;
    Result.Json = Result.Text = scalarAt(Value.raw_json_token());
    break;
  case od::json_type::array:
  case od::json_type::object:
    Result.Json = get(simdjson::to_json_string(Value));
    while (!Result.Json.empty() && isSpace(Result.Json.back()))
      Result.Json.remove_suffix(1);
    break;
  default:
    Result.Json = scalarAt(Value.raw_json_token());
    break;
  }
  return Result;
}

const EventText::Member *lastOf(std::span<const EventText::Member> Among, std::string_view Key) {
  for (size_t I = Among.size(); I-- > 0;)
    if (Among[I].Key == Key)
      return &Among[I];
  return nullptr;
}

void addTo(std::string &Added, std::string_view Key, std::string_view Json) {
  if (!Added.empty())
    Added += ", ";
  ((((Added += '"') += Key) += "\": ") += Json);
}

} // namespace

std::optional<__int128> EventText::Member::integer() const {
  if (Kind != Type::Number)
    return std::nullopt;
  const char *const End = Text.data() + Text.size();
  int64_t Signed;
  if (const auto [Stop, Error] = std::from_chars(Text.data(), End, Signed);
      Error == std::errc() && Stop == End)
    return Signed;
  uint64_t Unsigned;
  if (const auto [Stop, Error] = std::from_chars(Text.data(), End, Unsigned);
      Error == std::errc() && Stop == End)
    return Unsigned;
  return std::nullopt;
}

std::optional<__int128> EventText::Member::id() const {
  if (const auto Number = integer())
    return Number;
  return Kind == Type::Other ? std::nullopt : std::optional<__int128>(wholeNumber(Text));
}

EventText::EventText() : Json(std::make_unique<Library>()) { prepareSimdJson(); }
EventText::~EventText() = default;

const EventText::Member *EventText::member(std::string_view Key) const {
  return lastOf(Members, Key);
}
const EventText::Member *EventText::argument(std::string_view Key) const {
  return lastOf(Arguments, Key);
}

bool EventText::parse(std::string_view Text) {
  Members.clear();
  Arguments.clear();
  Changes.clear();
  AddedArguments.clear();
  AddedMembers.clear();
  LastArguments = ArgumentsBrace = 0;
  ArgumentsAreOther = false;
  Buffer.assign(Text);
  try {
    parseMembers();
  } catch (const simdjson::simdjson_error &) {
    return false;
  }
  return true;
}

bool EventText::isWhole() {
  const simdjson::error_code Code =
      Json->Checker.parse(Buffer.data(), Buffer.size(), /*realloc_if_needed=*/false).error();
  if (Code == simdjson::MEMALLOC)
    failWith(Code);
  return Code == simdjson::SUCCESS;
}

void EventText::parseMembers() {
  od::document Document = iterate(Json->Parser, Buffer);
  for (auto Field : get(Document.get_object())) {
    const std::string_view Key = get(Field.unescaped_key());
    od::value Value = get(Field.value());
    if (Key != "args") {
      Members.push_back(memberOf(Key, Value));
      continue;
    }
    ArgumentsAreOther = get(Value.type()) != od::json_type::object;
    LastArguments = Arguments.size();
    if (ArgumentsAreOther)
      continue;
    for (auto Argument : get(Value.get_object())) {
      const std::string_view Name = get(Argument.unescaped_key());
      Arguments.push_back(memberOf(Name, get(Argument.value())));
    }
    // The next token is the event's comma or brace.
    const size_t Next = offsetOf(get(Document.current_location()));
    ArgumentsBrace = lastByteBefore(Next);
    if (Buffer[ArgumentsBrace] != '}')
      failWith(simdjson::TAPE_ERROR);
  }
}

/// White space aside.
size_t EventText::lastByteBefore(size_t Place) const {
  size_t At = Place - 1;
  while (At > 0 && isSpace(Buffer[At]))
    --At;
  return At;
}

void EventText::replace(const Member &Of, std::string_view Json) {
  const size_t At = offsetOf(Of.Json.data());
  const auto Known = std::ranges::find(Changes, At, &Change::At);
  if (Known != Changes.end())
    Known->Text = Json;
  else
    Changes.push_back({At, Of.Json.size(), std::string(Json)});
}

void EventText::addArgument(std::string_view Key, std::string_view Json) {
  addTo(AddedArguments, Key, Json);
}

void EventText::addMember(std::string_view Key, std::string_view Json) {
  addTo(AddedMembers, Key, Json);
}

/// \p Added members behind the last one of the object that \p Brace closes.
void EventText::insert(size_t Brace, const std::string &Added) {
  const size_t Last = lastByteBefore(Brace);
  Changes.push_back({Last + 1, 0, (Buffer[Last] == '{' ? "" : ", ") + Added});
}

void EventText::write(std::string &Out) {
  if (!AddedArguments.empty()) {
    if (ArgumentsBrace)
      insert(ArgumentsBrace, AddedArguments);
    else
      addMember("args", "{" + AddedArguments + "}");
    AddedArguments.clear();
  }
  // The text ends with the event's brace.
  if (!AddedMembers.empty())
    insert(Buffer.size() - 1, AddedMembers);
  AddedMembers.clear();
  std::ranges::stable_sort(Changes, {}, &Change::At);
  size_t Done = 0;
  for (const Change &Next : Changes) {
    Out.append(Buffer, Done, Next.At - Done).append(Next.Text);
    Done = Next.At + Next.Size;
  }
  Out.append(Buffer, Done);
}

} // namespace seamscope::tools
