//===- SqliteFile.h - tables of an SQLite database, read only -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_SQLITEFILE_H
#define SEAMSCOPE_TOOLS_TRACE_SQLITEFILE_H

#include "trace/io/Error.h"
#include "trace/io/SeededHash.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace seamscope::tools {

/// The first bytes of every SQLite database, with the NUL at their end.
constexpr std::string_view SqliteMagic{"SQLite format 3\0", 16};

/// Whether \p Path is a file that begins like an SQLite database.
bool isSqlite(const std::string &Path);

/// A column that a reader requests from a table.
struct SqliteColumn {
  const char *Name;
  bool Needed = false; ///< else its values are NULL if the table has no such column
};

/// Rows of a table, one at a time. Values are identified by the position of their column in the
/// request.
class SqliteRows {
public:
  SqliteRows(std::string Path, sqlite3_stmt *Statement)
      : Path(std::move(Path)), Statement(Statement) {}

  /// Goes to the first row, then to the next ones. False: no more rows, or error() has the reason.
  bool next();
  /// Why reading stopped before the end; nothing if it did not.
  const std::optional<Error> &error() const { return Failure; }

  /// The number of the row.
  int64_t row() const;
  /// The value, if it is an integer.
  std::optional<int64_t> integer(int Column) const;
  /// The bytes of a text or blob, until the next call of next(); empty: neither.
  std::string_view bytes(int Column) const;

  /// Starts again, with \p Value for the only parameter.
  void restart(int64_t Value);

private:
  struct Finalizer {
    void operator()(sqlite3_stmt *Statement) const;
  };
  std::string Path;
  std::unique_ptr<sqlite3_stmt, Finalizer> Statement;
  std::optional<Error> Failure;
};

/// An SQLite database. Does not write to it or its folder, takes no lock, and runs nothing from its
/// schema.
class SqliteFile {
public:
  /// Opens \p Path. Refuses a database that another program has not closed: part of it is in a file
  /// next to it.
  static Result<std::unique_ptr<SqliteFile>> open(const std::string &Path);
  ~SqliteFile();
  SqliteFile(const SqliteFile &) = delete;
  SqliteFile &operator=(const SqliteFile &) = delete;

  const std::string &path() const { return Path; }
  uint64_t bytes() const { return Bytes; }
  bool has(std::string_view Table) const { return Tables.contains(Table); }
  bool has(std::string_view Table, const char *Column) const;
  /// Whether a row can be found by this column without a search.
  bool isRowNumber(std::string_view Table, const char *Column) const;

  /// The rows of a table, which must exist, in the order in which they are stored. \p Where: an SQL
  /// condition.
  Result<SqliteRows> select(std::string_view Table, const std::vector<SqliteColumn> &Columns,
                            std::string_view Where = {}) const;

private:
  SqliteFile(std::string Path, sqlite3 *Database, uint64_t Bytes)
      : Path(std::move(Path)), Database(Database), Bytes(Bytes) {}
  std::optional<Error> readSchema();

  std::string Path;
  sqlite3 *Database;
  uint64_t Bytes;
  std::set<std::string, std::less<>> Tables;
};

/// The texts of a table that gives each one a number. They are looked up on request: most of them
/// name functions of call stacks.
class SqliteStrings {
public:
  /// \p Table has the columns \p Id and \p Value.
  static Result<SqliteStrings> open(const SqliteFile &File, std::string_view Table, const char *Id,
                                    const char *Value);

  /// The text, valid until the next call; empty if there is none.
  std::string_view find(int64_t Id);
  /// Why a text could not be read; nothing if all could.
  const std::optional<Error> &error() const { return Failure; }

private:
  explicit SqliteStrings(SqliteRows Rows) : Rows(std::move(Rows)) {}

  SqliteRows Rows; ///< for one number, or for all numbers not in Known
  std::unordered_map<int64_t, std::string, SeededHash>
      Known; ///< all texts, if the table cannot look one up
  bool LookedUp = true;
  std::optional<Error> Failure;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_SQLITEFILE_H
