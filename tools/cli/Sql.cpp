//===- Sql.cpp - seamscope sql --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Python package does it, with DuckDB.
//
//===----------------------------------------------------------------------===//
#include "cli/Help.h"
#include "cli/PythonPackage.h"
#include "cli/Verbs.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {
namespace {

struct SqlOptions {
  std::vector<std::string> Words; ///< a query and traces, or traces
  std::string Recipe, Python, Output;
  bool Json = false, Csv = false, Markdown = false;
};

int sql(const SqlOptions &Options) {
  std::vector<std::string> Words = {"--form", Options.Json       ? "json"
                                              : Options.Csv      ? "csv"
                                              : Options.Markdown ? "markdown"
                                                                 : "text"};
  if (!Options.Output.empty())
    Words.push_back("--output=" + Options.Output);
  if (!Options.Recipe.empty())
    Words.push_back("--recipe=" + Options.Recipe);
  Words.emplace_back("--");
  Words.insert(Words.end(), Options.Words.begin(), Options.Words.end());
  return becomePython("sql", std::move(Words), Options.Python);
}

} // namespace

Action addSql(CLI::App &Verb) {
  auto Options = std::make_shared<SqlOptions>();
  Verb.add_option("QUERY_AND_TRACES", Options->Words,
                  "A query, and the traces or folders of traces whose tables it is of; without a "
                  "query, statements are read from standard input, each up to a semicolon at the "
                  "end of a line")
      ->required();
  Verb.add_option("--recipe", Options->Recipe,
                  "Instead of a query, one that comes with Seamscope: docs/python.md lists them")
      ->type_name("NAME");
  auto *const Json = Verb.add_flag("--json", Options->Json, "Write JSON, seamscope.sql/1");
  auto *const Csv = Verb.add_flag("--csv", Options->Csv, "Write CSV")->excludes(Json);
  Verb.add_flag("--markdown", Options->Markdown, "Write a table of Markdown")
      ->excludes(Json)
      ->excludes(Csv);
  Verb.add_option("-o,--output", Options->Output, "Write to a file, not to standard output")
      ->type_name("FILE");
  Verb.add_option("--python", Options->Python,
                  "Python with DuckDB; default: SEAMSCOPE_PYTHON, else python3")
      ->type_name("PATH");
  addExamples(Verb, {"\"select name, sum(dur) from slice group by all\" trace.json",
                     "--recipe gaps trace.json.gz", "seamscope-out/20260130-101500"});
  return [Options] { return sql(*Options); };
}

} // namespace seamscope::tools
