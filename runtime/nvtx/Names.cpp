//===- Names.cpp - domains, registered strings and names of ranges --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are looked up without a lock, in tables that only grow. A text is looked up by its content,
// since the program may store another text at the same address.
//
//===----------------------------------------------------------------------===//
#include "nvtx/Names.h"

#include "seamscope/spans.h"

#include <cstring>

namespace seamscope::nvtx {

Domain DefaultDomain = {{nullptr}, 0, false, 0, ""};

namespace {

constexpr size_t MaxText = 4096;
constexpr char NoMessage[] = "[no message]";

Lock NamesLock;
uint32_t DomainCount = 1;
Domain *AllDomains[MaxDomains];

uint64_t mix(uint64_t Hash, uint64_t Word) {
  Hash = (Hash ^ Word) * 0x9E3779B97F4A7C15u;
  return Hash ^ (Hash >> 29);
}

uint64_t hashOf(uint64_t Hash, const char *Text, size_t Length) {
  uint64_t Word;
  for (; Length >= 8; Text += 8, Length -= 8) {
    memcpy(&Word, Text, 8);
    Hash = mix(Hash, Word);
  }
  Word = Length;
  for (size_t I = 0; I < Length; ++I)
    Word = Word << 8 | static_cast<unsigned char>(Text[I]);
  return mix(Hash, Word);
}

/// Pointers to T by hash. Readers need no lock; writers hold that of names. T has a member Hash.
template <typename T> class Table {
public:
  template <typename F> T *find(uint64_t Hash, F Matches) const {
    const Slots *S = __atomic_load_n(&Now, __ATOMIC_ACQUIRE);
    if (!S)
      return nullptr;
    for (uint64_t I = Hash;; ++I) {
      T *Found = __atomic_load_n(&S->At[I & S->Mask], __ATOMIC_ACQUIRE);
      if (!Found || (Found->Hash == Hash && Matches(*Found)))
        return Found;
    }
  }

  bool add(T *New) {
    if (!Now || Count * 2 > Now->Mask) {
      const uint64_t Size = Now ? (Now->Mask + 1) * 2 : 1024;
      auto *Grown = static_cast<Slots *>(pages(sizeof(Slots) + Size * sizeof(T *)));
      if (!Grown)
        return false;
      Grown->Mask = Size - 1;
      for (uint64_t I = 0; Now && I <= Now->Mask; ++I)
        if (Now->At[I])
          put(*Grown, Now->At[I]);
      __atomic_store_n(&Now, Grown, __ATOMIC_RELEASE);
    }
    put(*Now, New);
    ++Count;
    return true;
  }

private:
  struct Slots {
    uint64_t Mask;
    T *At[];
  };
  static void put(Slots &S, T *New) {
    uint64_t I = New->Hash;
    while (S.At[I & S.Mask])
      ++I;
    __atomic_store_n(&S.At[I & S.Mask], New, __ATOMIC_RELEASE);
  }
  Slots *Now;
  uint64_t Count;
};

struct Message {
  uint64_t Hash;
  const Domain *InDomain;
  uint32_t Site;
  uint32_t Length;
  char Text[];
};
Table<Message> Messages;

/// An object with a handle of the other tool.
struct Foreign {
  uint64_t Hash;
  const void *Key;
  bool IsString;
  const Handle *Object;
};
Table<Foreign> Foreigners;

uint64_t hashOf(const void *Key, bool IsString) {
  return mix(IsString, reinterpret_cast<uint64_t>(Key));
}

const Handle *foreign(const void *Key, bool IsString) {
  const Foreign *Found = Foreigners.find(hashOf(Key, IsString), [&](const Foreign &F) {
    return F.Key == Key && F.IsString == IsString;
  });
  return Found ? Found->Object : nullptr;
}

/// Whether the other tool returned any handle; if not, every handle is the object's address.
bool Chained;

bool addForeign(const Handle &Object, bool IsString) {
  if (Object.Other)
    __atomic_store_n(&Chained, true, __ATOMIC_RELEASE);
  // Under both keys: a thread may have got the address before the other tool returned a handle.
  const void *const Keys[] = {&Object, Object.Other};
  for (const void *Key : Keys) {
    if (!Key)
      continue;
    auto *New = static_cast<Foreign *>(keep(sizeof(Foreign)));
    if (!New)
      return false;
    *New = {hashOf(Key, IsString), Key, IsString, &Object};
    if (!Foreigners.add(New))
      return false;
  }
  return true;
}

/// Names the site DOMAIN:TEXT, as reports do for traces of nsys.
uint32_t newSite(const Domain &D, const char *Text, size_t Length) {
  char Name[MaxText + 1];
  size_t At = D.Length < MaxText - 1 ? D.Length : MaxText - 1;
  memcpy(Name, D.Name, At);
  if (At)
    Name[At++] = ':';
  if (!Length) {
    Text = NoMessage;
    Length = sizeof(NoMessage) - 1;
  }
  Length = Length < MaxText - At ? Length : MaxText - At;
  memcpy(Name + At, Text, Length);
  Name[At + Length] = 0;
  SeamscopeSpanSite Site = {};
  Site.kind = SEAMSCOPE_SITE_ANNOTATION;
  Site.name = Name;
  return seamscope_span_site(&Site);
}

__attribute__((noinline)) uint32_t addMessage(const Domain &D, const char *Text, size_t Length,
                                              uint64_t Hash) {
  const uint32_t Site = newSite(D, Text, Length);
  if (!Site || !NamesLock.tryLock())
    return Site;
  // Another thread may have added the same; it has the same site, and lookups find the older entry.
  if (auto *New = static_cast<Message *>(keep(sizeof(Message) + Length))) {
    New->Hash = Hash;
    New->InDomain = &D;
    New->Site = Site;
    New->Length = static_cast<uint32_t>(Length);
    memcpy(New->Text, Text, Length);
    Messages.add(New);
  }
  NamesLock.unlock();
  return Site;
}

} // namespace

Domain *makeDomain(const char *Name, const void *(*CreateOther)(const void *),
                   const void *Context) {
  const size_t Length = strnlen(Name, MaxText);
  if (!NamesLock.tryLock())
    return nullptr;
  Domain *Found = nullptr;
  for (uint32_t I = 1; I < DomainCount && !Found; ++I)
    if (AllDomains[I]->Length == Length && !memcmp(AllDomains[I]->Name, Name, Length))
      Found = AllDomains[I];
  if (Found) {
    NamesLock.unlock();
    return Found;
  }
  auto *New = static_cast<Domain *>(keep(sizeof(Domain)));
  char *Copy = static_cast<char *>(keep(Length + 1));
  if (!New || !Copy) {
    NamesLock.unlock();
    return nullptr;
  }
  memcpy(Copy, Name, Length);
  const bool HasRoom = DomainCount < MaxDomains;
  *New = {{nullptr},
          HasRoom ? DomainCount : MaxDomains,
          !strcmp(Copy, "seamscope"),
          static_cast<uint32_t>(Length),
          Copy};
  if (HasRoom)
    AllDomains[DomainCount++] = New;
  NamesLock.unlock();
  // The other tool may call back, so it is called without the lock. Threads that ask for the same
  // name meanwhile get the domain without the other tool's handle.
  New->Other = CreateOther(Context);
  NamesLock.lock();
  const bool Known = addForeign(*New, false);
  NamesLock.unlock();
  return Known ? New : nullptr;
}

Registered *makeString(const Domain &D, const char *Text, const void *Other) {
  const uint32_t Site = D.IsSeamscope ? 0 : siteOfText(D, Text);
  if (!NamesLock.tryLock())
    return nullptr;
  auto *New = static_cast<Registered *>(keep(sizeof(Registered)));
  if (New) {
    *New = {{Other}, Site};
    if (!addForeign(*New, true))
      New = nullptr;
  }
  NamesLock.unlock();
  return New;
}

const void *handleOf(const Handle &Object) { return Object.Other ? Object.Other : &Object; }

Domain &domainOf(const void *Handle) {
  if (!Handle)
    return DefaultDomain;
  if (!__atomic_load_n(&Chained, __ATOMIC_RELAXED))
    return *static_cast<Domain *>(const_cast<void *>(Handle));
  const auto *Found = static_cast<const Domain *>(foreign(Handle, false));
  return Found ? *const_cast<Domain *>(Found) : DefaultDomain;
}

const Registered *stringOf(const void *Handle) {
  if (!Handle)
    return nullptr;
  if (!__atomic_load_n(&Chained, __ATOMIC_RELAXED))
    return static_cast<const Registered *>(Handle);
  return static_cast<const Registered *>(foreign(Handle, true));
}

uint32_t siteOfText(const Domain &D, const char *Text) {
  Text = Text ? Text : "";
  const size_t Length = strnlen(Text, MaxText);
  const uint64_t Hash = hashOf(reinterpret_cast<uint64_t>(&D), Text, Length);
  const Message *Known = Messages.find(Hash, [&](const Message &M) {
    return M.InDomain == &D && M.Length == Length && !memcmp(M.Text, Text, Length);
  });
  return Known ? Known->Site : addMessage(D, Text, Length, Hash);
}

void narrow(const wchar_t *Text, char *To, size_t Size) {
  char *const End = To + Size - 1;
  for (; Text && *Text; ++Text) {
    auto C = static_cast<uint32_t>(*Text);
    if (C > 0x10FFFF || (C >= 0xD800 && C < 0xE000))
      C = 0xFFFD;
    const int More = C < 0x80 ? 0 : C < 0x800 ? 1 : C < 0x10000 ? 2 : 3;
    if (End - To < More + 1)
      break;
    constexpr unsigned char First[] = {0, 0xC0, 0xE0, 0xF0};
    *To++ = static_cast<char>(First[More] | C >> (6 * More));
    for (int I = More; I-- > 0;)
      *To++ = static_cast<char>(0x80 | (C >> (6 * I) & 0x3F));
  }
  *To = 0;
}

uint32_t siteOfText(const Domain &D, const wchar_t *Text) {
  char Narrow[MaxText + 1];
  narrow(Text, Narrow, sizeof(Narrow));
  return siteOfText(D, Narrow);
}

void lockNames() { NamesLock.lock(); }
void unlockNames() { NamesLock.unlock(); }

} // namespace seamscope::nvtx
