//===- CodeNames.h - names of sampled code ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_CODENAMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_CODENAMES_H

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// What is at an address.
struct CodeName {
  struct Frame {
    std::string Function, File; ///< empty: not known
    uint32_t Line = 0;
  };
  std::string Library;       ///< file name without folders; "[JIT]", "[vdso]", "[unknown]"
  std::string Symbol;        ///< the function whose code it is; empty: not known
  std::vector<Frame> Frames; ///< functions inlined there, the innermost first, and that function

  /// Whether it is code of hooks, or of the runtime that they call.
  bool isHook() const {
    return Library.starts_with("libseamscope") || Symbol.starts_with("seamscope.") ||
           Symbol.starts_with("__seamscope_");
  }
};

/// What a blocked thread waited in.
struct WaitName {
  std::string Symbol;  ///< what the program called: "pthread_cond_wait"; else the system call
  std::string Library; ///< that has it; empty: not known
  std::string Caller;  ///< the function that called it; empty: not known
  std::string File;    ///< of the call; empty: not known
  uint32_t Line = 0;
};

/// Names for the samples of a trace.
struct CodeNames {
  std::vector<CodeName> Codes;
  std::vector<uint32_t> OfSample;      ///< by sample, index of Codes
  std::vector<WaitName> Waits;         ///< by Trace::Waits
  std::vector<std::string> Complaints; ///< files that could not be used, a sentence each

  const CodeName &of(size_t Sample) const { return Codes[OfSample[Sample]]; }
};

/// "std::mutex::lock()" without the parameters: "std::mutex::lock".
inline std::string withoutParameters(const std::string &Function) {
  size_t Depth = 0;
  for (size_t I = std::min(Function.rfind(')'), Function.size() - 1) + 1; I-- > 0;) {
    Depth += Function[I] == ')';
    if (Function[I] == '(' && Depth && !--Depth)
      return I ? Function.substr(0, I) : Function;
    if (!Depth)
      break; // it has none
  }
  return Function;
}

/// Where the arguments of a template begin in a name without parameters; its end: it has none.
inline size_t argumentsIn(std::string_view Name) {
  size_t Depth = 0, At = Name.size();
  while (Name.ends_with('>') && At-- > 0) {
    Depth += Name[At] == '>';
    if (Name[At] == '<' && Depth && !--Depth)
      return At;
  }
  return Name.size();
}

/// "dist<4>" of "float dist<4>(float const*)": symbols of templates have the type of the result.
inline std::string functionNameOf(const std::string &Function) {
  std::string Name = withoutParameters(Function);
  const size_t Arguments = argumentsIn(Name), Blank = Name.rfind(' ', Arguments);
  if (Arguments < Name.size() && Blank < Arguments)
    Name.erase(0, Blank + 1);
  return Name;
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_CODENAMES_H
