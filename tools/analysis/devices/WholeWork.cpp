//===- WholeWork.cpp - FLOPs and bytes of calls with all inside them --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/WholeWork.h"

#include "analysis/core/HostNesting.h"

#include <ranges>

namespace seamscope::tools {

void WholeWorkSum::add(const WholeWork &Work, uint64_t Count) {
  if (__builtin_add_overflow(Of.Flop, Work.Flop, &Of.Flop) ||
      __builtin_add_overflow(Of.Bytes, Work.Bytes, &Of.Bytes))
    *this = {};
  else
    Calls += Count;
}

std::vector<std::optional<WholeWork>> wholeWork(const Trace &Input, const TraceWork &Work) {
  const HostNesting Nesting = nestHost(Input);
  /// What is inside a call.
  struct Inside {
    WholeWorkSum Sum;
    uint64_t Operators = 0;
  };
  std::vector<Inside> All(Input.Events.size());
  std::vector<std::optional<WholeWork>> Made(Input.Events.size());
  for (const uint32_t Event : std::views::reverse(Nesting.Order)) {
    const Site &What = Input.Sites[Input.Events.Site[Event]];
    Inside Of = All[Event];
    if (isHostOperator(What)) {
      const CallWork Own = Work.of(Event);
      if (Own.Flop && Own.Bytes && !Own.BytesAtLeast)
        Made[Event] = {*Own.Flop, *Own.Bytes};
      else if (Own.Flop || Own.Bytes)
        Made[Event] = std::nullopt; // the figures are of all inside it
      else if (Work.kindOf(What.Name) == OpWorkKind::View)
        Made[Event] = WholeWork();
      else if (Of.Operators && Of.Sum.Calls == Of.Operators)
        Made[Event] = Of.Sum.Of;
      Of = {{}, 1};
      if (Made[Event])
        Of.Sum.add(*Made[Event]);
    }
    if (const uint32_t Parent = Nesting.Parent[Event]; Parent != NoEvent) {
      All[Parent].Operators += Of.Operators;
      All[Parent].Sum.add(Of.Sum.Of, Of.Sum.Calls);
    }
  }
  return Made;
}

} // namespace seamscope::tools
