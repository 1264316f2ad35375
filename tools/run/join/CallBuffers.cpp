//===- CallBuffers.cpp - memory that calls of generated kernels use -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/CallBuffers.h"
#include "run/join/NodeWork.h"
#include "torch/PythonText.h"
#include "torch/SourceLine.h"
#include "work/OpCall.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

using std::string_view;

constexpr string_view View = "reinterpret_tensor(";

/// A variable of the output code that holds a tensor.
struct Variable {
  uint32_t Storage = 0;
  std::optional<GraphTensor> Tensor; ///< nothing: its size is not known
  std::string Offset;                ///< in its memory
  std::string Alias;  ///< a variable of which it is a part; writes of one are writes of the other
  std::string Before; ///< the variable whose memory it took over
  bool Computed = false;
};

enum class ParameterKind : uint8_t { Number, In, Out, InOut, Other };

struct Parameter {
  ParameterKind Kind = ParameterKind::Number;
  std::string Name;
  DType Type = DType::Unknown;
};

/// The element type of "const float*".
DType typeOfPointer(string_view Type) {
  constexpr auto Fixed =
      std::to_array<std::pair<string_view, DType>>({{"int64_t", DType::Int64},
                                                    {"int32_t", DType::Int32},
                                                    {"int16_t", DType::Int16},
                                                    {"int8_t", DType::Int8},
                                                    {"uint8_t", DType::UInt8},
                                                    {"half", DType::Float16},
                                                    {"bfloat16", DType::BFloat16}});
  if (Type.starts_with("const "))
    Type.remove_prefix(6);
  Type = trimmed(Type.substr(0, Type.find('*')));
  const auto Found = std::ranges::find(Fixed, Type, [](const auto &Each) { return Each.first; });
  return Found == Fixed.end() ? typeOfProfilerName(Type) : Found->second;
}

ParameterKind kindOfPointer(string_view Name) {
  return Name.starts_with("in_out_ptr") ? ParameterKind::InOut
         : Name.starts_with("in_ptr")   ? ParameterKind::In
         : Name.starts_with("out_ptr")  ? ParameterKind::Out
                                        : ParameterKind::Other;
}

/// The text between the brackets of the kernel's own function.
string_view parametersIn(string_view Source, bool Cpp, const KernelSource &Kernel) {
  size_t At = Source.npos;
  if (Cpp) {
    At = Source.rfind("extern \"C\"");
  } else {
    for (const std::string &Name : Kernel.Symbols)
      if (At == Source.npos)
        At = Source.find(fmt::format("def {}(", Name));
    if (At == Source.npos)
      At = Source.find(fmt::format("def {}(", Kernel.Name));
  }
  const size_t Open = At == Source.npos ? At : Source.find('(', At);
  const size_t Close = Open == Source.npos ? Open : closingBracket(Source, Open);
  return Close == Source.npos ? string_view() : Source.substr(Open + 1, Close - Open - 1);
}

std::vector<Parameter> parametersOf(string_view Source, const KernelSource &Kernel) {
  std::vector<Parameter> Made;
  const bool Cpp = Source.find("extern \"C\"") != Source.npos;
  for (const string_view Part : splitOutside(parametersIn(Source, Cpp, Kernel), ",")) {
    const string_view Text = trimmed(Part);
    Parameter &Each = Made.emplace_back();
    if (Cpp) {
      const size_t Blank = Text.find_last_of(" *");
      Each.Name = Blank == Text.npos ? Text : Text.substr(Blank + 1);
      if (Text.find('*') == Text.npos)
        continue;
      Each.Type = typeOfPointer(Text);
    } else {
      Each.Name = trimmed(Text.substr(0, Text.find(':')));
      const std::string Typed = fmt::format("'{}': '*", Each.Name);
      const size_t At = Source.find(Typed);
      if (At == Source.npos)
        continue;
      const string_view Type = Source.substr(At + Typed.size());
      Each.Type = typeOfGraphName(Type.substr(0, Type.find('\'')));
      if (Each.Type == DType::Unknown)
        Each.Type = typeOfTorchName(Type.substr(0, Type.find('\'')));
    }
    Each.Kind = kindOfPointer(Each.Name);
  }
  return Made;
}

/// Whether a buffer that a kernel changes in place holds a result of the kernel itself: then it
/// does not read it.
bool isOwnResult(string_view Source, const std::string &Parameter) {
  const std::string Assigned = fmt::format(" = {}", Parameter);
  for (size_t At = Source.find(Assigned); At != Source.npos; At = Source.find(Assigned, At + 1)) {
    size_t Begin = At;
    while (Begin > 0 && isIdentifierChar(Source[Begin - 1]))
      --Begin;
    const size_t End = At + Assigned.size();
    if (Source.substr(Begin).starts_with("out_ptr") &&
        (End == Source.size() || !isIdentifierChar(Source[End])))
      return true;
  }
  return false;
}

/// The numbers of "(128, 256)"; nothing if one is not a number.
std::optional<std::vector<int64_t>> numbersIn(string_view Tuple) {
  std::vector<int64_t> Made;
  if (!Tuple.starts_with('(') || !Tuple.ends_with(')'))
    return std::nullopt;
  for (const string_view Part : splitOutside(Tuple.substr(1, Tuple.size() - 2), ",")) {
    const string_view Size = trimmed(Part);
    if (Size.empty())
      continue;
    const auto Number = sizeIn(Size);
    if (!Number)
      return std::nullopt;
    Made.push_back(*Number);
  }
  return Made.size() <= OpArguments::MaxRank ? std::optional(Made) : std::nullopt;
}

/// A tensor from the texts of its sizes and strides.
std::optional<GraphTensor> tensorOf(string_view Sizes, string_view Strides, DType Type) {
  auto Dims = numbersIn(Sizes), Steps = numbersIn(Strides);
  if (!Dims || !Steps || Dims->size() != Steps->size())
    return std::nullopt;
  return GraphTensor{Type, std::move(*Dims), std::move(*Steps), {}};
}

class Reader {
public:
  Reader(const OutputCode &Code, const FxGraph &Graph)
      : Code(Code), Graph(Graph), Found(Code.Calls.size()) {}

  std::vector<CallMemory> run() {
    if (Code.Cpp) {
      for (CallMemory &Each : Found)
        Each.Why = "its calls are in C++ (cpp_wrapper)";
      return std::move(Found);
    }
    std::multimap<uint32_t, size_t> ByLine;
    for (size_t Call = 0; Call < Code.Calls.size(); ++Call)
      ByLine.emplace(Code.Calls[Call].Line, Call);
    string_view Text = Code.Text;
    for (uint32_t Number = 1; !Text.empty(); ++Number) {
      const size_t End = std::min(Text.find('\n'), Text.size());
      const size_t Offset = Text.data() - Code.Text.data();
      const string_view Line = trimmed(Text.substr(0, End));
      Text.remove_prefix(std::min(End + 1, Text.size()));
      if (isInKernel(Offset))
        continue;
      const auto [First, Past] = ByLine.equal_range(Number);
      bool Generated = false;
      for (auto Each = First; Each != Past; ++Each)
        if (!Code.Calls[Each->second].Extern) {
          call(Each->second);
          Generated = true;
        }
      if (!Generated)
        statement(Line);
    }
    return std::move(Found);
  }

private:
  bool isInKernel(size_t Offset) const {
    const auto After = std::ranges::upper_bound(Code.Kernels, Offset, {}, &KernelSource::Begin);
    if (After == Code.Kernels.begin())
      return false;
    const KernelSource &Before = *(After - 1);
    return Offset < Before.Begin + Before.Size;
  }

  void statement(string_view Line) {
    const bool Reuse = Line.find("# reuse") != Line.npos;
    if (const size_t Hash = findOutside(Line, "  #"); Hash != Line.npos)
      Line = Line.substr(0, Hash);
    if (Line.empty() || Line[0] == '#' || Line.starts_with("del ") || Line.starts_with("return"))
      return;
    Line = splitOutside(Line, "; ")[0];
    if (Line.starts_with("assert_size_stride("))
      return sized(callArguments(Line));
    const size_t Equals = findOutside(Line, " = ");
    if (Equals == Line.npos) {
      // A library's call, which may write what it is given.
      for (const string_view Name : variablesIn(Line))
        computed(std::string(Name));
      return;
    }
    const string_view Value = trimmed(Line.substr(Equals + 3));
    const auto Names = splitOutside(Line.substr(0, Equals), ",");
    for (const string_view Part : Names)
      if (const string_view Name = trimmed(Part); isIdentifier(Name))
        assign(std::string(Name), Names.size() == 1 ? Value : string_view(), Reuse);
  }

  /// Reads what is known of `assert_size_stride(arg0_1, (128, 256), (256, 1), 'input')`.
  void sized(const std::vector<string_view> &Arguments) {
    if (Arguments.size() < 3 || !isIdentifier(Arguments[0]))
      return;
    Variable &Of = variable(std::string(Arguments[0]));
    const DType Type = Of.Tensor ? Of.Tensor->Type : DType::Unknown;
    if (auto Tensor = tensorOf(Arguments[1], Arguments[2], Type))
      Of.Tensor = std::move(Tensor);
  }

  void assign(const std::string &Name, string_view Value, bool Reuse) {
    // A part of the graph gets what another part computed: its size is known.
    if (Value.empty() && Variables.contains(Name))
      return computed(Name);
    Variable Made;
    const auto From = Variables.find(std::string(Value));
    if (From != Variables.end()) {
      Made = From->second;
      (Reuse ? Made.Before : Made.Alias) = From->first;
      Made.Computed = !Reuse && From->second.Computed;
    } else if (Value.starts_with(View)) {
      auto Part = part(Value);
      if (!Part)
        return;
      const std::string Base(callArguments(Value)[0]);
      Made = std::move(*Part);
      (Reuse ? Made.Before : Made.Alias) = Base;
      Made.Computed = !Reuse && Variables[Base].Computed;
    } else if (Value.starts_with("empty_strided")) {
      Made.Storage = ++Storages;
      if (const auto Arguments = callArguments(Value); Arguments.size() >= 3)
        Made.Tensor = tensorOf(Arguments[0], Arguments[1], typeOfTorchName(Arguments[2]));
    } else {
      // An input of the graph, or the result of a library's call.
      Made.Storage = ++Storages;
      Made.Computed = true;
      for (const string_view Each : variablesIn(Value))
        computed(std::string(Each));
      if (const auto Node = Graph.find(Name))
        if (auto Tensor = tensorOfType(Graph.Nodes[*Node].Type);
            Tensor && Graph.Nodes[*Node].Kind == FxNodeKind::Placeholder && Tensor->Symbol.empty())
          Made.Tensor = std::move(Tensor);
    }
    Variables.insert_or_assign(Name, std::move(Made));
  }

  /// `reinterpret_tensor(buf3, (64, ), (1, ), 0)`; nothing if the buffer is not known.
  std::optional<Variable> part(string_view Text) {
    const auto Arguments = callArguments(Text);
    const auto Base =
        Arguments.size() < 4 ? Variables.end() : Variables.find(std::string(Arguments[0]));
    if (Base == Variables.end())
      return std::nullopt;
    Variable Made = Base->second;
    const DType Type = Made.Tensor ? Made.Tensor->Type : DType::Unknown;
    Made.Tensor = tensorOf(Arguments[1], Arguments[2], Type);
    Made.Offset = fmt::format("{}+{}", Base->second.Offset, Arguments[3]);
    if (Arguments[3] == "0")
      Made.Offset = Base->second.Offset;
    return Made;
  }

  Variable &variable(const std::string &Name) {
    const auto [Found, New] = Variables.try_emplace(Name);
    if (New) {
      Found->second.Storage = ++Storages;
      Found->second.Computed = true;
    }
    return Found->second;
  }

  /// Something wrote the variable.
  void computed(const std::string &Name) {
    std::string Next = Name;
    for (int Depth = 0; Depth < 16; ++Depth) {
      const auto Of = Variables.find(Next);
      if (Of == Variables.end())
        return;
      Of->second.Computed = true;
      if (Of->second.Alias.empty())
        return;
      Next = Of->second.Alias;
    }
  }

  bool holdsEarlier(const Variable &Of) const {
    if (Of.Computed)
      return true;
    const auto Before = Variables.find(Of.Before);
    return Before != Variables.end() && Before->second.Computed;
  }

  void call(size_t Number) {
    const CodeCall &Call = Code.Calls[Number];
    CallMemory &To = Found[Number];
    const auto Kernel = std::ranges::find(Code.Kernels, Call.Kernel, &KernelSource::Name);
    const string_view Source =
        Kernel == Code.Kernels.end() ? string_view() : Code.sourceOf(*Kernel);
    if (Source.empty()) {
      To.Why = "its source is not in the output code";
      return;
    }
    const std::vector<Parameter> Parameters = parametersOf(Source, *Kernel);
    const std::vector<string_view> Arguments = callArguments(Call.Statement);
    std::vector<std::string> Written;
    for (size_t I = 0; I < Arguments.size(); ++I) {
      if (findOutside(Arguments[I], "=") != Arguments[I].npos)
        continue; // stream=stream0
      if (I < Parameters.size() && Parameters[I].Kind == ParameterKind::Number)
        continue;
      if (I >= Parameters.size() ||
          !(Arguments[I].starts_with(View) || Variables.contains(std::string(Arguments[I])))) {
        To.Why = fmt::format("argument {} of its call is not understood", I + 1);
        continue;
      }
      if (Parameters[I].Kind == ParameterKind::Other) {
        To.Why = fmt::format("it is not known how it uses {}", Parameters[I].Name);
        continue;
      }
      add(To, Arguments[I], Parameters[I], Source, Written);
    }
    // What the call itself writes was not there before.
    for (const std::string &Name : Written)
      computed(Name);
    if (To.Buffers.empty() && To.Why.empty())
      To.Why = "its call has no buffers";
  }

  void add(CallMemory &To, string_view Text, const Parameter &Of, string_view Source,
           std::vector<std::string> &Written) {
    const bool IsPart = Text.starts_with(View);
    const std::string Name(IsPart ? callArguments(Text)[0] : Text);
    const std::optional<Variable> Part = IsPart ? part(Text) : Variables.at(Name);
    if (!Part) {
      To.Why = fmt::format("argument {} of its call is not known", Name);
      return;
    }
    CallBuffer &Made = To.Buffers.emplace_back();
    Made.Name = Name;
    Made.Storage = Part->Storage;
    if (Part->Tensor) {
      const GraphTensor &Tensor = *Part->Tensor;
      const DType Type = Tensor.Type == DType::Unknown ? Of.Type : Tensor.Type;
      Made.View = fmt::format("{}/{}{}", fmt::join(Tensor.Dims, ","),
                              fmt::join(Tensor.Strides, ","), Part->Offset);
      const Count Elements = storedElements({Tensor.Dims, Tensor.Strides, Type});
      Made.Elements = Elements.value().value_or(0);
      if (Type != DType::Unknown)
        Made.Bytes = (Elements * sizeOf(Type)).value();
    }
    const bool InOut = Of.Kind == ParameterKind::InOut;
    Made.Writes = InOut || Of.Kind == ParameterKind::Out;
    Made.Reads = (InOut && !isOwnResult(Source, Of.Name) && holdsEarlier(*Part)) ||
                 (Of.Kind == ParameterKind::In && Part->Computed);
    Made.Held = Part->Computed ? Name : Part->Before;
    if (Made.Writes)
      Written.push_back(Name);
  }

  const OutputCode &Code;
  const FxGraph &Graph;
  std::vector<CallMemory> Found;
  std::map<std::string, Variable> Variables;
  uint32_t Storages = 0;
};

} // namespace

std::vector<CallMemory> callBuffers(const OutputCode &Code, const FxGraph &PostGrad) {
  return Reader(Code, PostGrad).run();
}

} // namespace seamscope::tools
