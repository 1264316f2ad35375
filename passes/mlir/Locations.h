//===- Locations.h - operator identity and place from locations -----------===//
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
  std::string File; ///< empty: unknown
  unsigned Line = 0, Column = 0;
};

/// The first file and line in \p Loc, outermost first. For a call site it is the callee's, as in a
/// debugger.
Place placeOf(mlir::Location Loc);

/// The front end's name for the operator: the outermost NameLoc around placeOf(), else one next to
/// it; empty if there is none. JAX's functions and parameters are removed. Cut to MostText bytes.
std::string nameOf(mlir::Location Loc);

/// \p Text as UTF-8 of at most MostText bytes.
std::string boundedText(llvm::StringRef Text);
constexpr size_t MostText = 1024;

/// The metadata in locations of captured operator \p Id.
mlir::Attribute idMetadata(mlir::MLIRContext *Context, unsigned Id);

/// Adds \p Metadata of a captured operator to \p Loc, reduced to its first place.
mlir::Location withId(mlir::Location Loc, mlir::Attribute Metadata);

/// The captured operator that \p Loc itself names, if any.
std::optional<unsigned> idOf(mlir::Location Loc);

/// All captured operators named anywhere in \p Loc: a location merged by fusion has several.
void collectIds(mlir::Location Loc, llvm::SmallVectorImpl<unsigned> &Ids);

} // namespace seamscope::mlir_passes
#endif // SEAMSCOPE_MLIR_LOCATIONS_H
