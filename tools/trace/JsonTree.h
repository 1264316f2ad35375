//===- JsonTree.h - a part of a JSON text as a tree -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_JSONTREE_H
#define SEAMSCOPE_TOOLS_TRACE_JSONTREE_H

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// Builds a tree from the calls that a SAX parser makes for one value: for the small parts of a
/// document that are wanted whole.
class JsonTree {
public:
  /// Starts over.
  void clear() {
    Root = nullptr;
    Stack.clear();
  }

  void scalar(nlohmann::json Value) { place(std::move(Value)); }
  void begin(nlohmann::json Container) { Stack.push_back(place(std::move(Container))); }
  void key(std::string Name) { Key = std::move(Name); }

  /// Ends an object or array; true when that was the whole value.
  bool end() {
    Stack.pop_back();
    return Stack.empty();
  }

  const nlohmann::json &root() const { return Root; }

private:
  // A pointer on the stack stays valid: its container grows again only after it was popped.
  nlohmann::json *place(nlohmann::json Value) {
    if (Stack.empty()) {
      Root = std::move(Value);
      return &Root;
    }
    nlohmann::json &Parent = *Stack.back();
    if (Parent.is_array())
      return &Parent.emplace_back(std::move(Value));
    return &(Parent[Key] = std::move(Value));
  }

  nlohmann::json Root;
  std::vector<nlohmann::json *> Stack;
  std::string Key;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_JSONTREE_H
