//===- Names.h - domains, registered strings and names of ranges ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_NVTX_NAMES_H
#define SEAMSCOPE_NVTX_NAMES_H

#include "nvtx/Memory.h"

#include <cstddef>
#include <cwchar>

namespace seamscope::nvtx {

/// Ranges are nested by domain. Ranges of further domains are counted as lost.
constexpr uint32_t MaxDomains = 1024;

/// An object for which the program has a handle: the other tool's handle, or else its address.
struct Handle {
  const void *Other; ///< the other tool's handle; null: it has none
};

struct Domain : Handle {
  uint32_t Index;   ///< below MaxDomains; MaxDomains if there were too many domains
  bool IsSeamscope; ///< the domain of Kernels.cpp, which is not recorded again
  uint32_t Length;  ///< of the name
  const char *Name;
};

struct Registered : Handle {
  uint32_t Site; ///< seamscope_span_site(); 0: there was no room
};

/// The domain whose handle is null.
extern Domain DefaultDomain;

/// Finds or creates the domain of that name; null when there is no memory. \p CreateOther returns
/// the other tool's handle for a new domain.
Domain *makeDomain(const char *Name, const void *(*CreateOther)(const void *), const void *Context);

/// A registered string, or null.
Registered *makeString(const Domain &D, const char *Text, const void *Other);

/// The handle that the program has for an object, and the object for a handle (null: unknown).
const void *handleOf(const Handle &Object);
Domain &domainOf(const void *Handle);
const Registered *stringOf(const void *Handle);

/// The site of a range with that text, cut after 4096 bytes; null and empty: a range without a
/// message. Returns 0 when there is no room.
uint32_t siteOfText(const Domain &D, const char *Text);
uint32_t siteOfText(const Domain &D, const wchar_t *Text);

/// Converts \p Text to UTF-8, cut where \p To is full. Invalid characters become U+FFFD.
void narrow(const wchar_t *Text, char *To, size_t Size);

/// For the fork handlers.
void lockNames();
void unlockNames();

} // namespace seamscope::nvtx
#endif // SEAMSCOPE_NVTX_NAMES_H
