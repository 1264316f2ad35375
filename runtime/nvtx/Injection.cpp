//===- Injection.cpp - NVTX ranges of the program in the trace ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX is a header. Each library that includes it has its own function table, and at its first call
// loads the tool that NVTX_INJECTION64_PATH names. This library is such a tool. A tool that the
// user configured is loaded first and fills the table. The hooks here replace its functions and
// call them, so that both tools see each range. Other functions of that tool stay.
//
//===----------------------------------------------------------------------===//
#include "core/Environment.h"
#include "core/Message.h"
#include "nvtx/Ranges.h"
#include "seamscope/seamscope.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#define SEAMSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

using namespace seamscope::nvtx;

namespace {

/// The functions of the user's tool; null: it does not have this function.
NvtxFunctionPointer OtherCore[NVTX_CBID_CORE_SIZE], OtherCore2[NVTX_CBID_CORE2_SIZE];

template <typename F> F otherFunction(const NvtxFunctionPointer *Table, uint32_t Id) {
  return reinterpret_cast<F>(Table[Id]);
}
#define OTHER_CORE(Name) otherFunction<nvtx##Name##_impl_fntype>(OtherCore, NVTX_CBID_CORE_##Name)
#define OTHER_CORE2(Name)                                                                          \
  otherFunction<nvtx##Name##_impl_fntype>(OtherCore2, NVTX_CBID_CORE2_##Name)

/// Checks the size, since there are two versions of the struct; both have these members.
bool hasMessage(const nvtxEventAttributes_t *Event) {
  return Event && Event->size >= offsetof(nvtxEventAttributes_t, message) + sizeof(Event->message);
}

uint32_t siteOfEvent(const Domain &D, const nvtxEventAttributes_t *Event) {
  if (hasMessage(Event)) {
    switch (Event->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      return siteOfText(D, Event->message.ascii);
    case NVTX_MESSAGE_TYPE_UNICODE:
      return siteOfText(D, Event->message.unicode);
    case NVTX_MESSAGE_TYPE_REGISTERED:
      if (const Registered *Known = stringOf(Event->message.registered))
        return Known->Site;
      break;
    default:
      break;
    }
  }
  return siteOfText(D, "");
}

/// An event without a registered string that the other tool does not know.
class EventForOther {
public:
  explicit EventForOther(const nvtxEventAttributes_t *Event) : Shown(Event) {
    if (!hasMessage(Event) || Event->messageType != NVTX_MESSAGE_TYPE_REGISTERED)
      return;
    const Registered *Known = stringOf(Event->message.registered);
    if (!Known || Known->Other || Event->size > sizeof(Copy))
      return;
    memcpy(&Copy, Event, Event->size);
    Copy.message.registered = nullptr;
    Shown = &Copy;
  }
  operator const nvtxEventAttributes_t *() const { return Shown; }

private:
  const nvtxEventAttributes_t *Shown;
  nvtxEventAttributes_t Copy;
};

nvtxDomainHandle_t otherHandle(const Domain &D, nvtxDomainHandle_t Given) {
  return &D == &DefaultDomain ? Given
                              : static_cast<nvtxDomainHandle_t>(const_cast<void *>(D.Other));
}

// If the other tool has a function, the program gets the return value of that tool.

int rangePushA(const char *Text) {
  const auto Other = OTHER_CORE(RangePushA);
  const int Level = Other ? Other(Text) : 0;
  const int Depth = push(DefaultDomain, siteOfText(DefaultDomain, Text));
  return Other ? Level : Depth;
}
int rangePushW(const wchar_t *Text) {
  const auto Other = OTHER_CORE(RangePushW);
  const int Level = Other ? Other(Text) : 0;
  const int Depth = push(DefaultDomain, siteOfText(DefaultDomain, Text));
  return Other ? Level : Depth;
}
int rangePushEx(const nvtxEventAttributes_t *Event) {
  const auto Other = OTHER_CORE(RangePushEx);
  const int Level = Other ? Other(EventForOther(Event)) : 0;
  const int Depth = push(DefaultDomain, siteOfEvent(DefaultDomain, Event));
  return Other ? Level : Depth;
}
int rangePop() {
  const int Depth = pop(DefaultDomain);
  const auto Other = OTHER_CORE(RangePop);
  return Other ? Other() : Depth;
}

nvtxRangeId_t rangeStartA(const char *Text) {
  const auto Other = OTHER_CORE(RangeStartA);
  return start(siteOfText(DefaultDomain, Text), Other ? Other(Text) : 0);
}
nvtxRangeId_t rangeStartW(const wchar_t *Text) {
  const auto Other = OTHER_CORE(RangeStartW);
  return start(siteOfText(DefaultDomain, Text), Other ? Other(Text) : 0);
}
nvtxRangeId_t rangeStartEx(const nvtxEventAttributes_t *Event) {
  const auto Other = OTHER_CORE(RangeStartEx);
  return start(siteOfEvent(DefaultDomain, Event), Other ? Other(EventForOther(Event)) : 0);
}
void rangeEnd(nvtxRangeId_t Id) {
  end(Id);
  if (const auto Other = OTHER_CORE(RangeEnd))
    Other(Id);
}

void markA(const char *Text) {
  if (const auto Other = OTHER_CORE(MarkA))
    Other(Text);
  mark(siteOfText(DefaultDomain, Text));
}
void markW(const wchar_t *Text) {
  if (const auto Other = OTHER_CORE(MarkW))
    Other(Text);
  mark(siteOfText(DefaultDomain, Text));
}
void markEx(const nvtxEventAttributes_t *Event) {
  if (const auto Other = OTHER_CORE(MarkEx))
    Other(EventForOther(Event));
  mark(siteOfEvent(DefaultDomain, Event));
}

int domainRangePushEx(nvtxDomainHandle_t Handle, const nvtxEventAttributes_t *Event) {
  const Domain &D = domainOf(Handle);
  const auto Other = OTHER_CORE2(DomainRangePushEx);
  const int Level = Other ? Other(otherHandle(D, Handle), EventForOther(Event)) : 0;
  const int Depth = D.IsSeamscope ? -2 : push(D, siteOfEvent(D, Event));
  return Other ? Level : Depth;
}
int domainRangePop(nvtxDomainHandle_t Handle) {
  const Domain &D = domainOf(Handle);
  const int Depth = D.IsSeamscope ? -2 : pop(D);
  const auto Other = OTHER_CORE2(DomainRangePop);
  return Other ? Other(otherHandle(D, Handle)) : Depth;
}
nvtxRangeId_t domainRangeStartEx(nvtxDomainHandle_t Handle, const nvtxEventAttributes_t *Event) {
  const Domain &D = domainOf(Handle);
  const auto Other = OTHER_CORE2(DomainRangeStartEx);
  const nvtxRangeId_t Id = Other ? Other(otherHandle(D, Handle), EventForOther(Event)) : 0;
  return D.IsSeamscope ? Id : start(siteOfEvent(D, Event), Id);
}
void domainRangeEnd(nvtxDomainHandle_t Handle, nvtxRangeId_t Id) {
  end(Id);
  if (const auto Other = OTHER_CORE2(DomainRangeEnd))
    Other(otherHandle(domainOf(Handle), Handle), Id);
}
void domainMarkEx(nvtxDomainHandle_t Handle, const nvtxEventAttributes_t *Event) {
  const Domain &D = domainOf(Handle);
  if (const auto Other = OTHER_CORE2(DomainMarkEx))
    Other(otherHandle(D, Handle), EventForOther(Event));
  if (!D.IsSeamscope)
    mark(siteOfEvent(D, Event));
}

nvtxDomainHandle_t handleTo(const Domain *D) {
  return D ? static_cast<nvtxDomainHandle_t>(const_cast<void *>(handleOf(*D))) : nullptr;
}
nvtxDomainHandle_t domainCreateA(const char *Name) {
  return handleTo(makeDomain(
      Name ? Name : "",
      [](const void *Text) -> const void * {
        const auto Other = OTHER_CORE2(DomainCreateA);
        return Other ? Other(static_cast<const char *>(Text)) : nullptr;
      },
      Name));
}
nvtxDomainHandle_t domainCreateW(const wchar_t *Name) {
  char Narrow[4097];
  narrow(Name, Narrow, sizeof(Narrow));
  return handleTo(makeDomain(
      Narrow,
      [](const void *Text) -> const void * {
        const auto Other = OTHER_CORE2(DomainCreateW);
        return Other ? Other(static_cast<const wchar_t *>(Text)) : nullptr;
      },
      Name));
}
/// Keeps the domain, since other parts of the program may use a domain of the same name.
void domainDestroy(nvtxDomainHandle_t) {}

nvtxStringHandle_t handleTo(const Registered *String) {
  return String ? static_cast<nvtxStringHandle_t>(const_cast<void *>(handleOf(*String))) : nullptr;
}
nvtxStringHandle_t domainRegisterStringA(nvtxDomainHandle_t Handle, const char *Text) {
  const Domain &D = domainOf(Handle);
  const auto Other = OTHER_CORE2(DomainRegisterStringA);
  return handleTo(makeString(D, Text, Other ? Other(otherHandle(D, Handle), Text) : nullptr));
}
nvtxStringHandle_t domainRegisterStringW(nvtxDomainHandle_t Handle, const wchar_t *Text) {
  const Domain &D = domainOf(Handle);
  const auto Other = OTHER_CORE2(DomainRegisterStringW);
  char Narrow[4097];
  narrow(Text, Narrow, sizeof(Narrow));
  return handleTo(makeString(D, Narrow, Other ? Other(otherHandle(D, Handle), Text) : nullptr));
}

struct Hook {
  uint32_t Id;
  NvtxFunctionPointer Function;
};
#define HOOK(Module, Name, Function)                                                               \
  {NVTX_CBID_##Module##_##Name,                                                                    \
   reinterpret_cast<NvtxFunctionPointer>(static_cast<nvtx##Name##_impl_fntype>(Function))}
const Hook CoreHooks[] = {
    HOOK(CORE, MarkEx, markEx),
    HOOK(CORE, MarkA, markA),
    HOOK(CORE, MarkW, markW),
    HOOK(CORE, RangeStartEx, rangeStartEx),
    HOOK(CORE, RangeStartA, rangeStartA),
    HOOK(CORE, RangeStartW, rangeStartW),
    HOOK(CORE, RangeEnd, rangeEnd),
    HOOK(CORE, RangePushEx, rangePushEx),
    HOOK(CORE, RangePushA, rangePushA),
    HOOK(CORE, RangePushW, rangePushW),
    HOOK(CORE, RangePop, rangePop),
};
const Hook Core2Hooks[] = {
    HOOK(CORE2, DomainMarkEx, domainMarkEx),
    HOOK(CORE2, DomainRangeStartEx, domainRangeStartEx),
    HOOK(CORE2, DomainRangeEnd, domainRangeEnd),
    HOOK(CORE2, DomainRangePushEx, domainRangePushEx),
    HOOK(CORE2, DomainRangePop, domainRangePop),
    HOOK(CORE2, DomainRegisterStringA, domainRegisterStringA),
    HOOK(CORE2, DomainRegisterStringW, domainRegisterStringW),
    HOOK(CORE2, DomainCreateA, domainCreateA),
    HOOK(CORE2, DomainCreateW, domainCreateW),
    HOOK(CORE2, DomainDestroy, domainDestroy),
};

/// The function table of one copy of NVTX: pointers to its function pointers.
struct Slots {
  NvtxFunctionTable At = nullptr;
  unsigned Size = 0;
  NvtxFunctionPointer Before[NVTX_CBID_CORE2_SIZE] = {};

  Slots(const NvtxExportTableCallbacks &Callbacks, NvtxCallbackModule Module) {
    if (!Callbacks.GetModuleFunctionTable(Module, &At, &Size) || !At)
      Size = 0;
    for (unsigned I = 1; I < Size && I < NVTX_CBID_CORE2_SIZE; ++I)
      Before[I] = At[I] ? *At[I] : nullptr;
  }

  template <size_t N> void hook(const Hook (&Hooks)[N], NvtxFunctionPointer *Others) const {
    for (const Hook &H : Hooks) {
      if (H.Id >= Size || !At[H.Id])
        continue;
      // An unchanged entry is NVTX's own function that loads the tool.
      if (*At[H.Id] != Before[H.Id])
        Others[H.Id] = *At[H.Id];
      *At[H.Id] = H.Function;
    }
  }
};
static_assert(+NVTX_CBID_CORE_SIZE <= +NVTX_CBID_CORE2_SIZE);

/// The library of the user's tool; null: there is none.
void *otherTool() {
  static void *Library;
  static uint32_t IsLoaded;
  if (__atomic_exchange_n(&IsLoaded, 1, __ATOMIC_ACQ_REL))
    return Library;
  const char *Path = seamscope::environment("SEAMSCOPE_NVTX_NEXT");
  if (!Path)
    return nullptr;
  Library = dlopen(Path, RTLD_LAZY);
  if (!Library)
    seamscope::warn("SEAMSCOPE_NVTX_NEXT: %s; only Seamscope receives NVTX ranges", dlerror());
  return Library;
}

template <typename F> F entryOfOther(const char *Name, F Own) {
  void *Library = otherTool();
  const auto Entry = Library ? reinterpret_cast<F>(dlsym(Library, Name)) : nullptr;
  return Entry == Own ? nullptr : Entry;
}

} // namespace

/// Each copy of NVTX in the process calls this at its first call. Returning 0 turns that copy off.
SEAMSCOPE_EXPORT int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t GetTable) {
  const auto *Callbacks =
      GetTable ? static_cast<const NvtxExportTableCallbacks *>(GetTable(NVTX_ETID_CALLBACKS))
               : nullptr;
  if (!Callbacks || Callbacks->struct_size < sizeof(*Callbacks) ||
      !Callbacks->GetModuleFunctionTable)
    return 0;
  watchThreads();
  const Slots Core(*Callbacks, NVTX_CB_MODULE_CORE), Core2(*Callbacks, NVTX_CB_MODULE_CORE2);
  // Its return value does not matter: functions that it did not set are not called.
  if (const auto Other = entryOfOther("InitializeInjectionNvtx2", &InitializeInjectionNvtx2))
    Other(GetTable);
  Core.hook(CoreHooks, OtherCore);
  Core2.hook(Core2Hooks, OtherCore2);
  return 1;
}

/// The same for NVTX's extensions, which are not recorded. Returns 1 so that ranges with a payload
/// still work. (The argument is an nvtxExtModuleInfo_t, for which CUDA 12 has no header.)
SEAMSCOPE_EXPORT int InitializeInjectionNvtxExtension(void *Module) {
  using Entry = int (*)(void *);
  if (const auto Other = entryOfOther<Entry>("InitializeInjectionNvtxExtension",
                                             &InitializeInjectionNvtxExtension))
    return Other(Module);
  return 1;
}
