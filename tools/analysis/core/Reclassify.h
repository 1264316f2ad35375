//===- Reclassify.h - gives events another site -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_RECLASSIFY_H
#define SEAMSCOPE_TOOLS_ANALYSIS_RECLASSIFY_H

#include "trace/model/Trace.h"

#include <map>
#include <tuple>

namespace seamscope::tools {

/// Moves events to sites of another category, kind or device.
class Reclassifier {
public:
  explicit Reclassifier(Trace &Source) : Source(Source) {}

  const Site &siteOf(uint32_t Event) const { return Source.Sites[Source.Events.Site[Event]]; }
  std::string_view nameOf(uint32_t Event) const { return Source.text(siteOf(Event).Name); }
  const Track &trackOf(uint32_t Event) const { return Source.Tracks[Source.Events.Track[Event]]; }

  /// \p Device: that of work; -1 for the host.
  void set(uint32_t Event, std::string_view Category, SiteKind Kind, int32_t Device = -1) {
    Site New = siteOf(Event);
    New.Category = Source.Strings.intern(Category);
    New.Kind = Kind;
    New.Device = Device;
    replace(Event, New);
  }

  /// Moves the event to the site \p New, which depends only on its old site and on the new category
  /// and device.
  void replace(uint32_t Event, const Site &New) {
    const auto [Place, IsNew] =
        Known.try_emplace({Source.Events.Site[Event], New.Category, New.Device},
                          static_cast<SiteId>(Source.Sites.size()));
    if (IsNew)
      Source.Sites.push_back(New);
    Source.Events.Site[Event] = Place->second;
  }

private:
  Trace &Source;
  std::map<std::tuple<SiteId, StringId, int32_t>, SiteId> Known;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_RECLASSIFY_H
