//===- CombineWriter.h - writes several traces as one ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_COMBINEWRITER_H
#define SEAMSCOPE_TOOLS_TRACE_COMBINEWRITER_H

#include "trace/io/OutputFile.h"
#include "trace/rewrite/CombinePlan.h"

namespace seamscope::tools {

/// Writes the common trace that docs/formats.md describes: begin(), add() for each input in its
/// turn, end().
class CombineWriter {
public:
  /// All must outlive it.
  CombineWriter(OutputFile &Out, const std::vector<TraceSurvey> &Surveys, const CombinePlan &Plan,
                const std::vector<std::string> &Paths, const CombineOptions &Options)
      : Out(Out), Surveys(Surveys), Plan(Plan), Paths(Paths), Options(Options) {}

  void begin();
  std::optional<Error> add(size_t Input, ByteSource &Source);
  void end();

private:
  void writeCommonMembers();
  void writeDevices();
  void writeDistributed();
  void writeOurs();
  void writeSamples();
  void writeInputs();
  void member(std::string_view Key, std::string_view Json);

  OutputFile &Out;
  const std::vector<TraceSurvey> &Surveys;
  const CombinePlan &Plan;
  const std::vector<std::string> &Paths;
  const CombineOptions &Options;
  bool HasMembers = false;
  bool HasEvents = false;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_COMBINEWRITER_H
