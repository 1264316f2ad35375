//===- machine.h - the stand-in's GPU and the log of its work ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Environment:
//   STANDIN_DEVICE   library of retargeted kernels (retarget.py), for programs of the CUDA runtime
//   STANDIN_LOG      file to which all work is written at exit, as JSON
//   STANDIN_FAULT    the fault: privileges, subscriber, unknown (CUPTI refuses); taken (another
//                    tool has CUPTI's records); drop (every third record); lost (the context is
//                    lost after three launches)
//   STANDIN_SMS, STANDIN_BLOCKS   number of SMs, and of blocks for which each has room (4 and 2)
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_MACHINE_H
#define SEAMSCOPE_TEST_MACHINE_H

#include <cuda.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace standin {

/// A stream; its work runs when it is submitted, but has its own times.
struct Stream {
  uint32_t Number;
  uint64_t FreeAt = 0; ///< by CUPTI's clock
  struct Graph *Capture = nullptr;
  uint32_t Life = 0;    ///< resets() when its context was made
  bool IsTools = false; ///< libseamscope-cuda made it
};

/// Work of a device or of the host, as in CUPTI's records.
struct Activity {
  std::string Kind; ///< kernel, copy, fill, wait, runtime, driver
  std::string Name;
  uint64_t BeginNs, EndNs;
  uint32_t Stream = 0, Correlation = 0, Thread = 0;
  uint32_t Grid[3] = {}, Block[3] = {}, Shared = 0;
  uint64_t Number = 0, Bytes = 0, GraphNode = 0;
  uint32_t Graph = 0, Way = 0, Wait = 0, CallbackId = 0;
  bool IsTools = false; ///< libseamscope-cuda caused it
  /// Kinds and numbers of other layers at the call's begin, the innermost of each kind.
  std::vector<std::pair<uint32_t, uint64_t>> External;
};

struct KernelNode {
  std::string Name;
  uint32_t Grid[3], Block[3], Shared;
  std::vector<std::vector<char>> Arguments;
  uint64_t Node;
};
struct Graph {
  std::vector<KernelNode> Nodes;
  uint32_t Number;
};
/// Ends all captures without a graph, if there is one and the call is not allowed then: one that
/// may wait for the device, unless the thread's mode is relaxed, and any use of the default stream.
void mayEndCaptures(bool OnDefaultStream);
CUstreamCaptureMode &captureMode();
extern unsigned OpenCaptures;
extern bool CaptureFailed;
/// Calls CUPTI's subscriber: a node was made, or cloned from \p Original.
extern void (*OnGraphNode)(uint64_t Node, uint64_t Original);

/// Difference of %globaltimer and CUPTI's clock.
constexpr uint64_t TimerAheadNs = 12'345'678;
constexpr uint32_t ParameterBytes =
    64; ///< largest size of an argument: they are copied without their sizes

/// Does what the first CUDA call does: loads CUDA_INJECTION64_PATH. Any later call of the driver
/// fails once the context is lost.
CUresult start();
bool isLost();
uint64_t nowNs();
/// The number of resets of the device: objects of an earlier context are gone.
uint32_t resets();
void reset();

Stream &defaultStream();
Stream *newStream();

/// A kernel's function by retarget.py, called with the addresses of the arguments.
using WayInto = void (*)(void **);
struct Kernel {
  Kernel(const std::string &Name, WayInto Run) : Name(Name), Run(Run) {}
  /// Functions of STANDIN_DEVICE.
  Kernel(const std::string &Name);
  std::string Name;
  WayInto Run; ///< null: there is no such kernel
};

/// Runs a kernel. \p Node 0: not of a graph.
bool runKernel(Stream &On, const Kernel &What, const uint32_t (&Grid)[3],
               const uint32_t (&Block)[3], uint32_t Shared, void **Arguments, uint32_t Correlation,
               uint32_t GraphNumber = 0, uint64_t Node = 0);
void copy(Stream &On, void *To, const void *From, size_t Bytes, uint32_t Way, uint32_t Correlation);
void fill(Stream &On, void *To, int Value, size_t Bytes, uint32_t Correlation);
void wait(Stream *On, uint32_t Kind, uint32_t Correlation);
/// A wait for a stream, without the time that it takes.
void noteWait(Stream &On, uint32_t Correlation);

/// A call of the runtime or the driver, while the object lives.
class Call {
public:
  Call(bool IsRuntime, uint32_t CallbackId, const char *Name, bool IsTools = false);
  ~Call();
  uint32_t correlation() const { return Correlation; }

private:
  Activity What;
  uint32_t Correlation;
};

/// Symbols of STANDIN_DEVICE, and of an opened library. \p Size may be null.
void *deviceSymbol(const std::string &Name, size_t *Size);
void *symbolIn(void *Library, const std::string &Name, size_t *Size);

/// The numbers that other layers have pushed on this thread, by kind.
std::map<uint32_t, std::vector<uint64_t>> &externalIds();

/// Of CUPTI: takes what was done since the last time.
std::vector<Activity> takeActivities();
bool hasFault(const char *Name);

} // namespace standin
#endif // SEAMSCOPE_TEST_MACHINE_H
