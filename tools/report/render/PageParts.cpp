//===- PageParts.cpp - the packed parts of a page ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/PageParts.h"

#include "report/render/PageChart.h"
#include "report/render/PageTable.h"

#include <fmt/format.h>

namespace seamscope::tools {

PageParts::PageParts(const Document &Of, size_t MostInline) : MostInline(MostInline) {
  for (const Section &Part : Of.Sections)
    for (const Item &One : Part.Items) {
      if (!isOnPage(One))
        continue;
      if (const Table *Rows = One.as<Table>())
        add(*Rows);
      else if (const Chart *Drawn = One.as<Chart>()) {
        if (const Flame *Of = std::get_if<Flame>(&Drawn->Of))
          for (const Flame::View &Each : Of->Views)
            add(Each);
        else if (const Timeline *Of = std::get_if<Timeline>(&Drawn->Of))
          add(*Of);
      }
    }
  Texts.sort();
}

void PageParts::add(const Table &Of) {
  if (Of.Count <= MostInline)
    return;
  name(&Of, fmt::format("packed-rows-{}", Tables.size()));
  Tables.push_back(&Of);
  addTexts(Texts, Of);
}

void PageParts::add(const Flame::View &Of) {
  if (Of.Nodes.size() <= MostInline)
    return;
  name(&Of, fmt::format("packed-nodes-{}", Views.size()));
  Views.push_back(&Of);
  for (const std::string &Name : Of.Names)
    Texts.add(Name, /*Lives=*/true);
}

void PageParts::add(const Timeline &Of) {
  name(&Of.Events, fmt::format("packed-events-{}", Timelines.size()));
  if (Of.Names.size() > MostInline) {
    name(&Of.Names, fmt::format("packed-names-{}", Timelines.size()));
    for (const std::string &Name : Of.Names)
      Texts.add(Name, /*Lives=*/true);
  }
  Timelines.push_back(&Of);
}

const std::string *PageParts::idOf(const void *Part) const {
  const auto Found = Ids.find(Part);
  return Found == Ids.end() ? nullptr : &Found->second;
}

void PageParts::write(const WriteText &Write) const {
  const auto Element = [&](std::string_view Id, auto Fill) {
    Write(fmt::format("<script type=\"application/octet-stream\" id=\"{}\">", Id));
    PackedWriter Packed(Write);
    Fill(Packed);
    Packed.end();
    Write("</script>\n");
  };
  const auto Arrays = [&](const void *Part, auto Fill) {
    const std::string *Id = idOf(Part);
    if (!Id)
      return;
    Element(*Id, [&](PackedWriter &Packed) {
      const WriteText Inner = [&](std::string_view Piece) { Packed.add(Piece); };
      PageJson To(Inner);
      Fill(To);
      To.end();
    });
  };
  for (const Table *Each : Tables)
    Arrays(Each, [&](PageJson &To) { writeColumns(To, *Each, Texts); });
  for (const Flame::View *Each : Views)
    Arrays(Each, [&](PageJson &To) { writeNodes(To, *Each, Texts); });
  for (const Timeline *Each : Timelines) {
    Arrays(&Each->Names, [&](PageJson &To) { writeNames(To, *Each, Texts); });
    Element(*idOf(&Each->Events), [&](PackedWriter &Packed) {
      for (const Timeline::Lane &Lane : Each->Lanes)
        Packed.add(laneBytes(*Each, Lane));
    });
  }
  if (Texts.size())
    Element("packed-texts", [&](PackedWriter &Packed) { Texts.write(Packed); });
}

} // namespace seamscope::tools
