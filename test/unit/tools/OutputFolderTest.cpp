//===- OutputFolderTest.cpp -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/OutputFolder.h"
#include "TestFile.h"
#include "trace/io/InputFile.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/stat.h>

using namespace seamscope::tools;
namespace fs = std::filesystem;

namespace {

/// Nothing, or why it could not be written.
std::optional<Error> write(const OutputFolder &Into, const std::string &Name) {
  auto File = Into.create(Name);
  if (!File)
    return File.error();
  (*File)->write("new");
  return (*File)->commit();
}

TEST(OutputFolder, ItsFilesLieInIt) {
  const TestFolder Folder;
  const std::string Outside = Folder.file("outside", "old");
  const std::string Path = Folder.path("run");
  fs::create_directory(Path);
  fs::create_symlink(Outside, Path + "/link");
  ASSERT_EQ(mkfifo((Path + "/pipe").c_str(), 0600), 0);
  const auto Into = OutputFolder::open(Path);
  ASSERT_TRUE(Into) << Into.error().message();
  for (const char *Name : {"link", "pipe", "file", ".hidden", "packed.gz"}) {
    EXPECT_FALSE(write(*Into, Name)) << Name;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(Path + "/" + Name))) << Name;
  }
  EXPECT_EQ(TestFolder::read(Path + "/link"), "new");
  EXPECT_EQ(TestFolder::read(Outside), "old");
  for (const char *Name : {"", ".", "..", "a/b", "/a", "../outside"})
    EXPECT_TRUE(write(*Into, Name)) << Name;
  EXPECT_TRUE(write(*Into, std::string("a\0b", 3)));
  EXPECT_EQ(TestFolder::read(Outside), "old");
}

TEST(OutputFolder, AnotherOneInItIsNoLink) {
  const TestFolder Folder;
  const std::string Path = Folder.path("run"), Other = Folder.path("other");
  fs::create_directory(Path);
  fs::create_directory(Other);
  fs::create_directory_symlink(Other, Path + "/link");
  const auto Into = OutputFolder::open(Path);
  ASSERT_TRUE(Into);
  const auto Refused = Into->folder("link");
  ASSERT_FALSE(Refused);
  EXPECT_EQ(Refused.error().message(),
            Path + "/link: is not a folder itself: nothing is written there");
  EXPECT_FALSE(Into->folder(".."));
  const auto Inner = Into->folder("inner");
  ASSERT_TRUE(Inner);
  ASSERT_TRUE(Into->folder("inner")) << "once more";
  // What becomes of its name meanwhile makes no difference.
  fs::rename(Path + "/inner", Path + "/moved");
  fs::create_directory_symlink(Other, Path + "/inner");
  EXPECT_FALSE(write(*Inner, "file"));
  EXPECT_EQ(TestFolder::read(Path + "/moved/file"), "new");
  EXPECT_TRUE(fs::is_empty(Other));
}

TEST(OutputFolder, OwnNames) {
  for (const char *Name : {"cab.py", "a-b_c.main.cpp", "x"})
    EXPECT_TRUE(isOwnName(Name)) << Name;
  for (const std::string &Name :
       {std::string(), std::string("."), std::string(".."), std::string(".bashrc"),
        std::string("a/b"), std::string("a\0b", 3), std::string("a b"), std::string("\x1b[31m"),
        std::string("\xc3\xa9"), std::string(201, 'a')})
    EXPECT_FALSE(isOwnName(Name)) << Name;
}

TEST(InputFile, OnlyWhatHasItsBytesStored) {
  const TestFolder Folder;
  const std::string File = Folder.file("file", "text"), Pipe = Folder.path("pipe"),
                    Link = Folder.path("link");
  ASSERT_EQ(mkfifo(Pipe.c_str(), 0600), 0);
  fs::create_symlink(File, Link);
  EXPECT_EQ(*readRegular(File, 4), "text");
  EXPECT_EQ(*readRegular(Link, 4), "text");
  EXPECT_FALSE(readRegular(Link, 4, O_NOFOLLOW));
  EXPECT_FALSE(readRegular(File, 3));
  EXPECT_EQ(openRegular(Pipe).error().Reason, "is not a regular file");
  EXPECT_EQ(openRegular("/dev/zero").error().Reason, "is not a regular file");
  EXPECT_EQ(openRegular(Folder.path("")).error().Reason, "is not a regular file");
  EXPECT_EQ(openRegular(Folder.path("none")).error().Reason, "No such file or directory");
}

} // namespace
