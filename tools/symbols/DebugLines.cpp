//===- DebugLines.cpp - functions and lines of addresses, from DWARF --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "symbols/DebugLines.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

namespace seamscope::tools {
namespace {

/// Damaged information may nest without end.
constexpr unsigned MostNested = 256;

const char *nameOf(Dwarf_Die *Of) {
  Dwarf_Attribute Name;
  for (const unsigned Attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name})
    if (dwarf_attr_integrate(Of, Attribute, &Name))
      if (const char *const Text = dwarf_formstring(&Name))
        return Text;
  return "";
}

uint32_t numberOf(Dwarf_Die *Of, unsigned Attribute) {
  Dwarf_Attribute Held;
  Dwarf_Word Value = 0;
  if (!dwarf_attr(Of, Attribute, &Held) || dwarf_formudata(&Held, &Value) != 0)
    return 0;
  return static_cast<uint32_t>(std::min<Dwarf_Word>(Value, UINT32_MAX));
}

/// Calls Visit(begin, end) for the code of a unit or function.
template <typename FnT> void forEachRange(Dwarf_Die *Of, FnT Visit) {
  Dwarf_Addr Base = 0, Begin = 0, End = 0;
  for (ptrdiff_t At = 0; (At = dwarf_ranges(Of, At, &Base, &Begin, &End)) > 0;)
    if (Begin < End)
      Visit(Begin, End);
}

template <typename RangeT> const RangeT *find(const std::vector<RangeT> &In, uint64_t Address) {
  auto After = std::ranges::upper_bound(In, Address, {}, &RangeT::Begin);
  // Functions of one unit rarely overlap: an enclosing one begins shortly before.
  constexpr ptrdiff_t MostAround = 16;
  for (auto It = After; It != After - std::min(MostAround, After - In.begin());)
    if ((--It)->End > Address)
      return &*It;
  return nullptr;
}

/// The child of \p Around whose code contains the address, if any.
bool childAt(Dwarf_Die *Around, uint64_t Address, Dwarf_Die *Child) {
  if (dwarf_child(Around, Child) != 0)
    return false;
  do {
    const int Tag = dwarf_tag(Child);
    if ((Tag == DW_TAG_inlined_subroutine || Tag == DW_TAG_lexical_block ||
         Tag == DW_TAG_try_block || Tag == DW_TAG_catch_block) &&
        dwarf_haspc(Child, Address) == 1)
      return true;
  } while (dwarf_siblingof(Child, Child) == 0);
  return false;
}

} // namespace

std::string demangled(const std::string &Name) {
  if (!Name.starts_with("_Z"))
    return Name;
  int Status = 0;
  const std::unique_ptr<char, decltype(&std::free)> Text(
      abi::__cxa_demangle(Name.c_str(), nullptr, nullptr, &Status), &std::free);
  std::string Shown = Status == 0 && Text ? Text.get() : Name;
  // The names of kernels come from LLVM, which writes ">>".
  for (size_t At = 0; (At = Shown.find("> >", At)) != Shown.npos;)
    Shown.erase(At + 1, 1);
  return Shown;
}

DebugLines::DebugLines(const ElfFile &Of)
    : Handle(dwarf_begin_elf(Of.elf(), DWARF_C_READ, nullptr)) {
  if (Handle)
    readUnits();
}

DebugLines::~DebugLines() {
  if (Handle)
    dwarf_end(Handle);
}

// The index that files may have (.debug_aranges) is not used: clang does not write it.
void DebugLines::readUnits() {
  Dwarf_CU *Unit = nullptr;
  Dwarf_Die Die, Sub;
  while (dwarf_get_units(Handle, Unit, &Unit, nullptr, nullptr, &Die, &Sub) == 0)
    if (dwarf_tag(&Die) == DW_TAG_compile_unit || dwarf_tag(&Die) == DW_TAG_skeleton_unit)
      forEachRange(&Die, [&](uint64_t Begin, uint64_t End) {
        Units.push_back({Begin, End, dwarf_dieoffset(&Die)});
      });
  std::ranges::stable_sort(Units, {}, &Range::Begin);
}

const std::vector<DebugLines::Range> &DebugLines::functionsOf(uint64_t Unit) {
  const auto [Known, New] = Functions.try_emplace(Unit);
  std::vector<Range> &Found = Known->second;
  Dwarf_Die Die;
  if (!New || !dwarf_offdie(Handle, Unit, &Die))
    return Found;
  const auto Visit = [&](auto &&Self, Dwarf_Die *Around, unsigned Depth) -> void {
    Dwarf_Die Child;
    if (Depth > MostNested || dwarf_child(Around, &Child) != 0)
      return;
    do {
      switch (dwarf_tag(&Child)) {
      case DW_TAG_subprogram:
        forEachRange(&Child, [&](uint64_t Begin, uint64_t End) {
          Found.push_back({Begin, End, dwarf_dieoffset(&Child)});
        });
        [[fallthrough]]; // functions of Fortran contain others
      case DW_TAG_namespace:
      case DW_TAG_module:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
        Self(Self, &Child, Depth + 1);
        break;
      default:
        break;
      }
    } while (dwarf_siblingof(&Child, &Child) == 0);
  };
  Visit(Visit, &Die, 0);
  std::ranges::stable_sort(Found, {}, &Range::Begin);
  return Found;
}

std::vector<CodeFrame> DebugLines::at(uint64_t Address) {
  const Range *const Unit = find(Units, Address);
  Dwarf_Die UnitDie;
  if (!Unit || !dwarf_offdie(Handle, Unit->Die, &UnitDie))
    return {};
  CodeFrame Inner;
  if (Dwarf_Line *const Line = dwarf_getsrc_die(&UnitDie, Address)) {
    int Number = 0, Column = 0;
    if (const char *const File = dwarf_linesrc(Line, nullptr, nullptr))
      Inner.File = File;
    if (dwarf_lineno(Line, &Number) == 0 && Number > 0)
      Inner.Line = static_cast<uint32_t>(Number);
    if (dwarf_linecol(Line, &Column) == 0 && Column > 0)
      Inner.Column = static_cast<uint32_t>(Column);
  }
  const Range *const Function = find(functionsOf(Unit->Die), Address);
  Dwarf_Die Die, Child;
  if (!Function || !dwarf_offdie(Handle, Function->Die, &Die)) {
    if (Inner.Line)
      return {Inner};
    return {};
  }
  // From the function inwards; each inlined call has the place of the call in the one around it.
  Dwarf_Files *Files = nullptr;
  size_t Count = 0;
  dwarf_getsrcfiles(&UnitDie, &Files, &Count);
  std::vector<CodeFrame> Outwards;
  Outwards.emplace_back().Function = nameOf(&Die);
  for (unsigned Depth = 0; Depth < MostNested && childAt(&Die, Address, &Child); ++Depth) {
    Die = Child;
    if (dwarf_tag(&Die) != DW_TAG_inlined_subroutine)
      continue;
    CodeFrame &Caller = Outwards.back();
    if (const uint32_t File = numberOf(&Die, DW_AT_call_file); Files && File < Count)
      if (const char *const Name = dwarf_filesrc(Files, File, nullptr, nullptr))
        Caller.File = Name;
    Caller.Line = numberOf(&Die, DW_AT_call_line);
    Caller.Column = numberOf(&Die, DW_AT_call_column);
    Outwards.emplace_back().Function = nameOf(&Die);
  }
  Inner.Function = std::move(Outwards.back().Function);
  Outwards.back() = std::move(Inner);
  for (CodeFrame &Each : Outwards)
    Each.Function = demangled(Each.Function);
  std::ranges::reverse(Outwards);
  return Outwards;
}

} // namespace seamscope::tools
