//===- FileNames.cpp - shortest distinct names of source files ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/FileNames.h"

#include "trace/io/Escape.h"

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// The last \p Count parts of a path; all of it if it has no more.
std::string_view lastParts(std::string_view Path, size_t Count) {
  size_t Begin = Path.size();
  while (Count-- && Begin != Path.npos && Begin > 0)
    Begin = Path.rfind('/', Begin - 1);
  return Begin == Path.npos || Begin == 0 ? Path : Path.substr(Begin + 1);
}

} // namespace

FileNames::FileNames(const Trace &Source) {
  std::map<std::string_view, std::vector<StringId>> ByName;
  for (const Site &What : Source.Sites)
    if (What.File && Names.try_emplace(What.File).second)
      ByName[lastParts(Source.text(What.File), 1)].push_back(What.File);
  for (const auto &[Name, Files] : ByName) {
    std::set<std::string_view> Paths;
    size_t Longest = 0;
    for (const StringId File : Files) {
      Paths.insert(Source.text(File));
      Longest = std::max(Longest, Source.text(File).size());
    }
    size_t Parts = 1;
    for (std::set<std::string_view> Short; Parts <= Longest; ++Parts, Short.clear()) {
      for (const std::string_view Path : Paths)
        Short.insert(lastParts(Path, Parts));
      if (Short.size() == Paths.size())
        break;
    }
    for (const StringId File : Files)
      Names[File] = escaped(lastParts(Source.text(File), Parts));
  }
}

std::string FileNames::place(const Site &What) const {
  const auto Found = Names.find(What.File);
  if (Found == Names.end() || Found->second.empty())
    return "";
  std::string Result = Found->second;
  if (What.Line)
    Result += fmt::format(":{}", What.Line);
  if (What.Column)
    Result += fmt::format(":{}", What.Column);
  return Result;
}

} // namespace seamscope::tools
