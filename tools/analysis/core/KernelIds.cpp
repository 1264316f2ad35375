//===- KernelIds.cpp - which kernel a part of one belongs to --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/KernelIds.h"

#include "analysis/core/KernelRows.h"

namespace seamscope::tools {

KernelIds::KernelIds(const Trace &Source) : Source(Source) {
  for (const SiteId Row : kernelRows(Source).Sites)
    if (const Site &What = Source.Sites[Row]; What.Kind == SiteKind::Kernel && What.Device < 0)
      ++Files[Source.text(What.Name)][Source.text(What.File)];
}

KernelId KernelIds::of(std::string_view Name, std::string_view File) const {
  const auto Known = Files.find(Name);
  const bool HasSeveral = Known != Files.end() && Known->second.size() > 1;
  return {std::string(Name), std::string(HasSeveral ? File : std::string_view())};
}

bool KernelIds::isOfOne(const KernelId &Id) const {
  const auto Known = Files.find(Id.Name);
  if (Known == Files.end())
    return false;
  if (Known->second.size() == 1)
    return Known->second.begin()->second == 1;
  const auto Here = Known->second.find(Id.File);
  return Here != Known->second.end() && Here->second == 1;
}

} // namespace seamscope::tools
