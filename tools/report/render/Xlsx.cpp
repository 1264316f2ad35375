//===- Xlsx.cpp - a document as a workbook --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libxlsxwriter keeps one row at a time; it writes a nameless file, which is
// then copied.
//
//===----------------------------------------------------------------------===//
#include "report/render/Render.h"
#include "report/render/XlsxFiles.h"

#include "trace/io/Escape.h"
#include "trace/io/TemporaryFile.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>

#include <xlsxwriter.h>

namespace seamscope::tools {

const bool HasXlsx = true;

namespace {

// Limits of the format.
constexpr size_t MostRows = 1'048'576;
constexpr size_t MostUnits = 32'767; ///< UTF-16 units in a cell
constexpr size_t MostNameCharacters = 31;
constexpr size_t MostIndent = 15;

constexpr size_t MeasuredRows = 200; ///< rows that determine the widths of columns
constexpr size_t WidestColumn = 60;

/// Text that a cell can hold: escaped, and without the format's own escapes (_x001B_).
std::string plain(std::string_view Text) {
  const std::string Safe = escaped(Text);
  std::string Result;
  for (size_t I = 0; I < Safe.size(); ++I) {
    const auto IsDigit = [&](size_t At) {
      return std::isxdigit(static_cast<unsigned char>(Safe[I + At])) != 0;
    };
    if (Safe[I] == '_' && I + 6 < Safe.size() && Safe[I + 1] == 'x' && IsDigit(2) && IsDigit(3) &&
        IsDigit(4) && IsDigit(5) && Safe[I + 6] == '_')
      Result += "_x005F";
    // XML allows all that escaped() leaves, except these two.
    if (const std::string_view Three = std::string_view(Safe).substr(I, 3);
        Three == "\xef\xbf\xbe" || Three == "\xef\xbf\xbf") {
      Result += Three == "\xef\xbf\xbe" ? "\\u{fffe}" : "\\u{ffff}";
      I += 2;
    } else
      Result += Safe[I];
  }
  return Result;
}

size_t unitsOf(std::string_view Text) {
  size_t Units = 0;
  for (const char C : Text) {
    const auto Byte = static_cast<unsigned char>(C);
    Units += (Byte & 0xc0) != 0x80;
    Units += Byte >= 0xf0;
  }
  return Units;
}

/// The title of a column or fact, with the unit of its numbers.
std::string titleOf(const Column &Of) {
  const bool IsTime = Of.Of == Unit::Ns || Of.Of == Unit::Change;
  std::string Title = Of.Title;
  if (Title.empty()) { // made from the words of the key
    Title = Of.Key;
    std::ranges::replace_if(Title, [](char C) { return C == '_' || C == '.'; }, ' ');
    for (const std::string_view End : {" ns", " bytes"})
      if (Title.ends_with(End))
        Title.erase(Title.size() - End.size());
    Title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(Title[0])));
  }
  return Title + (IsTime ? " (ns)" : Of.Of == Unit::Bytes && Title != "Bytes" ? " (bytes)" : "");
}

const char *numberFormat(Unit Of) {
  switch (Of) {
  case Unit::Ns:
  case Unit::Bytes:
  case Unit::Flop:
    return "#,##0";
  case Unit::Change:
    return "+#,##0;-#,##0;0";
  case Unit::Percent:
    return "0.0";
  case Unit::Ratio:
  case Unit::Rate:
    return "0.00";
  default:
    return "General";
  }
}

/// A name that no other sheet has, ignoring case.
class SheetNames {
public:
  std::string make(std::string_view Wanted) {
    std::string Name;
    for (const char C : escaped(Wanted))
      Name += std::string_view("[]:*?/\\").find(C) == std::string_view::npos ? C : ' ';
    // It can neither begin nor end with a quote.
    for (const size_t At : {size_t{0}, Name.size() - 1})
      if (!Name.empty() && Name[At] == '\'')
        Name[At] = ' ';
    if (Name.find_first_not_of(' ') == Name.npos || lower(Name) == "history")
      Name = "Table";
    std::string Made = shortened(Name, MostNameCharacters);
    for (size_t Number = 2; !Taken.insert(lower(Made)).second; ++Number) {
      const std::string End = fmt::format(" {}", Number);
      Made = shortened(Name, MostNameCharacters - End.size()) + End;
    }
    return Made;
  }

private:
  static std::string lower(std::string Text) {
    std::ranges::transform(Text, Text.begin(), [](unsigned char C) { return std::tolower(C); });
    return Text;
  }
  std::set<std::string> Taken;
};

class Workbook {
public:
  /// Writes to the file at \p Path.
  Workbook(const std::string &Path) {
    lxw_workbook_options Options{};
    Options.constant_memory = LXW_TRUE;
    Book = workbook_new_opt(Path.c_str(), &Options);
  }

  /// Nothing, or why it could not be written.
  std::optional<std::string> write(const Document &Of) {
    if (!Book)
      return "no memory";
    Head = workbook_add_format(Book);
    format_set_bold(Head);
    format_set_bottom(Head, LXW_BORDER_THIN);
    Wraps = workbook_add_format(Book);
    format_set_text_wrap(Wraps);
    format_set_align(Wraps, LXW_ALIGN_VERTICAL_TOP);
    lxw_worksheet *const First = add("Summary");
    if (!First)
      return "a sheet cannot be made";
    for (const Section &Part : Of.Sections)
      for (const Item &One : Part.Items)
        if (const Table *Rows = One.as<Table>(); Rows && isSheet(Of, *Rows) && !table(*Rows))
          return "a sheet cannot be made";
    summary(First, Of);
    lxw_workbook *const Done = Book;
    Book = nullptr;
    if (const lxw_error Why = workbook_close(Done))
      return lxw_strerror(Why);
    return std::nullopt;
  }

  ~Workbook() {
    if (Book)
      lxw_workbook_free(Book);
  }
  Workbook(const Workbook &) = delete;
  Workbook &operator=(const Workbook &) = delete;

private:
  static bool isSheet(const Document &Of, const Table &Rows) {
    return ((Rows.In & ForHtml) || Rows.Key == Of.Main) && Rows.Count &&
           !shownColumns(Rows).empty();
  }
  static std::vector<size_t> shownColumns(const Table &Of) {
    std::vector<size_t> Shown;
    for (size_t I = 0; I < Of.Columns.size(); ++I) {
      const Column &Each = Of.Columns[I];
      if ((Each.In & (ForHtml | ForCsv)) && Each.Of != Unit::Spark && Each.Of != Unit::Rows &&
          Each.Of != Unit::Record)
        Shown.push_back(I);
    }
    return Shown;
  }

  /// Null: no file for its rows, or no memory.
  lxw_worksheet *add(std::string_view Name) {
    return workbook_add_worksheet(Book, Names.make(Name).c_str());
  }

  /// An indented number format; created once.
  lxw_format *format(const char *Number, size_t Indent, Emphasis Stands) {
    Indent = std::min(Indent, MostIndent);
    lxw_format *&Made = Formats[{Number, Indent, Stands}];
    if (!Made) {
      Made = workbook_add_format(Book);
      format_set_num_format(Made, Number);
      if (Indent)
        format_set_indent(Made, static_cast<uint8_t>(Indent));
      if (Stands == Emphasis::Strong)
        format_set_bold(Made);
      if (Stands == Emphasis::Faint)
        format_set_italic(Made);
    }
    return Made;
  }

  /// Never a formula or a link, whatever it begins with. Returns its width in characters.
  size_t text(lxw_worksheet *To, size_t Row, size_t At, std::string_view Of, lxw_format *How) {
    std::string Safe = plain(Of);
    if (unitsOf(Safe) > MostUnits) {
      // So many characters of any kind fit.
      Safe = plain(shortened(escaped(Of), MostUnits / 8));
      ++TextsCut;
    }
    if (!Safe.empty())
      worksheet_write_string(To, static_cast<lxw_row_t>(Row), static_cast<lxw_col_t>(At),
                             Safe.c_str(), How);
    return characters(Safe);
  }

  size_t number(lxw_worksheet *To, size_t Row, size_t At, double Of, lxw_format *How) {
    // NaN and infinities have no number here.
    if (!std::isfinite(Of))
      return text(To, Row, At, fmt::format("{}", Of), How);
    worksheet_write_number(To, static_cast<lxw_row_t>(Row), static_cast<lxw_col_t>(At), Of, How);
    return fmt::format("{:.0f}", Of).size() * 4 / 3 + 3;
  }

  size_t cell(lxw_worksheet *To, size_t Row, size_t At, const Column &Of, const Value &What,
              size_t Indent, Emphasis Stands) {
    lxw_format *const How = format(numberFormat(Of.Of), Indent, Stands);
    if (const auto *Flag = What.as<bool>()) {
      worksheet_write_boolean(To, static_cast<lxw_row_t>(Row), static_cast<lxw_col_t>(At), *Flag,
                              How);
      return 5;
    }
    if (const auto Number = What.number()) {
      // A spreadsheet would round it; for amounts of work, the magnitude is what counts.
      if (!isExact(What) && Of.Of != Unit::Flop && Of.Of != Unit::Bytes)
        return text(To, Row, At, wholeText(What), How);
      return number(To, Row, At, Of.Of == Unit::Rate ? *Number / Of.Scale : *Number, How);
    }
    return text(To, Row, At, wholeText(What), How);
  }

  static std::string wholeText(const Value &What) {
    if (const auto *Where = What.as<Place>(); Where && !Where->File.empty())
      return fmt::format("{}{}{}", Where->File, Where->Line ? fmt::format(":{}", Where->Line) : "",
                         Where->Column ? fmt::format(":{}", Where->Column) : "");
    return plainText(What);
  }

  /// False: a sheet for it is impossible.
  bool table(const Table &Of) {
    const std::string Name = Of.Title.empty() ? Of.Key : Of.Title;
    lxw_worksheet *const To = add(Name);
    if (!To)
      return false;
    const std::vector<size_t> Shown = shownColumns(Of);
    std::vector<size_t> Widths(Shown.size());
    for (size_t At = 0; At < Shown.size(); ++At) {
      const Column &Each = Of.Columns[Shown[At]];
      // The filter's arrow is next to it.
      Widths[At] = text(To, 0, At, titleOf(Each), Head) + 3;
      if (!Each.Help.empty())
        worksheet_write_comment(To, 0, static_cast<lxw_col_t>(At), plain(Each.Help).c_str());
    }
    // The other lines are the titles, an empty line and the summaries.
    const size_t Rows = std::min(Of.dataRows(), MostRows - 2 - Of.Summaries.size());
    if (Rows < Of.dataRows())
      Said.push_back(
          fmt::format("{}: {} of {} rows; a sheet holds no more", Name, Rows, Of.dataRows()));
    for (size_t Row = 0; Row < Rows; ++Row) {
      const size_t Depth = Of.Depth ? Of.Depth(Row) : 0;
      const Emphasis Stands = Of.Stands ? Of.Stands(Row) : Emphasis::None;
      for (size_t At = 0; At < Shown.size(); ++At) {
        const size_t Width = cell(To, Row + 1, At, Of.Columns[Shown[At]],
                                  Of.At(Row, Shown[At]).Data, At ? 0 : Depth, Stands);
        if (Row < MeasuredRows)
          Widths[At] = std::max(Widths[At], Width + (At ? 0 : 2 * Depth));
      }
    }
    if (Rows)
      worksheet_autofilter(To, 0, 0, static_cast<lxw_row_t>(Rows),
                           static_cast<lxw_col_t>(Shown.size() - 1));
    // After a gap: they are neither filtered nor sorted.
    size_t Row = Rows + 2;
    for (const Summary &Each : Of.Summaries) {
      if (!(Each.In & (ForHtml | ForCsv)))
        continue;
      text(To, Row, 0, Each.Label, format("General", 0, Emphasis::Faint));
      for (size_t At = 1; At < Shown.size(); ++At)
        if (const Cell *Known = Each.find(Of.Columns[Shown[At]].Key))
          cell(To, Row, At, Of.Columns[Shown[At]], Known->Data, 0, Emphasis::Faint);
      ++Row;
    }
    for (size_t At = 0; At < Shown.size(); ++At)
      worksheet_set_column(To, static_cast<lxw_col_t>(At), static_cast<lxw_col_t>(At),
                           static_cast<double>(std::min(Widths[At], WidestColumn)) + 1, nullptr);
    worksheet_freeze_panes(To, 1, 1);
    return true;
  }

  /// Facts, then sentences, then findings.
  void summary(lxw_worksheet *To, const Document &Of) {
    worksheet_set_column(To, 0, 0, 24, nullptr);
    worksheet_set_column(To, 1, 1, 100, nullptr);
    size_t Row = 0;
    const auto Line = [&](std::string_view Label, std::string_view Text, lxw_format *How) {
      text(To, Row, 0, Label, How ? How : Head);
      text(To, Row++, 1, Text, Wraps);
    };
    Line("Title", Of.Title, Head);
    Line("Made by", "seamscope " SEAMSCOPE_VERSION, Head);
    const auto Each = [&](auto Take) {
      for (const Section &Part : Of.Sections)
        for (const Item &One : Part.Items)
          Take(One);
    };
    Each([&](const Item &One) {
      const Fact *Known = One.as<Fact>();
      if (!Known || Known->What.Title.empty() || !Known->Of.Data.isKnown())
        return;
      text(To, Row, 0, titleOf(Known->What), Head);
      cell(To, Row++, 1, Known->What, Known->Of.Data, 0, Emphasis::None);
    });
    ++Row;
    Each([&](const Item &One) {
      const Sentence *Said = One.as<Sentence>();
      if (Said && (Said->In & ForPeople) && !Said->Text.empty())
        Line(Said->Warning ? "warning" : "", Said->Text, Wraps);
    });
    for (const std::string &Text : Said)
      Line("warning", Text, Wraps);
    // This sheet's own texts cannot be counted yet.
    if (TextsCut)
      Line("warning",
           fmt::format("{} texts of more than {} characters are cut", TextsCut, MostUnits), Wraps);
    ++Row;
    bool Any = false;
    Each([&](const Item &One) {
      const Finding *Found = One.as<Finding>();
      if (!Found || !(Found->In & ForPeople))
        return;
      if (!Any) {
        constexpr std::array<const char *, 4> Titles = {"Finding", "What was seen", "What to do",
                                                        "Could save at most (ns)"};
        for (size_t At = 0; At < Titles.size(); ++At)
          text(To, Row, At, Titles[At], Head);
        ++Row;
        worksheet_set_column(To, 2, 2, 60, nullptr);
        worksheet_set_column(To, 3, 3, 24, nullptr);
      }
      Any = true;
      text(To, Row, 0, Found->Kind, Wraps);
      text(To, Row, 1, Found->Evidence, Wraps);
      text(To, Row, 2, Found->Remedy, Wraps);
      number(To, Row++, 3, static_cast<double>(Found->SavingNs),
             format("#,##0", 0, Emphasis::None));
    });
  }

  using FormatKey = std::tuple<std::string_view, size_t, Emphasis>;

  lxw_workbook *Book = nullptr;
  lxw_format *Head = nullptr, *Wraps = nullptr;
  std::map<FormatKey, lxw_format *> Formats;
  SheetNames Names;
  std::vector<std::string> Said; ///< notes on what was left out
  size_t TextsCut = 0;
};

} // namespace

std::optional<Error> renderXlsx(const Document &Of, const WriteText &Write) {
  const auto CannotBe = [](int Why) {
    return Error{
        {},
        {},
        fmt::format("no temporary file in {}: {}", TemporaryFile::folder(), std::strerror(Why))};
  };
  TemporaryFile File;
  if (File.error())
    return CannotBe(File.error());
  {
    const XlsxFiles Files;
    errno = 0;
    const auto Why = Workbook(fmt::format("/proc/self/fd/{}", File.descriptor())).write(Of);
    if (Files.error() || (Why && errno))
      return CannotBe(Files.error() ? Files.error() : errno);
    if (Why)
      return Error{{}, {}, "the workbook could not be made: " + *Why};
  }
  File.read(Write);
  if (File.error())
    return CannotBe(File.error());
  return std::nullopt;
}

} // namespace seamscope::tools
