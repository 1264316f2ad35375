//===- Direction.h - forward pass, backward pass, optimizer ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_DIRECTION_H
#define SEAMSCOPE_TOOLS_ANALYSIS_DIRECTION_H

#include "analysis/core/HostNesting.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace seamscope::tools {

/// The part of a training step.
enum class TrainingPart : uint8_t {
  Unknown,
  Forward,   ///< inside an operator, and none of the below
  Backward,  ///< inside an autograd node, or on a thread that runs nothing else
  Optimizer, ///< inside torch's annotation of an optimizer ("Optimizer.step#Adam.step")
};

/// What autograd's traces say about host calls (ReadOptions::Autograd).
class Directions {
public:
  explicit Directions(const Trace &Input);

  const HostNesting &nesting() const { return Nesting; }

  /// The part that a host event belongs to. \p InOperator: whether it is in an operator, or is one.
  TrainingPart partOf(uint32_t Event, bool InOperator) const;

  /// The forward operator whose backward pass contains a host event; NoEvent: none, or not proven.
  /// A flow proves it. A number proves it too, if only one thread had it, or if flows showed which
  /// thread autograd's thread number means.
  uint32_t forwardOf(uint32_t Event) const;

  /// Number of the innermost operator around the event that has one.
  std::optional<int64_t> sequenceOf(uint32_t Event) const;
  /// Number of the autograd node around it, if that differs.
  std::optional<int64_t> nodeSequenceOf(uint32_t Event) const;

private:
  const Site &siteOf(uint32_t Event) const { return Input.Sites[Input.Events.Site[Event]]; }
  const SequenceNumber *sequenceAt(uint32_t Operator) const;
  void findNodes();
  void followFlows();
  void matchNumbers();

  const Trace &Input;
  std::vector<HostMoment> FlowMoments;
  HostNesting Nesting;
  std::vector<uint32_t> Numbered; ///< by event, the innermost operator with a number
  std::vector<uint32_t> Node;     ///< by event, the innermost backward of a node
  std::vector<uint32_t> Backward; ///< by event, the innermost event that shows that it is backward
  std::vector<uint32_t> Optimizer;
  std::vector<uint32_t> Forward;  ///< by backward of a node
  std::vector<bool> IsTarget;     ///< by event, of a flow
  std::vector<bool> RunsBackward; ///< by thread: it is an autograd thread
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_DIRECTION_H
