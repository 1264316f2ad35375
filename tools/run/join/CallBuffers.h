//===- CallBuffers.h - memory that calls of generated kernels use ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output code allocates each buffer, and passes it to kernels, whose parameters say how they use
// it:
//
//   buf0 = empty_strided_cpu((128, 256), (256, 1), torch.float32)
//   buf1 = buf0; del buf0  # reuse
//   cpp_fused_gelu_0(arg0_1, reinterpret_tensor(buf2, (64, ), (1, ), 0), buf1)
//   extern "C"  void  kernel(const float* in_ptr0, const float* in_ptr1, float* in_out_ptr0)
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_CALLBUFFERS_H
#define SEAMSCOPE_TOOLS_RUN_CALLBUFFERS_H

#include "torch/FxGraph.h"
#include "torch/OutputCode.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// One argument of a call.
struct CallBuffer {
  std::string Name;     ///< in the output code: that of a graph's input is the name of its node
  uint32_t Storage = 0; ///< number of the memory that holds it
  std::string View;     ///< equal for equal parts of one memory
  std::optional<int64_t> Bytes; ///< of its elements, each once; nothing: its size is not known
  int64_t Elements = 0;         ///< if Bytes is known
  std::string Held;             ///< the buffer whose earlier value it reads, if it reads
  bool Reads = false;           ///< what earlier code computed, or an input of the graph
  bool Writes = false;
};

struct CallMemory {
  std::vector<CallBuffer> Buffers;
  std::string Why; ///< why the buffers are not known; empty: they are
};

/// By call of \p Code. \p PostGrad has the types of the graph's inputs.
std::vector<CallMemory> callBuffers(const OutputCode &Code, const FxGraph &PostGrad);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_CALLBUFFERS_H
