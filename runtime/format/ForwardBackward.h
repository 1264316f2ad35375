//===- ForwardBackward.h - pairs forward and backward operators -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_FORWARDBACKWARD_H
#define SEAMSCOPE_FORMAT_FORWARDBACKWARD_H

#include "format/SpoolReader.h"

#include <cstdlib>
#include <cstring>

namespace seamscope::format {

/// Pairs forward and backward calls of one thread and sequence number, as Kineto does: the
/// innermost forward call, which begins last, and the backward call that ends first. Add backward
/// calls first, since only they need memory.
class ForwardBackward {
public:
  struct Key {
    uint64_t Thread; ///< the framework's number
    int64_t Sequence;
  };

  /// One end of a link.
  struct End {
    uint64_t Id = 0; ///< of the link, from 1; 0: the call is not an end of one
    bool IsForward = false;
  };

  ForwardBackward() = default;
  ~ForwardBackward() { free(Entries); }
  ForwardBackward(const ForwardBackward &) = delete;
  ForwardBackward &operator=(const ForwardBackward &) = delete;

  bool empty() const { return Used == 0; }

  /// Returns false if there is no memory.
  bool addBackward(Key K, const CallView &Call) {
    if (Used * 2 >= Slots && !grow())
      return false;
    Entry &E = *find(K);
    const uint64_t EndTick = Call.BeginTick + Call.DurationTicks;
    if (!E.Used) {
      E = {true, K, {0, 0}, {Call.BeginTick, Call.Thread}, EndTick};
      ++Used;
    } else if (EndTick < E.BackwardEnd) {
      E.Backward = {Call.BeginTick, Call.Thread};
      E.BackwardEnd = EndTick;
    }
    return true;
  }

  void addForward(Key K, const CallView &Call) {
    if (Entry &E = *find(K); E.Used && Call.BeginTick > E.Forward.BeginTick)
      E.Forward = {Call.BeginTick, Call.Thread};
  }

  End endAt(Key K, const CallView &Call) const {
    if (!Used)
      return {};
    const Entry &E = *find(K);
    if (!E.Used || !E.Forward.BeginTick)
      return {};
    const bool IsForward = !Call.ForwardThread;
    const Place &Where = IsForward ? E.Forward : E.Backward;
    if (Where.BeginTick != Call.BeginTick || Where.Thread != Call.Thread)
      return {};
    return {static_cast<uint64_t>(&E - Entries) + 1, IsForward};
  }

private:
  /// A thread's clock never shows the same tick twice, so the two identify a call.
  struct Place {
    uint64_t BeginTick;
    uint32_t Thread;
  };
  struct Entry {
    bool Used;
    Key Id;
    Place Forward, Backward;
    uint64_t BackwardEnd;
  };

  /// The key's entry, or the free entry where it belongs.
  Entry *find(Key K) const {
    uint64_t Hash =
        (K.Thread * 0x9e3779b97f4a7c15u ^ static_cast<uint64_t>(K.Sequence)) * 0xbf58476d1ce4e5b9u;
    for (Hash ^= Hash >> 31;; ++Hash) {
      Entry *E = Entries + (Hash & (Slots - 1));
      if (!E->Used || (E->Id.Thread == K.Thread && E->Id.Sequence == K.Sequence))
        return E;
    }
  }

  bool grow() {
    Entry *Old = Entries;
    const size_t OldSlots = Slots;
    const size_t NewSlots = Slots ? Slots * 2 : 1024;
    auto *New = static_cast<Entry *>(calloc(NewSlots, sizeof(Entry)));
    if (!New)
      return false;
    Entries = New;
    Slots = NewSlots;
    for (size_t I = 0; I < OldSlots; ++I)
      if (Old[I].Used)
        *find(Old[I].Id) = Old[I];
    free(Old);
    return true;
  }

  Entry *Entries = nullptr;
  size_t Slots = 0, Used = 0;
};

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_FORWARDBACKWARD_H
