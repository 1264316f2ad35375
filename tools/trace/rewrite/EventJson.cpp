//===- EventJson.cpp - events as JSON for all readers ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/EventJson.h"

#include <nlohmann/json.hpp>

namespace seamscope::tools {

bool makeJson(EventText &Event) {
  if (Event.isWhole())
    return true;
  for (const EventText::Member &Argument : Event.arguments())
    if (!nlohmann::json::accept(Argument.Json))
      Event.replace(Argument, "null");
  std::string Text;
  Event.write(Text);
  return nlohmann::json::accept(Text);
}

} // namespace seamscope::tools
