//===- Inductor.h - the names TorchInductor gives its kernels --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inductor compiles every C++ kernel as a function called `kernel`. The name by
// which it is known everywhere else, cpp_fused_add_mul_0, stands only in the
// Python code that Inductor writes beside it, before it compiles:
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

/// The name of the kernel in \p Source, a `*.main.cpp` in an Inductor cache; "" when it
/// is not such a file or no Python code of the cache names it. Of several names the
/// newest file's first one is taken: it is the graph that is being compiled.
std::string inductorKernelName(const std::string &Source);

/// The name under which the output code \p Python holds the text that begins
/// \p Main; "" when it does not.
std::string kernelNameIn(std::string_view Python, std::string_view Main);

} // namespace seamscope::wrapper
#endif // SEAMSCOPE_WRAPPER_INDUCTOR_H
