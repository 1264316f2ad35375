//===- PageParts.cpp - the packed parts of a page ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/PageParts.h"

#include "report/render/PageJson.h"
#include "report/render/PageTable.h"

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

void writeNumbersOf(PageJson &To, const std::vector<std::string> &Names, const PageTexts &Texts) {
  To.elements(Names, [&](const std::string &Name) { To.value(Texts.numberOf(Name)); });
}

/// One array each of names, parents, numbers of names, self times and calls.
void writeNodes(PageJson &To, const Flame::View &Of, const PageTexts &Texts) {
  To.beginArray();
  writeNumbersOf(To, Of.Names, Texts);
  To.elements(Of.Nodes, [&](const Flame::Node &N) { To.value(N.Parent); });
  To.elements(Of.Nodes, [&](const Flame::Node &N) { To.value(N.Name); });
  To.elements(Of.Nodes, [&](const Flame::Node &N) { To.value(N.SelfNs); });
  To.elements(Of.Nodes, [&](const Flame::Node &N) { To.value(N.Calls); });
  To.endArray();
}

/// One array each of names and their kinds.
void writeNames(PageJson &To, const Timeline &Of, const PageTexts &Texts) {
  To.beginArray();
  writeNumbersOf(To, Of.Names, Texts);
  To.elements(Of.KindOfName, [&](uint8_t Kind) { To.value(Kind); });
  To.endArray();
}

} // namespace

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
