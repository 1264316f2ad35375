//===- EventParser.cpp - parses a window of a trace's events --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/EventParser.h"

#include "trace/chrome/EventScanner.h"
#include "trace/chrome/SimdJson.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace seamscope::tools {

namespace od = simdjson::ondemand;

struct EventParser::Library {
  od::parser Parser;
};

namespace {

bool isSpace(char C) { return static_cast<unsigned char>(C) <= ' '; }

std::string_view trimmed(std::string_view Token) {
  while (!Token.empty() && isSpace(Token.back()))
    Token.remove_suffix(1);
  return Token;
}

/// A key. Hardly any is escaped: the others are taken as they stand, without a copy.
std::string_view keyOf(od::field &Field) {
  const char *const Begin = Field.key().raw();
  const char *End = Begin;
#if defined(__SSE2__)
  // Nearly all are shorter than this. The buffer is padded, and the key's quote is in it.
  const __m128i Text = _mm_loadu_si128(reinterpret_cast<const __m128i *>(Begin));
  const __m128i Stops = _mm_or_si128(_mm_cmpeq_epi8(Text, _mm_set1_epi8('"')),
                                     _mm_cmpeq_epi8(Text, _mm_set1_epi8('\\')));
  const int Mask = _mm_movemask_epi8(Stops);
  End += Mask ? std::countr_zero(static_cast<unsigned>(Mask)) : 16;
#endif
  while (*End != '"' && *End != '\\')
    ++End;
  if (*End == '"')
    return {Begin, static_cast<size_t>(End - Begin)};
  return get(Field.unescaped_key());
}

/// The same of a string's token.
std::string_view stringOf(od::value &Value, std::string_view Token) {
  Token = trimmed(Token);
  if (Token.size() < 2 || Token.back() != '"' || std::memchr(Token.data(), '\\', Token.size()))
    return get(Value.get_string());
  return Token.substr(1, Token.size() - 2);
}

/// A number. JSON takes no leading zero.
JsonScalar numberOf(std::string_view Token) {
  Token = trimmed(Token);
  const size_t First = Token[0] == '-';
  int64_t Whole = 0;
  size_t I = First;
  for (; I < Token.size() && Token[I] >= '0' && Token[I] <= '9'; ++I)
    if (__builtin_mul_overflow(Whole, int64_t{10}, &Whole) ||
        __builtin_sub_overflow(Whole, int64_t{Token[I] - '0'}, &Whole))
      return {JsonScalar::Type::Decimal, 0, Token};
  const bool Zeros = Token[First] == '0' && I > First + 1;
  // Below zero there is one number more.
  if (I < Token.size() || I == First || Zeros || (!First && Whole == INT64_MIN))
    return {JsonScalar::Type::Decimal, 0, Token};
  return {JsonScalar::Type::Integer, First ? Whole : -Whole, Token};
}

/// A number, string, boolean or null. False: it is an array or object.
bool scalarOf(od::value &Value, JsonScalar &Into) {
  const std::string_view Token = Value.raw_json_token();
  switch (Token[0]) {
  case '"':
    Into = {JsonScalar::Type::String, 0, stringOf(Value, Token)};
    return true;
  case 't':
  case 'f':
    Into = {JsonScalar::Type::Boolean, get(Value.get_bool()), {}};
    return true;
  case 'n':
    if (!Value.is_null())
      failWith(simdjson::INCORRECT_TYPE);
    Into = {};
    return true;
  case '{':
  case '[':
    return false;
  default:
    get(Value.type()); // what begins no value
    Into = numberOf(Token);
    return true;
  }
}

/// Takes the members of an event's `args`.
void readArguments(od::object Arguments, ChromeEvent &Event) {
  for (auto Member : Arguments) {
    od::field Field = get(std::move(Member));
    const ChromeEvent::Argument *const Known = Event.argument(keyOf(Field));
    if (!Known)
      continue;
    if (JsonScalar Scalar; !scalarOf(Field.value(), Scalar)) {
      if (Known->SetNested)
        Known->SetNested(Event, get(simdjson::to_json_string(Field.value())));
    } else if (Known->Set) {
      Known->Set(Event, Scalar);
    }
  }
}

std::string readEvent(od::object Object, ChromeEvent &Event) {
  std::string Why;
  Event.clear();
  for (auto Member : Object) {
    od::field Field = get(std::move(Member));
    const std::string_view Key = keyOf(Field);
    od::value &Value = Field.value();
    if (Key == "args") {
      if (get(Value.type()) == od::json_type::object)
        readArguments(get(Value.get_object()), Event);
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
    : Builder(Builder), Event(Builder, Keep), Json(std::make_unique<Library>()) {
  Builder.keepOffsets(Keep.Offsets);
  prepareSimdJson();
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
  const TraceBuilder::Mark Mark = Builder.mark();
  const ChromeEvent::Repairs Repairs = Event.repairs();
  try {
    od::document Document = iterate(Json->Parser, Buffer);
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
          Why = Event.add();
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

/// Where the next event seems to begin, by the layout that writers use: an object at the begin of a
/// line, behind another one and a comma. The size of the text where there is none.
static size_t nextLineOfEvent(std::string_view Text) {
  constexpr std::string_view Spaces = " \t\r\n";
  for (size_t Break = Text.find('\n'); Break != Text.npos; Break = Text.find('\n', Break + 1)) {
    const size_t Next = Text.find_first_not_of(Spaces, Break);
    const size_t Comma = Text.find_last_not_of(Spaces, Break);
    const size_t Object = Comma == Text.npos || !Comma || Text[Comma] != ','
                              ? Text.npos
                              : Text.find_last_not_of(Spaces, Comma - 1);
    if (Next != Text.npos && Text[Next] == '{' && Object != Text.npos && Text[Object] == '}')
      return Next;
  }
  return Text.size();
}

/// The slow way, for a window that holds something that is not JSON.
void EventParser::parseEach(std::string_view Window, uint64_t Offset) {
  // Of one that does not end where it should, what it took along is parsed within its own end, so
  // that where windows are cut makes no difference. Few are enough, and bound the work.
  constexpr size_t MostAgain = 64;
  std::vector<size_t> Left = {Window.size()}; // bytes to the end of each of these
  size_t Again = 0;
  std::string One;
  const auto Take = [&](size_t Size) {
    Window.remove_prefix(Size);
    Offset += Size;
    for (size_t &Each : Left)
      Each -= Size;
    while (!Left.empty() && !Left.back())
      Left.pop_back();
    if (Left.size() < 2)
      Again = 0;
  };
  while (!Left.empty()) {
    if (const size_t Space = leadingSpace(Window.substr(0, Left.back()))) {
      Take(Space);
      continue;
    }
    const size_t Size = EventScanner::firstEvent(Window.substr(0, Left.back()));
    One.assign(1, '[').append(Window.substr(0, Size));
    if (parseAll(One, Offset)) {
      Take(Size);
      continue;
    }
    Builder.skip(Offset, "is not JSON");
    const size_t Next =
        Again < MostAgain ? nextLineOfEvent(Window.substr(0, Size)) : std::string_view::npos;
    if (Next >= Size) {
      Take(Size);
      continue;
    }
    ++Again;
    Left.push_back(Size);
    Take(Next);
  }
}

} // namespace seamscope::tools
