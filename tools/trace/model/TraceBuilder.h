//===- TraceBuilder.h - fills a trace from what a reader finds ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_TRACEBUILDER_H
#define SEAMSCOPE_TOOLS_TRACE_TRACEBUILDER_H

#include "trace/io/SeededHash.h"
#include "trace/model/Trace.h"

#include <map>
#include <string_view>
#include <unordered_map>

namespace seamscope::tools {

/// Adds events to a trace: gives equal sites and tracks one number each, and pairs begins with
/// ends.
class TraceBuilder {
public:
  /// One end of a call.
  struct Half {
    int64_t Ns;
    SiteId Site;
    TrackId Track;
    int32_t TeamThread;
    bool IsEnd;
    uint64_t Offset; ///< 0 unless offsets are kept
  };

  /// Whether equal sites are given one number. One whose parts another absorbs may leave that to
  /// it.
  explicit TraceBuilder(bool MergesSites = true) : MergesSites(MergesSites) {}

  StringTable &strings() { return Built.Strings; }
  TraceInfo &info() { return Built.Info; }

  /// The number of a site equal to \p What in everything; its kind is derived from its category and
  /// what else it says.
  SiteId site(Site What);

  SiteKind kind(SiteId Id) const { return Built.Sites[Id].Kind; }

  /// The number of the track; \p Process and \p Thread are the pid and tid as text.
  TrackId track(StringId Process, StringId Thread);

  /// Has the column EventColumns::Offset filled. To be called before any event is added.
  void keepOffsets(bool Keep) { KeepsOffsets = Keep; }
  /// Where the event to be added next stands in its file.
  void nextStandsAt(uint64_t Offset) { NextOffset = Offset; }

  // The functions below that return false have added nothing: a time lies more than 2^62 ns (146
  // years) from the origin, or the durations or calls would add up to 2^63 or more. Analyses need
  // not care for overflow thereafter.

  /// Adds a closed call. \p DurationNs must not be negative.
  [[nodiscard]] bool addCall(int64_t BeginNs, int64_t DurationNs, SiteId Site, TrackId Track,
                             int32_t TeamThread);

  /// Says that the call added last has this correlation.
  void correlate(int64_t Id) { Built.Correlations.push_back({lastEvent(), Id}); }

  /// Adds a detail of the call added last.
  template <typename DetailT> void add(DetailT Of) {
    Of.Event = lastEvent();
    Built.Details.of(&Of).push_back(Of);
  }

  /// Adds one end of a flow; false: as above.
  [[nodiscard]] bool addFlow(const FlowEnd &End);

  /// Adds a change of allocated memory; false: as above.
  [[nodiscard]] bool addMemory(const MemoryChange &Change);

  /// Adds an event that is not a call, where the next one stands.
  void addOther(OtherEvent Of) {
    Of.Offset = NextOffset;
    Built.Details.Others.push_back(Of);
  }

  /// Describes a device.
  void addDevice(int32_t Id, StringId Name, const SmLimits &Limits = {}) {
    Built.Devices.push_back({Id, Name, Limits});
  }

  /// Counts an event that is left out, and keeps the first ones.
  void skip(uint64_t Offset, std::string Reason);

  /// A state to go back to: events added since are forgotten. Names given to tracks stay.
  struct Mark {
    size_t Events, Correlations, Open, Halves;
    std::vector<size_t> Details;
    uint64_t Skipped;
    int64_t SumNs, SumCalls;
  };
  Mark mark();
  void goBack(const Mark &To);

  /// Adds half a call: finish() pairs it with its other half on the same track.
  [[nodiscard]] bool addBegin(int64_t Ns, SiteId Site, TrackId Track, int32_t TeamThread);
  [[nodiscard]] bool addEnd(int64_t Ns, TrackId Track);

  /// Adds a call that was open when the recording ended, \p DurationNs after its begin.
  [[nodiscard]] bool addOpen(int64_t BeginNs, int64_t DurationNs, SiteId Site, TrackId Track,
                             int32_t TeamThread);

  /// The same where the trace does not say when the recording ended: finish() lets it last until
  /// the last end of any call of its process.
  [[nodiscard]] bool addOpen(int64_t BeginNs, SiteId Site, TrackId Track, int32_t TeamThread);

  /// Adds a row of mode `profile`; its numbers must not be negative.
  [[nodiscard]] bool addProfile(ProfileRow Row);

  /// Adds calls that were not timed, to those of the same site and thread that are there; no number
  /// may be negative.
  [[nodiscard]] bool addThrottled(const ThrottledCalls &Calls);

  /// Calls left without an exit, of the sites that have this name; finish() finds the site.
  [[nodiscard]] bool addAbandoned(StringId Name, uint64_t Calls);

  /// Says of the sites that are \p What, but for their operators, what these are (GroupText.h).
  void addGroup(const Site &What, std::string_view Ops);

  void nameThread(TrackId Track, StringId Name) {
    Built.Tracks[Track].ThreadName = Name;
    ThreadNames.emplace_back(Track, Name);
  }
  Process &process(StringId Pid);

  /// A sentence for the user about something odd in the input.
  void note(std::string Sentence) { Built.Info.Notes.push_back(std::move(Sentence)); }

  /// What was added since the last take(), in numbers of this builder's own tables, with what is
  /// new in these.
  struct Part {
    EventColumns Events;
    std::vector<Correlation> Correlations;
    std::vector<OpenCall> Open;
    EventDetails Details;
    std::vector<Half> Halves;
    std::vector<SkippedEvent> Skipped;
    uint64_t SkippedEvents = 0;
    int64_t SumNs = 0;
    bool TooMuch = false; ///< calls were refused because durations added up too far
    std::vector<std::string_view> Strings; ///< of the builder, which must live
    std::vector<Site> Sites;
    std::vector<Track> Tracks;
    std::vector<std::pair<TrackId, StringId>> ThreadNames;
    std::vector<Process> Processes;
  };
  /// Hands over what was added and forgets it; the tables stay.
  Part take();

  /// Adds a part of another builder, whose earlier parts were added with the same \p Numbers.
  /// False: durations add up too far. Then its tables were added but none of its events: which of
  /// them fit shows when they are added one by one.
  [[nodiscard]] bool absorb(Part &&Added, Numbering &Numbers);

  /// Makes room for \p Times as much as was added so far, without touching it.
  void reserve(double Times);
  size_t events() const { return Built.Events.size(); }

  /// Pairs begins with ends, resolves what was left open, sees to it that the kernel of each region
  /// is a site, and hands the trace over.
  Trace finish();

private:
  struct Taken {
    size_t Strings = 0, Sites = 0, Tracks = 0;
  };
  struct SiteHash {
    size_t operator()(const Site &What) const;
  };

  uint32_t lastEvent() const { return static_cast<uint32_t>(Built.Events.size() - 1); }
  bool countIn(int64_t DurationNs, uint64_t Calls);
  void pairHalves();
  void endOpenCalls();
  void placeAbandoned();
  void placeGroups();
  void completeKernels();

  const bool MergesSites;
  Trace Built;
  Taken Gone;
  bool KeepsOffsets = false;
  uint64_t NextOffset = 0;
  int64_t SumNs = 0;
  int64_t SumCalls = 0;
  bool TooMuch = false; ///< since the last take()
  std::vector<Half> Halves;
  std::vector<Half> WithoutEnd; ///< begins of open calls whose length is unknown
  std::vector<std::pair<TrackId, StringId>> ThreadNames; ///< since the last take(), in order
  std::unordered_map<Site, SiteId, SiteHash> SiteIds;
  std::unordered_map<uint64_t, TrackId, SeededHash> TrackIds;
  std::unordered_map<StringId, size_t> ProcessIndices;
  std::unordered_map<StringId, uint64_t> AbandonedByName;
  std::map<std::pair<SiteId, TrackId>, uint32_t> ThrottledByPlace; ///< index of Trace::Throttled
  std::vector<Site> Groups;                                        ///< without a kind
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_TRACEBUILDER_H
