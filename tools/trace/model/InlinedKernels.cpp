//===- InlinedKernels.cpp - kernels without events, inlined -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/model/InlinedKernels.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace seamscope::tools {

void InlinedKernels::add(std::string_view Name, std::string_view File, int64_t Line) {
  if (Name.empty())
    return;
  Kernel New = {std::string(Name), std::string(File), std::max<int64_t>(Line, 0)};
  if (std::ranges::find(Named, New) == Named.end())
    Named.push_back(std::move(New));
}

void InlinedKernels::add(const InlinedKernels &Others) {
  for (const Kernel &K : Others.Named)
    add(K.Name, K.File, K.Line);
  Unnamed = std::max(Unnamed, Others.Unnamed);
}

std::string InlinedKernels::sentence() const {
  constexpr size_t Most = 5;
  const bool One = Named.size() == 1 && !Unnamed;
  std::string Text = fmt::format("{}{} {} inlined by the optimiser: ", Unnamed ? "more than " : "",
                                 Named.size(), One ? "kernel was" : "kernels were");
  for (size_t I = 0; I < std::min(Most, Named.size()); ++I) {
    const Kernel &K = Named[I];
    Text += (I ? ", " : "") + K.Name;
    if (const std::string File = std::filesystem::path(K.File).filename().string(); !File.empty())
      Text += K.Line ? fmt::format(" ({}:{})", File, K.Line) : fmt::format(" ({})", File);
  }
  if (Named.size() > Most || Unnamed)
    Text += ", ...";
  return Text + (One ? "; its time is in that of its callers"
                     : "; their time is in that of their callers");
}

} // namespace seamscope::tools
