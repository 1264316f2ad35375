//===- FusedOperators.cpp - what the operators in a fused kernel executed -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/FusedOperators.h"
#include "torch/Recomputed.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>
#include <set>

namespace seamscope::tools {
namespace {

/// What a statement computes, as far as its text says.
enum class StatementKind : uint8_t {
  Any,
  Move,     ///< loads, stores, converts or broadcasts
  Add,      ///< two variables, or subtracts them
  Multiply, ///< two variables
  Divide,   ///< two variables
};

StatementKind kindOf(std::string_view Line) {
  std::string_view Right = withoutMark(Line);
  Right.remove_prefix(std::min(Right.find_first_not_of(' '), Right.size()));
  if (!Right.starts_with("auto tmp"))
    return Right.starts_with("tmp") && Right.find(".store(") != Right.npos ? StatementKind::Move
                                                                           : StatementKind::Any;
  Right.remove_prefix(std::min(Right.find(" = "), Right.size() - 3) + 3);
  for (const std::string_view Conversion : {"at::vec::convert<", "c10::convert<", "static_cast<"})
    if (Right.starts_with(Conversion))
      return StatementKind::Move;
  if (Right.starts_with("at::vec::Vectorized")) {
    const std::string_view Rest = Right.substr(std::min(Right.find('>'), Right.size() - 1) + 1);
    return Rest.starts_with("(tmp") || Rest.starts_with("::loadu(") ? StatementKind::Move
                                                                    : StatementKind::Any;
  }
  // "tmp4 + tmp3;"
  const auto Variable = [&] {
    constexpr std::string_view Name = "tmp";
    if (!Right.starts_with(Name))
      return false;
    Right.remove_prefix(std::min(Right.find_first_not_of("0123456789", Name.size()), Right.size()));
    return true;
  };
  if (!Variable() || Right.size() < 3)
    return StatementKind::Any;
  const std::string_view Operator = Right.substr(0, 3);
  Right.remove_prefix(3);
  if (!Variable() || Right != ";")
    return StatementKind::Any;
  return Operator == " + " || Operator == " - " ? StatementKind::Add
         : Operator == " * "                    ? StatementKind::Multiply
         : Operator == " / "                    ? StatementKind::Divide
                                                : StatementKind::Any;
}

/// Whether a statement of that kind cannot have executed the operations of \p Key. The compiler may
/// multiply in place of a division by a power of two, and add in place of a multiplication by two.
bool isOfOthers(StatementKind Kind, std::string_view Key) {
  if (Kind == StatementKind::Any)
    return false;
  if (Key.starts_with("call."))
    return true;
  // Integers may be parts of a conversion.
  const std::string_view What = Key.starts_with('i') ? "" : Key.substr(Key.find('.') + 1);
  if (What == "add")
    return Kind != StatementKind::Add && Kind != StatementKind::Multiply;
  if (What == "mul")
    return Kind != StatementKind::Multiply && Kind != StatementKind::Divide;
  if (What == "div")
    return Kind != StatementKind::Divide;
  return What == "fma" || What == "sqrt" || What == "rem";
}

bool hasWorkOfOthers(StatementKind Kind, const ExecutedWork &Work) {
  return std::ranges::any_of(Work.Counts, [&](const auto &Each) {
    return Each.second.Most && isOfOthers(Kind, Each.first);
  });
}

/// The operation of a statement for each value, as in the keys of work: "add"; empty: not known.
std::string_view operationIn(std::string_view Line) {
  switch (kindOf(Line)) {
  case StatementKind::Add:
    return "add";
  case StatementKind::Multiply:
    return "mul";
  case StatementKind::Divide:
    return "div";
  case StatementKind::Move:
    return {};
  case StatementKind::Any:
    break;
  }
  return withoutMark(Line).find(".sqrt();") != Line.npos ? "sqrt" : "";
}

/// The nodes by number of a kernel's statements in one call; null: not known.
const std::vector<std::vector<std::string>> *operatorsOf(const CompiledGraphs &Graphs,
                                                         const KernelUse &Use) {
  const auto &Known = Graphs.graphOf(Use).Map.Operators;
  const CodeCall &Call = Graphs.callOf(Use);
  const auto Found = Known.find(Call.Kernel + ':' + std::to_string(Call.Handle));
  return Found == Known.end() ? nullptr : &Found->second;
}

/// Whether the statements of a call compute the node \p Name.
bool computesNode(const CompiledGraphs &Graphs, const KernelUse &Use, const std::string &Name) {
  const auto *const Operators = operatorsOf(Graphs, Use);
  return Operators && std::ranges::any_of(*Operators, [&](const std::vector<std::string> &Names) {
           return std::ranges::find(Names, Name) != Names.end();
         });
}

/// Where else a node is computed.
struct Elsewhere {
  bool Before = false, Later = false;
};

/// In other calls of the graph and of its forward or backward graph. Both were cut from one graph,
/// and nodes keep their names.
Elsewhere elsewhere(const CompiledGraphs &Graphs, const KernelUse &Use, const FxNode &Node) {
  Elsewhere Found;
  const std::string Name = Node.fullName();
  for (const KernelUse &Other : Graphs.usesIn(Use.Graph))
    if (Other.Call != Use.Call && computesNode(Graphs, Other, Name))
      (Other.Call < Use.Call ? Found.Before : Found.Later) = true;
  const auto IsIn = [&](uint32_t Graph) {
    const FxGraph &Nodes = Graphs.log().Graphs[Graph].PostGrad;
    const auto Same = Nodes.find(Name);
    return Same && Nodes.Nodes[*Same].Target == Node.Target &&
           std::ranges::any_of(Graphs.usesIn(Graph), [&](const KernelUse &Other) {
             return computesNode(Graphs, Other, Name);
           });
  };
  if (const auto Forward = Graphs.forwardOf(Use.Graph))
    Found.Before |= IsIn(*Forward);
  for (uint32_t Graph = 0; Graph < Graphs.log().Graphs.size(); ++Graph)
    if (Graphs.forwardOf(Graph) == Use.Graph)
      Found.Later |= IsIn(Graph);
  return Found;
}

/// Splits the work of one kernel.
class Splitter {
public:
  Splitter(const CompiledGraphs &Graphs, const GeneratedKernel &Kernel)
      : Graphs(Graphs), Kernel(Kernel), Marks(markedLines(Kernel.Source)) {}

  std::optional<FusedKernel> run(const KernelWork &Work, std::string_view File) {
    FusedKernel Made;
    Made.Loops = codeLoops(Kernel.Source);
    std::map<uint32_t, FusedOperator> ByNumber;
    FusedOperator Rest;
    // A kernel that shares its file has the numbers of others there, too.
    if (!isFunction())
      for (const auto &[Line, Number] : Marks)
        ByNumber.try_emplace(Number);
    const std::vector<std::string_view> Text = linesOf(Kernel.Source);
    for (const LineWork *const Line : separated(Work.Lines, Text, File, Made)) {
      const auto Mark = Line->File == File ? Marks.find(Line->Line) : Marks.end();
      FusedOperator &Into = Mark == Marks.end() ? Rest : ByNumber[Mark->second];
      Into.Work.add(Line->Work);
      Into.Lines.push_back(Line);
    }
    if (std::ranges::all_of(ByNumber | std::views::values,
                            [](const FusedOperator &Each) { return Each.Lines.empty(); }))
      return std::nullopt;
    bool AnyJoined = false;
    for (auto &[Number, Each] : ByNumber) {
      if (!findNodes(Number, Each))
        return std::nullopt;
      Each.IsJoined = std::ranges::any_of(Each.Lines, [&](const LineWork *Line) {
        return hasWorkOfOthers(kindOf(Text[Line->Line - 1]), Line->Work);
      });
      AnyJoined |= Each.IsJoined;
      Each.Number = Number;
      findRepeats(Made.Loops, Each);
      Made.Operators.push_back(std::move(Each));
    }
    // Then, what has no work may have been joined with that; else it was left out.
    for (FusedOperator &Each : Made.Operators)
      Each.IsJoined |= AnyJoined && !computes(Each.Work);
    Made.Operators.push_back(std::move(Rest));
    // The compiler does not say in which line unknown work is.
    for (FusedOperator &Each : Made.Operators)
      Each.Work.Unknown = Work.All.Unknown;
    return Made;
  }

private:
  const KernelUse &use(size_t I) const { return Graphs.uses()[Kernel.Uses[I]]; }

  /// The lines of work, ascending. A conversion of two registers into one often has the operations
  /// before it, which the compiler joined: each on all values. They go back to their statements if
  /// these are known: all statements of the loop that have no work and do that operation, one for
  /// each time that the conversion's values were computed with.
  std::vector<const LineWork *> separated(const std::vector<LineWork> &Lines,
                                          const std::vector<std::string_view> &Text,
                                          std::string_view File, FusedKernel &Into) const {
    std::map<uint32_t, std::vector<uint32_t>> WithoutWork; // marked lines, by innermost loop
    for (const auto &[Line, Number] : Marks)
      if (const CodeLoop *const Loop = innermostLoop(Into.Loops, Line);
          Loop && kindOf(Text[Line - 1]) != StatementKind::Move &&
          std::ranges::none_of(Lines, [&, At = Line](const LineWork &Each) {
            return Each.File == File && Each.Line == At && computes(Each.Work);
          }))
        WithoutWork[Loop->First].push_back(Line);
    std::vector<const LineWork *> Made;
    for (const LineWork &Line : Lines) {
      const bool IsMarked = Line.File == File && Marks.contains(Line.Line);
      const CodeLoop *const Loop = IsMarked ? innermostLoop(Into.Loops, Line.Line) : nullptr;
      const size_t Before = Into.Separated.size();
      if (Loop && separate(Line, Text, WithoutWork[Loop->First], Into.Separated))
        for (size_t I = Before; I < Into.Separated.size(); ++I)
          Made.push_back(Into.Separated[I].get());
      else
        Made.push_back(&Line);
    }
    std::ranges::stable_sort(Made, {}, [](const LineWork *Line) {
      return std::pair(std::string_view(Line->File), Line->Line);
    });
    return Made;
  }

  /// Adds the work of a line to \p Into, by statement; nothing if it cannot be told apart.
  static bool separate(const LineWork &Line, const std::vector<std::string_view> &Text,
                       const std::vector<uint32_t> &WithoutWork,
                       std::vector<std::unique_ptr<LineWork>> &Into) {
    const StatementKind Kind = kindOf(Text[Line.Line - 1]);
    Bounds Converted;
    for (const auto &[Key, Count] : Line.Work.Counts)
      if (Key.ends_with(".convert"))
        Converted += Count;
    if (Kind != StatementKind::Move || !hasWorkOfOthers(Kind, Line.Work) || !Converted.Most ||
        !Converted.isExact())
      return false;
    std::vector<std::unique_ptr<LineWork>> Parts;
    Parts.push_back(std::make_unique<LineWork>(Line));
    std::set<std::string_view> Given;
    for (const auto &[Key, Count] : Line.Work.Counts) {
      if (!Count.Most || !isOfOthers(Kind, Key))
        continue;
      const std::string_view What = operationOf(Key).second;
      const size_t First = Parts.size();
      for (const uint32_t Each : WithoutWork)
        if (operationIn(Text[Each - 1]) == What) {
          LineWork &Part = *Parts.emplace_back(std::make_unique<LineWork>());
          Part.File = Line.File;
          Part.Line = Each;
          Part.Work.Counts[Key] = Converted;
        }
      const Bounds All = Converted * (Parts.size() - First);
      if (!Given.insert(What).second || All.Least != Count.Least || All.Most != Count.Most)
        return false;
      Parts.front()->Work.Counts.erase(Key);
    }
    // A statement that may have had any of it.
    if (Parts.size() - 1 != WithoutWork.size())
      return false;
    std::ranges::move(Parts, std::back_inserter(Into));
    return true;
  }

  bool isFunction() const {
    const KernelSource *const Own = Graphs.sourceOf(use(0));
    return Own && Own->Function;
  }

  bool findNodes(uint32_t Number, FusedOperator &Into) const {
    for (size_t I = 0; I < Kernel.Uses.size(); ++I) {
      const auto *const Operators = operatorsOf(Graphs, use(I));
      if (!Operators || Number >= Operators->size() || (*Operators)[Number].empty())
        return false;
      std::vector<uint32_t> &Nodes = Into.Nodes.emplace_back();
      for (const std::string &Name : (*Operators)[Number]) {
        const auto Node = Graphs.graphOf(use(I)).PostGrad.find(Name);
        if (!Node)
          return false;
        Nodes.push_back(*Node);
      }
    }
    return !Into.Nodes.empty();
  }

  /// What loops after the first one that computes the operator execute. Loops over the rest of
  /// vectors do not say to which loop they belong: their work only adds to the most.
  static std::optional<ExecutedWork> workOfLaterLoops(const std::vector<CodeLoop> &Loops,
                                                      const FusedOperator &Of) {
    std::set<const CodeLoop *> Computing;
    for (const LineWork *const Line : Of.Lines)
      if (const CodeLoop *const Loop = innermostLoop(Loops, Line->Line);
          Loop && !Loop->IsRest && computes(Line->Work))
        Computing.insert(Loop);
    if (Computing.size() < 2)
      return std::nullopt;
    ExecutedWork Later;
    for (const LineWork *const Line : Of.Lines) {
      const CodeLoop *const Loop = innermostLoop(Loops, Line->Line);
      if (!Loop || Loop == *Computing.begin())
        continue;
      ExecutedWork Part = Line->Work;
      if (Loop->IsRest)
        for (auto &[Key, Count] : Part.Counts)
          Count.Least = 0;
      Later.add(Part);
    }
    return Later;
  }

  void findRepeats(const std::vector<CodeLoop> &Loops, FusedOperator &Of) const {
    size_t Before = 0;
    for (size_t I = 0; I < Of.Nodes.size(); ++I) {
      const FxGraph &Graph = Graphs.graphOf(use(I)).PostGrad;
      const FxNode &Node = Graph.Nodes[Of.Nodes[I].front()];
      // Reductions are computed in several places, and each part once.
      if (!isPointwise(Node))
        return;
      const Elsewhere Found = elsewhere(Graphs, use(I), Node);
      Before += Found.Before;
      Of.IsRecomputed |= Found.Before || Found.Later;
    }
    // Templates compute in tiles, whose loops do not say what is computed twice.
    if (Kernel.Template.empty())
      if (auto Later = workOfLaterLoops(Loops, Of)) {
        Of.IsRecomputed = true;
        Of.Again = std::move(Later);
      }
    if (Before == Of.Nodes.size())
      Of.Again = Of.Work;
    else if (Before)
      Of.Again.reset();
  }

  const CompiledGraphs &Graphs;
  const GeneratedKernel &Kernel;
  const std::map<uint32_t, uint32_t> Marks;
};

} // namespace

bool computes(const ExecutedWork &Work) {
  return std::ranges::any_of(Work.Counts, [](const auto &Each) {
    return Each.first != "read" && Each.first != "write" && Each.second.Most;
  });
}

std::optional<FusedKernel> fusedOperators(const CompiledGraphs &Graphs,
                                          const GeneratedKernel &Kernel, const KernelWork &Work,
                                          std::string_view File) {
  return Splitter(Graphs, Kernel).run(Work, File);
}

} // namespace seamscope::tools
