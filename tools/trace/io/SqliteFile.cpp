//===- SqliteFile.cpp - tables of an SQLite database, read only -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/SqliteFile.h"

#include "trace/io/FileUse.h"
#include "trace/io/InputFile.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace seamscope::tools {
namespace {

/// The largest text or blob that is read.
constexpr int ValueLimit = 64 << 20;

Error failureOf(const std::string &Path, sqlite3 *Database) {
  const int Code = sqlite3_errcode(Database) & 0xff;
  const char *Message = sqlite3_errmsg(Database);
  if (Code == SQLITE_CORRUPT || Code == SQLITE_NOTADB)
    return {Path, {}, fmt::format("the SQLite database is damaged ({}); export it again", Message)};
  return {Path, {}, fmt::format("SQLite cannot read the database: {}", Message)};
}

/// A URI, which can say that nobody changes the file: then SQLite takes no lock and looks for no
/// journal, both of which would touch files next to it.
std::string uriOf(const std::string &Path) {
  std::error_code Ignored;
  const std::filesystem::path Absolute = std::filesystem::absolute(Path, Ignored);
  std::string Uri = "file://";
  for (const char C : Absolute.empty() ? Path : Absolute.string()) {
    const bool Plain = (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') ||
                       C == '/' || C == '.' || C == '-' || C == '_';
    if (Plain)
      Uri += C;
    else
      Uri += fmt::format("%{:02X}", static_cast<unsigned char>(C));
  }
  return Uri + "?immutable=1";
}

std::string quoted(std::string_view Name) {
  std::string Text = "\"";
  for (const char C : Name) {
    if (C == '"')
      Text += '"';
    Text += C;
  }
  return Text + '"';
}

} // namespace

bool isSqlite(const std::string &Path) { return Path != "-" && beginsWith(Path, SqliteMagic); }

void SqliteRows::Finalizer::operator()(sqlite3_stmt *Statement) const {
  sqlite3_finalize(Statement);
}

bool SqliteRows::next() {
  const int Code = sqlite3_step(Statement.get());
  if (Code == SQLITE_ROW)
    return true;
  if (Code != SQLITE_DONE)
    Failure = failureOf(Path, sqlite3_db_handle(Statement.get()));
  return false;
}

int64_t SqliteRows::row() const { return sqlite3_column_int64(Statement.get(), 0); }

std::optional<int64_t> SqliteRows::integer(int Column) const {
  if (sqlite3_column_type(Statement.get(), Column + 1) != SQLITE_INTEGER)
    return std::nullopt;
  return sqlite3_column_int64(Statement.get(), Column + 1);
}

std::string_view SqliteRows::bytes(int Column) const {
  const int Type = sqlite3_column_type(Statement.get(), Column + 1);
  if (Type != SQLITE_TEXT && Type != SQLITE_BLOB)
    return {};
  // In this order, as SQLite may convert the text first.
  const void *Data =
      Type == SQLITE_TEXT
          ? static_cast<const void *>(sqlite3_column_text(Statement.get(), Column + 1))
          : sqlite3_column_blob(Statement.get(), Column + 1);
  const int Size = sqlite3_column_bytes(Statement.get(), Column + 1);
  return Data ? std::string_view(static_cast<const char *>(Data), static_cast<size_t>(Size))
              : std::string_view();
}

void SqliteRows::restart(int64_t Value) {
  sqlite3_reset(Statement.get());
  sqlite3_bind_int64(Statement.get(), 1, Value);
}

Result<std::unique_ptr<SqliteFile>> SqliteFile::open(const std::string &Path) {
  struct stat Status;
  if (stat(Path.c_str(), &Status) != 0)
    return Error{Path, {}, std::strerror(errno)};
  noteInput(Path);
  for (const char *Suffix : {"-wal", "-journal"})
    if (struct stat Beside; stat((Path + Suffix).c_str(), &Beside) == 0 && Beside.st_size > 0)
      return Error{
          Path,
          {},
          fmt::format("a program has not finished writing this database: {}{} lies next to "
                      "it; let it end, or open and close the database with sqlite3",
                      Path, Suffix)};
  sqlite3 *Database = nullptr;
  const int Code =
      sqlite3_open_v2(uriOf(Path).c_str(), &Database,
                      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  if (!Database)
    return Error{Path, {}, "out of memory"};
  std::unique_ptr<SqliteFile> File(
      new SqliteFile(Path, Database, static_cast<uint64_t>(Status.st_size)));
  if (Code != SQLITE_OK)
    return failureOf(Path, Database);
  // A database may come from anywhere, and its schema can contain code.
  sqlite3_db_config(Database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(Database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(Database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(Database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_limit(Database, SQLITE_LIMIT_LENGTH, ValueLimit);
  // If a mapped file is truncated, the process would end.
  sqlite3_exec(Database, "PRAGMA mmap_size=0; PRAGMA cell_size_check=1", nullptr, nullptr, nullptr);
  if (auto Failure = File->readSchema())
    return *Failure;
  return File;
}

SqliteFile::~SqliteFile() { sqlite3_close(Database); }

std::optional<Error> SqliteFile::readSchema() {
  sqlite3_stmt *Statement = nullptr;
  // Virtual tables have no root page.
  if (sqlite3_prepare_v2(Database,
                         "SELECT 0, name FROM sqlite_master WHERE type = 'table' AND rootpage > 0",
                         -1, &Statement, nullptr) != SQLITE_OK)
    return failureOf(Path, Database);
  SqliteRows Rows(Path, Statement);
  while (Rows.next())
    Tables.emplace(Rows.bytes(0));
  return Rows.error();
}

bool SqliteFile::has(std::string_view Table, const char *Column) const {
  return has(Table) &&
         sqlite3_table_column_metadata(Database, "main", std::string(Table).c_str(), Column,
                                       nullptr, nullptr, nullptr, nullptr, nullptr) == SQLITE_OK;
}

bool SqliteFile::isRowNumber(std::string_view Table, const char *Column) const {
  const char *Type = nullptr;
  int PrimaryKey = 0;
  return has(Table) &&
         sqlite3_table_column_metadata(Database, "main", std::string(Table).c_str(), Column, &Type,
                                       nullptr, nullptr, &PrimaryKey, nullptr) == SQLITE_OK &&
         PrimaryKey && Type && sqlite3_stricmp(Type, "INTEGER") == 0;
}

Result<SqliteRows> SqliteFile::select(std::string_view Table,
                                      const std::vector<SqliteColumn> &Columns,
                                      std::string_view Where) const {
  std::string Query = "SELECT rowid";
  for (const SqliteColumn &Column : Columns) {
    const bool Known = has(Table, Column.Name);
    if (!Known && Column.Needed)
      return Error{Path, {}, fmt::format("the table {} has no column {}", Table, Column.Name)};
    Query += Known ? ", " + quoted(Column.Name) : ", NULL";
  }
  Query += " FROM " + quoted(Table);
  if (!Where.empty())
    Query.append(" WHERE ").append(Where);
  sqlite3_stmt *Statement = nullptr;
  if (sqlite3_prepare_v2(Database, Query.c_str(), -1, &Statement, nullptr) != SQLITE_OK)
    return failureOf(Path, Database);
  return SqliteRows(Path, Statement);
}

Result<SqliteStrings> SqliteStrings::open(const SqliteFile &File, std::string_view Table,
                                          const char *Id, const char *Value) {
  if (!File.has(Table))
    return Error{File.path(), {}, fmt::format("the database has no table {}", Table)};
  const bool Indexed = File.isRowNumber(Table, Id);
  auto Rows = File.select(Table, {{Id, true}, {Value, true}},
                          Indexed ? std::string_view("rowid = ?1") : std::string_view());
  if (!Rows)
    return Rows.error();
  SqliteStrings Strings(std::move(*Rows));
  if (Indexed)
    return Strings;
  Strings.LookedUp = false;
  while (Strings.Rows.next())
    if (const auto Number = Strings.Rows.integer(0))
      Strings.Known.emplace(*Number, Strings.Rows.bytes(1));
  if (Strings.Rows.error())
    return *Strings.Rows.error();
  return Strings;
}

std::string_view SqliteStrings::find(int64_t Id) {
  if (!LookedUp) {
    const auto Found = Known.find(Id);
    return Found == Known.end() ? std::string_view() : Found->second;
  }
  Rows.restart(Id);
  if (Rows.next())
    return Rows.bytes(1);
  if (Rows.error())
    Failure = Rows.error();
  return {};
}

} // namespace seamscope::tools
