//===- TestSpool.h - spools for the tests -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_UNIT_TOOLS_TESTSPOOL_H
#define SEAMSCOPE_TEST_UNIT_TOOLS_TESTSPOOL_H

#include "TestFile.h"
#include "format/DeviceEntry.h"
#include "seamscope/abi.h"
#include "trace/spool/ReadSpool.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

using namespace format;

/// A spool made by hand, of a clock of 1 GHz that begins at tick 1000: ns are ticks less 1000.
class Spool {
public:
  Spool() {
    Bytes.resize(HeaderBytes);
    SpoolHeader &H = header();
    std::memcpy(H.Magic, SpoolMagic, sizeof(SpoolMagic));
    H.Version = SpoolVersion;
    H.HeaderSize = sizeof(SpoolHeader);
    H.BlockSize = BlockBytes;
    H.Clock = ClockSource::Tsc;
    H.Mode = 2;
    H.Pid = 42;
    H.Rank = H.WorldSize = -1;
    H.First = {1000, 5000, 1700000000000000000u, 10};
    H.Last[0] = {1000 + 1000000000, 5000 + 1000000000, 1700000001000000000u, 10};
    std::strcpy(H.ProcessName, "demo");
    std::strcpy(H.CommandLine, "demo --fast");
    // A name without an end.
    std::memset(H.HostName, 'h', sizeof(H.HostName));
  }

  SpoolHeader &header() { return *reinterpret_cast<SpoolHeader *>(Bytes.data()); }

  /// Adds a block that begins with \p Content.
  template <typename T> void add(BlockKind Kind, const std::vector<T> &Content) {
    const size_t Begin = Bytes.size();
    Bytes.resize(Begin + BlockBytes);
    BlockHeader Head{};
    Head.Kind = Kind;
    std::memcpy(Bytes.data() + Begin, &Head, sizeof(Head));
    std::memcpy(Bytes.data() + Begin + sizeof(Head), Content.data(), Content.size() * sizeof(T));
    ++header().BlocksClaimed;
  }

  void addSites() { add(BlockKind::Sites, Sites); }

  void site(uint32_t Id, uint32_t Kind, const std::string &Name, const std::string &Kernel,
            const std::vector<std::pair<uint32_t SiteEntry::*, std::string>> &Texts = {}) {
    SiteEntry Entry{};
    std::string Text;
    const auto Add = [&](uint32_t SiteEntry::*Field, const std::string &Value) {
      Entry.*Field = static_cast<uint32_t>(sizeof(Entry) + Text.size());
      Text += Value + '\0';
    };
    Add(&SiteEntry::Name, Name);
    Entry.LinkageName = Entry.Name;
    Add(&SiteEntry::Kernel, Kernel);
    for (const auto &[Field, Value] : Texts)
      Add(Field, Value);
    Entry.Size = static_cast<uint32_t>((sizeof(Entry) + Text.size() + 7) / 8 * 8);
    Text.resize(Entry.Size - sizeof(Entry));
    Entry.Id = Id;
    Entry.Kind = Kind;
    Entry.Line = 7;
    const auto *From = reinterpret_cast<const char *>(&Entry);
    Sites.insert(Sites.end(), From, From + sizeof(Entry));
    Sites.insert(Sites.end(), Text.begin(), Text.end());
  }

  /// Adds an entry about devices, to be put into the spool by addDevices().
  template <typename T> void device(T Entry, DeviceEntryKind Kind) {
    Entry.Head = {sizeof(T), Kind};
    const auto *From = reinterpret_cast<const char *>(&Entry);
    Devices.insert(Devices.end(), From, From + sizeof(T));
  }
  void deviceText(uint32_t Id, std::string Text) {
    Text.resize((Text.size() + 8) / 8 * 8);
    const DeviceText Entry = {
        {static_cast<uint32_t>(sizeof(DeviceText) + Text.size()), DeviceEntryKind::Text}, Id, 0};
    const auto *From = reinterpret_cast<const char *>(&Entry);
    Devices.insert(Devices.end(), From, From + sizeof(Entry));
    Devices.insert(Devices.end(), Text.begin(), Text.end());
  }
  void addDevices() { add(BlockKind::Device, Devices); }

  /// Adds an entry about samples, to be put into the spool by addSampling().
  template <typename T> void sampling(T Entry, SamplingEntryKind Kind, std::string Rest = {}) {
    if (Kind == SamplingEntryKind::Module)
      Rest += '\0';
    Rest.resize((Rest.size() + 7) / 8 * 8);
    Entry.Head = {static_cast<uint32_t>(sizeof(T) + Rest.size()), Kind};
    const auto *From = reinterpret_cast<const char *>(&Entry);
    SamplingEntries.insert(SamplingEntries.end(), From, From + sizeof(T));
    SamplingEntries.insert(SamplingEntries.end(), Rest.begin(), Rest.end());
  }
  void addSampling() { add(BlockKind::Sampling, SamplingEntries); }

  std::string bytes() const { return Bytes; }

private:
  std::string Bytes;
  std::vector<char> Sites, Devices, SamplingEntries;
};

/// Two kernels, a region, a scope, one thread.
inline Spool someSpool() {
  Spool S;
  S.site(1, SEAMSCOPE_SITE_KERNEL, "plain", "plain");
  S.site(2, SEAMSCOPE_SITE_REGION, "plain [parallel]", "plain");
  S.site(3, SEAMSCOPE_SITE_SCOPE, "part", "");
  S.addSites();
  ThreadEntry Thread{};
  Thread.Tid = 42;
  S.add(BlockKind::Threads, std::vector{Thread});
  return S;
}

inline std::unique_ptr<SpoolFile> opened(const Spool &S) {
  const TestFolder Folder;
  auto File = SpoolFile::open(Folder.file("a.spool", S.bytes()));
  EXPECT_TRUE(File) << File.error().message();
  return std::move(*File);
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TEST_UNIT_TOOLS_TESTSPOOL_H
