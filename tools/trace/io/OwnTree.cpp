//===- OwnTree.cpp - the folders that this program is installed in --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/OwnTree.h"

#include <cstdlib>
#include <dlfcn.h>

namespace seamscope::tools {

namespace fs = std::filesystem;

fs::path ownPrefix() {
  std::error_code Failed;
  // A program's own name may be relative to a folder that it has left.
  fs::path File = fs::read_symlink("/proc/self/exe", Failed);
  Dl_info Of;
  if (dladdr(reinterpret_cast<const void *>(&ownPrefix), &Of) && Of.dli_fname)
    if (const fs::path Shared = fs::canonical(Of.dli_fname, Failed);
        !Failed && Shared.filename().string().find(".so") != std::string::npos)
      File = Shared;
  // The folder of libraries may be lib/x86_64-linux-gnu.
  for (fs::path Each = File.parent_path().parent_path(); Each.has_relative_path();
       Each = Each.parent_path())
    if (fs::exists(Each / "share/seamscope", Failed))
      return Each;
  return File.parent_path().parent_path();
}

fs::path pythonPackageFolder() {
  std::error_code Failed;
  const fs::path Prefix = ownPrefix();
  for (const fs::path &Each : {Prefix / "share/seamscope/python", Prefix / "../.."})
    if (fs::exists(Each / "seamscope/_sql.py", Failed))
      return Each.lexically_normal();
  return {};
}

std::string pythonProgram() {
  const char *const Named = std::getenv("SEAMSCOPE_PYTHON");
  return Named && *Named ? Named : "python3";
}

std::string pythonPathWith(const std::string &Folder) {
  // An empty element would stand for the working directory.
  const char *const Already = std::getenv("PYTHONPATH");
  return Already && *Already ? Folder + ":" + Already : Folder;
}

} // namespace seamscope::tools
