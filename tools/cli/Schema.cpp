//===- Schema.cpp - seamscope schema, for docs/schema ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schemas come from the columns that documents declare: those of an empty
// trace, and those of a trace with everything known.
//
//===----------------------------------------------------------------------===//
#include "cli/EmptyReport.h"
#include "cli/MachineTable.h"
#include "cli/SpoolTable.h"
#include "cli/Verbs.h"
#include "report/render/Render.h"
#include "report/sections/Check.h"
#include "report/sections/Documents.h"
#include "report/sections/Replay.h"
#include "report/sections/Samples.h"

#include <map>
#include <memory>

namespace seamscope::tools {
namespace {

using Documents = std::vector<Document>;

void writeReport(const WriteText &Write) {
  EmptyReport Least, Most;
  renderSchema(Documents{reportDocument(Least.least()), reportDocument(Most.most())}, Write);
}

void writeGroups(const WriteText &Write) {
  const Trace Source;
  Grouping Work, Lines;
  const std::vector<SampleRow> Rows;
  const std::vector<std::string> Complaints;
  Lines.What = GroupedTime::Lines;
  renderSchema(Documents{groupsDocument({&Source, &Work, "op", 0}),
                         groupsDocument({&Source, &Lines, "line", 0}),
                         sampleGroupsDocument({&Source, &Rows, &Complaints, "symbol", 0})},
               Write);
}

void writeDiff(const WriteText &Write) {
  const Trace First, Second;
  const Difference Result;
  const RepeatedDifference Repeats;
  const DiffFiltered None = {}, Some = {.Rows = 1};
  const StepDiff Steps;
  renderSchema(
      Documents{diffDocument({&First, &Second, &Result, SIZE_MAX, None}),
                diffDocument({&First, &Second, &Result, SIZE_MAX, Some, &Repeats, 0, &Steps})},
      Write);
}

void writeKernels(const WriteText &Write) {
  const Trace Source;
  const KernelLaunches Launches(Source);
  renderSchema(Documents{launchesDocument({&Source, &Launches, {}, launchColumnNames()})}, Write);
}

void writeCheck(const WriteText &Write) {
  const CheckLog Log;
  renderSchema(Documents{checkDocument(Log, {})}, Write);
}

void writeReplay(const WriteText &Write) { renderSchema(Documents{replayDocument({})}, Write); }

void writeMachine(const WriteText &Write) { renderSchema(Documents{machineDocument({})}, Write); }

void writeSpools(const WriteText &Write) { renderSchema(Documents{spoolsDocument({})}, Write); }

int schema(const std::string &Name) {
  static const std::map<std::string, void (*)(const WriteText &)> Writers = {
      {"check", writeCheck},     {"diff", writeDiff},       {"groups", writeGroups},
      {"kernels", writeKernels}, {"machine", writeMachine}, {"replay", writeReplay},
      {"report", writeReport},   {"spools", writeSpools}};
  const auto Found = Writers.find(Name);
  if (Found == Writers.end()) {
    complain("schema: unknown schema '" + Name +
             "'; the schemas are check, diff, groups, kernels, machine, replay, report and spools");
    return BadUsage;
  }
  std::string Text;
  Found->second([&](std::string_view Piece) { Text += Piece; });
  return writeResult("-", Text);
}

} // namespace

Action addSchema(CLI::App &Verb) {
  auto Name = std::make_shared<std::string>();
  Verb.add_option("NAME", *Name, "diff, groups, kernels, machine, replay, report or spools")
      ->required();
  return [Name] { return schema(*Name); };
}

} // namespace seamscope::tools
