//===- TestRoot.h - a folder that stands for the root of the file system -------- ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_TESTROOT_H
#define SEAMSCOPE_TEST_TESTROOT_H

#include "TestFile.h"

#include <filesystem>
#include <string>

namespace seamscope::tools {

class TestRoot {
public:
  TestRoot &file(const std::string &Name, const std::string &Text) {
    std::filesystem::create_directories(std::filesystem::path(Folder.path(Name)).parent_path());
    Folder.file(Name, Text + '\n');
    return *this;
  }
  std::string path() const { return Folder.path(""); }

private:
  TestFolder Folder;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TEST_TESTROOT_H
