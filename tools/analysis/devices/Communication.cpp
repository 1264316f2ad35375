//===- Communication.cpp - the time in which ranks communicate ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/Communication.h"

#include "analysis/core/Cover.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace seamscope::tools {
namespace {

/// Device and process: one of them.
using Place = std::pair<int32_t, StringId>;

/// Devices come first.
bool isBefore(const Place &A, const Place &B) {
  return std::pair(A.first < 0, A) < std::pair(B.first < 0, B);
}

class Splitting {
public:
  Splitting(const Trace &Input, const std::vector<Collective> &Found)
      : Input(Input), Events(Input.Events), Found(Found) {}

  Communication run() {
    if (Found.empty())
      return {};
    addPlaces();
    addRows();
    return std::move(Result);
  }

private:
  const Site &siteOf(uint32_t Event) const { return Input.Sites[Events.Site[Event]]; }

  Place placeOf(uint32_t Event) const {
    const int32_t Device = siteOf(Event).Device;
    return {Device, Device < 0 ? Input.Tracks[Events.Track[Event]].Process : 0};
  }

  void addPlaces() {
    std::map<Place, Cover> Communicates, Computes;
    std::map<Place, CommunicationRow> Rows;
    std::vector<bool> IsCollective(Events.size());
    for (const Collective &Each : Found) {
      const Place At = placeOf(Each.Event);
      IsCollective[Each.Event] = true;
      Communicates[At].emplace_back(Events.BeginNs[Each.Event], Events.endNs(Each.Event));
      CommunicationRow &Row = Rows[At];
      ++Row.Calls;
      Row.SumNs += Events.DurationNs[Each.Event];
    }
    std::map<TrackId, std::pair<Cover, Cover>> Threads; // operators, and those of communication
    for (uint32_t I = 0; I < Events.size(); ++I) {
      const Site &What = siteOf(I);
      const std::pair Stretch(Events.BeginNs[I], Events.endNs(I));
      if (What.Kind == SiteKind::Kernel && What.Device >= 0 && !IsCollective[I] &&
          Rows.contains(placeOf(I))) {
        Computes[placeOf(I)].push_back(Stretch);
      } else if (isHostOperator(What) && Rows.contains(placeOf(I))) {
        auto &[All, Own] = Threads[Events.Track[I]];
        (isOfCommunication(Input.text(What.Name)) ? Own : All).push_back(Stretch);
      }
    }
    for (auto &[Track, Operators] : Threads) {
      const Cover Own =
          differenceOf(unionOf(std::move(Operators.first)), unionOf(std::move(Operators.second)));
      Cover &Of = Computes[{-1, Input.Tracks[Track].Process}];
      Of.insert(Of.end(), Own.begin(), Own.end());
    }
    for (auto &[At, Row] : Rows) {
      const Cover Busy = unionOf(std::move(Communicates[At]));
      const Cover Compute = unionOf(std::move(Computes[At]));
      Row.Device = At.first;
      Row.Process = At.second;
      Row.CommunicationNs = lengthOf(Busy);
      Row.OverlappedNs = lengthOf(intersectionOf(Busy, Compute));
      Row.ExposedNs = Row.CommunicationNs - Row.OverlappedNs;
      Row.ComputeNs = lengthOf(Compute);
      Result.Places.push_back(Row);
    }
    std::ranges::sort(Result.Places, isBefore,
                      [](const CommunicationRow &Row) { return Place(Row.Device, Row.Process); });
  }

  void addRows() {
    std::map<std::tuple<CollectiveKind, bool, std::optional<int64_t>, std::optional<int64_t>,
                        std::optional<int64_t>, StringId, bool>,
             std::vector<const Collective *>>
        Alike;
    for (const Collective &Each : Found)
      Alike[{Each.Kind, Each.OfHost, Each.sizeBytes(), Each.InBytes, Each.GroupSize, Each.Group,
             Each.EvenSplit}]
          .push_back(&Each);
    for (const auto &[Key, Calls] : Alike)
      Result.Rows.push_back(rowOf(Calls));
    std::ranges::stable_sort(Result.Rows, [](const CollectiveRow &A, const CollectiveRow &B) {
      return A.TotalNs > B.TotalNs;
    });
  }

  CollectiveRow rowOf(const std::vector<const Collective *> &Calls) const {
    const Collective &First = *Calls[0];
    CollectiveRow Row;
    Row.Kind = First.Kind;
    Row.OfHost = First.OfHost;
    Row.SizeBytes = First.sizeBytes();
    Row.InBytes = First.InBytes;
    Row.GroupSize = First.GroupSize;
    Row.Group = First.Group;
    Row.Calls = Calls.size();
    std::vector<int64_t> Ns;
    for (const Collective *Each : Calls) {
      Ns.push_back(Events.DurationNs[Each->Event]);
      Row.TotalNs += Ns.back();
    }
    std::ranges::sort(Ns);
    Row.MinNs = Ns.front();
    Row.MaxNs = Ns.back();
    Row.MedianNs = Ns[(Ns.size() - 1) / 2];
    int64_t Moved;
    if (Row.SizeBytes &&
        !__builtin_mul_overflow(*Row.SizeBytes, static_cast<int64_t>(Row.Calls), &Moved))
      Row.MovedBytes = Moved;
    if (!Row.MovedBytes || Row.TotalNs == 0)
      return Row;
    Row.AlgorithmGBs = static_cast<double>(Moved) / static_cast<double>(Row.TotalNs);
    if (const auto Factor = busFactor(Row.Kind, Row.GroupSize); Factor && First.EvenSplit)
      Row.BusGBs = *Row.AlgorithmGBs * *Factor;
    return Row;
  }

  const Trace &Input;
  const EventColumns &Events;
  const std::vector<Collective> &Found;
  Communication Result;
};

} // namespace

bool isOfCommunication(std::string_view Operator) {
  return Operator.starts_with("c10d::") || Operator.starts_with("_c10d_functional::") ||
         Operator.starts_with("c10d_functional::") || Operator.starts_with("record_param_comms");
}

Communication communication(const Trace &Input, const std::vector<Collective> &Found) {
  return Splitting(Input, Found).run();
}

} // namespace seamscope::tools
