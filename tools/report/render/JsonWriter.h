//===- JsonWriter.h - writes JSON piece by piece -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nlohmann_json formats the values; the whole document is never in memory.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_JSONWRITER_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_JSONWRITER_H

#include "report/render/Render.h"
#include "trace/io/JsonText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <concepts>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Writes values, keys and brackets in the order of the text. The output is ASCII: a name may
/// contain any bytes, and output on a terminal must not control it.
class JsonWriter {
public:
  explicit JsonWriter(const WriteText &Write, bool Indents = true)
      : Write(Write), Indents(Indents) {}
  ~JsonWriter() { flush(); }
  JsonWriter(const JsonWriter &) = delete;
  JsonWriter &operator=(const JsonWriter &) = delete;

  void beginObject() { begin('{', false); }
  void endObject() { end('}'); }
  /// \p Lines: each of its values takes one line.
  void beginArray(bool Lines = false) { begin('[', Lines); }
  void endArray() { end(']'); }

  void key(std::string_view Name) {
    separate();
    text(Name);
    Text += Indents && !InLine ? ": " : ":";
    IsMember = true;
  }

  template <typename T> void value(const T &Of) {
    separate();
    if constexpr (std::same_as<T, std::string_view>)
      text(Of);
    else if constexpr (std::integral<T> && !std::same_as<T, bool>)
      fmt::format_to(std::back_inserter(Text), "{}", +Of);
    else
      Text += nlohmann::json(Of).dump();
    flushAt();
  }
  void null() {
    separate();
    Text += "null";
  }
  /// Ends the text with a newline.
  void end() {
    Text += '\n';
    flush();
  }

private:
  struct Level {
    bool Any = false, Lines = false;
  };

  void text(std::string_view Of) { Text += quotedAscii(Of); }
  void begin(char Bracket, bool Lines) {
    separate();
    Text += Bracket;
    // A line contains its whole value.
    if (!InLine && !Open.empty() && Open.back().Lines)
      InLine = Open.size();
    Open.push_back({false, Lines});
  }
  void end(char Bracket) {
    const bool Any = Open.back().Any;
    Open.pop_back();
    if (Any && !InLine)
      newLine();
    Text += Bracket;
    if (InLine == Open.size())
      InLine = 0;
    flushAt();
  }
  void newLine() {
    if (Indents)
      Text.append(1, '\n').append(2 * Open.size(), ' ');
  }
  /// What comes before a key or a value.
  void separate() {
    if (IsMember) {
      IsMember = false;
      return;
    }
    if (Open.empty())
      return;
    if (Open.back().Any)
      Text += ',';
    Open.back().Any = true;
    if (!InLine)
      newLine();
  }
  void flush() {
    if (!Text.empty())
      Write(Text);
    Text.clear();
  }
  void flushAt() {
    constexpr size_t Piece = 1 << 16;
    if (Text.size() >= Piece)
      flush();
  }

  const WriteText &Write;
  const bool Indents;
  std::string Text;
  std::vector<Level> Open;
  size_t InLine = 0; ///< level of the array whose lines are values; 0: none
  bool IsMember = false;
};

/// Keys of one object and of objects in it, which dots separate: "gap.total_ns". Keys of one object
/// must be consecutive.
class JsonPath {
public:
  explicit JsonPath(JsonWriter &To) : To(To) {}

  void to(std::string_view Path) {
    size_t Common = 0;
    for (size_t Dot; (Dot = Path.find('.')) != Path.npos; ++Common) {
      const std::string_view Name = Path.substr(0, Dot);
      Path.remove_prefix(Dot + 1);
      if (Common < Inside.size() && Inside[Common] == Name)
        continue;
      closeTo(Common);
      To.key(Name);
      To.beginObject();
      Inside.emplace_back(Name);
    }
    closeTo(Common);
    To.key(Path);
  }
  void close() { closeTo(0); }

private:
  void closeTo(size_t Depth) {
    for (; Inside.size() > Depth; Inside.pop_back())
      To.endObject();
  }

  JsonWriter &To;
  std::vector<std::string> Inside;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_JSONWRITER_H
