//===- EventParser.cpp - parses a window of a trace's events --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/EventParser.h"

#include "trace/EventScanner.h"

#include <algorithm>
#include <charconv>
#include <simdjson.h>

namespace seamscope::tools {

namespace od = simdjson::ondemand;

struct EventParser::Library {
  od::parser Parser;
};

namespace {

/// simdjson's error as an exception: it leaves the nested loops below in one step.
[[noreturn]] void fail(simdjson::error_code Code) { throw simdjson::simdjson_error(Code); }

template <typename T> T get(simdjson::simdjson_result<T> Result) {
  T Value;
  if (const simdjson::error_code Code = std::move(Result).get(Value))
    fail(Code);
  return Value;
}

std::string_view trimmed(std::string_view Token) {
  while (!Token.empty() && (static_cast<unsigned char>(Token.back()) <= ' ' ||
                            Token.back() == ',' || Token.back() == '}' || Token.back() == ']'))
    Token.remove_suffix(1);
  return Token;
}

/// JSON takes no leading zero.
bool isWholeNumber(std::string_view Token) {
  if (Token[0] == '-')
    Token.remove_prefix(1);
  return Token == "0" || Token[0] != '0';
}

/// A number, string, boolean or null. False: it is an array or object.
bool scalarOf(od::value &Value, JsonScalar &Into) {
  switch (get(Value.type())) {
  case od::json_type::string:
    Into = {JsonScalar::Type::String, 0, get(Value.get_string())};
    return true;
  case od::json_type::number: {
    const std::string_view Token = trimmed(Value.raw_json_token());
    const char *const End = Token.data() + Token.size();
    int64_t Whole;
    if (const auto [Stop, Error] = std::from_chars(Token.data(), End, Whole);
        Error == std::errc() && Stop == End && isWholeNumber(Token)) {
      Into = {JsonScalar::Type::Integer, Whole, {}};
      return true;
    }
    // Decimals, and whole numbers past 64 bits.
    double Ignored;
    if (const simdjson::error_code Code = Value.get_double().get(Ignored);
        Code && Code != simdjson::NUMBER_ERROR)
      fail(Code);
    Into = {JsonScalar::Type::Decimal, 0, Token};
    return true;
  }
  case od::json_type::boolean:
    Into = {JsonScalar::Type::Boolean, get(Value.get_bool()), {}};
    return true;
  case od::json_type::null:
    if (!Value.is_null())
      fail(simdjson::INCORRECT_TYPE);
    Into = {};
    return true;
  default:
    return false;
  }
}

/// Takes the members of an event's `args`.
void readArguments(od::object Arguments, ChromeEvent &Event, std::string &Why) {
  for (auto Field : Arguments) {
    const std::string_view Key = get(Field.unescaped_key());
    od::value Value = get(Field.value());
    if (!Event.wantsArgument(Key))
      continue;
    JsonScalar Scalar;
    if (scalarOf(Value, Scalar)) {
      if (std::string Reason = Event.setArgument(Key, Scalar); !Reason.empty() && Why.empty())
        Why = std::move(Reason);
    } else {
      Event.setNested(Key, get(simdjson::to_json_string(Value)));
    }
  }
}

std::string readEvent(od::object Object, ChromeEvent &Event) {
  std::string Why;
  Event.clear();
  for (auto Field : Object) {
    const std::string_view Key = get(Field.unescaped_key());
    od::value Value = get(Field.value());
    if (Key == "args") {
      if (get(Value.type()) == od::json_type::object)
        readArguments(get(Value.get_object()), Event, Why);
      continue;
    }
    JsonScalar Scalar;
    if (!scalarOf(Value, Scalar))
      continue;
    if (std::string Reason = Event.set(Key, Scalar); !Reason.empty() && Why.empty())
      Why = std::move(Reason);
  }
  return Why;
}

size_t leadingSpace(std::string_view Text) {
  size_t Count = 0;
  while (Count < Text.size() && (Text[Count] == ',' || Text[Count] == ' ' || Text[Count] == '\n' ||
                                 Text[Count] == '\r' || Text[Count] == '\t'))
    ++Count;
  return Count;
}

} // namespace

EventParser::EventParser(TraceBuilder &Builder, const ReadOptions &Keep)
    : Builder(Builder), Event(Keep), Json(std::make_unique<Library>()) {
  Builder.keepOffsets(Keep.Offsets);
}
EventParser::~EventParser() = default;

/// Parses in place, without a copy: the byte before the events becomes '[', and a comma before the
/// first one a blank.
bool EventParser::parseAll(std::string &Buffer, uint64_t Offset) {
  const size_t Space = leadingSpace(std::string_view(Buffer).substr(1));
  if (1 + Space == Buffer.size())
    return true;
  std::fill_n(Buffer.begin() + 1, Space, ' ');
  Buffer[0] = '[';
  Buffer += ']';
  Buffer.reserve(Buffer.size() + simdjson::SIMDJSON_PADDING);
  const TraceBuilder::Mark Mark = Builder.mark();
  const ChromeEvent::Repairs Repairs = Event.repairs();
  try {
    od::document Document =
        get(Json->Parser.iterate(Buffer.data(), Buffer.size(), Buffer.capacity()));
    for (auto Element : get(Document.get_array())) {
      od::value Value = get(Element);
      std::string Why;
      const std::string_view Token = Value.raw_json_token();
      const uint64_t At = Offset + static_cast<uint64_t>(Token.data() - Buffer.data()) - 1;
      if (get(Value.type()) != od::json_type::object) {
        Why = "an element of \"traceEvents\" is not an object";
      } else {
        Builder.nextStandsAt(At);
        Why = readEvent(get(Value.get_object()), Event);
        if (Why.empty())
          Why = Event.addTo(Builder);
      }
      if (!Why.empty())
        Builder.skip(At, std::move(Why));
    }
    return true;
  } catch (const simdjson::simdjson_error &) {
    Builder.goBack(Mark);
    Event.setRepairs(Repairs);
    return false;
  }
}

void EventParser::parse(std::string &Window, uint64_t Offset) {
  if (parseAll(Window, Offset))
    return;
  Window.pop_back();
  parseEach(std::string_view(Window).substr(1), Offset);
}

/// The slow way, for a window that holds something that is not JSON.
void EventParser::parseEach(std::string_view Window, uint64_t Offset) {
  std::string One;
  while (!Window.empty()) {
    const size_t Space = leadingSpace(Window);
    Window.remove_prefix(Space);
    Offset += Space;
    const size_t Size = EventScanner::firstEvent(Window);
    One.assign(1, '[').append(Window.substr(0, Size));
    if (!parseAll(One, Offset)) {
      Builder.skip(Offset, "is not JSON");
      Builder.info().NotJson = true;
    }
    Window.remove_prefix(Size);
    Offset += Size;
  }
}

} // namespace seamscope::tools
