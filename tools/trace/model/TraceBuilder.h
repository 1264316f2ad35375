//===- TraceBuilder.h - fills a trace from what a reader finds ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_TRACEBUILDER_H
#define SEAMSCOPE_TOOLS_TRACE_TRACEBUILDER_H

#include "trace/io/SeededHash.h"
#include "trace/model/SampleBuilder.h"
#include "trace/model/SlotTable.h"
#include "trace/model/Trace.h"

#include <map>
#include <string_view>
#include <unordered_map>

namespace seamscope::tools {

/// Adds events to a trace: equal sites and tracks get one number, and begins are paired with ends.
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

  /// Whether equal sites get one number. A builder whose parts another absorbs may leave that to
  /// it.
  explicit TraceBuilder(bool MergesSites = true) : MergesSites(MergesSites) {}

  StringTable &strings() { return Built.Strings; }
  SampleBuilder &samples() { return Samples; }
  TraceInfo &info() { return Built.Info; }

  /// The number of a site equal to \p What in everything; its kind is derived from its category and
  /// other fields.
  SiteId site(Site What);

  SiteKind kind(SiteId Id) const { return Built.Sites[Id].Kind; }

  /// The number of the track; \p Process and \p Thread are the pid and tid as text.
  TrackId track(StringId Process, StringId Thread);

  /// Makes it fill the column EventColumns::Offset. Must be called before any event is added.
  void keepOffsets(bool Keep) { KeepsOffsets = Keep; }
  /// The position in the file of the event to be added next.
  void nextStandsAt(uint64_t Offset) { NextOffset = Offset; }

  // A function below that returns false has added nothing: a time is more than 2^62 ns (146 years)
  // from the origin, or the durations or calls would add up to 2^63 or more. Therefore analyses
  // need not check for overflow.

  /// Adds a closed call. \p DurationNs must not be negative.
  [[nodiscard]] bool addCall(int64_t BeginNs, int64_t DurationNs, SiteId Site, TrackId Track,
                             int32_t TeamThread);

  /// Gives the last added call this correlation.
  void correlate(int64_t Id) { Built.Correlations.push_back({lastEvent(), Id}); }

  /// Adds a detail of the last added call.
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

  /// A state to return to: events added since then are forgotten, but names given to tracks stay.
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

  /// The same if the trace does not say when the recording ended: finish() lets the call last until
  /// the last end of any call of its process.
  [[nodiscard]] bool addOpen(int64_t BeginNs, SiteId Site, TrackId Track, int32_t TeamThread);

  /// Adds a row of mode `profile`; its numbers must not be negative.
  [[nodiscard]] bool addProfile(ProfileRow Row);

  /// Adds untimed calls to those of the same site and thread; no number may be negative.
  [[nodiscard]] bool addThrottled(const ThrottledCalls &Calls);

  /// Adds counters to those of the same function. Returns false where the sums would overflow.
  [[nodiscard]] bool addWork(CountedWork Work);

  /// Calls of the site with this name that did not end normally; finish() finds the site.
  [[nodiscard]] bool addAbandoned(StringId Name, uint64_t Calls);

  /// Sets the operators of the sites that equal \p What in everything else (GroupText.h).
  void addGroup(const Site &What, std::string_view Ops);

  void nameThread(TrackId Track, StringId Name) {
    Built.Tracks[Track].ThreadName = Name;
    ThreadNames.emplace_back(Track, Name);
  }
  bool isNamed(TrackId Track) const { return Built.Tracks[Track].ThreadName != 0; }
  Process &process(StringId Pid);

  /// A sentence for the user about something odd in the input.
  void note(std::string Sentence) { Built.Info.Notes.push_back(std::move(Sentence)); }

  /// What was added since the last take(), with numbers of this builder's own tables, and what is
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
    bool TooMuch = false; ///< calls were refused because the durations add up to too much
    std::vector<std::string_view> Strings; ///< of the builder, which must live
    std::vector<Site> Sites;
    std::vector<Track> Tracks;
    std::vector<std::pair<TrackId, StringId>> ThreadNames;
    std::vector<Process> Processes;
  };
  /// Returns what was added and forgets it; the tables stay.
  Part take();

  /// Adds a part of another builder, whose earlier parts were added with the same \p Numbers.
  /// False: durations add up to too much; then its tables were added but none of its events. Adding
  /// these one by one shows which fit.
  [[nodiscard]] bool absorb(Part &&Added, Numbering &Numbers);

  /// Reserves room for \p Times as much as was added so far, without touching it.
  void reserve(double Times);
  size_t events() const { return Built.Events.size(); }

  /// Pairs begins with ends, resolves calls left open, makes sure that the kernel of each region is
  /// a site, and returns the trace.
  Trace finish();

private:
  /// Kernels are named as the pass names them, whoever wrote the trace.
  SiteId addSite(Site What);
  SiteId mergedSite(const Site &What, uint64_t Hash);
  struct Taken {
    size_t Strings = 0, Sites = 0, Tracks = 0;
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
  SampleBuilder Samples;
  Taken Gone;
  bool KeepsOffsets = false;
  uint64_t NextOffset = 0;
  int64_t SumNs = 0;
  int64_t SumCalls = 0;
  bool TooMuch = false; ///< since the last take()
  std::vector<Half> Halves;
  std::vector<Half> WithoutEnd; ///< begins of open calls whose length is unknown
  std::vector<std::pair<TrackId, StringId>> ThreadNames; ///< since the last take(), in order
  SlotTable SiteIds;                                     ///< of sites as they were given
  std::vector<Site> GivenSites;                          ///< by number
  std::unordered_map<uint64_t, TrackId, SeededHash> TrackIds;
  std::unordered_map<StringId, size_t> ProcessIndices;
  std::unordered_map<StringId, uint64_t> AbandonedByName;
  std::map<std::pair<SiteId, TrackId>, uint32_t> ThrottledByPlace; ///< index of Trace::Throttled
  std::vector<Site> Groups;                                        ///< without a kind
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_TRACEBUILDER_H
