//===- MlirBaseline.cpp - seamscope mlir-baseline -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the same module without fusion. mlir-opt does the lowering; this verb
// writes the pipeline.
//
//===----------------------------------------------------------------------===//
#include "cli/Help.h"
#include "cli/RunEnvironment.h"
#include "cli/Verbs.h"
#include "run/launch/Launch.h"
#include "trace/io/ByteSource.h"
#include "trace/io/FileUse.h"
#include "trace/io/OutputFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

/// For modules of linalg on tensors, on the CPU.
constexpr std::string_view UsualPipeline =
    "builtin.module(linalg-generalize-named-ops,linalg-fuse-elementwise-ops,"
    "one-shot-bufferize{bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map},"
    "convert-linalg-to-loops,convert-scf-to-cf,math-expand-ops{ops=rsqrt},convert-math-to-libm,"
    "expand-strided-metadata,lower-affine,convert-arith-to-llvm,convert-index-to-llvm,"
    "finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)";

/// Passes of MLIR that make one operator or loop nest of several.
const std::vector<std::string> FusionPasses = {"linalg-fuse-elementwise-ops", "affine-loop-fusion",
                                               "scf-parallel-loop-fusion",
                                               "linalg-fold-into-elementwise"};

/// The place of a pass in a pipeline's text, with its options.
struct PassText {
  size_t Begin, End;
  std::string Name;
};

/// The passes in \p Text, whatever they are nested in; those with passes inside are not listed.
std::vector<PassText> passesOf(std::string_view Text) {
  std::vector<PassText> Found;
  size_t Begin = 0, Depth = 0;
  const auto Take = [&](size_t End) {
    const std::string_view Whole = Text.substr(Begin, End - Begin);
    if (!Whole.empty())
      Found.push_back({Begin, End, std::string(Whole.substr(0, Whole.find('{')))});
  };
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    Depth += C == '{';
    Depth -= C == '}' && Depth;
    if (Depth || (C != ',' && C != '(' && C != ')'))
      continue;
    if (C != '(')
      Take(I);
    Begin = I + 1;
  }
  Take(Text.size());
  return Found;
}

struct Pipeline {
  std::string Text;
  std::vector<std::string> Dropped;
  bool Captures = false, Instruments = false;
};

/// \p Text without the passes that are in \p Drop.
Pipeline without(const std::string &Text, const std::vector<std::string> &Drop) {
  Pipeline Result{Text, {}};
  std::vector<PassText> Passes = passesOf(Text);
  std::ranges::reverse(Passes);
  for (const PassText &Pass : Passes) {
    Result.Captures |= Pass.Name == "seamscope-capture";
    Result.Instruments |= Pass.Name == "seamscope-instrument";
    if (std::ranges::find(Drop, Pass.Name) == Drop.end())
      continue;
    Result.Dropped.insert(Result.Dropped.begin(), Pass.Name);
    // With the comma after it, or else the one before.
    const bool Behind = Pass.End < Result.Text.size() && Result.Text[Pass.End] == ',';
    const bool Before = !Behind && Pass.Begin && Result.Text[Pass.Begin - 1] == ',';
    Result.Text.erase(Pass.Begin - Before, Pass.End - Pass.Begin + Before + Behind);
  }
  return Result;
}

/// Adds Seamscope's passes where they are missing: capture first, instrument after bufferization.
std::optional<Error> addPasses(Pipeline &Into, const std::string &Level) {
  if (!Into.Captures) {
    const size_t Open = Into.Text.find('(');
    if (!Into.Text.starts_with("builtin.module(") || Open == std::string::npos)
      return Error{"--pass-pipeline", {}, "must begin with builtin.module("};
    Into.Text.insert(Open + 1, "seamscope-capture,");
  }
  if (Into.Instruments)
    return std::nullopt;
  const std::vector<PassText> Passes = passesOf(Into.Text);
  const auto After = std::ranges::find_if(Passes, [](const PassText &Pass) {
    return Pass.Name.find("bufferize") != std::string::npos;
  });
  if (After == Passes.end())
    return Error{"--pass-pipeline",
                 {},
                 "has no pass that bufferizes: put seamscope-instrument where linalg operators or "
                 "loops work on buffers"};
  Into.Text.insert(After->End, ",seamscope-instrument{level=" + Level + "}");
  return std::nullopt;
}

/// An MLIR tool, in the named folder, on PATH, or where Debian puts it.
std::string toolOf(const std::string &Folder, const std::string &Name) {
  if (!Folder.empty())
    return (fs::path(Folder) / Name).string();
  const std::string Usual = "/usr/lib/llvm-22/bin/" + Name;
  std::error_code Ignored;
  return fs::exists(Usual, Ignored) ? Usual : Name + "-22";
}

int runTool(const std::vector<std::string> &Command) {
  const Ended End = launch(Command);
  if (End.Why)
    return fail({Command[0],
                 {},
                 fmt::format("cannot be started: {}; --mlir-bin names the folder of MLIR's tools "
                             "(Debian: mlir-22-tools)",
                             std::strerror(End.Why))});
  if (WIFEXITED(End.Status) && WEXITSTATUS(End.Status) == 0)
    return Success;
  return fail({Command[0], {}, "failed; nothing was written"});
}

/// A temporary folder that its destructor removes.
class ScratchFolder {
public:
  ScratchFolder() {
    std::string Name = (fs::temp_directory_path() / "seamscope-mlir-XXXXXX").string();
    if (mkdtemp(Name.data()))
      Path = Name;
  }
  ~ScratchFolder() {
    std::error_code Ignored;
    if (!Path.empty())
      fs::remove_all(Path, Ignored);
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  fs::path Path; ///< empty: it could not be made
};

struct BaselineOptions {
  std::string In, Out, Given, Folder, Level = "linalg";
  std::vector<std::string> Drop;
  bool Print = false;
};

int baseline(const BaselineOptions &Options) {
  std::vector<std::string> Drop = FusionPasses;
  Drop.insert(Drop.end(), Options.Drop.begin(), Options.Drop.end());
  Pipeline Wanted =
      without(Options.Given.empty() ? std::string(UsualPipeline) : Options.Given, Drop);
  if (!Options.Given.empty() && Wanted.Dropped.empty())
    complain(
        "mlir-baseline: no pass of the pipeline is known to fuse: name those that do with --drop");
  if (const auto Wrong = addPasses(Wanted, Options.Level)) {
    fail(*Wrong);
    return BadUsage;
  }
  if (Options.Print)
    return writeResult("-", Wanted.Text + '\n');
  if (Options.Out.empty()) {
    complain("mlir-baseline: -o FILE says where the LLVM IR goes");
    return BadUsage;
  }
  std::error_code Failure;
  const fs::path Plugin = runtimeFolder() / "SeamscopeMLIR-22.so";
  if (!fs::exists(Plugin, Failure))
    return fail({Plugin.string(),
                 {},
                 "is not there: Seamscope was built without MLIR (libmlir-22-dev, mlir-22-tools)"});
  if (!fs::exists(Options.In, Failure))
    return fail({Options.In, {}, "is not there"});
  noteInput(Options.In);
  auto Out = OutputFile::create(Options.Out);
  if (!Out)
    return fail(Out.error());
  const ScratchFolder Scratch;
  if (Scratch.Path.empty())
    return fail({"TMPDIR", {}, std::string("cannot make a folder: ") + std::strerror(errno)});
  const std::string Lowered = (Scratch.Path / "lowered.mlir").string();
  const std::string Translated = (Scratch.Path / "translated.ll").string();
  if (const int Code = runTool(
          {toolOf(Options.Folder, "mlir-opt"), "--load-pass-plugin=" + Plugin.string(), Options.In,
           "--pass-pipeline=" + Wanted.Text, "--mlir-print-debuginfo", "-o", Lowered}))
    return Code;
  if (const int Code = runTool({toolOf(Options.Folder, "mlir-translate"), "--mlir-to-llvmir",
                                Lowered, "-o", Translated}))
    return Code;
  auto IR = ByteSource::open(Translated);
  if (!IR)
    return fail(IR.error());
  (*IR)->copyTo([&](std::string_view Piece) { (*Out)->write(Piece); });
  for (std::string_view Piece; !(Piece = (*IR)->chunk()).empty();)
    (*IR)->take(Piece.size());
  if (const auto Failed = (*IR)->error())
    return fail(*Failed);
  if (const auto Failed = (*Out)->commit())
    return fail(*Failed);
  return Success;
}

} // namespace

Action addMlirBaseline(CLI::App &Verb) {
  auto Options = std::make_shared<BaselineOptions>();
  Verb.add_option("IN", Options->In, "Module of MLIR, text or bytecode, before any fusion")
      ->required();
  Verb.add_option("-o,--output", Options->Out, "LLVM IR to write, for clang or llc")
      ->type_name("FILE");
  Verb.add_option("--pass-pipeline", Options->Given,
                  "The pipeline of the fused program, as mlir-opt takes it: passes that fuse are "
                  "left out, and Seamscope's passes are added where they are missing (default: one "
                  "for linalg on tensors, serial)");
  Verb.add_option("--drop", Options->Drop, "A further pass to leave out; may be repeated")
      ->allow_extra_args(false);
  Verb.add_option("--level", Options->Level, "What seamscope-instrument marks")
      ->check(CLI::IsMember({"linalg", "loops"}))
      ->capture_default_str();
  Verb.add_option("--mlir-bin", Options->Folder, "Folder of mlir-opt and mlir-translate")
      ->type_name("DIR");
  Verb.add_flag("--print", Options->Print, "Print the pipeline and do nothing");
  addExamples(Verb, {"model.mlir -o unfused.ll", "model.mlir --print"});
  return [Options] { return baseline(*Options); };
}

} // namespace seamscope::tools
