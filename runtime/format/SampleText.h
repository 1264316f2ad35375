//===- SampleText.h - samples and switches, as text of a trace --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry of "seamscope_samples" (docs/formats.md): columns of numbers, most of
// them as differences to the number before.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_SAMPLETEXT_H
#define SEAMSCOPE_FORMAT_SAMPLETEXT_H

#include "format/JsonText.h"
#include "format/SampleFacts.h"

#include <string_view>

namespace seamscope::format {

constexpr const char *SamplesMember = "seamscope_samples";

/// "off", "on", "refused".
inline const char *sampleStateName(uint32_t State) {
  return State == SamplesOn ? "on" : State == SamplesRefused ? "refused" : "off";
}

inline void writeHex(JsonText &Out, const void *Bytes, size_t Size) {
  static constexpr char Digits[] = "0123456789abcdef";
  Out.raw("\"");
  for (size_t I = 0; I < Size; ++I) {
    const auto Byte = static_cast<const unsigned char *>(Bytes)[I];
    const char Two[2] = {Digits[Byte >> 4], Digits[Byte & 15]};
    Out.raw(Two, 2);
  }
  Out.raw("\"");
}

/// Writes `"Key":[...]` of the numbers that Each(Visit) visits.
template <typename EachT>
void writeColumn(JsonText &Out, const char *Key, bool IsDelta, const EachT &Each) {
  Out.raw("\"").raw(Key).raw("\":[");
  uint64_t Last = 0;
  bool Comma = false;
  Each([&](uint64_t Number) {
    // Addresses wrap.
    Out.raw(Comma ? "," : "").number(static_cast<int64_t>(Number - (IsDelta ? Last : 0)));
    Last = Number;
    Comma = true;
  });
  Out.raw("]");
}

/// \p Source has the functions of Sampling; \p Pid is JSON.
template <typename SourceT>
void writeSampling(JsonText &Out, const SourceT &Source, std::string_view Pid) {
  const SampleStatus &Status = Source.status();
  Out.raw("{\"format\":1,\"pid\":").raw(Pid.data(), Pid.size());
  Out.raw(",\"state\":\"").raw(sampleStateName(Status.State)).raw("\"");
  if (!Source.why().empty())
    Out.raw(",\"why\":").string(Source.why().data(), Source.why().size());
  Out.raw(",\"asked_rate\":").number(uint64_t{Status.AskedRate});
  Out.raw(",\"rate\":").number(uint64_t{Status.Rate});
  Out.raw(",\"sample_cost_ns\":").number(uint64_t{Status.SampleCostNs});
  Out.raw(",\"switch_cost_ns\":").number(uint64_t{Status.SwitchCostNs});
  Out.raw(",\"switches\":").number(Status.Switches);
  Out.raw(",\"lost\":").number(Status.Lost);
  Out.raw(",\"dropped\":").number(Status.Dropped);
  if (Status.State != SamplesOn) {
    Out.raw("}");
    return;
  }
  Out.raw(",\"begin_ns\":").number(Source.beginNs());
  Out.raw(",\"until_ns\":").number(Source.untilNs());
  const char *Comma = "";
  Out.raw(",\n\"threads\":[");
  Source.forEachThread([&](const SampledThreadFacts &Of) {
    Out.raw(Comma).raw("{\"tid\":").number(uint64_t{Of.Tid});
    Out.raw(",\"from_ns\":").number(Of.FromNs).raw(",\"to_ns\":").number(Of.ToNs);
    Out.raw(",\"name\":").string(Of.Name.data(), Of.Name.size()).raw("}");
    Comma = ",\n";
  });
  Comma = "";
  Out.raw("],\n\"modules\":[");
  Source.forEachModule([&](const ModuleFacts &Of) {
    Out.raw(Comma).raw("{\"path\":").string(Of.Path.data(), Of.Path.size());
    if (Of.BuildIdSize)
      writeHex(Out.raw(",\"build_id\":"), Of.BuildId, Of.BuildIdSize);
    Out.raw(",\"begin\":").number(static_cast<int64_t>(Of.Begin));
    Out.raw(",\"end\":").number(static_cast<int64_t>(Of.End));
    Out.raw(",\"offset\":").number(static_cast<int64_t>(Of.Offset));
    Out.raw(",\"from_ns\":").number(Of.FromNs).raw("}");
    Comma = ",\n";
  });
  Comma = "";
  Out.raw("],\n\"waits\":[");
  Source.forEachWait([&](const WaitFacts &Of) {
    Out.raw(Comma).raw("{\"id\":").number(uint64_t{Of.Id});
    Out.raw(",\"system_call\":").number(int64_t{Of.SystemCall}).raw(",\"arguments\":[");
    for (unsigned I = 0; I < 6; ++I)
      Out.raw(I ? "," : "").number(static_cast<int64_t>(Of.Arguments[I]));
    Out.raw("],\"sp\":").number(static_cast<int64_t>(Of.Sp));
    Out.raw(",\"pc\":").number(static_cast<int64_t>(Of.Pc)).raw(",\"stack\":");
    writeHex(Out, Of.Stack.data(), Of.Stack.size());
    Out.raw("}");
    Comma = ",\n";
  });
  Out.raw("],\n\"samples\":{");
  const auto SampleColumn = [&](const char *Key, auto Get) {
    writeColumn(Out, Key, true, [&](auto Visit) {
      Source.forEachSample([&](const SampleFacts &Of) { Visit(static_cast<uint64_t>(Get(Of))); });
    });
  };
  SampleColumn("tid", [](const SampleFacts &Of) { return Of.Tid; });
  Out.raw(",");
  SampleColumn("ns", [](const SampleFacts &Of) { return Of.Ns; });
  Out.raw(",");
  SampleColumn("address", [](const SampleFacts &Of) { return Of.Address; });
  Out.raw("},\n\"off\":{");
  const auto OffColumn = [&](const char *Key, bool IsDelta, auto Get) {
    writeColumn(Out, Key, IsDelta, [&](auto Visit) {
      Source.forEachOff([&](const OffFacts &Of) { Visit(static_cast<uint64_t>(Get(Of))); });
    });
  };
  OffColumn("tid", true, [](const OffFacts &Of) { return Of.Tid; });
  Out.raw(",");
  OffColumn("begin_ns", true, [](const OffFacts &Of) { return Of.BeginNs; });
  Out.raw(",");
  OffColumn("length_ns", false, [](const OffFacts &Of) { return Of.LengthNs; });
  Out.raw(",");
  OffColumn("off_ns", false, [](const OffFacts &Of) { return Of.OffNs; });
  Out.raw(",");
  OffColumn("kind", false, [](const OffFacts &Of) { return static_cast<uint8_t>(Of.Kind); });
  Out.raw(",");
  OffColumn("wait", false, [](const OffFacts &Of) { return Of.Wait; });
  Out.raw("}}");
}

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_SAMPLETEXT_H
