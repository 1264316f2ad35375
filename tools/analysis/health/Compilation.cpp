//===- Compilation.cpp - what torch compiled while the trace was recorded ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/health/Checks.h"

#include "analysis/core/Cut.h"
#include "analysis/core/Order.h"
#include "analysis/torch/Steps.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// The scopes of torch's own in which it compiles: dynamo's, and those that it times.
bool isCompilation(std::string_view Name) {
  return Name == "dynamo" || Name.ends_with("(dynamo_timed)") || Name.starts_with("compile_fx");
}

} // namespace

/// The outermost such scopes become those that `seamscope run` marks: all that knows compilation
/// knows them.
void checkCompilation(Trace &Source) {
  EventColumns &Events = Source.Events;
  std::vector<bool> Compiles(Source.Sites.size());
  bool Any = false, Marked = false;
  for (SiteId Id = 0; Id < Source.Sites.size(); ++Id) {
    const Site &What = Source.Sites[Id];
    const std::string_view Name = Source.text(What.Name);
    if (What.Device >= 0 || (What.Kind != SiteKind::Operator && What.Kind != SiteKind::Span &&
                             What.Kind != SiteKind::Annotation))
      continue;
    Any |= Compiles[Id] = isCompilation(Name);
    Marked |= Name == CompileScope;
  }
  if (!Any || Marked)
    return;
  std::vector<uint32_t> Outermost;
  for (const uint32_t I : orderedByTrack(
           Source, eventsWhere(Source, [&](uint32_t I) { return Compiles[Events.Site[I]]; })))
    if (Outermost.empty() || Events.Track[Outermost.back()] != Events.Track[I] ||
        Events.BeginNs[I] >= Events.endNs(Outermost.back()))
      Outermost.push_back(I);
  if (Outermost.empty())
    return;
  Site Scope;
  Scope.Name = Source.Strings.intern(CompileScope);
  Scope.Category = Source.Strings.intern("user_annotation");
  Scope.Kind = SiteKind::Span;
  const auto Id = static_cast<SiteId>(Source.Sites.size());
  const TimeRange Whole = *extentOf(Source);
  addFinding(Source, HealthCheck::Compilation, Outermost, 0, "");
  Source.Sites.push_back(Scope);
  for (const uint32_t I : Outermost)
    Events.Site[I] = Id;
  HealthFinding &Found = Source.Health.Found.back();
  Found.Ns = CompilationTime(Source).in(Whole.BeginNs, Whole.EndNs);
  Found.Consequence = fmt::format("torch compiled for {} during recording; figures exclude that "
                                  "time and the operators called in it (--compile-time shows them)",
                                  timeText(Found.Ns));
}

} // namespace seamscope::tools
