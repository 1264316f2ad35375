//===- TestFile.h - files and traces for the tests ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_UNIT_TOOLS_TESTFILE_H
#define SEAMSCOPE_TEST_UNIT_TOOLS_TESTFILE_H

#include "trace/ReadTrace.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// A folder that is removed with all that is in it.
class TestFolder {
public:
  TestFolder() {
    std::string Name = (std::filesystem::temp_directory_path() / "seamscope-test-XXXXXX").string();
    if (!mkdtemp(Name.data()))
      throw std::filesystem::filesystem_error("mkdtemp",
                                              std::error_code(errno, std::generic_category()));
    Folder = Name;
  }
  ~TestFolder() { std::filesystem::remove_all(Folder); }
  TestFolder(const TestFolder &) = delete;
  TestFolder &operator=(const TestFolder &) = delete;

  std::string path(std::string_view Name) const { return (Folder / Name).string(); }

  /// Writes a file and returns its path.
  std::string file(std::string_view Name, std::string_view Bytes) const {
    std::ofstream(path(Name), std::ios::binary) << Bytes;
    return path(Name);
  }

  static std::string read(const std::string &Path) {
    std::ifstream In(Path, std::ios::binary);
    return {std::istreambuf_iterator<char>(In), {}};
  }

private:
  std::filesystem::path Folder;
};

/// A complete event as JSON; times in us, process 1.
inline std::string eventText(const char *Category, const char *Name, int Tid, int64_t Begin,
                             int64_t Duration, const std::string &Arguments = "") {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": {}, "ts": {}, "dur": {}, "args": {{{}}}}})",
      Category, Name, Tid, Begin, Duration, Arguments);
}

/// Reads \p Json, which must be a good trace.
inline Trace traceOf(std::string_view Json, const ReadOptions &Keep = {}) {
  const TestFolder Folder;
  Result<Trace> Read = readTrace(Folder.file("trace.json", Json), Keep);
  EXPECT_TRUE(Read) << Read.error().message();
  return std::move(*Read);
}

/// The error that reading \p Bytes gives.
inline Error errorOf(std::string_view Bytes) {
  const TestFolder Folder;
  const Result<Trace> Read = readTrace(Folder.file("trace.json", Bytes));
  EXPECT_FALSE(Read);
  return Read ? Error{} : Read.error();
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TEST_UNIT_TOOLS_TESTFILE_H
