//===- OutputFileTest.cpp - a file is written whole or not at all ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/OutputFile.h"
#include "TestFile.h"
#include "trace/io/ByteSource.h"
#include "trace/io/FileUse.h"

#include <cerrno>
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace seamscope::tools;

namespace {

size_t filesIn(const TestFolder &Folder) {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(Folder.path("")),
                                           std::filesystem::directory_iterator()));
}

std::string inflated(const std::string &Path) {
  auto Source = ByteSource::open(Path);
  EXPECT_TRUE(Source);
  std::string Text;
  for (std::string_view Chunk; !(Chunk = (*Source)->chunk()).empty();) {
    Text += Chunk;
    (*Source)->take(Chunk.size());
  }
  EXPECT_FALSE((*Source)->error());
  return Text;
}

/// No file may grow beyond some size, and the signal that says so is ignored.
class SizeLimit {
public:
  explicit SizeLimit(rlim_t Bytes) {
    getrlimit(RLIMIT_FSIZE, &Before);
    Handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit Limit = {Bytes, Before.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &Limit), 0);
  }
  ~SizeLimit() {
    setrlimit(RLIMIT_FSIZE, &Before);
    std::signal(SIGXFSZ, Handler);
  }
  SizeLimit(const SizeLimit &) = delete;
  SizeLimit &operator=(const SizeLimit &) = delete;

private:
  rlimit Before{};
  void (*Handler)(int) = SIG_DFL;
};

TEST(OutputFile, NobodySeesItBeforeItIsWhole) {
  const TestFolder Folder;
  const std::string Path = Folder.path("out.json");
  auto Out = OutputFile::create(Path);
  ASSERT_TRUE(Out);
  const std::string Large(300000, 'x');
  (*Out)->write("begin ");
  (*Out)->write(Large);
  EXPECT_FALSE(std::filesystem::exists(Path));
  EXPECT_FALSE((*Out)->commit());
  EXPECT_EQ(TestFolder::read(Path), "begin " + Large);
  Out->reset();
  EXPECT_EQ(filesIn(Folder), 1u);
}

TEST(OutputFile, CommitReplacesWhatWasThere) {
  const TestFolder Folder;
  const std::string Path = Folder.file("out.json", "old");
  auto Out = OutputFile::create(Path);
  ASSERT_TRUE(Out);
  (*Out)->write("new");
  EXPECT_EQ(TestFolder::read(Path), "old");
  EXPECT_FALSE((*Out)->commit());
  EXPECT_EQ(TestFolder::read(Path), "new");
}

TEST(OutputFile, WhatIsGivenUpLeavesNothing) {
  const TestFolder Folder;
  for (const char *Name : {"out.json", "out.json.gz"}) {
    const std::string Path = Folder.file(Name, "old");
    {
      auto Out = OutputFile::create(Path);
      ASSERT_TRUE(Out);
      (*Out)->write(std::string(300000, 'x'));
    }
    EXPECT_EQ(TestFolder::read(Path), "old");
  }
  EXPECT_EQ(filesIn(Folder), 2u);
}

TEST(OutputFile, CompressesByTheName) {
  const TestFolder Folder;
  const std::string Path = Folder.path("out.csv.gz");
  auto Out = OutputFile::create(Path);
  ASSERT_TRUE(Out);
  std::string Text;
  for (int I = 0; I < 50000; ++I)
    Text += std::to_string(I);
  (*Out)->write(Text);
  EXPECT_FALSE((*Out)->commit());
  EXPECT_LT(TestFolder::read(Path).size(), Text.size());
  EXPECT_EQ(inflated(Path), Text);
}

TEST(OutputFile, HasTheModeOfANewFile) {
  const TestFolder Folder;
  const std::string Path = Folder.path("out.json");
  const mode_t Mask = umask(027);
  auto Out = OutputFile::create(Path);
  ASSERT_TRUE(Out);
  EXPECT_FALSE((*Out)->commit());
  EXPECT_EQ(umask(Mask), 027u);
  struct stat Status;
  ASSERT_EQ(stat(Path.c_str(), &Status), 0);
  EXPECT_EQ(Status.st_mode & 0777, 0640u);
}

TEST(OutputFile, FullDiskIsAnErrorAndLeavesTheOldFile) {
  const TestFolder Folder;
  std::string Text; // that does not shrink much
  for (unsigned Value = 1; Text.size() < 400000; Value = Value * 1103515245 + 12345)
    Text += static_cast<char>(Value >> 16);
  for (const char *Name : {"out.json", "out.json.gz"}) {
    const std::string Path = Folder.file(Name, "old");
    std::optional<Error> Failure;
    {
      const SizeLimit Limit(100000);
      auto Out = OutputFile::create(Path);
      ASSERT_TRUE(Out);
      (*Out)->write(Text);
      (*Out)->write(Text);
      Failure = (*Out)->commit();
    }
    ASSERT_TRUE(Failure) << Name;
    EXPECT_EQ(Failure->Path, Path);
    EXPECT_EQ(Failure->Reason, "cannot be written: File too large");
    EXPECT_EQ(TestFolder::read(Path), "old");
  }
  EXPECT_EQ(filesIn(Folder), 2u);
}

TEST(OutputFile, FullDeviceIsAnError) {
  auto Out = OutputFile::create("/dev/full");
  ASSERT_TRUE(Out);
  (*Out)->write("text");
  const auto Failure = (*Out)->commit();
  ASSERT_TRUE(Failure);
  EXPECT_EQ(Failure->Reason, "cannot be written: No space left on device");
}

TEST(OutputFile, DevicesAreWrittenToAndNotReplaced) {
  auto Out = OutputFile::create("/dev/null");
  ASSERT_TRUE(Out);
  (*Out)->write("text");
  EXPECT_FALSE((*Out)->commit());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFile, FolderThatCannotBeWrittenToIsAnError) {
  const TestFolder Folder;
  EXPECT_NE(OutputFile::create(Folder.path("")).error().Reason.find("is a directory"),
            std::string::npos);
  EXPECT_EQ(OutputFile::create(Folder.path("missing/out.json")).error().Reason,
            "cannot be written: No such file or directory");
  // Also root cannot make a file here.
  EXPECT_FALSE(OutputFile::create("/proc/self/out.json"));
  if (geteuid() == 0)
    return;
  chmod(Folder.path("").c_str(), 0500);
  EXPECT_EQ(OutputFile::create(Folder.path("out.json")).error().Reason,
            "cannot be written: Permission denied");
  chmod(Folder.path("").c_str(), 0700);
}

TEST(OutputFile, WhatIsReplacedKeepsItsMode) {
  const TestFolder Folder;
  for (const char *Name : {"out.json", "out.json.gz"}) {
    const std::string Path = Folder.file(Name, "old");
    for (const mode_t Mode : {mode_t{0600}, mode_t{0640}, mode_t{0666}}) {
      chmod(Path.c_str(), Mode);
      auto Out = OutputFile::create(Path);
      ASSERT_TRUE(Out);
      (*Out)->write("new");
      EXPECT_FALSE((*Out)->commit());
      struct stat Status;
      ASSERT_EQ(stat(Path.c_str(), &Status), 0);
      EXPECT_EQ(Status.st_mode & 07777, Mode) << Name;
    }
  }
}

TEST(OutputFile, SymbolicLinksAreFollowed) {
  const TestFolder Folder;
  std::filesystem::create_directory(Folder.path("there"));
  const std::string Target = Folder.file("there/target.json", "old");
  std::filesystem::create_symlink("target.json", Folder.path("there/second.json"));
  const std::string Link = Folder.path("link.json");
  std::filesystem::create_symlink("there/second.json", Link);
  auto Out = OutputFile::create(Link);
  ASSERT_TRUE(Out);
  (*Out)->write("new");
  EXPECT_EQ(TestFolder::read(Target), "old");
  EXPECT_FALSE((*Out)->commit());
  EXPECT_TRUE(std::filesystem::is_symlink(Link));
  EXPECT_TRUE(std::filesystem::is_symlink(Folder.path("there/second.json")));
  EXPECT_EQ(TestFolder::read(Target), "new");
}

TEST(OutputFile, LinkToNothingMakesTheFileThatItNames) {
  const TestFolder Folder;
  const std::string Link = Folder.path("link.json");
  std::filesystem::create_symlink("new.json", Link);
  auto Out = OutputFile::create(Link);
  ASSERT_TRUE(Out);
  (*Out)->write("new");
  EXPECT_FALSE((*Out)->commit());
  EXPECT_TRUE(std::filesystem::is_symlink(Link));
  EXPECT_EQ(TestFolder::read(Folder.path("new.json")), "new");
}

TEST(OutputFile, WhatIsReadIsRefusedByAnyNameUntilItIsGone) {
  const TestFolder Folder;
  const std::string Path = Folder.file("in.json", "input"), Hard = Folder.path("hard.json"),
                    Soft = Folder.path("soft.json");
  std::filesystem::create_hard_link(Path, Hard);
  std::filesystem::create_symlink("in.json", Soft);
  auto Out = OutputFile::create(Path);
  ASSERT_TRUE(Out);
  ASSERT_TRUE(ByteSource::open(Path));
  for (const std::string &Name : {Path, Hard, Soft}) {
    const auto Refused = OutputFile::create(Name);
    ASSERT_FALSE(Refused);
    EXPECT_EQ(Refused.error().Reason,
              "is the file that is read, or one of them; name another file to write");
    EXPECT_TRUE(OutputFile::create(Name, {.OverInput = true}));
  }
  // It was not read yet when the output was opened.
  (*Out)->write("output");
  EXPECT_TRUE((*Out)->commit());
  EXPECT_EQ(TestFolder::read(Path), "input");
  for (const std::string &Name : {Path, Hard, Soft})
    std::filesystem::remove(Name);
  usleep(20000); // what has its number now was born later
  auto Free = OutputFile::create(Folder.file("in.json", "another"));
  ASSERT_TRUE(Free);
  EXPECT_FALSE((*Free)->commit());
}

TEST(OutputFile, UnreadInputIsTheErrorOfWhatIsWritten) {
  const TestFolder Folder;
  noteUnread(Folder.path("absent.json"), ENOENT); // its reader's to judge
  EXPECT_FALSE(unreadInput());
  const std::string Path = Folder.file("out.json", "old");
  auto Out = OutputFile::create(Path);
  ASSERT_TRUE(Out);
  noteUnread(Folder.path("in.json"), EIO);
  (*Out)->write("half");
  const auto Failure = (*Out)->commit();
  ASSERT_TRUE(Failure);
  EXPECT_EQ(Failure->message(), Folder.path("in.json") + ": cannot be read: Input/output error");
  EXPECT_EQ(TestFolder::read(Path), "old");
  EXPECT_TRUE(takeUnread());
  EXPECT_FALSE(takeUnread());
}

TEST(OutputFile, RingOfLinksIsRefused) {
  const TestFolder Folder;
  std::filesystem::create_symlink("b.json", Folder.path("a.json"));
  std::filesystem::create_symlink("a.json", Folder.path("b.json"));
  const auto Out = OutputFile::create(Folder.path("a.json"));
  ASSERT_FALSE(Out);
  EXPECT_NE(Out.error().Reason.find("symbolic links"), std::string::npos) << Out.error().Reason;
}

} // namespace
