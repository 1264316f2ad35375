//===- XlsxFiles.cpp - libxlsxwriter's temporary files -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does not include xlsxwriter.h: its versions declare lxw_tmpfile() in
// different ways.
//
//===----------------------------------------------------------------------===//
#include "report/render/XlsxFiles.h"

#include "trace/io/TemporaryFile.h"

#include <cerrno>
#include <memory>
#include <unistd.h>

namespace seamscope::tools {
namespace {

int FirstError = 0;

void noteError(int Why) {
  if (!FirstError)
    FirstError = Why;
}

TemporaryFile &fileOf(void *Cookie) { return *static_cast<TemporaryFile *>(Cookie); }

ssize_t readFile(void *Cookie, char *Into, size_t Size) {
  ssize_t Count;
  do
    Count = read(fileOf(Cookie).descriptor(), Into, Size);
  while (Count < 0 && errno == EINTR);
  if (Count < 0)
    noteError(errno);
  return Count;
}

ssize_t writeFile(void *Cookie, const char *Bytes, size_t Size) {
  fileOf(Cookie).write({Bytes, Size});
  noteError(fileOf(Cookie).error());
  return fileOf(Cookie).error() ? 0 : static_cast<ssize_t>(Size);
}

int seekFile(void *Cookie, off64_t *Offset, int From) {
  const off_t At = lseek(fileOf(Cookie).descriptor(), *Offset, From);
  if (At < 0) {
    noteError(errno);
    return -1;
  }
  *Offset = At;
  return 0;
}

int closeFile(void *Cookie) {
  delete &fileOf(Cookie);
  return 0;
}

FILE *openFile() {
  auto File = std::make_unique<TemporaryFile>();
  if (File->error()) {
    noteError(File->error());
    return nullptr;
  }
  FILE *const Stream = fopencookie(File.get(), "w+", {readFile, writeFile, seekFile, closeFile});
  if (Stream)
    static_cast<void>(File.release());
  else
    noteError(ENOMEM);
  return Stream;
}

} // namespace

// The library prints messages to the variable stderr, which glibc lets a program set. A stream
// without functions accepts everything.
XlsxFiles::XlsxFiles() : Messages(stderr) {
  FirstError = 0;
  if (FILE *Nowhere = fopencookie(nullptr, "w", {}))
    stderr = Nowhere;
}

XlsxFiles::~XlsxFiles() {
  if (stderr != Messages)
    std::fclose(stderr);
  stderr = Messages;
}

int XlsxFiles::error() const { return FirstError; }

} // namespace seamscope::tools

/// Replaces the library's own function.
extern "C" __attribute__((visibility("default"))) FILE *lxw_tmpfile(const char *) {
  return seamscope::tools::openFile();
}
