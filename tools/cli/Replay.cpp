//===- Replay.cpp - seamscope replay --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Replay.h"
#include "analysis/torch/Steps.h"
#include "cli/Help.h"
#include "cli/Output.h"
#include "cli/ReplayBuild.h"
#include "cli/ReplayOperator.h"
#include "cli/RunEnvironment.h"
#include "cli/Verbs.h"
#include "run/folder/RunFolder.h"
#include "run/replay/EagerNodes.h"
#include "run/replay/ReplayFolder.h"
#include "torch/LibraryCalls.h"
#include "trace/ReadTrace.h"
#include "trace/io/Escape.h"
#include "trace/io/InputFile.h"
#include "trace/io/OutputFolder.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  std::string Kernel, Run, Folder, Compiler, Python;
  std::optional<uint64_t> Call;
  unsigned Threads = 0;
  double Seconds = 2;
  bool Vary = false, Ablate = false, Inductor = false;
  OutputWanted Output;
};

/// The calls that are asked for.
std::vector<const KernelCall *> callsOf(const CallLog &Log, const ReplayOptions &Options) {
  std::vector<const KernelCall *> Found;
  for (const KernelCall &Each : Log.Calls)
    if (Each.Kernel == Options.Kernel && (!Options.Call || Each.Number == *Options.Call))
      Found.push_back(&Each);
  return Found;
}

/// The one to replay: one that was captured, else of the kernel with the most time in the program,
/// since graphs have kernels of equal names.
const KernelCall *chooseCall(const std::vector<const KernelCall *> &Calls,
                             const std::vector<Trace> &Traces) {
  std::map<std::string, int64_t> Total; // by library
  for (const KernelCall *Each : Calls)
    if (const auto [Its, New] = Total.try_emplace(Each->Library); New)
      for (const Trace &Of : Traces)
        Its->second = std::max(Its->second, totalInPlace(Of, *Each));
  return *std::ranges::max_element(Calls, {}, [&](const KernelCall *Each) {
    return std::pair(!Each->Captured.empty(), Total[Each->Library]);
  });
}

int refuse(const CallLog &Log, const ReplayOptions &Options, const std::string &Run) {
  std::vector<std::string> Known;
  for (const auto &[Kernel, Why] : Log.Refused)
    if (Kernel == Options.Kernel)
      return fail({Run, {}, fmt::format("{} cannot be replayed: {}", Options.Kernel, Why)});
  std::set<uint64_t> Numbers; // each process has a first call
  for (const KernelCall &Each : Log.Calls) {
    Known.push_back(Each.Kernel);
    if (Each.Kernel == Options.Kernel)
      Numbers.insert(Each.Number);
  }
  if (!Numbers.empty())
    return fail(
        {Run,
         {},
         fmt::format("of {}, only call {} can be replayed; `seamscope run --capture "
                     "{}:{}` records that call",
                     Options.Kernel, fmt::join(Numbers, ", "), Options.Kernel, *Options.Call)});
  const std::string Near = nearestName(Options.Kernel, Known);
  return fail(
      {Run,
       {},
       fmt::format("has no call of a kernel '{}' of torch.compile, nor a captured one{}",
                   Options.Kernel, Near.empty() ? "" : fmt::format("; did you mean '{}'?", Near))});
}

/// Adds what clang made of the kernel's loops, and the nodes that it computes. Nothing, or what
/// cannot be read.
std::optional<Error> addLoops(Replayed &To, EagerNodes &Nodes, const std::string &Run,
                              const KernelCall &Call, const KernelBuild &Build,
                              const std::vector<Trace> &Traces) {
  const auto Code = replaySource(To.Folder, Build);
  if (!Code)
    return Code.error();
  To.Loops = replayLoops(remarksIn(To.Folder), Call, *Code);
  for (const Trace &Of : Traces) {
    if (Call.Image)
      break;
    const auto Torch = loadTorchRun(Run, Of);
    if (!Torch)
      return Torch.error();
    const std::vector<bool> Its = sitesOf(Of, Call);
    for (SiteId Id = 0; *Torch && Id < Its.size(); ++Id)
      if (const GeneratedKernel *const Kernel = Its[Id] ? (*Torch)->kernel(Id) : nullptr) {
        const CompiledGraphs &Graphs = (*Torch)->Graphs;
        nameNodes(To.Loops, Graphs, *Kernel, *Code);
        if (!Kernel->Uses.empty()) {
          const KernelUse &Use = Graphs.uses()[Kernel->Uses[0]];
          Nodes = eagerNodes(Graphs.graphOf(Use).PostGrad, Use.PostNodes);
        }
        return std::nullopt;
      }
  }
  return std::nullopt;
}

Result<std::vector<Trace>> readTraces(const std::string &Run) {
  std::vector<Trace> Traces;
  for (const std::string &Path : tracesIn(Run)) {
    auto Read = readTrace(Path);
    if (!Read)
      return Read.error();
    dropOperatorsOfCompilation(*Read);
    Traces.push_back(std::move(*Read));
  }
  return Traces;
}

std::string folderOf(const ReplayOptions &Options, const std::string &Run,
                     const std::string &Kernel) {
  return Options.Folder.empty() ? (fs::path(replaysIn(Run)) / folderName(Kernel)).string()
                                : Options.Folder;
}

/// The nodes of the kernel in eager mode.
ReplayChange eagerOf(const EagerNodes &Nodes, const std::string &Folder, const std::string &Run,
                     const ReplayOptions &Options) {
  ReplayChange Made = {
      {fmt::format("eager mode, {} nodes of the graph", Nodes.Statements.size()), "eager"},
      {},
      Options.Threads};
  const std::string Into = (fs::path(Folder) / "eager").string();
  Made.Row.Problem =
      Nodes.Statements.empty() && Nodes.Problem.empty() ? "the nodes are not known" : Nodes.Problem;
  if (!Made.Row.Problem.empty())
    return Made;
  if (const auto Why = writeMeasure(Into, callText(Nodes)))
    Made.Row.Problem = Why->Reason;
  Made.Programs = {{Into, measureCommand(Run, Options.Python)}};
  return Made;
}

/// An operator of torch, which the program calls itself or in compiled code, or \p Call of a kernel
/// of Triton.
int replayOfTorch(const ReplayOptions &Options, const std::string &Run, const std::string &Name,
                  const std::vector<Trace> &Traces, const KernelCall *Call = nullptr) {
  if (Options.Vary || Options.Inductor || Options.Ablate || !Options.Compiler.empty() ||
      (Options.Call && !Call)) {
    complain(Call ? "replay: --vary, --inductor, --ablate and --compiler are for C++ kernels, not "
                    "for those of Triton"
                  : "replay: --vary, --inductor, --ablate, --call and --compiler are for kernels, "
                    "not for operators of torch");
    return BadUsage;
  }
  const OperatorReplay Wanted = {
      Name, Run, folderOf(Options, Run, Name), Options.Python, Options.Threads, Options.Seconds};
  const auto Result = Call ? replayTriton(Wanted, *Call, Traces) : replayOperator(Wanted, Traces);
  return Result ? writeDocument(replayDocument(*Result), Options.Output, "replay")
                : fail(Result.error());
}

int replay(const ReplayOptions &Options) {
  const std::string Run = Options.Run.empty() ? newestRunFolder(UsualRunParent) : Options.Run;
  if (Run.empty()) {
    complain(fmt::format("replay: no run below '{}'; name the folder of one", UsualRunParent));
    return BadUsage;
  }
  if (!isRunFolder(Run))
    return fail({Run, {}, "is not the folder of a run (`seamscope run` makes one)"});
  std::error_code Ignored;
  const bool HasLog = fs::exists(callLogIn(Run), Ignored);
  const auto Log = HasLog ? readCallLog(Run) : Result<CallLog>(CallLog());
  if (!Log)
    return fail(Log.error());
  const std::vector<const KernelCall *> Calls = callsOf(*Log, Options);
  const auto AllTraces = readTraces(Run);
  if (!AllTraces)
    return fail(AllTraces.error());
  const std::vector<Trace> &Traces = *AllTraces;
  if (Calls.empty()) {
    const std::string Operator =
        isLibraryCall(Options.Kernel) ? operatorOfExtern(Options.Kernel) : Options.Kernel;
    if (callsOperator(Traces, Operator))
      return replayOfTorch(Options, Run, Operator, Traces);
    if (!HasLog)
      return fail({Run,
                   {},
                   "has no calls.jsonl: the run called no kernel of torch.compile, and captured no "
                   "call of another one (`seamscope run --capture KERNEL`)"});
    return refuse(*Log, Options, Run);
  }
  const KernelCall *const Call = chooseCall(Calls, Traces);
  if (Call->Triton)
    return replayOfTorch(Options, Run, Call->Kernel, Traces, Call);
  if (Call->Image && (Options.Ablate || Options.Inductor)) {
    complain("replay: --ablate and --inductor are for C++ kernels of torch.compile");
    return BadUsage;
  }
  if (!Call->Image && !Call->storages())
    return fail({Run, {}, fmt::format("{} has no tensor", Options.Kernel)});

  const std::string Folder = folderOf(Options, Run, Call->Kernel);
  KernelBuild Build = buildOf(*Call);
  Build.Compiler = Options.Compiler.empty() ? compilerBehind(Build.Compiler) : Options.Compiler;
  if (const auto Why = makeReplay(Folder, *Call, Build, Run))
    return fail(*Why);

  Replayed Result;
  Result.Kernel = Call->Kernel;
  Result.Call = Call->Number;
  Result.IsCaptured = !Call->Captured.empty();
  Result.Folder = Folder;
  std::set<std::string> Libraries;
  for (const KernelCall *Each : Calls)
    Libraries.insert(Each->Library);
  Result.OfTheName = Libraries.size();
  Result.HasSizes = Call->Image || std::ranges::any_of(Call->Arguments,
                                                       [](const auto &Each) { return !Each.Type; });
  std::tie(Result.ReadBytes, Result.WrittenBytes) = Call->bytes();
  Result.CountsPages = Call->Image.has_value();
  if (const auto Why = measureReplay(Result, Folder, Options.Threads, Options.Seconds))
    return fail(*Why);
  for (const Trace &Of : Traces)
    if (!Result.InPlace)
      addInPlace(Result, Of, *Call);
  EagerNodes Nodes;
  if (const auto Why = addLoops(Result, Nodes, Run, *Call, Build, Traces))
    return fail(*Why);
  if (Options.Vary) {
    const auto Eager =
        Call->Image ? std::nullopt : std::optional(eagerOf(Nodes, Folder, Run, Options));
    auto Varied = varyReplay(Folder, Build, *Call, Options.Threads, Options.Seconds, Eager);
    if (!Varied)
      return fail(Varied.error());
    Result.Varied = std::move(*Varied);
  }
  if (Options.Inductor) {
    auto Varied =
        varyInductor({Run, Folder, Call, &*Log, Build.Compiler, Options.Threads, Options.Seconds});
    if (!Varied)
      return fail(Varied.error());
    Result.Varied.insert(Result.Varied.end(), Varied->begin(), Varied->end());
  }
  if (Options.Ablate) {
    auto Ablation = ablateReplay(Folder, Build, Options.Threads, Options.Seconds);
    if (!Ablation)
      return fail(Ablation.error());
    Result.Ablation = std::move(*Ablation);
  }
  return writeDocument(replayDocument(Result), Options.Output, "replay");
}

} // namespace

Action addReplay(CLI::App &Verb) {
  auto Options = std::make_shared<ReplayOptions>();
  Verb.add_option("KERNEL", Options->Kernel,
                  "Name of a kernel of torch.compile, of a captured one, or of an operator of "
                  "torch (aten::addmm)")
      ->required();
  Verb.add_option("DIR", Options->Run,
                  "Folder that `seamscope run` made; default: the newest below seamscope-out. The "
                  "code in it is compiled and run");
  Verb.add_option("--call", Options->Call,
                  "Replay this call, from 1 on; default: the captured one, else the first")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  Verb.add_option("--threads", Options->Threads, "OpenMP threads; default: as in the program")
      ->check(CLI::Range(1, 65536))
      ->type_name("N");
  Verb.add_option("--seconds", Options->Seconds,
                  "At most, for each state of the memory; less if the median is known to 2 %")
      ->check(CLI::Range(0.01, 3600.0))
      ->capture_default_str()
      ->type_name("N");
  Verb.add_flag(
      "--vary", Options->Vary,
      "Also compare with other numbers of threads, other compilers that are installed, other "
      "options of the compiler, and eager mode; takes a minute");
  Verb.add_flag(
      "--inductor", Options->Inductor,
      "Also run the program again, once for each of eight options of Inductor, and compare "
      "with the kernels that it then has");
  Verb.add_flag("--ablate", Options->Ablate,
                "Also leave out one operator at a time, and measure what that saves; takes a "
                "minute or more");
  Verb.add_option("--compiler", Options->Compiler, "Compile with this compiler; default: the run's")
      ->type_name("PATH");
  Verb.add_option("--python", Options->Python,
                  "Run an operator of torch, or eager mode, with this Python; default: the run's")
      ->type_name("PATH");
  Verb.add_option("--folder", Options->Folder,
                  "Where the program is written; default: replay/KERNEL in DIR")
      ->type_name("DIR");
  addOutputOptions(Verb, Options->Output, "seamscope.replay/1", "state of the memory",
                   "the measurements");
  addExamples(Verb,
              {"cpp_fused_add_mul_0", "cpp_fused_add_mul_0 out --threads 1", "aten::addmm out"});
  return [Options] {
    return chooseFormat(Options->Output, "replay") ? replay(*Options) : static_cast<int>(BadUsage);
  };
}

} // namespace seamscope::tools
