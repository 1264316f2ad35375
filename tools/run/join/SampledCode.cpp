//===- SampledCode.cpp - names the code that samples hit --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/SampledCode.h"

#include "run/join/SystemCalls.h"
#include "symbols/Unwind.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

namespace seamscope::tools {
namespace {

std::string fileNameOf(std::string_view Path) {
  return std::string(Path.substr(Path.rfind('/') + 1));
}

/// Libraries whose functions wait on behalf of those that call them.
bool isWaitLibrary(std::string_view Name) {
  static constexpr std::array<std::string_view, 15> Prefixes = {
      "libc.so",  "libpthread", "ld-linux",    "libstdc++", "libc++",
      "libgcc_s", "libomp.so",  "libiomp5.so", "libgomp",   "libmpi",
      "libmpich", "libopen-",   "libucp",      "libucs",    "libgfortran"};
  return std::ranges::any_of(Prefixes,
                             [&](std::string_view Prefix) { return Name.starts_with(Prefix); });
}

/// Files of the C++ library and of compilers, whose inlined functions do, too.
bool isSystemFile(std::string_view File) {
  return File.starts_with("/usr/include/") || File.starts_with("/usr/lib/") ||
         File.find("/include/c++/") != File.npos;
}

class Naming {
public:
  explicit Naming(const Trace &Input) : Input(Input), Finder(recordedNs(Input)) {}

  CodeNames run() {
    nameSamples();
    nameWaits();
    Result.Complaints = Finder.complaints();
    return std::move(Result);
  }

private:
  static std::optional<int64_t> recordedNs(const Trace &Input) {
    if (!Input.Info.BaseNs)
      return std::nullopt;
    int64_t Until = 0;
    for (const SampleState &Of : Input.Sampling)
      Until = std::max(Until, Of.UntilNs);
    return *Input.Info.BaseNs + Until;
  }

  MappedFile fileOf(const MappedModule &Of) const {
    return {std::string(Input.text(Of.Path)), std::string(Input.text(Of.BuildId))};
  }

  const JitNames &jitOf(StringId Process) {
    return Jit.try_emplace(Process, std::string(Input.text(Process)), Input.Info.BaseNs)
        .first->second;
  }

  /// What is at an address of a module.
  CodeName nameOf(const MappedModule *Module, StringId Process, uint64_t Address) {
    CodeName Name;
    const std::string_view Path = Module ? Input.text(Module->Path) : std::string_view();
    if (!Path.starts_with('/') || Path.starts_with("//") || Path.starts_with("/memfd:")) {
      Name.Library = Path.starts_with('[') ? std::string(Path) : Module ? "[JIT]" : "[unknown]";
      if (Name.Library[1] != 'v')
        Name.Symbol = jitOf(Process).at(Address);
      if (!Name.Symbol.empty())
        Name.Library = "[JIT]";
      return Name;
    }
    Name.Library = fileNameOf(Path);
    const CodePlace &Place = Finder.at(fileOf(*Module), Address - Module->Begin + Module->Offset);
    for (const CodeFrame &Frame : Place.Frames)
      Name.Frames.push_back({Frame.Function, Frame.File, Frame.Line});
    if (!Name.Frames.empty())
      Name.Symbol = Name.Frames.back().Function;
    return Name;
  }

  void nameSamples() {
    const SampleColumns &Samples = Input.Samples;
    std::map<std::tuple<StringId, int64_t, int64_t>, uint32_t> Known;
    std::tuple<StringId, int64_t, int64_t> Last{0, -2, 0};
    uint32_t LastCode = 0;
    Result.OfSample.reserve(Samples.size());
    for (size_t I = 0; I < Samples.size(); ++I) {
      const StringId Process = Input.Tracks[static_cast<size_t>(Samples.Track[I])].Process;
      const std::tuple Key(Process, Samples.Module[I], Samples.Address[I]);
      if (Key != Last) {
        const auto [At, New] = Known.try_emplace(Key, static_cast<uint32_t>(Result.Codes.size()));
        if (New)
          Result.Codes.push_back(
              nameOf(Samples.Module[I] < 0 ? nullptr
                                           : &Input.Modules[static_cast<size_t>(Samples.Module[I])],
                     Process, static_cast<uint64_t>(Samples.Address[I])));
        Last = Key;
        LastCode = At->second;
      }
      Result.OfSample.push_back(LastCode);
    }
  }

  /// The modules of a process that were mapped at a moment, as far as samples know: the newest at
  /// each address.
  std::vector<Mapping> mappingsOf(StringId Process) const {
    std::vector<Mapping> All;
    for (const MappedModule &Of : Input.Modules)
      if (Of.Process == Process && Input.text(Of.Path).starts_with('/'))
        All.push_back({Of.Begin, Of.End, Of.Offset, fileOf(Of)});
    return All;
  }

  /// The newest module at an address.
  const MappedModule *moduleAt(StringId Process, uint64_t Address) {
    const auto [Known, New] = ModulesOf.try_emplace(Process);
    auto &Its = Known->second; // by begin
    if (New) {
      for (const MappedModule &Of : Input.Modules)
        if (Of.Process == Process)
          Its.push_back(&Of);
      std::ranges::stable_sort(Its, {}, &MappedModule::Begin);
    }
    constexpr ptrdiff_t MostMappings = 64; // of libraries that came and went
    const auto After = std::ranges::upper_bound(Its, Address, {}, &MappedModule::Begin);
    const MappedModule *Found = nullptr;
    for (auto It = After; It != After - std::min(MostMappings, After - Its.begin());)
      if (const MappedModule *const Of = *--It;
          Address < Of->End && (!Found || Of->FromNs > Found->FromNs))
        Found = Of;
    return Found;
  }

  void nameWaits() {
    std::vector<StringId> Processes(Input.Waits.size());
    for (size_t I = 0; I < Input.OffCpu.size(); ++I)
      if (const int64_t Wait = Input.OffCpu.Wait[I]; Wait >= 0)
        Processes[static_cast<size_t>(Wait)] =
            Input.Tracks[static_cast<size_t>(Input.OffCpu.Track[I])].Process;
    for (size_t I = 0; I < Input.Waits.size(); ++I)
      Result.Waits.push_back(nameOfWait(Input.Waits[I], Processes[I]));
  }

  WaitName nameOfWait(const ThreadWait &Of, StringId Process) {
    WaitName Name;
    if (Of.Message != ThreadWait::NoMessage) {
      const Site &What = Input.Sites[Of.Message];
      return {std::string(Input.text(What.Construct)), "", std::string(Input.text(What.Kernel)),
              std::string(Input.text(What.File)), What.Line};
    }
    Name.Symbol = systemCallName(Of.SystemCall);
    if (!Of.Pc)
      return Name;
    auto &Unwind = Unwinders[Process];
    if (!Unwind)
      Unwind = std::make_unique<Unwinder>(mappingsOf(Process), Finder);
    // Outwards, as long as the functions are those of libraries that wait for others.
    for (const uint64_t Address : Unwind->callers(Of.Pc, Of.Sp, Of.Stack)) {
      const CodeName Code = nameOf(moduleAt(Process, Address), Process, Address);
      const bool Waits = isWaitLibrary(Code.Library);
      for (const CodeName::Frame &Frame : Code.Frames) {
        if (Waits || isSystemFile(Frame.File) || Frame.Function.starts_with("std::")) {
          if (!Frame.Function.empty()) {
            Name.Symbol = functionNameOf(Frame.Function);
            Name.Symbol.resize(argumentsIn(Name.Symbol));
            Name.Library = Code.Library;
          }
          continue;
        }
        Name.Caller = Frame.Function;
        Name.File = Frame.File;
        Name.Line = Frame.Line;
        return Name;
      }
      if (!Waits && Code.Frames.empty())
        return Name; // not known
    }
    return Name;
  }

  const Trace &Input;
  SymbolFinder Finder;
  std::map<StringId, JitNames> Jit;
  std::map<StringId, std::vector<const MappedModule *>> ModulesOf; ///< by process
  std::map<StringId, std::unique_ptr<Unwinder>> Unwinders;         ///< by process
  CodeNames Result;
};

} // namespace

CodeNames nameCode(const Trace &Input) { return Naming(Input).run(); }

} // namespace seamscope::tools
