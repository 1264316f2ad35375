//===- Injection.cpp - other people's NVTX ranges, in our trace -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX is a header: each library that includes it has its own table of functions, and loads the
// tool that NVTX_INJECTION64_PATH names at its first call. This is such a tool. Where the user had
// another one it is loaded first and fills the table; ours go on top and call what stood there. So
// both see each range, and what is not hooked here is the other tool's alone.
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

/// The functions of the tool that was configured before, as it left them; null: it has none.
NvtxFunctionPointer TheirCore[NVTX_CBID_CORE_SIZE], TheirCore2[NVTX_CBID_CORE2_SIZE];

template <typename F> F theirs(const NvtxFunctionPointer *Of, uint32_t Id) {
  return reinterpret_cast<F>(Of[Id]);
}
#define THEIR_CORE(Name) theirs<nvtx##Name##_impl_fntype>(TheirCore, NVTX_CBID_CORE_##Name)
#define THEIR_CORE2(Name) theirs<nvtx##Name##_impl_fntype>(TheirCore2, NVTX_CBID_CORE2_##Name)

/// The parts that both versions of the attributes have.
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

/// An event as the other tool is to see it: a string that it gave no handle for is none of its own.
class TheirEvent {
public:
  explicit TheirEvent(const nvtxEventAttributes_t *Event) : Shown(Event) {
    if (!hasMessage(Event) || Event->messageType != NVTX_MESSAGE_TYPE_REGISTERED)
      return;
    const Registered *Known = stringOf(Event->message.registered);
    if (!Known || Known->Theirs || Event->size > sizeof(Copy))
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

nvtxDomainHandle_t theirHandle(const Domain &D, nvtxDomainHandle_t Given) {
  return &D == &DefaultDomain ? Given
                              : static_cast<nvtxDomainHandle_t>(const_cast<void *>(D.Theirs));
}

// The level that the program gets is the other tool's where it has one.

int rangePushA(const char *Text) {
  const auto Their = THEIR_CORE(RangePushA);
  const int Level = Their ? Their(Text) : 0;
  const int Ours = push(DefaultDomain, siteOfText(DefaultDomain, Text));
  return Their ? Level : Ours;
}
int rangePushW(const wchar_t *Text) {
  const auto Their = THEIR_CORE(RangePushW);
  const int Level = Their ? Their(Text) : 0;
  const int Ours = push(DefaultDomain, siteOfText(DefaultDomain, Text));
  return Their ? Level : Ours;
}
int rangePushEx(const nvtxEventAttributes_t *Event) {
  const auto Their = THEIR_CORE(RangePushEx);
  const int Level = Their ? Their(TheirEvent(Event)) : 0;
  const int Ours = push(DefaultDomain, siteOfEvent(DefaultDomain, Event));
  return Their ? Level : Ours;
}
int rangePop() {
  const int Ours = pop(DefaultDomain);
  const auto Their = THEIR_CORE(RangePop);
  return Their ? Their() : Ours;
}

nvtxRangeId_t rangeStartA(const char *Text) {
  const auto Their = THEIR_CORE(RangeStartA);
  return start(siteOfText(DefaultDomain, Text), Their ? Their(Text) : 0);
}
nvtxRangeId_t rangeStartW(const wchar_t *Text) {
  const auto Their = THEIR_CORE(RangeStartW);
  return start(siteOfText(DefaultDomain, Text), Their ? Their(Text) : 0);
}
nvtxRangeId_t rangeStartEx(const nvtxEventAttributes_t *Event) {
  const auto Their = THEIR_CORE(RangeStartEx);
  return start(siteOfEvent(DefaultDomain, Event), Their ? Their(TheirEvent(Event)) : 0);
}
void rangeEnd(nvtxRangeId_t Id) {
  end(Id);
  if (const auto Their = THEIR_CORE(RangeEnd))
    Their(Id);
}

void markA(const char *Text) {
  if (const auto Their = THEIR_CORE(MarkA))
    Their(Text);
  mark(siteOfText(DefaultDomain, Text));
}
void markW(const wchar_t *Text) {
  if (const auto Their = THEIR_CORE(MarkW))
    Their(Text);
  mark(siteOfText(DefaultDomain, Text));
}
void markEx(const nvtxEventAttributes_t *Event) {
  if (const auto Their = THEIR_CORE(MarkEx))
    Their(TheirEvent(Event));
  mark(siteOfEvent(DefaultDomain, Event));
}

int domainRangePushEx(nvtxDomainHandle_t Handle, const nvtxEventAttributes_t *Event) {
  const Domain &D = domainOf(Handle);
  const auto Their = THEIR_CORE2(DomainRangePushEx);
  const int Level = Their ? Their(theirHandle(D, Handle), TheirEvent(Event)) : 0;
  const int Ours = D.IsOurs ? -2 : push(D, siteOfEvent(D, Event));
  return Their ? Level : Ours;
}
int domainRangePop(nvtxDomainHandle_t Handle) {
  const Domain &D = domainOf(Handle);
  const int Ours = D.IsOurs ? -2 : pop(D);
  const auto Their = THEIR_CORE2(DomainRangePop);
  return Their ? Their(theirHandle(D, Handle)) : Ours;
}
nvtxRangeId_t domainRangeStartEx(nvtxDomainHandle_t Handle, const nvtxEventAttributes_t *Event) {
  const Domain &D = domainOf(Handle);
  const auto Their = THEIR_CORE2(DomainRangeStartEx);
  const nvtxRangeId_t Id = Their ? Their(theirHandle(D, Handle), TheirEvent(Event)) : 0;
  return D.IsOurs ? Id : start(siteOfEvent(D, Event), Id);
}
void domainRangeEnd(nvtxDomainHandle_t Handle, nvtxRangeId_t Id) {
  end(Id);
  if (const auto Their = THEIR_CORE2(DomainRangeEnd))
    Their(theirHandle(domainOf(Handle), Handle), Id);
}
void domainMarkEx(nvtxDomainHandle_t Handle, const nvtxEventAttributes_t *Event) {
  const Domain &D = domainOf(Handle);
  if (const auto Their = THEIR_CORE2(DomainMarkEx))
    Their(theirHandle(D, Handle), TheirEvent(Event));
  if (!D.IsOurs)
    mark(siteOfEvent(D, Event));
}

nvtxDomainHandle_t handleTo(const Domain *D) {
  return D ? static_cast<nvtxDomainHandle_t>(const_cast<void *>(handleOf(*D))) : nullptr;
}
nvtxDomainHandle_t domainCreateA(const char *Name) {
  return handleTo(makeDomain(
      Name ? Name : "",
      [](const void *Text) -> const void * {
        const auto Their = THEIR_CORE2(DomainCreateA);
        return Their ? Their(static_cast<const char *>(Text)) : nullptr;
      },
      Name));
}
nvtxDomainHandle_t domainCreateW(const wchar_t *Name) {
  char Narrow[4097];
  narrow(Name, Narrow, sizeof(Narrow));
  return handleTo(makeDomain(
      Narrow,
      [](const void *Text) -> const void * {
        const auto Their = THEIR_CORE2(DomainCreateW);
        return Their ? Their(static_cast<const wchar_t *>(Text)) : nullptr;
      },
      Name));
}
/// Equal names are one domain, which another part of the program may still use.
void domainDestroy(nvtxDomainHandle_t) {}

nvtxStringHandle_t handleTo(const Registered *String) {
  return String ? static_cast<nvtxStringHandle_t>(const_cast<void *>(handleOf(*String))) : nullptr;
}
nvtxStringHandle_t domainRegisterStringA(nvtxDomainHandle_t Handle, const char *Text) {
  const Domain &D = domainOf(Handle);
  const auto Their = THEIR_CORE2(DomainRegisterStringA);
  return handleTo(makeString(D, Text, Their ? Their(theirHandle(D, Handle), Text) : nullptr));
}
nvtxStringHandle_t domainRegisterStringW(nvtxDomainHandle_t Handle, const wchar_t *Text) {
  const Domain &D = domainOf(Handle);
  const auto Their = THEIR_CORE2(DomainRegisterStringW);
  char Narrow[4097];
  narrow(Text, Narrow, sizeof(Narrow));
  return handleTo(makeString(D, Narrow, Their ? Their(theirHandle(D, Handle), Text) : nullptr));
}

struct Hook {
  uint32_t Id;
  NvtxFunctionPointer Ours;
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

/// The table of one copy of NVTX: pointers to where its functions' pointers stand.
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

  template <size_t N> void hook(const Hook (&Hooks)[N], NvtxFunctionPointer *Theirs) const {
    for (const Hook &H : Hooks) {
      if (H.Id >= Size || !At[H.Id])
        continue;
      // What nobody set stands at what loads the tool.
      if (*At[H.Id] != Before[H.Id])
        Theirs[H.Id] = *At[H.Id];
      *At[H.Id] = H.Ours;
    }
  }
};
static_assert(+NVTX_CBID_CORE_SIZE <= +NVTX_CBID_CORE2_SIZE);

/// The library of the tool that was configured before this one; null: there was none.
void *otherTool() {
  static void *Library;
  static uint32_t Looked;
  if (__atomic_exchange_n(&Looked, 1, __ATOMIC_ACQ_REL))
    return Library;
  const char *Path = seamscope::environment("SEAMSCOPE_NVTX_NEXT");
  if (!Path)
    return nullptr;
  Library = dlopen(Path, RTLD_LAZY);
  if (!Library)
    seamscope::warn("SEAMSCOPE_NVTX_NEXT: %s; NVTX ranges go to Seamscope alone", dlerror());
  return Library;
}

template <typename F> F entryOfOther(const char *Name, F Own) {
  void *Library = otherTool();
  const auto Entry = Library ? reinterpret_cast<F>(dlsym(Library, Name)) : nullptr;
  return Entry == Own ? nullptr : Entry;
}

} // namespace

/// Called by each copy of NVTX in the process at its first call. 0 has it do nothing from then on.
SEAMSCOPE_EXPORT int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t GetTable) {
  const auto *Callbacks =
      GetTable ? static_cast<const NvtxExportTableCallbacks *>(GetTable(NVTX_ETID_CALLBACKS))
               : nullptr;
  if (!Callbacks || Callbacks->struct_size < sizeof(*Callbacks) ||
      !Callbacks->GetModuleFunctionTable)
    return 0;
  watchThreads();
  const Slots Core(*Callbacks, NVTX_CB_MODULE_CORE), Core2(*Callbacks, NVTX_CB_MODULE_CORE2);
  // Its answer does not matter: what it did not set is not called.
  if (const auto Their = entryOfOther("InitializeInjectionNvtx2", &InitializeInjectionNvtx2))
    Their(GetTable);
  Core.hook(CoreHooks, TheirCore);
  Core2.hook(Core2Hooks, TheirCore2);
  return 1;
}

/// The same for NVTX's extensions, of which nothing is recorded: 1 leaves the core to work with
/// what a payload is attached to. (The argument is an nvtxExtModuleInfo_t, which CUDA 12 has no
/// header of.)
SEAMSCOPE_EXPORT int InitializeInjectionNvtxExtension(void *Module) {
  using Entry = int (*)(void *);
  if (const auto Their = entryOfOther<Entry>("InitializeInjectionNvtxExtension",
                                             &InitializeInjectionNvtxExtension))
    return Their(Module);
  return 1;
}
