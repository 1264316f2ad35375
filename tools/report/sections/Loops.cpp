//===- Loops.cpp - loops of kernels, of the host and of GPUs ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/LoopTree.h"
#include "analysis/devices/GpuLoops.h"
#include "report/sections/CountedWork.h"
#include "report/sections/Sections.h"
#include "report/sections/TorchLoops.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace seamscope::tools {
namespace {

/// Kernels without --top, with --loops and without it.
constexpr size_t UsualKernels = 20, FewKernels = 5;
/// Loops of a kernel, without --loops.
constexpr size_t FewLoops = 20;

bool isLoop(const ReportContext &In, const LoopNode &Node) {
  return In.site(Node.Site).Kind == SiteKind::Loop;
}

Value regionAround(const ReportContext &In, const LoopTree &Tree, const LoopNode &Node) {
  Value Region;
  for (uint32_t Up = Node.Parent; Up != LoopNode::None; Up = Tree.Nodes[Up].Parent)
    if (const Site &Around = In.site(Tree.Nodes[Up].Site); Around.Kind == SiteKind::Region)
      Region = In.Source.text(Around.Name);
  return Region;
}

Column parentPercent() {
  return column::percent("parent_percent", "Of parent %", "total of what is around it");
}

void addHostRows(std::vector<LoopRow> &To, const ReportContext &In, SiteId Kernel) {
  const LoopTree *const Tree = In.Input.Loops;
  if (!Tree)
    return;

  const auto Generated = std::make_shared<const TorchLoops>(In.Input, Kernel);
  for (const LoopNode &Node : Tree->of(Kernel)) {
    if (!isLoop(In, Node))
      continue;
    LoopRow Row;
    Row.Id = static_cast<size_t>(&Node - Tree->Nodes.data());
    if (isLoop(In, Tree->Nodes[Node.Parent]))
      Row.Parent = Node.Parent;
    Row.Site = Node.Site;
    Row.Region = regionAround(In, *Tree, Node);
    Row.Calls = Node.Calls;
    Row.TotalNs = Node.TotalNs;
    Row.SelfNs = Node.SelfNs;
    Row.Cpu = &Node;
    Row.Nodes = Generated->value(In.site(Node.Site));
    To.push_back(std::move(Row));
  }
}

const GpuKernelLoops *find(const ReportContext &In, const Site &Kernel) {
  if (!In.Input.Devices)
    return nullptr;
  const auto Found = In.Input.Devices->Loops.find({Kernel.Name, Kernel.Device});
  return Found == In.Input.Devices->Loops.end() ? nullptr : &Found->second;
}

/// The name of the first loop of \p Kernel among all loops of the report.
size_t firstId(const ReportInput &Input, const GpuKernelLoops *Kernel) {
  size_t Id = Input.Loops ? Input.Loops->Nodes.size() : 0;
  for (const auto &[Key, Each] : Input.Devices->Loops) {
    if (&Each == Kernel)
      break;
    Id += Each.Loops.size();
  }
  return Id;
}

void addGpuRows(std::vector<LoopRow> &To, const ReportContext &In, const Site &Kernel) {
  const GpuKernelLoops *const Of = find(In, Kernel);
  if (!Of)
    return;
  const size_t First = firstId(In.Input, Of);
  for (size_t I = 0; I < Of->Loops.size(); ++I) {
    const GpuLoop &Loop = Of->Loops[I];
    LoopRow Row;
    Row.Id = First + I;
    if (Loop.Parent != GpuLoop::None)
      Row.Parent = First + Loop.Parent;
    Row.Site = Loop.Site;
    Row.Calls = Loop.Calls;
    Row.TotalNs = Loop.TotalNs;
    Row.SelfNs = Loop.SelfNs;
    Row.Launches = Of->Launches;
    Row.Clocks = Loop.Clocks;
    To.push_back(std::move(Row));
  }
}

} // namespace

std::vector<LoopRow> loopRows(const ReportContext &In, SiteId Kernel) {
  std::vector<LoopRow> Rows;
  addHostRows(Rows, In, Kernel);
  addGpuRows(Rows, In, In.site(Kernel));
  return Rows;
}

Fields<LoopRow> loopFields(const Context &In) {
  const auto OfCpu = [](auto Member) {
    return [Member](const LoopRow &R) { return R.Cpu ? Value(R.Cpu->*Member) : Value(0); };
  };
  Fields<LoopRow> Made = {
      {{"id", Unit::Count, "number among the loops of the report"}, &LoopRow::Id},
      {{"parent", Unit::Count, "id of the loop around it"}, &LoopRow::Parent},
      {{"region", Unit::Name, "the parallel region around it"}, &LoopRow::Region},
      {column::name(""), [In](const LoopRow &R) { return In->name(R.Site); }},
      {column::source(), [In](const LoopRow &R) { return In->source(In->site(R.Site)); }},
      {{"inlined_from", Unit::List, "calls through which it was inlined, innermost first"},
       [In](const LoopRow &R) { return listOf(inlinedFrom(In->Source, In->site(R.Site))); }},
      {column::calls().helped("how often it was entered"), &LoopRow::Calls},
      {column::total(), &LoopRow::TotalNs},
      {column::self(), &LoopRow::SelfNs},
      {column::wait(), OfCpu(&LoopNode::WaitNs)},
      {{"blocked_ns", Unit::Ns, "of wait_ns, outside of waits for the team: it did not run"},
       OfCpu(&LoopNode::BlockedNs)},
      {{"preempted_ns", Unit::Ns, "it was ready and another thread ran"},
       OfCpu(&LoopNode::PreemptedNs)},
      {{"untimed", Unit::Count, "of the calls, those that were not timed"},
       [](const LoopRow &R) { return R.Cpu ? R.Cpu->Untimed.Calls : 0; }},
      {{"open", Unit::Count, "calls that had not ended"}, OfCpu(&LoopNode::Open)},
      {column::imbalance(),
       [](const LoopRow &R) { return R.Cpu ? Value(R.Cpu->Imbalance) : Value(); }},
      rowsField<LoopRow>("threads", "by OpenMP thread number", threadFields(),
                         [](const LoopRow &R) {
                           return R.Cpu ? std::span(R.Cpu->Threads)
                                        : std::span<const ThreadShare>();
                         }),
      sampledField<LoopRow>([](const LoopRow &R) {
        return R.Cpu && R.Cpu->Untimed.Calls ? &R.Cpu->Untimed : nullptr;
      }),
  };
  append(Made, countedLoopFields(In));
  append(Made, Fields<LoopRow>{
                   {nodesColumn(), &LoopRow::Nodes},
                   {Column("launches", Unit::Count, "launches with times of loops").optional(),
                    [](const LoopRow &R) { return R.Cpu ? Value(Absent()) : Value(R.Launches); }},
                   {Column("clocks", Unit::Count, "SM clocks of a thread in one launch, the mean")
                        .optional()
                        .typed("number"),
                    [](const LoopRow &R) { return R.Cpu ? Value(Absent()) : Value(R.Clocks); }},
               });
  return Made;
}

namespace {

/// Lines of kernels with what they run: a kernel of which all calls are in one node of another one
/// stands there, with its loops.
class HostLines {
public:
  HostLines(const ReportContext &In, const LoopTree &Tree, size_t MostLoops)
      : In(In), Tree(Tree), MostLoops(MostLoops), Within(Tree.Nodes.size()) {
    for (const auto &[Key, Calls] : Tree.Inner)
      Within[Key.second].push_back(Key.first);
  }

  /// The kernel that \p Kernel is shown in; itself if it has several callers or none.
  uint32_t outermost(uint32_t Kernel) const {
    for (uint32_t Up = Tree.callerOf(Kernel); Up != LoopNode::None; Up = Tree.callerOf(Kernel)) {
      while (Tree.Nodes[Up].Parent != LoopNode::None)
        Up = Tree.Nodes[Up].Parent;
      Kernel = Up;
    }
    return Kernel;
  }

  /// Appends those of \p Kernel. Of the loops and kernels in it the longest are shown, in the order
  /// of the tree, and \p Hottest in any case.
  void add(uint32_t Kernel, uint32_t Hottest, std::vector<TreeLine> &To) {
    Found.clear();
    enterKernel(Kernel, 0, SIZE_MAX);
    std::vector<size_t> Wanted;
    size_t Loops = 0;
    for (size_t I = 0; I < Found.size(); ++I)
      if (Found[I].Kind != Part::Region) {
        Wanted.push_back(I);
        Loops += Found[I].Kind == Part::Loop;
      }
    std::vector<bool> Kept(Found.size(), Loops <= MostLoops);
    const auto Keep = [&](size_t I) {
      for (; I != SIZE_MAX && !Kept[I]; I = Found[I].Around)
        Kept[I] = true;
    };
    if (Loops > MostLoops) {
      std::ranges::stable_sort(Wanted, std::greater(), [&](size_t I) { return Found[I].TotalNs; });
      Wanted.resize(MostLoops + 1); // and the kernel itself
      std::ranges::for_each(Wanted, Keep);
      for (size_t I = 0; I < Found.size(); ++I)
        if (!I || Found[I].Node == Hottest)
          Keep(I);
    }
    std::map<Part, size_t> Left;
    for (size_t I = 0; I < Found.size(); ++I) {
      if (Kept[I])
        To.push_back(std::move(Found[I].Line));
      else
        ++Left[Found[I].Kind];
    }
    if (Left.empty())
      return;
    std::vector<std::string> Texts;
    for (const auto &[What, Name] :
         {std::pair(Part::Loop, "more loop"), std::pair(Part::Kernel, "more kernel"),
          std::pair(Part::Region, "more region")})
      if (Left[What])
        Texts.push_back(fmt::format("{} {}{}", Left[What], Name, Left[What] == 1 ? "" : "s"));
    To.push_back({fmt::format("[{}]", fmt::join(Texts, ", ")), {}, 1, Emphasis::Faint});
  }

private:
  enum class Part { Loop, Kernel, Region };

  struct Entry {
    TreeLine Line;
    size_t Around; ///< SIZE_MAX: none
    Part Kind;
    int64_t TotalNs;
    uint32_t Node;
  };

  Part partOf(const LoopNode &Node) const {
    return isLoop(In, Node)                              ? Part::Loop
           : In.site(Node.Site).Kind == SiteKind::Region ? Part::Region
                                                         : Part::Kernel;
  }

  /// Adds a kernel and all that it runs, below the entry \p Around.
  void enterKernel(uint32_t Id, size_t Depth, size_t Around) {
    enter(Id, Depth, Around, TorchLoops(In.Input, Tree.Nodes[Id].Site));
  }

  /// Adds a node and all that it runs. \p Generated: of its kernel.
  void enter(uint32_t Id, size_t Depth, size_t Around, const TorchLoops &Generated) {
    const LoopNode &Node = Tree.Nodes[Id];
    const size_t Here = Found.size();
    Found.push_back({lineOf(Node, Depth, Generated), Around, partOf(Node), Node.TotalNs, Id});
    if (Around != SIZE_MAX && In.site(Node.Site).Kind != SiteKind::Region)
      Found.back().Line.Cells.emplace_back("parent_percent",
                                           percentOf(Node.TotalNs, Found[Around].TotalNs));
    for (uint32_t Next = Id + 1; Next < Tree.Nodes.size() && Tree.Nodes[Next].Depth > Node.Depth;
         ++Next)
      if (Tree.Nodes[Next].Parent == Id)
        enter(Next, Depth + 1, Here, Generated);
    for (const uint32_t Kernel : Within[Id]) {
      if (Tree.callerOf(Kernel) == Id) {
        enterKernel(Kernel, Depth + 1, Here);
        continue;
      }
      const InnerCalls &Calls = Tree.Inner.at({Kernel, Id});
      const Site &What = In.site(Tree.Nodes[Kernel].Site);
      Found.push_back({{In.Source.text(What.Name),
                        {{"calls", Calls.Calls},
                         {"total_ns", Calls.Ns},
                         {"parent_percent", percentOf(Calls.Ns, Node.TotalNs)},
                         {"source", In.source(What)}},
                        Depth + 1},
                       Here,
                       Part::Kernel,
                       Calls.Ns,
                       Kernel});
    }
  }

  TreeLine lineOf(const LoopNode &Node, size_t Depth, const TorchLoops &Generated) const {
    const bool Inner = isLoop(In, Node);
    const Site &What = In.site(Node.Site);
    const bool IsEstimate = Node.Untimed.Calls;
    TreeLine Line = {In.Source.text(What.Name),
                     {{"calls", Node.Calls},
                      {"total_ns", timeCell(Node.TotalNs, IsEstimate)},
                      {"self_ns", Node.SelfNs ? timeCell(*Node.SelfNs, IsEstimate) : Cell()},
                      {"source", In.source(What)}},
                     Depth};
    if (Node.WaitNs)
      Line.Cells.emplace_back("wait_ns", Node.WaitNs);
    if (!Node.Threads.empty())
      Line.Cells.emplace_back("threads", Node.Threads.size());
    if (Node.Imbalance)
      Line.Cells.emplace_back("imbalance", Node.Imbalance);
    if (Inner)
      Line.Cells.emplace_back("nodes", Generated.text(What));
    if (IsEstimate && Inner)
      Line.Notes = {untimedText(Node.Untimed)};
    return Line;
  }

  const ReportContext &In;
  const LoopTree &Tree;
  const size_t MostLoops;
  std::vector<std::vector<uint32_t>> Within; ///< kernels that a node calls
  std::vector<Entry> Found;
};

/// The kernel of the host with most of the window; null if there is none.
const KernelRow *hottestOfHost(const ReportContext &In) {
  const KernelRow *Hottest = nullptr;
  const auto TimeOf = [](const KernelRow &Row) { return Row.SelfNs.value_or(Row.Times.TotalNs); };
  for (const KernelRow &Row : In.Numbers.Kernels)
    if (In.site(Row.Site).Device < 0 && (!Hottest || TimeOf(Row) > TimeOf(*Hottest)))
      Hottest = &Row;
  return Hottest;
}

} // namespace

void addLoops(Section &To, const Context &In) {
  const ReportInput &Input = In->Input;
  if (!Input.Loops || Input.Loops->Nodes.empty())
    return;
  const LoopTree &Tree = *Input.Loops;
  const bool Waits =
      std::ranges::any_of(Tree.Nodes, [](const LoopNode &Node) { return Node.WaitNs != 0; });
  const size_t Most = Input.rowsOf(Input.AllLoops ? UsualKernels : FewKernels);
  HostLines Tell(*In, Tree, Input.AllLoops || Input.AllRows ? SIZE_MAX : FewLoops);
  const KernelRow *const Hottest = hottestOfHost(*In);
  const auto HottestNode = Hottest ? Tree.Kernels.find(Hottest->Site) : Tree.Kernels.end();
  const uint32_t Always = HottestNode == Tree.Kernels.end() ? LoopNode::None : HottestNode->second;
  std::vector<TreeLine> Lines;
  std::map<uint32_t, size_t> Outermost; // with the number of loops in all that they run
  bool HasTree = Input.AllLoops;
  size_t Shown = 0, WithoutLoops = 0;
  for (const KernelRow &Row : In->Numbers.Kernels) {
    const Site &What = In->site(Row.Site);
    const auto Node = Tree.Kernels.find(Row.Site);
    if (Node != Tree.Kernels.end()) {
      const auto [Top, IsNew] = Outermost.try_emplace(Tell.outermost(Node->second));
      Top->second += static_cast<size_t>(std::ranges::count_if(
          Tree.of(Row.Site), [&](const LoopNode &Each) { return isLoop(*In, Each); }));
      HasTree |= Top->second > 1;
      if (IsNew && (Outermost.size() <= Most ||
                    (Always != LoopNode::None && Top->first == Tell.outermost(Always)))) {
        Tell.add(Top->first, Always, Lines);
        ++Shown;
      }
    } else if (&Row == Hottest) {
      Lines.push_back({In->Source.text(What.Name),
                       {{"calls", Row.Times.Calls},
                        {"total_ns", Row.Times.TotalNs},
                        {"source", In->source(What)}}});
    } else {
      WithoutLoops += What.Kind == SiteKind::Kernel && What.Device < 0;
    }
  }
  if (Outermost.empty() || !HasTree)
    return;
  if (WithoutLoops)
    Lines.push_back({fmt::format("[{} kernel{} of one loop or none]", WithoutLoops,
                                 WithoutLoops == 1 ? "" : "s"),
                     {},
                     0,
                     Emphasis::Faint});
  std::vector<Column> Columns = {column::name("Kernel, region, loop").cut(60), column::calls(),
                                 column::total(), column::self()};
  if (Waits)
    Columns.push_back(column::wait());
  Columns.insert(Columns.end(),
                 {parentPercent(),
                  Column("threads", "Threads", Unit::Count, "OpenMP threads that ran it"),
                  column::imbalance(), column::source()});
  if (Input.Torch)
    Columns.push_back(
        Column("nodes", "Nodes", Unit::Name, "of torch's graph that it computes").left().cut(60));
  Table Rows = treeTable("loops", "Loops", std::move(Columns), std::move(Lines));
  Rows.leaveOut(Outermost.size(), Shown, "more kernels");
  To.add(std::move(Rows));
}

void addGpuLoops(Section &To, const Context &In) {
  const ReportInput &Input = In->Input;
  if (!Input.Devices)
    return;
  const size_t Most = Input.rowsOf(Input.AllLoops ? UsualKernels : FewKernels);
  std::vector<TreeLine> Lines;
  size_t Found = 0;
  bool HasTree = Input.AllLoops;
  for (const KernelRow &Row : In->Numbers.Kernels) {
    const Site &Kernel = In->site(Row.Site);
    const GpuKernelLoops *const Of = find(*In, Kernel);
    HasTree |= Of && Of->Loops.size() > 1;
    if (!Of || Found++ >= Most)
      continue;
    Lines.push_back(
        {In->Source.text(Kernel.Name),
         {{"calls", Of->Launches}, {"total_ns", Of->TotalNs}, {"self_ns", Of->SelfNs}}});
    for (const GpuLoop &Loop : Of->Loops) {
      const int64_t Around =
          Loop.Parent == GpuLoop::None ? Of->TotalNs : Of->Loops[Loop.Parent].TotalNs;
      Lines.push_back({In->name(Loop.Site),
                       {{"calls", Loop.Calls},
                        {"total_ns", Loop.TotalNs},
                        {"self_ns", Loop.SelfNs},
                        {"parent_percent", percentOf(Loop.TotalNs, Around)},
                        {"clocks", Cell(Loop.Clocks, fmt::format("{:.0f}", Loop.Clocks))},
                        {"source", In->source(In->site(Loop.Site))}},
                       Loop.Depth});
    }
  }
  if (!Found || !HasTree)
    return;
  Table Rows = treeTable(
      "gpu-loops", "Loops of GPU kernels",
      {column::name("GPU kernel, loop").cut(60), column::calls(), column::total(), column::self(),
       parentPercent(),
       Column("clocks", "Clocks a warp", Unit::Count, "SM clocks of a thread in one launch"),
       column::source()},
      std::move(Lines));
  Rows.leaveOut(Found, Most, "more kernels");
  To.add(std::move(Rows));
}

} // namespace seamscope::tools
