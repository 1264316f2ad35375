//===- ChromeReader.cpp - reads Chrome trace JSON -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/ChromeReader.h"
#include "trace/ChromeEvent.h"
#include "trace/ChromeMetadata.h"
#include "trace/JsonTree.h"

#include <fmt/format.h>

#include <limits>

namespace seamscope::tools {
namespace {

using nlohmann::json;

/// Takes nlohmann's parser events. Its functions return false to stop.
class ChromeHandler {
public:
  ChromeHandler(ByteSource &Source, const std::string &Path) : Source(Source), Path(Path) {}

  bool null() { return scalar({}, nullptr); }
  bool boolean(bool Value) { return scalar({JsonScalar::Type::Boolean, Value, {}}, Value); }
  bool number_integer(json::number_integer_t Value) {
    return scalar({JsonScalar::Type::Integer, Value, {}}, Value);
  }
  bool number_unsigned(json::number_unsigned_t Value) {
    if (Value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      return scalar({JsonScalar::Type::Integer, static_cast<int64_t>(Value), {}}, Value);
    const std::string Digits = fmt::to_string(Value);
    return scalar({JsonScalar::Type::Decimal, 0, Digits}, Value);
  }
  bool number_float(json::number_float_t Value, const std::string &Written) {
    return scalar({JsonScalar::Type::Decimal, 0, Written}, Value);
  }
  bool string(std::string &Value) { return scalar({JsonScalar::Type::String, 0, Value}, Value); }
  bool binary(json::binary_t &) { return false; } // not in JSON text

  bool start_object(size_t) {
    switch (Where) {
    case State::Start:
      Where = State::Top;
      return true;
    case State::Top:
      if (Key == "traceEvents")
        return fail("\"traceEvents\" is not an array");
      if (Key == "seamscope" || Key == "distributedInfo") {
        CurrentTree = Key == "seamscope" ? &Metadata.Seamscope : &Metadata.Distributed;
        CurrentTree->clear();
        CurrentTree->begin(json::object());
        Where = State::Tree;
        return true;
      }
      return skip();
    case State::Events:
      Event.clear();
      EventOffset = Source.offset() - 1;
      Where = State::Event;
      return true;
    case State::Event:
      if (Key != "args")
        return skip();
      Where = State::Arguments;
      return true;
    case State::Tree:
      CurrentTree->begin(json::object());
      return true;
    case State::Arguments:
    case State::Skip:
      return skip();
    case State::Done:
      break;
    }
    return fail("more than one JSON text");
  }

  bool start_array(size_t) {
    switch (Where) {
    case State::Start:
      Bare = true;
      SawEvents = true;
      Where = State::Events;
      return true;
    case State::Top:
      if (Key == "traceEvents") {
        SawEvents = true;
        Where = State::Events;
        return true;
      }
      if (Key == "deviceProperties" || Key == "computeProperties")
        Metadata.Torch = true;
      return skip();
    case State::Events:
      return fail("an element of \"traceEvents\" is an array, not an event");
    case State::Tree:
      CurrentTree->begin(json::array());
      return true;
    default:
      return skip();
    }
  }

  bool key(std::string &Name) {
    if (Where == State::Tree)
      CurrentTree->key(Name);
    else if (Where != State::Skip)
      Key = Name;
    return true;
  }

  bool end_object() {
    switch (Where) {
    case State::Top:
      Where = State::Done;
      return true;
    case State::Event:
      Where = State::Events;
      if (const std::string Why = Event.addTo(Builder); !Why.empty())
        return fail(Why, EventOffset);
      return true;
    case State::Arguments:
      Where = State::Event;
      return true;
    default:
      return endInner();
    }
  }

  bool end_array() {
    if (Where != State::Events)
      return endInner();
    Where = Bare ? State::Done : State::Top;
    return true;
  }

  bool parse_error(size_t Position, const std::string &, const json::exception &Why) {
    if (const Error *Lost = Source.error()) {
      Failure = *Lost;
      return false;
    }
    if (Position <= 1 && Source.offset() == 0) {
      Failure = {Path, {}, "is empty; a trace was expected"};
      return false;
    }
    std::string_view Text = Why.what();
    if (Text.find("unexpected end of input") != Text.npos ||
        Text.find("missing closing quote") != Text.npos)
      return fail("the file ends in the middle of its JSON text", Source.offset());
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ..."
    if (const size_t Colon = Text.find(": "); Colon != Text.npos)
      Text.remove_prefix(Colon + 2);
    return fail(fmt::format("not JSON: {}", Text), Position ? Position - 1 : 0);
  }

  Result<Trace> finish(bool Parsed) {
    if (!Parsed)
      return Failure;
    if (const Error *Lost = Source.error())
      return *Lost;
    if (!SawEvents)
      return Error{Path, {}, "JSON, but not a Chrome trace: it has no \"traceEvents\""};
    Metadata.Torch |= Event.sawTorch();
    if (const std::string Why = applyMetadata(Metadata, Builder); !Why.empty())
      return Error{Path, {}, Why};
    if (Event.repairs().NoDuration)
      Builder.note(fmt::format("{} event(s) without a \"dur\" were taken to last 0 ns",
                               Event.repairs().NoDuration));
    if (Event.repairs().NegativeDuration)
      Builder.note(fmt::format("{} event(s) with a negative \"dur\" were taken to last 0 ns",
                               Event.repairs().NegativeDuration));
    Builder.info().Path = Path;
    Builder.info().Bytes = Source.storedBytes();
    return Builder.finish();
  }

private:
  enum class State : uint8_t { Start, Top, Tree, Events, Event, Arguments, Skip, Done };

  bool fail(std::string Reason, std::optional<uint64_t> Offset = {}) {
    Failure = {Path, Offset ? *Offset : Source.offset(), std::move(Reason)};
    return false;
  }

  bool skip() {
    if (Where != State::Skip) {
      AfterSkip = Where;
      Where = State::Skip;
    }
    ++SkipDepth;
    return true;
  }

  /// The end of an object or array that is skipped or made into a tree.
  bool endInner() {
    if (Where == State::Skip) {
      if (--SkipDepth == 0)
        Where = AfterSkip;
    } else if (CurrentTree->end()) {
      Where = State::Top;
    }
    return true;
  }

  template <typename T> bool scalar(const JsonScalar &Value, const T &ForTree) {
    std::string Why;
    switch (Where) {
    case State::Event:
      Why = Event.set(Key, Value);
      break;
    case State::Arguments:
      Why = Event.setArgument(Key, Value);
      break;
    case State::Tree:
      CurrentTree->scalar(ForTree);
      break;
    case State::Events:
      Why = "an element of \"traceEvents\" is not an object";
      break;
    case State::Top:
      if (Key == "traceEvents")
        Why = "\"traceEvents\" is not an array";
      break;
    case State::Start:
      Why = "JSON, but not a Chrome trace: an object or an array was expected";
      break;
    default:
      break;
    }
    return Why.empty() || fail(Why);
  }

  ByteSource &Source;
  const std::string &Path;
  TraceBuilder Builder;
  ChromeEvent Event;
  ChromeMetadata Metadata;
  JsonTree *CurrentTree = nullptr;
  std::string Key;
  State Where = State::Start;
  State AfterSkip = State::Start;
  uint64_t SkipDepth = 0;
  uint64_t EventOffset = 0;
  bool Bare = false;
  bool SawEvents = false;
  Error Failure;
};

} // namespace

Result<Trace> readChromeTrace(ByteSource &Source, const std::string &Path) {
  ChromeHandler Handler(Source, Path);
  const bool Parsed = json::sax_parse(ByteIterator(Source), ByteIterator(), &Handler);
  return Handler.finish(Parsed);
}

} // namespace seamscope::tools
