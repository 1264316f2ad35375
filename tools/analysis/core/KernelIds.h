//===- KernelIds.h - which kernel a part of one belongs to ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a kernel (regions, tasks, loops, counted functions) know its name. A model that is
// compiled again has several kernels of one name, each in a file of its own, as have the parts.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_KERNELIDS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_KERNELIDS_H

#include "trace/model/Trace.h"

#include <map>
#include <string>
#include <string_view>

namespace seamscope::tools {

struct KernelId {
  std::string Name;
  std::string File; ///< empty: kernels of the name are in one file

  auto operator<=>(const KernelId &) const = default;
};

/// The kernels of the host.
class KernelIds {
public:
  /// \p Source must outlive it.
  explicit KernelIds(const Trace &Source);

  /// Of a kernel of this name, or of a part of one that is in this file.
  KernelId of(std::string_view Name, std::string_view File) const;
  /// Of a kernel or of a part of one.
  KernelId of(const Site &What) const {
    return of(Source.text(What.Kind == SiteKind::Kernel ? What.Name : What.Kernel),
              Source.text(What.fileOfKernel()));
  }
  /// Whether one row of a report has it: not several of one file, and not a file without kernels.
  bool isOfOne(const KernelId &Id) const;

private:
  const Trace &Source;
  std::map<std::string_view, std::map<std::string_view, size_t>> Files; ///< rows, by name
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_KERNELIDS_H
