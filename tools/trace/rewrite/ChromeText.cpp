//===- ChromeText.cpp - a trace's JSON, to be read more than once ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/ChromeText.h"

#include "trace/io/Descriptor.h"
#include "trace/io/FileUse.h"
#include "trace/spool/SpoolFile.h"
#include "trace/spool/SpoolToChrome.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

namespace seamscope::tools {
namespace {

/// Whether a trace can begin so: JSON, also behind a byte order mark, or gzip.
bool mayBegin(std::string_view Text) {
  const size_t First = Text.find_first_not_of(" \t\r\n");
  return First == Text.npos || std::string_view("[{\x1f\xef").find(Text[First]) != Text.npos;
}

/// What is no trace is not copied to its end, which a device may not have: reading it says why.
std::optional<Error> copy(int From, TemporaryFile &To, const std::string &Path) {
  std::vector<char> Bytes(1 << 18);
  for (bool Begins = true;; Begins = false) {
    const ssize_t Count = ::read(From, Bytes.data(), Bytes.size());
    if (Count == 0)
      return std::nullopt;
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count < 0)
      return Error{Path, {}, std::strerror(errno)};
    const std::string_view Piece(Bytes.data(), static_cast<size_t>(Count));
    To.write(Piece);
    if (To.error())
      return ChromeText::cannotKeep(Path, To.error());
    if (Begins && !mayBegin(Piece))
      return std::nullopt;
  }
}

std::optional<Error> convertSpool(const std::string &Path, TemporaryFile &To) {
  auto Spool = SpoolFile::open(Path);
  if (!Spool)
    return Spool.error();
  if (const Error *Damage = (*Spool)->damage())
    return *Damage;
  if (writeChrome(**Spool, To, std::filesystem::path(Path).filename().string()))
    return ChromeText::cannotKeep(Path, To.error() ? To.error() : ENOMEM);
  return std::nullopt;
}

} // namespace

Error ChromeText::cannotKeep(const std::string &Path, int Why) {
  return {Path, {}, std::string("cannot be kept in a temporary file: ") + std::strerror(Why)};
}

Result<std::unique_ptr<ChromeText>> ChromeText::open(const std::string &Path) {
  struct stat Status;
  const bool IsInput = Path == "-";
  if (!IsInput && stat(Path.c_str(), &Status) != 0)
    return Error{Path, {}, std::strerror(errno)};
  const bool Regular = !IsInput && S_ISREG(Status.st_mode);
  const bool Spool = Regular && isSpool(Path);
  if (!Spool && (Regular || (!IsInput && S_ISDIR(Status.st_mode))))
    return std::unique_ptr<ChromeText>(new ChromeText(Path, nullptr));
  auto To = std::make_unique<TemporaryFile>();
  if (To->error())
    return cannotKeep(Path, To->error());
  if (Spool) {
    if (const auto Failure = convertSpool(Path, *To))
      return *Failure;
  } else {
    const Descriptor From(IsInput ? dup(STDIN_FILENO)
                                  : ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!From)
      return Error{Path, {}, std::strerror(errno)};
    noteInput(From.number(), Path);
    if (const auto Failure = copy(From.number(), *To, Path))
      return *Failure;
  }
  return std::unique_ptr<ChromeText>(new ChromeText(Path, std::move(To)));
}

Result<std::unique_ptr<ByteSource>> ChromeText::read() const {
  return Temporary ? ByteSource::ofDescriptor(Temporary->descriptor(), Path)
                   : ByteSource::open(Path);
}

} // namespace seamscope::tools
