//===- Locations.cpp - operator identity and place from locations ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Locations.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using llvm::StringRef;

namespace seamscope::mlir_passes {
namespace {

constexpr StringRef IdKey = "seamscope.op";
/// Front ends nest a few levels; the limit keeps a deep location from overflowing the stack.
constexpr unsigned MostDepth = 64;

struct Found {
  FileLineColRange At;
  StringRef Name;
};

/// Whether \p Name is a kind of operator, such as the `Conv2D:` next to an operator's name.
bool isKind(StringRef Name) { return Name.ends_with(":"); }

/// Searches depth first. The name is the outermost NameLoc around the place; inner ones are scopes
/// and functions (`"dot"("jit(f)"("model.py":3:5))`). If there is none, the name is that of a
/// NameLoc next to the place that has no place of its own.
bool search(Location Loc, StringRef Name, Found &Into, unsigned Depth) {
  if (Depth > MostDepth)
    return false;
  if (auto At = dyn_cast<FileLineColRange>(Loc)) {
    Into.At = At;
    if (!Name.empty())
      Into.Name = Name;
    return true;
  }
  if (auto Named = dyn_cast<NameLoc>(Loc)) {
    if (Name.empty() || isKind(Name))
      Name = Named.getName().getValue();
    if (Into.Name.empty() || isKind(Into.Name))
      Into.Name = Name;
    return search(Named.getChildLoc(), Name, Into, Depth + 1);
  }
  if (auto Call = dyn_cast<CallSiteLoc>(Loc))
    return search(Call.getCallee(), Name, Into, Depth + 1) ||
           search(Call.getCaller(), Name, Into, Depth + 1);
  if (auto Fused = dyn_cast<FusedLoc>(Loc)) {
    bool Known = false;
    for (Location Part : Fused.getLocations())
      if (!Known)
        Known = search(Part, Name, Into, Depth + 1);
      else if (auto Named = dyn_cast<NameLoc>(Part);
               Named && Into.Name.empty() && isa<UnknownLoc>(Named.getChildLoc()))
        Into.Name = Named.getName().getValue();
    return Known;
  }
  if (auto Opaque = dyn_cast<OpaqueLoc>(Loc))
    return search(Opaque.getFallbackLocation(), Name, Into, Depth + 1);
  return false;
}

/// Removes the names of functions that JAX compiled around an operator, and its parameters:
/// `jit(f)/jit(main)/Dense_0/add[axes=()]` becomes `Dense_0/add`.
StringRef withoutScopes(StringRef Name) {
  const StringRef Full = Name;
  while (Name.starts_with("jit(") || Name.starts_with("pjit(")) {
    size_t End = 0, Open = 0;
    for (; End < Name.size(); ++End)
      if (Name[End] == '(')
        ++Open;
      else if (Name[End] == ')' && !--Open)
        break;
    if (!Name.substr(End).starts_with(")/") || End + 2 == Name.size())
      return Name;
    Name = Name.substr(End + 2);
  }
  if (Name.size() < Full.size() && Name.ends_with("]"))
    return Name.take_front(std::max<size_t>(Name.find('['), 1));
  return Name;
}

/// Reduces \p Loc to one place, which is what a debugger can show. Names, call sites and the scopes
/// of debug information stay.
Location reduced(Location Loc, unsigned Depth) {
  if (Depth > MostDepth)
    return Loc;
  // Do not rebuild unchanged locations: uniquing them takes time.
  if (auto Call = dyn_cast<CallSiteLoc>(Loc)) {
    const Location Callee = reduced(Call.getCallee(), Depth + 1);
    const Location Caller = reduced(Call.getCaller(), Depth + 1);
    return Callee == Call.getCallee() && Caller == Call.getCaller()
               ? Loc
               : Location(CallSiteLoc::get(Callee, Caller));
  }
  if (auto Named = dyn_cast<NameLoc>(Loc)) {
    const Location Child = reduced(Named.getChildLoc(), Depth + 1);
    return Child == Named.getChildLoc() ? Loc : Location(NameLoc::get(Named.getName(), Child));
  }
  auto Fused = dyn_cast<FusedLoc>(Loc);
  if (!Fused || Fused.getLocations().empty())
    return Loc;
  Location Kept = Fused.getLocations().front();
  for (Location Part : Fused.getLocations())
    if (Found Result; search(Part, "", Result, Depth)) {
      Kept = Part;
      break;
    }
  Kept = reduced(Kept, Depth + 1);
  return Fused.getMetadata() ? FusedLoc::get(Loc.getContext(), {Kept}, Fused.getMetadata()) : Kept;
}

void collect(Location Loc, llvm::SmallVectorImpl<unsigned> &Ids, unsigned Depth) {
  if (Depth > MostDepth)
    return;
  if (auto Fused = dyn_cast<FusedLoc>(Loc)) {
    if (const auto Id = idOf(Loc)) {
      Ids.push_back(*Id);
      return;
    }
    for (Location Part : Fused.getLocations())
      collect(Part, Ids, Depth + 1);
  } else if (auto Named = dyn_cast<NameLoc>(Loc)) {
    collect(Named.getChildLoc(), Ids, Depth + 1);
  } else if (auto Call = dyn_cast<CallSiteLoc>(Loc)) {
    // The id of the caller is that of the call, not of the operator.
    collect(Call.getCallee(), Ids, Depth + 1);
  }
}

} // namespace

std::string boundedText(StringRef Text) {
  Text = Text.take_front(MostText);
  // A character that was cut in half is replaced like other invalid UTF-8.
  return llvm::json::isUTF8(Text) ? Text.str() : llvm::json::fixUTF8(Text);
}

Place placeOf(Location Loc) {
  Found Result;
  if (!search(Loc, "", Result, 0))
    return {};
  return {boundedText(Result.At.getFilename().getValue()), Result.At.getStartLine(),
          Result.At.getStartColumn()};
}

std::string nameOf(Location Loc) {
  Found Result;
  search(Loc, "", Result, 0);
  Result.Name.consume_back(":");
  return boundedText(withoutScopes(Result.Name));
}

Attribute idMetadata(MLIRContext *Context, unsigned Id) {
  Builder B(Context);
  return B.getDictionaryAttr(B.getNamedAttr(IdKey, B.getI64IntegerAttr(static_cast<int64_t>(Id))));
}

Location withId(Location Loc, Attribute Metadata) {
  return FusedLoc::get(Loc.getContext(), {reduced(Loc, 0)}, Metadata);
}

std::optional<unsigned> idOf(Location Loc) {
  auto Fused = dyn_cast<FusedLoc>(Loc);
  if (!Fused)
    return std::nullopt;
  auto Metadata = dyn_cast_or_null<DictionaryAttr>(Fused.getMetadata());
  if (!Metadata)
    return std::nullopt;
  auto Id = Metadata.getAs<IntegerAttr>(IdKey);
  if (!Id || !Id.getType().isInteger(64) || Id.getInt() < 0 || Id.getInt() > UINT32_MAX)
    return std::nullopt;
  return static_cast<unsigned>(Id.getInt());
}

void collectIds(Location Loc, llvm::SmallVectorImpl<unsigned> &Ids) { collect(Loc, Ids, 0); }

} // namespace seamscope::mlir_passes
