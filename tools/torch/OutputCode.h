//===- OutputCode.h - parser of Inductor's output code --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output code has the source of each kernel and a function `call` that runs the graph. With
// provenance on, a comment above each call distinguishes it from other calls of the same kernel:
//
//   triton_poi_fused_add_1 = async_compile.triton('triton_poi_fused_add_1', ''' ... ''')
//   add_kernel_0 = async_compile.triton('add_kernel', ''' ... ''')
//   multi_kernel_0 = async_compile.multi_kernel('multi_kernel_0', [triton_red_2, triton_per_2])
//   cpp_fused_relu_0 = async_compile.cpp_pybinding(['const float*'], r''' ... ''')
//   ...
//           # [Provenance debug handles] cpp_fused_relu_0:3
//           cpp_fused_relu_0(arg0_1, buf0)
//
// In cpp_wrapper mode and in ahead-of-time compiled packages all of it is C++, and the kernels are
// functions of the same file:
//
//   extern "C"  void  cpp_fused_relu_0(const float* in_ptr0,
//                          float* out_ptr0)
//   {
//       ...
//   }
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_OUTPUTCODE_H
#define SEAMSCOPE_TOOLS_TORCH_OUTPUTCODE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A kernel whose source is in output code.
struct KernelSource {
  std::string Name;
  size_t Begin = 0; ///< offset of its text in OutputCode::Text
  size_t Size = 0;
  uint32_t Line = 0; ///< line of the definition in the output code, from 1
  /// Other names that a device's trace may give it: the function of a kernel that the program
  /// defines, or the kernels from which one is chosen at run time.
  std::vector<std::string> Symbols = {};
  bool Function = false; ///< it shares its file with other functions
};

/// A call that the graph makes.
struct CodeCall {
  std::string Kernel;    ///< "cpp_fused_relu_0", "extern_kernels.mm", "torch.ops.aten.sort.default"
  uint32_t Handle = 0;   ///< provenance handle; 0: none
  uint32_t Line = 0;     ///< line of the call in the output code, from 1
  bool Extern = true;    ///< a library's kernel, not a generated one
  std::string Statement; ///< the call as written
  std::string OriginalAten; ///< "aten.t, aten.addmm", from the comment above it; or empty

  /// The function of the output code that makes the call, named after a nested graph; empty for
  /// `call`, or if unknown.
  std::string Within = {};

  /// Whether it runs ATen's own code because Inductor does not generate code for the operator.
  bool fallsBack() const;
};

/// The pass that a graph belongs to.
enum class GraphDirection : uint8_t { Unknown, Inference, Forward, Backward };

/// "inference", "forward", "backward" or "".
std::string_view nameOf(GraphDirection Direction);

struct OutputCode {
  std::string Text;
  std::vector<KernelSource> Kernels;
  std::vector<CodeCall> Calls;
  GraphDirection Direction = GraphDirection::Unknown;
  bool Cpp = false; ///< cpp_wrapper mode, or compiled ahead of time

  std::string_view sourceOf(const KernelSource &Kernel) const {
    return std::string_view(Text).substr(Kernel.Begin, Kernel.Size);
  }
};

/// Reads output code, Python or the C++ of cpp_wrapper mode. Skips what it does not know.
OutputCode parseOutputCode(std::string Text);

/// Splits "KERNEL:HANDLE"; the handle is 0 if there is none.
std::pair<std::string_view, uint32_t> splitHandle(std::string_view Key);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_OUTPUTCODE_H
