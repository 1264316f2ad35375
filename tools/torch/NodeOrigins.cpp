//===- NodeOrigins.cpp - modules and callers of captured nodes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/NodeOrigins.h"
#include "torch/JsonText.h"
#include "torch/PythonText.h"
#include "trace/io/JsonParse.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

using Json = nlohmann::json;

/// The names in `L['self'].h[2].mlp`, in order: self, h, 2, mlp.
std::vector<std::string_view> namesIn(std::string_view Text) {
  constexpr std::string_view Marks = ".[]'\"";
  std::vector<std::string_view> Names;
  while (!Text.empty()) {
    const size_t Begin = Text.find_first_not_of(Marks);
    if (Begin == Text.npos)
      break;
    // Quoted text may contain any of the marks.
    const char Quote = Begin ? Text[Begin - 1] : '\0';
    const bool Quoted = Quote == '\'' || Quote == '"';
    const size_t End =
        std::min(Text.size(), Quoted ? Text.find(Quote, Begin) : Text.find_first_of(Marks, Begin));
    Names.push_back(Text.substr(Begin, End - Begin));
    Text.remove_prefix(std::min(Text.size(), Quoted ? End + 1 : End));
  }
  return Names;
}

/// `0-2,5` for {0, 1, 2, 5}.
std::string ranges(const std::set<uint32_t> &Numbers) {
  std::string Text;
  for (auto It = Numbers.begin(); It != Numbers.end();) {
    const uint32_t First = *It;
    uint32_t Last = First;
    while (++It != Numbers.end() && *It == Last + 1)
      ++Last;
    Text += fmt::format("{}{}{}", Text.empty() ? "" : ",", First,
                        Last == First ? std::string() : fmt::format("-{}", Last));
  }
  return Text;
}

} // namespace

const NodeOrigin *NodeOrigins::find(const std::string &Node) const {
  const auto Found = Nodes.find(Node);
  return Found == Nodes.end() ? nullptr : &Found->second;
}

std::vector<SourceLine> NodeOrigins::callersOf(const std::string &Node,
                                               const SourceLine &Line) const {
  const NodeOrigin *Origin = find(Node);
  if (!Origin || !Origin->Stack)
    return {};
  const std::vector<SourceLine> &Stack = Stacks[*Origin->Stack];
  if (Stack.empty() || Stack.back().File != Line.File || Stack.back().Line != Line.Line)
    return {};
  return {Stack.rbegin() + 1, Stack.rend()};
}

std::vector<SourceLine> NodeOrigins::stackOf(const std::string &Node) const {
  const NodeOrigin *Origin = find(Node);
  if (!Origin || !Origin->Stack)
    return {};
  const std::vector<SourceLine> &Stack = Stacks[*Origin->Stack];
  return {Stack.rbegin(), Stack.rend()};
}

std::optional<NodeOrigins> parseNodeOrigins(std::string_view Text) {
  const Json Record = parseJson(Text);
  const auto Nodes = Record.is_object() ? Record.find("nodes") : Record.end();
  if (!Record.is_object() || Nodes == Record.end() || !Nodes->is_object())
    return std::nullopt;
  NodeOrigins Origins;
  if (const auto Stacks = Record.find("stacks"); Stacks != Record.end() && Stacks->is_array())
    for (const Json &Stack : *Stacks)
      Origins.Stacks.push_back(Stack.is_string()
                                   ? parseTraceback(Stack.get_ref<const std::string &>())
                                   : std::vector<SourceLine>());
  for (const auto &[Name, Body] : Nodes->items()) {
    if (!Body.is_object())
      continue;
    NodeOrigin Origin;
    Origin.Module.Path = modulePath(textAt(Body, "module"));
    Origin.Module.Class = textAt(Body, "class");
    const auto Stack = Body.find("stack");
    if (Stack != Body.end() && Stack->is_number_unsigned() &&
        Stack->get<uint64_t>() < Origins.Stacks.size())
      Origin.Stack = Stack->get<size_t>();
    Origins.Nodes.emplace(Name, std::move(Origin));
  }
  if (const auto Function = Record.find("function");
      Function != Record.end() && Function->is_object()) {
    Origins.Function.Function = textAt(*Function, "name");
    Origins.Function.File = textAt(*Function, "file");
    Origins.Function.Line = numberAt(*Function, "line").value_or(0);
  }
  return Origins;
}

std::string modulePath(std::string_view Expression) {
  std::vector<std::string_view> Names = namesIn(Expression);
  // `L` and `G` stand for local and global variables of the compiled function.
  const bool OfVariable = Expression.starts_with("L[") || Expression.starts_with("G[");
  if (OfVariable && !Names.empty())
    Names.erase(Names.begin());
  if (OfVariable && !Names.empty() && Names[0] == "self")
    Names.erase(Names.begin());
  // nn.Module keeps its children in `_modules`; torch.compile wraps a module as `_orig_mod`.
  std::erase_if(Names,
                [](std::string_view Name) { return Name == "_modules" || Name == "_orig_mod"; });
  return fmt::format("{}", fmt::join(Names, "."));
}

void addOnce(std::vector<ModulePath> &Modules, const ModulePath &Module) {
  if (std::ranges::find(Modules, Module) == Modules.end())
    Modules.push_back(Module);
}

std::vector<std::string> groupedPaths(const std::vector<ModulePath> &Paths) {
  struct Group {
    std::string Before, After;
    std::set<uint32_t> Numbers; ///< if empty, Before is the whole path
  };
  std::vector<Group> Groups;
  for (const ModulePath &Each : Paths) {
    Group Own{Each.Path.empty() ? '(' + Each.Class + ')' : Each.Path, {}, {}};
    for (size_t Begin = 0; Begin < Each.Path.size();) {
      const size_t End = std::min(Each.Path.find('.', Begin), Each.Path.size());
      if (const auto Number =
              parseUnsigned(std::string_view(Each.Path).substr(Begin, End - Begin))) {
        Own = {Each.Path.substr(0, Begin), Each.Path.substr(End), {*Number}};
        break;
      }
      Begin = End + 1;
    }
    const auto Known = std::ranges::find_if(Groups, [&](const Group &Other) {
      return Other.Before == Own.Before && Other.After == Own.After &&
             Other.Numbers.empty() == Own.Numbers.empty();
    });
    if (Known == Groups.end())
      Groups.push_back(std::move(Own));
    else
      Known->Numbers.merge(Own.Numbers);
  }
  std::vector<std::string> Texts;
  for (const Group &Each : Groups)
    Texts.push_back(Each.Numbers.size() > 1
                        ? fmt::format("{}[{}]{}", Each.Before, ranges(Each.Numbers), Each.After)
                        : fmt::format("{}{}{}", Each.Before, ranges(Each.Numbers), Each.After));
  return Texts;
}

bool isOfLibrary(std::string_view File) {
  if (isOfTorch(File) || File.starts_with("<frozen "))
    return true;
  if (const size_t At = File.find("/lib/python"); At != File.npos)
    if (const size_t Digit = At + sizeof("/lib/python") - 1;
        Digit < File.size() && std::isdigit(static_cast<unsigned char>(File[Digit])))
      return true;
  return File.find("-packages/") != File.npos || File.find("share/seamscope/") != File.npos;
}

} // namespace seamscope::tools
