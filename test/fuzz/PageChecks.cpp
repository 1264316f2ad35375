//===- PageChecks.cpp - what must hold of the page of every document ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PageChecks.h"

#include "Checks.h"
#include "report/render/Html.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <map>
#include <string>
#include <string_view>

namespace seamscope::tools {
extern const std::string_view PageBegin, PageEnd;
}

namespace seamscope::fuzz {

using namespace tools;
using nlohmann::json;

namespace {

std::string decoded(std::string_view Base64) {
  constexpr std::string_view Digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  SEAMSCOPE_CHECK(Base64.size() % 4 == 0);
  std::string Bytes;
  uint32_t Bits = 0, Count = 0;
  for (const char C : Base64) {
    if (C == '=')
      break;
    const size_t Digit = Digits.find(C);
    SEAMSCOPE_CHECK(Digit != Digits.npos);
    Bits = Bits << 6 | static_cast<uint32_t>(Digit);
    if ((Count += 6) >= 8)
      Bytes += static_cast<char>(Bits >> (Count -= 8));
  }
  return Bytes;
}

std::string inflated(std::string Bytes) {
  z_stream Stream{};
  SEAMSCOPE_CHECK(inflateInit2(&Stream, 16 + MAX_WBITS) == Z_OK);
  Stream.next_in = reinterpret_cast<Bytef *>(Bytes.data());
  Stream.avail_in = static_cast<uInt>(Bytes.size());
  std::string Text, Piece(1 << 14, '\0');
  int Status = Z_OK;
  while (Status == Z_OK) {
    Stream.next_out = reinterpret_cast<Bytef *>(Piece.data());
    Stream.avail_out = static_cast<uInt>(Piece.size());
    Status = inflate(&Stream, Z_NO_FLUSH);
    Text.append(Piece, 0, Piece.size() - Stream.avail_out);
  }
  SEAMSCOPE_CHECK(Status == Z_STREAM_END && Stream.avail_in == 0);
  inflateEnd(&Stream);
  return Text;
}

/// What a page has between the parts that are the same in each.
std::string dataOf(const Document &Made, size_t MostInline) {
  std::string Data;
  int Parts = 0;
  renderHtml(
      Made, "report",
      [&](std::string_view Piece) {
        if (Piece.data() == PageBegin.data())
          SEAMSCOPE_CHECK(Piece.size() == PageBegin.size() && Parts++ == 0 && Data.empty());
        else if (Piece.data() == PageEnd.data())
          SEAMSCOPE_CHECK(Piece.size() == PageEnd.size() && Parts++ == 1);
        else
          Data += Piece;
      },
      MostInline);
  SEAMSCOPE_CHECK(Parts == 2);
  return Data;
}

/// The elements of data, by id.
std::map<std::string, std::string> elementsOf(std::string_view Page) {
  std::map<std::string, std::string> Elements;
  const auto Upto = [&](std::string_view Mark) {
    const size_t End = Page.find(Mark);
    SEAMSCOPE_CHECK(End != Page.npos);
    const std::string_view Before = Page.substr(0, End);
    Page.remove_prefix(End + Mark.size());
    return Before;
  };
  while (!Page.empty()) {
    SEAMSCOPE_CHECK(Upto("<script type=\"").empty());
    const bool IsDocument = Upto("\" id=\"") == "application/json";
    SEAMSCOPE_CHECK(IsDocument == Elements.empty());
    const std::string Id(Upto("\">"));
    const std::string_view Text = Upto("</script>\n");
    // That no name ends the element or begins another.
    SEAMSCOPE_CHECK(Text.find_first_of("<>&") == Text.npos);
    SEAMSCOPE_CHECK(Elements.emplace(Id, IsDocument ? Text : inflated(decoded(Text))).second);
  }
  return Elements;
}

/// Lengths, then the texts: all of it is that, and UTF-8.
void checkTexts(const std::string &Bytes, size_t Count) {
  size_t At = 0, Sum = 0;
  for (size_t I = 0; I < Count; ++I)
    for (unsigned Shift = 0;; Shift += 7) {
      SEAMSCOPE_CHECK(At < Bytes.size() && Shift < 35);
      const auto Byte = static_cast<unsigned char>(Bytes[At++]);
      Sum += size_t{Byte & 0x7fu} << Shift;
      if (Byte < 0x80)
        break;
    }
  SEAMSCOPE_CHECK(Sum == Bytes.size() - At);
  (void)json(Bytes.substr(At)).dump(); // throws when it is not UTF-8
}

void checkTable(const json &Table, const json &Arrays, size_t Texts) {
  const json &Columns = Table.at("columns");
  SEAMSCOPE_CHECK(Arrays.size() == Columns.size());
  for (size_t I = 0; I < Columns.size(); ++I) {
    SEAMSCOPE_CHECK(Arrays[I].size() == Table.at("count").get<size_t>());
    if (Columns[I].contains("texts"))
      for (const json &Cell : Arrays[I])
        SEAMSCOPE_CHECK(!Cell.is_string() && (!Cell.is_number() || Cell.get<size_t>() < Texts));
  }
}

void checkNodes(const json &Arrays, size_t Texts) {
  SEAMSCOPE_CHECK(Arrays.size() == 5);
  for (const json &Name : Arrays[0])
    SEAMSCOPE_CHECK(Name.get<size_t>() < Texts);
  for (size_t I = 0; I < Arrays[1].size(); ++I) {
    SEAMSCOPE_CHECK(Arrays[1][I].get<int64_t>() < static_cast<int64_t>(I));
    SEAMSCOPE_CHECK(Arrays[2][I].get<size_t>() < Arrays[0].size());
  }
}

void checkElements(const std::map<std::string, std::string> &Elements) {
  const json Document = json::parse(Elements.at("document"));
  const size_t Texts = Document.value("texts", size_t{0});
  if (Texts)
    checkTexts(Elements.at("packed-texts"), Texts);
  size_t Used = Texts ? 2 : 1;
  const auto ArraysOf = [&](const json &Holder) {
    ++Used;
    return json::parse(Elements.at(Holder.at("packed").get<std::string>()));
  };
  for (const json &Section : Document.at("sections"))
    for (const json &Item : Section.at("items")) {
      if (Item.contains("packed"))
        checkTable(Item, ArraysOf(Item), Texts);
      const std::string Kind = Item.at("type") == "chart" ? Item.value("kind", "") : "";
      if (Kind == "flame")
        for (const json &View : Item.at("data").at("views"))
          if (View.contains("packed"))
            checkNodes(ArraysOf(View), Texts);
      if (Kind != "timeline")
        continue;
      const json &Data = Item.at("data");
      if (Data.contains("packed")) {
        const json Arrays = ArraysOf(Data);
        SEAMSCOPE_CHECK(Arrays.size() == 2 && Arrays[0].size() == Arrays[1].size());
        for (const json &Name : Arrays[0])
          SEAMSCOPE_CHECK(Name.get<size_t>() < Texts);
      }
      ++Used;
      size_t Bytes = 0;
      for (const json &Lane : Data.at("lanes"))
        Bytes += Lane.at("bytes").get<size_t>();
      SEAMSCOPE_CHECK(Elements.at(Data.at("blob")).size() == Bytes);
    }
  SEAMSCOPE_CHECK(Used == Elements.size());
}

} // namespace

void checkPage(const Document &Made, bool Packs) {
  checkElements(elementsOf(dataOf(Made, Packs ? 0 : SIZE_MAX)));
}

} // namespace seamscope::fuzz
