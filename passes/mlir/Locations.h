//===- Locations.h - what a location says of an operator ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_MLIR_LOCATIONS_H
#define SEAMSCOPE_MLIR_LOCATIONS_H

#include "mlir/IR/Location.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace seamscope::mlir_passes {

/// A line of a source file.
struct Place {
  std::string File; ///< empty: not known
  unsigned Line = 0, Column = 0;
};

/// The first line of a file that \p Loc names, from the outside in: of a call site the callee's, as
/// a debugger shows it.
Place placeOf(mlir::Location Loc);

/// The outermost NameLoc's text on the way to placeOf(), else that of a NameLoc beside it: what a
/// front end called the operator. Names further in are scopes and functions. JAX's functions around
/// an operator, and its parameters, are left out. Empty: none. Cut to MostText bytes.
std::string nameOf(mlir::Location Loc);

/// \p Text as UTF-8 of at most MostText bytes.
std::string boundedText(llvm::StringRef Text);
constexpr size_t MostText = 1024;

/// What locations of captured operator \p Id carry.
mlir::Attribute idMetadata(mlir::MLIRContext *Context, unsigned Id);

/// A location of the captured operator that \p Metadata is of: \p Loc, of several places the first.
mlir::Location withId(mlir::Location Loc, mlir::Attribute Metadata);

/// The captured operator that \p Loc belongs to by itself, if any.
std::optional<unsigned> idOf(mlir::Location Loc);

/// All that are named anywhere in \p Loc: a location that fusion merged has several.
void collectIds(mlir::Location Loc, llvm::SmallVectorImpl<unsigned> &Ids);

} // namespace seamscope::mlir_passes
#endif // SEAMSCOPE_MLIR_LOCATIONS_H
