//===- EventsCsv.cpp - the events of a trace, one a line ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/EventsCsv.h"

#include "trace/io/Escape.h"

#include <iterator>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

bool isNegativeNumber(std::string_view Text) {
  return Text.size() > 1 && Text[0] == '-' &&
         Text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

} // namespace

std::string csvField(std::string_view Text) {
  std::string Result = escaped(Text);
  if (!Result.empty() && std::string_view("=+-@\t\r").find(Result[0]) != std::string_view::npos &&
      !isNegativeNumber(Result))
    Result.insert(Result.begin(), '\'');
  if (Result.find_first_of(",\"\r\n") == std::string::npos)
    return Result;
  std::string Quoted = "\"";
  for (const char C : Result) {
    if (C == '"')
      Quoted += '"';
    Quoted += C;
  }
  return Quoted + '"';
}

void writeEventsCsv(const Trace &Source, const std::function<void(std::string_view)> &Write) {
  constexpr size_t PieceBytes = 1 << 16;
  std::string Text =
      "begin_ns,duration_ns,category,name,pid,tid,thread,kernel,file,line,column\r\n";
  const auto OrEmpty = [](uint32_t Value) { return Value ? std::to_string(Value) : ""; };
  const EventColumns &Events = Source.Events;
  for (size_t I = 0; I < Events.size(); ++I) {
    const Site &S = Source.Sites[Events.Site[I]];
    const Track &T = Source.Tracks[Events.Track[I]];
    fmt::format_to(std::back_inserter(Text), "{},{},{},{},{},{},{},{},{},{},{}\r\n",
                   Events.BeginNs[I], Events.DurationNs[I], csvField(Source.text(S.Category)),
                   csvField(Source.text(S.Name)), csvField(Source.text(T.Process)),
                   csvField(Source.text(T.Thread)),
                   Events.teamThread(I) < 0 ? "" : std::to_string(Events.teamThread(I)),
                   csvField(Source.text(S.Kernel)), csvField(Source.text(S.File)), OrEmpty(S.Line),
                   OrEmpty(S.Column));
    if (Text.size() >= PieceBytes) {
      Write(Text);
      Text.clear();
    }
  }
  Write(Text);
}

} // namespace seamscope::tools
