//===- Names.cpp - names to show for symbols -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Names.h"

#include "Conventions.h"
#include "FortranNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <cxxabi.h>

using namespace llvm;

namespace seamscope {

StringRef kernelSymbol(StringRef Symbol) {
  Symbol = withoutOutlinedSuffix(Symbol);
  // `.llvm.<hash>`: a local function that ThinLTO made global; `.specialized.<n>`: a copy made for
  // constant arguments. Both are the function that the user wrote.
  for (StringRef Suffix : {".llvm.", ".specialized."})
    if (size_t At = Symbol.rfind(Suffix);
        At != StringRef::npos && all_of(Symbol.drop_front(At + Suffix.size()), isDigit))
      Symbol = Symbol.take_front(At);
  return Symbol;
}

/// Removes the suffix that clang appends to file-local names in device code so that the host finds
/// them.
static StringRef withoutFileSuffix(StringRef Symbol) {
  for (StringRef Suffix : {"__intern__", "__static__"})
    if (size_t At = Symbol.rfind(Suffix); At != StringRef::npos && Symbol.starts_with("_Z") &&
                                          all_of(Symbol.drop_front(At + Suffix.size()), isHexDigit))
      Symbol = Symbol.take_front(At);
  return Symbol;
}

/// `relax [target relax.cpp:5]`, with a number from the second region of a line on.
static std::string nameOf(const TargetRegion &Region, StringRef File) {
  const std::string Number = Region.Number ? " #" + std::to_string(Region.Number + 1) : "";
  const std::string Place = File.empty()
                                ? "line " + std::to_string(Region.Line)
                                : (sys::path::filename(File) + ":" + Twine(Region.Line)).str();
  return displayName(Region.Function) + " [target " + Place + Number + "]";
}

/// "main::$_1::operator()<int>" of "auto main::$_1::operator()<int>(int const&) const".
static StringRef functionIn(StringRef Text) {
  Text.consume_back(" const");
  // From the end to a character outside of brackets, or to the bracket that closes there.
  const auto Last = [&](char Wanted) {
    size_t Depth = 0;
    for (size_t At = Text.size(); At-- > 0;) {
      const StringRef Before = Text.take_front(At);
      if (StringRef(")>]}").contains(Text[At])) {
        ++Depth;
      } else if (StringRef("(<[{").contains(Text[At])) {
        if (Depth && !--Depth && Text[At] == Wanted)
          return At;
      } else if (!Depth && Text[At] == Wanted) {
        if (!Before.ends_with("operator<") && !Before.ends_with("operator<<"))
          return At;
        At = Before.rfind("operator");
      }
    }
    return StringRef::npos;
  };
  if (!Text.ends_with(")"))
    return Text;
  Text = Text.take_front(Last('('));
  const size_t Blank = Last(' ');
  return Blank == StringRef::npos ? Text : Text.drop_front(Blank + 1);
}

/// By the demangler of the C++ library, which knows a template in a local class, such as a generic
/// lambda in a function; LLVM's does not.
static std::string demangleLocal(const std::string &Symbol) {
  int Status = 0;
  char *const Text = abi::__cxa_demangle(Symbol.c_str(), nullptr, nullptr, &Status);
  std::string Result = Text ? functionIn(Text).str() : Symbol;
  std::free(Text);
  for (size_t At = 0; (At = Result.find("> >", At)) != std::string::npos;)
    Result.erase(At + 1, 1);
  return Result;
}

std::string displayName(StringRef Symbol) {
  const std::string Base = withoutFileSuffix(kernelSymbol(Symbol)).str();
  if (const std::optional<TargetRegion> Region = targetRegion(Base))
    return nameOf(*Region, "");
  ItaniumPartialDemangler Demangler;
  if (!Demangler.partialDemangle(Base.c_str()) && Demangler.isFunction()) {
    size_t Size = 0;
    if (char *Name = Demangler.getFunctionName(nullptr, &Size)) {
      std::string Result(Name);
      std::free(Name);
      return Result;
    }
  }
  std::string Fortran = demangleFortran(Base);
  if (!Fortran.empty())
    return Fortran;
  const std::string Shown = demangle(Base);
  return Shown == Base && StringRef(Base).starts_with("_Z") ? demangleLocal(Base) : Shown;
}

static StringRef sourceFile(const Module &M) {
  return isSourceFile(M.getSourceFileName()) ? StringRef(M.getSourceFileName()) : "";
}

static std::string displayName(StringRef Symbol, bool Fortran, StringRef File) {
  if (const std::optional<TargetRegion> Region = targetRegion(kernelSymbol(Symbol)))
    return nameOf(*Region, File);
  if (Fortran && !Symbol.starts_with("_"))
    Symbol.consume_back("_");
  return displayName(Symbol);
}

std::string displayName(const DISubprogram &Subprogram) {
  return displayName(symbolOf(Subprogram), isFortran(Subprogram.getUnit()),
                     Subprogram.getFilename());
}

std::string displayName(const Function &F) {
  const DISubprogram *SP = F.getSubprogram();
  return displayName(F.getName(), SP && isFortran(SP->getUnit()),
                     SP ? SP->getFilename() : sourceFile(*F.getParent()));
}

std::string displayName(StringRef Symbol, const Module &M) {
  if (const Function *F = M.getFunction(Symbol))
    return displayName(*F);
  return displayName(Symbol,
                     !M.debug_compile_units().empty() &&
                         all_of(M.debug_compile_units(),
                                [](const DICompileUnit *Unit) { return isFortran(Unit); }),
                     sourceFile(M));
}

StringRef symbolOf(const DISubprogram &Subprogram) {
  return Subprogram.getLinkageName().empty() ? Subprogram.getName() : Subprogram.getLinkageName();
}

} // namespace seamscope
