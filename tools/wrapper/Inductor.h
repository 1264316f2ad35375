//===- Inductor.h - TorchInductor's names of kernels -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inductor compiles every C++ kernel as a function called `kernel`. Only the Python code that
// Inductor writes before it compiles has the name that is used everywhere else, such as
// cpp_fused_add_mul_0:
//
//   CACHE/px/cpx....main.cpp   the kernel's text, then the Python binding
//   CACHE/lr/clr....py         cpp_fused_add_mul_0 = async_compile.cpp_pybinding(
//                                  ['const float*', ...], r'''<the same text>''')
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_WRAPPER_INDUCTOR_H
#define SEAMSCOPE_WRAPPER_INDUCTOR_H

#include <string>
#include <string_view>

namespace seamscope::wrapper {

/// The name of the kernel in \p Source, a `*.main.cpp` in an Inductor cache; "" if it is not one or
/// no Python code of the cache names it. Of several names, the first one in the newest file is
/// used: it belongs to the graph being compiled.
std::string inductorKernelName(const std::string &Source);

/// The name under which the output code \p Python has the text that \p Main begins with; "" if
/// none.
std::string kernelNameIn(std::string_view Python, std::string_view Main);

} // namespace seamscope::wrapper
#endif // SEAMSCOPE_WRAPPER_INDUCTOR_H
