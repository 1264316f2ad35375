//===- OutputCode.cpp - parser of Inductor's output code ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/OutputCode.h"
#include "torch/LibraryCalls.h"
#include "torch/PythonText.h"
#include "torch/SourceLine.h"
#include "trace/io/SeededHash.h"

#include <unordered_set>

namespace seamscope::tools {

std::string_view nameOf(GraphDirection Direction) {
  switch (Direction) {
  case GraphDirection::Inference:
    return "inference";
  case GraphDirection::Forward:
    return "forward";
  case GraphDirection::Backward:
    return "backward";
  case GraphDirection::Unknown:
    break;
  }
  return "";
}

std::pair<std::string_view, uint32_t> splitHandle(std::string_view Key) {
  const size_t Colon = Key.rfind(':');
  if (Colon != Key.npos)
    if (const auto Handle = parseUnsigned(Key.substr(Colon + 1)))
      return {Key.substr(0, Colon), *Handle};
  return {Key, 0};
}

namespace {

constexpr std::string_view Compile = " = async_compile.";
constexpr std::string_view Handles = "[Provenance debug handles] ";
constexpr std::string_view External = "extern \"C\"";
constexpr std::string_view Aten = "Original ATen: [";

class Parser {
public:
  explicit Parser(std::string Text) { Code.Text = std::move(Text); }

  OutputCode run() {
    const std::string_view All = Code.Text;
    size_t At = 0;
    for (uint32_t Number = 1; At < All.size(); ++Number) {
      size_t End = All.find('\n', At);
      if (End == All.npos)
        End = All.size();
      const std::string_view Line = All.substr(At, End - At);
      size_t Size = definition(At, Line, Number);
      if (!Size)
        Size = function(At, Line, Number);
      if (Size) {
        if (At + Size > End) // it has several lines
          for (const char C : All.substr(End, At + Size - End))
            Number += C == '\n';
        At += Size;
        // Skip the rest of the last line.
        const size_t Rest = All.find('\n', At);
        At = Rest == All.npos ? All.size() : Rest + 1;
        continue;
      }
      line(trimmed(Line), Number);
      At = End + 1;
    }
    addPending();
    return std::move(Code);
  }

private:
  /// Parses `NAME = async_compile.KIND(..., r'''TEXT'''` at \p Begin. Returns its size in bytes, or
  /// 0.
  size_t definition(size_t Begin, std::string_view Line, uint32_t Number) {
    const size_t At = Line.find(Compile);
    if (At == Line.npos || !isIdentifier(trimmed(Line.substr(0, At))))
      return 0;
    const std::string_view Maker = Line.substr(At + Compile.size());
    if (Maker.starts_with("multi_kernel("))
      return choice(Begin, Line, At, Number);
    const std::string_view All = Code.Text;
    constexpr std::string_view Quotes = "'''";
    const size_t Open = All.find(Quotes, Begin + At);
    // The text begins on the line of the definition or, after a long list of types, soon after.
    if (Open == All.npos || Open > Begin + Line.size() + 4096)
      return 0;
    const size_t Text = Open + Quotes.size();
    const size_t Close = All.find(Quotes, Text);
    if (Close == All.npos)
      return 0;
    Code.Kernels.push_back({std::string(trimmed(Line.substr(0, At))), Text, Close - Text, Number});
    Names.insert(Code.Kernels.back().Name);
    constexpr std::string_view Triton = "triton('";
    if (Maker.starts_with(Triton)) {
      const std::string_view Symbol =
          Maker.substr(Triton.size(), Maker.substr(Triton.size()).find('\''));
      if (isIdentifier(Symbol) && Symbol != Code.Kernels.back().Name)
        Code.Kernels.back().Symbols.emplace_back(Symbol);
    }
    return Close + Quotes.size() - Begin;
  }

  /// Parses `NAME = async_compile.multi_kernel('NAME', [KERNEL, ...])`, which runs one of the
  /// kernels defined before and does not have a text. Returns its size in bytes, or 0.
  size_t choice(size_t Begin, std::string_view Line, size_t At, uint32_t Number) {
    const size_t Open = Line.find('[', At), Close = Line.find(']', At);
    if (Open == Line.npos || Close == Line.npos || Close < Open)
      return 0;
    KernelSource Kernel{std::string(trimmed(Line.substr(0, At))), Begin, 0, Number};
    for (const std::string_view Each : splitOutside(Line.substr(Open + 1, Close - Open - 1), ","))
      if (isIdentifier(trimmed(Each)))
        Kernel.Symbols.emplace_back(trimmed(Each));
    Names.insert(Kernel.Name);
    Code.Kernels.push_back(std::move(Kernel));
    return Line.size();
  }

  /// Parses a kernel that is a function, `extern "C" void cpp_NAME(...) {...}`, at \p Begin.
  /// Returns its size in bytes, or 0 if there is none or it is only declared.
  size_t function(size_t Begin, std::string_view Line, uint32_t Number) {
    if (!Line.starts_with(External))
      return 0;
    std::string_view Head = trimmed(Line.substr(External.size()));
    constexpr std::string_view Void = "void ";
    if (!Head.starts_with(Void))
      return 0;
    Head = trimmed(Head.substr(Void.size()));
    const std::string_view Name = trimmed(Head.substr(0, Head.find('(')));
    if (!Name.starts_with("cpp_") || !isIdentifier(Name))
      return 0;
    const std::string_view All = Code.Text;
    const size_t Body = All.find_first_of("{;", Begin);
    if (Body == All.npos || All[Body] == ';')
      return 0;
    constexpr std::string_view Closing = "\n}";
    const size_t Close = All.find(Closing, Body);
    if (Close == All.npos)
      return 0;
    const size_t Size = Close + Closing.size() - Begin;
    Code.Kernels.push_back({std::string(Name), Begin, Size, Number, {}, /*Function=*/true});
    Names.insert(Code.Kernels.back().Name);
    return Size;
  }

  void line(std::string_view Line, uint32_t Number) {
    if (Line.empty())
      return;
    constexpr std::string_view Def = "def ", Arguments = "(args):";
    if (Line.starts_with(Def)) {
      addPending();
      Within = Line.ends_with(Arguments)
                   ? Line.substr(Def.size(), Line.size() - Def.size() - Arguments.size())
                   : std::string_view();
      return;
    }
    const bool Comment = Line[0] == '#' || Line.starts_with("//");
    Code.Cpp = Code.Cpp || Line.starts_with("#include");
    if (!Comment) {
      statement(Line, Number);
      return;
    }
    if (const size_t At = Line.find(Handles); At != Line.npos) {
      addPending();
      for (const std::string_view Key : splitOutside(Line.substr(At + Handles.size()), ", ")) {
        const auto [Kernel, Handle] = splitHandle(trimmed(Key));
        CodeCall &Call = Pending.emplace_back();
        Call.Kernel = Kernel;
        Call.Handle = Handle;
        Call.OriginalAten = Original;
        Call.Within = Within;
      }
      Original.clear();
    } else if (const size_t At = Line.find(Aten); At != Line.npos) {
      const size_t Begin = At + Aten.size(), End = Line.find(']', Begin);
      Original = Line.substr(Begin, End == Line.npos ? End : End - Begin);
    } else if (const size_t At = Line.find("AOT ID: ["); At != Line.npos) {
      direction(Line.substr(At));
    }
  }

  void direction(std::string_view Line) {
    if (Line.find("_forward'") != Line.npos)
      Code.Direction = GraphDirection::Forward;
    else if (Line.find("_backward'") != Line.npos)
      Code.Direction = GraphDirection::Backward;
    else if (Line.find("_inference'") != Line.npos)
      Code.Direction = GraphDirection::Inference;
  }

  void addPending() {
    for (CodeCall &Call : Pending)
      Code.Calls.push_back(std::move(Call));
    Pending.clear();
  }

  /// Whether the line belongs to the calls that the last comment announced. A device call follows
  /// statements that prepare its stream and workspace. If no statement has a call's name, as in
  /// C++, the first one is it.
  bool isAnnounced(std::string_view Line, uint32_t Number) {
    bool Named = false, First = false;
    for (CodeCall &Call : Pending) {
      const bool Here = Line.find(Call.Kernel) != Line.npos;
      Named = Named || Here;
      if (Call.Line && !Here)
        continue;
      First = First || !Call.Line;
      Call.Line = Number;
      Call.Statement = Line;
      Call.Extern = !isGenerated(Call.Kernel);
    }
    if (Named)
      addPending();
    return Named || First;
  }

  void statement(std::string_view Line, uint32_t Number) {
    if (isAnnounced(Line, Number))
      return;
    // Calls without provenance.
    if (std::string Library = libraryCalledIn(Line); !Library.empty()) {
      addPending();
      addCall(std::move(Library), Line, Number, /*Extern=*/true);
      return;
    }
    const size_t Open = Line.find('(');
    if (Open == Line.npos)
      return;
    std::string_view Callee = trimmed(Line.substr(0, Open));
    if (const size_t Assigned = Callee.rfind("= "); Assigned != Callee.npos)
      Callee = Callee.substr(Assigned + 2);
    if (Callee.ends_with(".run"))
      Callee.remove_suffix(4);
    if (!Names.contains(std::string(Callee)))
      return;
    addPending();
    addCall(std::string(Callee), Line, Number, /*Extern=*/false);
  }

  void addCall(std::string Kernel, std::string_view Line, uint32_t Number, bool Extern) {
    Code.Calls.push_back(
        {std::move(Kernel), 0, Number, Extern, std::string(Line), std::move(Original), Within});
    Original.clear();
  }

  /// In cpp_wrapper mode the kernels are functions of the same file.
  bool isGenerated(const std::string &Name) const {
    return Names.contains(Name) || Name.starts_with("cpp_") || Name.starts_with("triton_");
  }

  OutputCode Code;
  std::unordered_set<std::string, SeededHash> Names;
  std::vector<CodeCall> Pending;
  std::string Original;
  std::string Within; ///< the current function, see CodeCall
};

} // namespace

bool CodeCall::fallsBack() const { return Extern && fallsBackToAten(Kernel); }

OutputCode parseOutputCode(std::string Text) { return Parser(std::move(Text)).run(); }

} // namespace seamscope::tools
