//===- Names.h - domains, registered strings, and what a range is called ---===//
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

/// Ranges are nested by domain. What makes more domains than these has its ranges counted as lost.
constexpr uint32_t MaxDomains = 1024;

/// Where two tools are in the process the program holds the handle of the other one, if it has one.
struct Handle {
  const void *Theirs; ///< what the other tool made of it; null: nothing
};

struct Domain : Handle {
  uint32_t Index;  ///< below MaxDomains, or MaxDomains where there were too many
  bool IsOurs;     ///< ranges that Seamscope itself makes: not recorded again
  uint32_t Length; ///< of the name
  const char *Name;
};

struct Registered : Handle {
  uint32_t Site; ///< seamscope_span_site(); 0: there was no room
};

/// The domain that null stands for.
extern Domain DefaultDomain;

/// The domain of that name, new or known, or null when there is no memory. \p Theirs: asked only
/// for a new one. Equal names are one domain.
Domain *makeDomain(const char *Name, const void *(*Theirs)(const void *), const void *Context);

/// A registered string, or null.
Registered *makeString(const Domain &D, const char *Text, const void *Theirs);

/// What the program was given for it, and back. An unknown handle is null.
const void *handleOf(const Handle &Object);
Domain &domainOf(const void *Handle);
const Registered *stringOf(const void *Handle);

/// The site of a range with that text, of which at most 4096 bytes count; null and empty: without a
/// message. 0 when there is no room.
uint32_t siteOfText(const Domain &D, const char *Text);
uint32_t siteOfText(const Domain &D, const wchar_t *Text);

/// UTF-8 of \p Text, cut where \p To is full; a value that is no character becomes U+FFFD.
void narrow(const wchar_t *Text, char *To, size_t Size);

/// For the fork handlers.
void lockNames();
void unlockNames();

} // namespace seamscope::nvtx
#endif // SEAMSCOPE_NVTX_NAMES_H
