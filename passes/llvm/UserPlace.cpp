//===- UserPlace.cpp - code of libraries, as the user sees it --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UserPlace.h"

#include "Conventions.h"
#include "Names.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Folders of frameworks, also with a version or a suffix (`kokkos-4.5`, `RAJA_src`).
constexpr StringLiteral Frameworks[] = {
    "kokkos", "raja", "camp",       "tbb", "onetbb",   "oneapi", "boost", "eigen",  "eigen3",
    "thrust", "cub",  "libcudacxx", "hpx", "taskflow", "alpaka", "pstl",  "stdexec"};

bool isFrameworkFolder(StringRef Name) {
  return any_of(Frameworks, [&](StringRef Framework) {
    return Name.starts_with_insensitive(Framework) &&
           (Name.size() == Framework.size() || !isAlnum(Name[Framework.size()]));
  });
}

/// \p Path without the folders at its begin that \p Unit is in as well.
StringRef withoutCommonFolders(StringRef Path, StringRef Unit) {
  size_t Common = 0;
  for (size_t I = 0; I < std::min(Path.size(), Unit.size()) && Path[I] == Unit[I]; ++I)
    if (Path[I] == '/')
      Common = I + 1;
  return Path.drop_front(Common);
}

std::string unitFile(const DISubprogram *Function) {
  return Function && Function->getUnit() ? pathOf(Function->getUnit()->getFile()) : std::string();
}

bool isOfLibrary(const DIFile *File, const DISubprogram *Function) {
  return File && isLibraryFile(pathOf(File), unitFile(Function));
}

/// The last part of a qualified name, and what is before it. "::" in brackets do not count.
std::pair<StringRef, StringRef> lastPart(StringRef Name) {
  int Depth = 0;
  for (size_t I = Name.size(); I-- > 0;) {
    if (StringRef(")>}]").contains(Name[I]))
      ++Depth;
    else if (StringRef("(<{[").contains(Name[I]))
      --Depth;
    else if (!Depth && I && Name[I] == ':' && Name[I - 1] == ':')
      return {Name.take_front(I - 1), Name.drop_front(I + 1)};
  }
  return {"", Name};
}

/// The outermost namespace of a name, as the framework's name: `Kokkos`.
std::string libraryOf(StringRef Shown) {
  const std::string Plain = withoutArguments(Shown);
  return StringRef(Plain).split("::").first.str();
}

std::string labelled(StringRef Function, StringRef Library, const SourcePoint &At) {
  return (Function + " [" + libraryOf(Library) + " " + sys::path::filename(At.File) + ":" +
          Twine(At.Line) + "]")
      .str();
}

/// Looks for functions of the user in a function of a library.
class Search {
public:
  void visit(const Instruction &I) {
    for (const DILocation *At = I.getDebugLoc().get(); At && At->getInlinedAt();
         At = At->getInlinedAt())
      consider(At->getScope()->getSubprogram());
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return;
    for (const Value *Operand : Call->operand_values())
      if (const auto *Callee = dyn_cast<Function>(Operand->stripPointerCasts())) {
        if (isOutlinedSymbol(Callee->getName()) && !Callee->isDeclaration() && Depth < MostDepth) {
          ++Depth;
          for (const Instruction &Inner : instructions(*Callee))
            visit(Inner);
          --Depth;
        } else if (Operand == Call->getCalledOperand()) {
          consider(Callee->getSubprogram());
        }
      }
  }

  const DISubprogram *found() const { return CallOperator ? CallOperator : Other; }

private:
  void consider(const DISubprogram *Function) {
    if (!Function || CallOperator)
      return;
    const auto [Known, New] = IsLibrary.try_emplace(Function, false);
    if (New)
      Known->second = isLibraryCode(*Function);
    if (Known->second)
      return;
    if (Function->getName() == "operator()")
      CallOperator = Function;
    else if (!Other)
      Other = Function;
  }

  static constexpr unsigned MostDepth = 3;
  unsigned Depth = 0;
  const DISubprogram *CallOperator = nullptr, *Other = nullptr;
  DenseMap<const DISubprogram *, bool> IsLibrary;
};

} // namespace

bool isLibraryFile(StringRef Path, StringRef Unit) {
  if (Path == Unit)
    return false;
  for (StringRef Folder :
       {"/usr/include/", "/usr/local/include/", "/usr/lib/", "/usr/lib64/", "/usr/local/lib/"})
    if (Path.starts_with(Folder) && !Unit.starts_with(Folder))
      return true;
  const StringRef Rest = withoutCommonFolders(Path, Unit);
  // Kokkos installs its headers without a folder of their own: "KokkosExp_MDRangePolicy.hpp".
  const StringRef Prefix = sys::path::filename(Rest).split('_').first;
  if (Prefix.starts_with("Kokkos") && Prefix != sys::path::filename(Rest) &&
      !sys::path::parent_path(Rest).empty())
    return true;
  StringRef Before;
  for (auto Part = sys::path::begin(Rest), End = sys::path::end(Rest); Part != End; ++Part) {
    if (isFrameworkFolder(*Part) && std::next(Part) != End)
      return true;
    // Headers of compilers, of the standard library and of torch, wherever they are installed.
    if ((Before == "include" && *Part == "c++") || (Before == "torch" && *Part == "include") ||
        (Before == "lib" && (*Part == "gcc" || *Part == "clang")) ||
        (Path.starts_with("/opt/") && *Part == "include"))
      return true;
    Before = *Part;
  }
  return false;
}

bool isLibraryCode(const DILocation &Place) {
  return isOfLibrary(Place.getFile(), Place.getScope()->getSubprogram());
}

bool isLibraryCode(const DISubprogram &Function) {
  return isOfLibrary(Function.getFile(), &Function);
}

std::optional<UserCall> userCall(const DILocation *Place) {
  if (!Place || !isLibraryCode(*Place))
    return std::nullopt;
  for (const DILocation *Through = Place, *At = Place->getInlinedAt(); At;
       Through = At, At = At->getInlinedAt())
    if (!isLibraryCode(*At))
      return UserCall{At, Through};
  return std::nullopt;
}

const DISubprogram *userFunctionIn(const Function &F, ArrayRef<BasicBlock *> Only) {
  Search In;
  if (Only.empty())
    for (const Instruction &I : instructions(F))
      In.visit(I);
  for (const BasicBlock *Block : Only)
    for (const Instruction &I : *Block)
      In.visit(I);
  return In.found();
}

std::string withoutArguments(StringRef Shown) {
  std::string Plain;
  int Depth = 0;
  for (size_t I = 0; I < Shown.size(); ++I) {
    const bool IsOperator = StringRef(Plain).ends_with("operator") ||
                            StringRef(Plain).ends_with("operator<") ||
                            StringRef(Plain).ends_with("operator-");
    if (Shown[I] == '<' && !IsOperator)
      ++Depth;
    else if (Shown[I] == '>' && Depth)
      --Depth;
    else if (!Depth)
      Plain += Shown[I];
  }
  return Plain;
}

std::string functionOfLambda(StringRef Shown) {
  const auto [Class, Method] = lastPart(Shown);
  if (Method != "operator()")
    return Shown.str();
  auto [Function, Lambda] = lastPart(Class);
  if (Function.empty() ||
      !(Lambda.starts_with("$_") || Lambda.starts_with("'lambda") || Lambda.starts_with("{lambda")))
    return Shown.str();
  // The function has its parameters here; kernels are shown without them.
  Function.consume_back(" const");
  if (Function.ends_with(")")) {
    int Depth = 0;
    for (size_t I = Function.size(); I-- > 0;) {
      Depth += Function[I] == ')' ? 1 : Function[I] == '(' ? -1 : 0;
      if (!Depth)
        return Function.take_front(I).str();
    }
  }
  return Function.str();
}

std::optional<LibraryKernel> libraryKernel(const Function &F) {
  if (!F.getSubprogram() || !isLibraryCode(*F.getSubprogram()))
    return std::nullopt;
  const DISubprogram *User = userFunctionIn(F);
  if (!User)
    return std::nullopt;
  const SourcePoint At = sourceOf(User, *F.getParent());
  return LibraryKernel{labelled(functionOfLambda(displayName(*User)), displayName(F), At), At};
}

std::optional<LibraryKernel> libraryKernel(const DILocation *Place) {
  const std::optional<UserCall> Call = userCall(Place);
  if (!Call)
    return std::nullopt;
  const SourcePoint At = sourceOf(*Call->At);
  return LibraryKernel{
      labelled(functionOfLambda(displayName(*Call->At->getScope()->getSubprogram())),
               displayName(*Call->Through->getScope()->getSubprogram()), At),
      At};
}

} // namespace seamscope
