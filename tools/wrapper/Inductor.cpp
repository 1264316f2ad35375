//===- Inductor.cpp - TorchInductor's names of kernels ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inductor.h"
#include "Files.h"

#include <algorithm>
#include <cctype>
#include <dirent.h>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace seamscope::wrapper {
namespace {

bool isNameChar(char C) { return std::isalnum(static_cast<unsigned char>(C)) || C == '_'; }

std::string_view trim(std::string_view Text) {
  while (!Text.empty() && std::isspace(static_cast<unsigned char>(Text.front())))
    Text.remove_prefix(1);
  while (!Text.empty() && std::isspace(static_cast<unsigned char>(Text.back())))
    Text.remove_suffix(1);
  return Text;
}

std::vector<std::string> entriesOf(const std::string &Folder) {
  std::vector<std::string> Names;
  if (DIR *Dir = opendir(Folder.c_str())) {
    while (const dirent *Entry = readdir(Dir))
      Names.emplace_back(Entry->d_name);
    closedir(Dir);
  }
  return Names;
}

/// Whether \p Name is a folder of Inductor's cache, whose names have two letters.
bool isCacheFolder(const std::string &Name) {
  return Name.size() == 2 && std::isalnum(static_cast<unsigned char>(Name[0])) &&
         std::isalnum(static_cast<unsigned char>(Name[1]));
}

/// The Python files of a cache, newest first.
std::vector<std::string> outputCode(const std::string &Cache) {
  std::vector<std::pair<timespec, std::string>> Found;
  for (const std::string &Folder : entriesOf(Cache)) {
    if (!isCacheFolder(Folder))
      continue;
    const std::string Path = Cache + "/" + Folder;
    for (const std::string &Name : entriesOf(Path)) {
      struct stat Status;
      if (Name.ends_with(".py") && stat((Path + "/" + Name).c_str(), &Status) == 0)
        Found.emplace_back(Status.st_mtim, Path + "/" + Name);
    }
  }
  std::sort(Found.begin(), Found.end(), [](const auto &A, const auto &B) {
    if (A.first.tv_sec != B.first.tv_sec)
      return A.first.tv_sec > B.first.tv_sec;
    if (A.first.tv_nsec != B.first.tv_nsec)
      return A.first.tv_nsec > B.first.tv_nsec;
    return A.second < B.second;
  });
  std::vector<std::string> Paths;
  for (auto &Entry : Found)
    Paths.push_back(std::move(Entry.second));
  return Paths;
}

} // namespace

std::string kernelNameIn(std::string_view Python, std::string_view Main) {
  constexpr std::string_view Call = " = async_compile.cpp";
  constexpr std::string_view Open = "r'''", Close = "'''";
  Main = trim(Main);
  std::string_view Best;
  size_t BestSize = 0;
  for (size_t At = Python.find(Call); At != std::string_view::npos; At = Python.find(Call, At)) {
    size_t Begin = At;
    while (Begin > 0 && isNameChar(Python[Begin - 1]))
      --Begin;
    const std::string_view Name = Python.substr(Begin, At - Begin);
    At += Call.size();
    const size_t Text = Python.find(Open, At);
    if (Text == std::string_view::npos)
      break;
    const size_t End = Python.find(Close, Text + Open.size());
    if (End == std::string_view::npos)
      break;
    const std::string_view Body = trim(Python.substr(Text + Open.size(), End - Text - Open.size()));
    At = End + Close.size();
    // One kernel's text may be a prefix of another's: use the longest match.
    if (!Name.empty() && Body.size() > BestSize && Main.starts_with(Body)) {
      Best = Name;
      BestSize = Body.size();
    }
  }
  return std::string(Best);
}

std::string inductorKernelName(const std::string &Source) {
  if (!Source.ends_with(".main.cpp"))
    return "";
  const std::string Folder = realPath(parentPath(Source));
  if (!isCacheFolder(fileName(Folder)))
    return "";
  std::string Main;
  if (!readFile(Source, Main) || Main.find("PyInit_kernel") == std::string::npos)
    return "";
  std::string Python;
  for (const std::string &Path : outputCode(parentPath(Folder)))
    if (readFile(Path, Python))
      if (std::string Name = kernelNameIn(Python, Main); !Name.empty())
        return Name;
  return "";
}

} // namespace seamscope::wrapper
