//===- walk.cpp - the time of the JSON library alone for a trace --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: walk TRACE
//
// Walks all events of a trace as the reader does, in windows, with simdjson's On-Demand parser:
// looks at the key of each member, sums `dur` and keeps nothing. Prints the events and the seconds,
// which do not include cutting the windows.
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/EventScanner.h"

#include <simdjson.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

using namespace seamscope::tools;

int main(int Count, char **Arguments) {
  if (Count != 2)
    return 2;
  std::ifstream In(Arguments[1], std::ios::binary);
  std::string Chunk(1 << 20, '\0'), Window(1, '[');
  simdjson::ondemand::parser Parser;
  EventScanner Scanner;
  uint64_t Events = 0, Begin = 0;
  double Sum = 0, Seconds = 0;
  bool Inside = false;
  while (!Scanner.ended() && In.read(Chunk.data(), static_cast<std::streamsize>(Chunk.size())),
         In.gcount() > 0) {
    std::string_view Text(Chunk.data(), static_cast<size_t>(In.gcount()));
    if (!Inside) {
      const std::string_view Key = "\"traceEvents\": [";
      const size_t At = Text.find(Key);
      if (At == Text.npos)
        return 1;
      Text.remove_prefix(At + Key.size());
      Inside = true;
    }
    const uint64_t Before = Scanner.scanned();
    Scanner.scan(Text);
    Window.append(Text.substr(0, Scanner.scanned() - Before));
    const size_t Whole = Scanner.boundary() - Begin;
    std::string Next = "[" + Window.substr(1 + Whole);
    Window.resize(1 + Whole);
    Window[1] = Window[1] == ',' ? ' ' : Window[1];
    Window += ']';
    Window.reserve(Window.size() + simdjson::SIMDJSON_PADDING);
    const auto Start = std::chrono::steady_clock::now();
    auto Document = Parser.iterate(Window.data(), Window.size(), Window.capacity());
    for (auto Element : Document.get_array()) {
      for (auto Field : Element.get_object())
        if (Field.key().value() == "dur")
          Sum += Field.value().get_double().value();
      ++Events;
    }
    Seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - Start).count();
    Window = std::move(Next);
    Begin += Whole;
    if (Scanner.ended())
      break;
  }
  std::printf("{\"events\": %llu, \"dur_us\": %.3f, \"seconds\": %.6f}\n",
              static_cast<unsigned long long>(Events), Sum, Seconds);
}
