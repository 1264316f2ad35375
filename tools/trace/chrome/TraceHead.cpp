//===- TraceHead.cpp - what stands before a JSON trace's events -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/TraceHead.h"

#include "trace/chrome/TraceFrame.h"
#include "trace/io/JsonParse.h"

namespace seamscope::tools {
namespace {

class HeadReader final : TraceFrame {
public:
  HeadReader(ByteSource &Source, const std::string &Path, InlinedKernels &To)
      : TraceFrame(Source, Path), To(To) {}

  void run() { walk(); }

private:
  void readMember(const std::string &Key, const std::string &) override {
    constexpr size_t MemberLimit = 64 << 20;
    std::string Json;
    if (!Cursor.value(Key == "seamscope" ? &Json : nullptr, MemberLimit))
      return cutOff();
    if (!Json.empty())
      addInlinedKernels(parseJson(Json), To);
  }

  void readEvents() override { fail("the events are not read"); }

  InlinedKernels &To;
};

} // namespace

void addInlinedKernels(const nlohmann::json &Ours, InlinedKernels &To) {
  if (!Ours.is_object())
    return;
  const auto Text = [](const nlohmann::json &Entry, const char *Key) {
    const auto It = Entry.find(Key);
    return It != Entry.end() && It->is_string() ? It->get<std::string>() : std::string();
  };
  const auto Number = [](const nlohmann::json &Entry, const char *Key) {
    const auto It = Entry.find(Key);
    return It != Entry.end() && It->is_number_unsigned() ? It->get<uint64_t>() : 0;
  };
  if (const auto It = Ours.find("inlined"); It != Ours.end() && It->is_array())
    for (const nlohmann::json &Entry : *It)
      if (Entry.is_object())
        To.add(Text(Entry, "name"), Text(Entry, "file"),
               static_cast<int64_t>(Number(Entry, "line") & INT32_MAX));
  To.addUnnamed(Number(Ours, "inlined_more"));
}

void addInlinedKernelsOf(const std::string &Path, InlinedKernels &To) {
  if (auto Source = ByteSource::openRegular(Path))
    HeadReader(**Source, Path, To).run();
}

} // namespace seamscope::tools
