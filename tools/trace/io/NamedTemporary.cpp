//===- NamedTemporary.cpp - a file's temporary name -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/NamedTemporary.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <mutex>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Names that a signal removes; null: free. If more exist, the rest are not removed.
std::array<std::atomic<const char *>, 16> Doomed;

constexpr int Endings[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGALRM};

void removeAndEnd(int Signal) {
  for (const auto &Each : Doomed)
    if (const char *Name = Each.load())
      unlink(Name);
  signal(Signal, SIG_DFL);
  raise(Signal);
}

/// Signals that are ignored or have another handler stay so.
void watchEndings() {
  for (const int Each : Endings) {
    struct sigaction Old;
    if (sigaction(Each, nullptr, &Old) || Old.sa_handler != SIG_DFL)
      continue;
    struct sigaction New{};
    New.sa_handler = removeAndEnd;
    sigaction(Each, &New, nullptr);
  }
}

/// Termination signals wait, in this thread.
class EndingsBlocked {
public:
  EndingsBlocked() {
    sigset_t Set;
    sigemptyset(&Set);
    for (const int Each : Endings)
      sigaddset(&Set, Each);
    pthread_sigmask(SIG_BLOCK, &Set, &Old);
  }
  ~EndingsBlocked() { pthread_sigmask(SIG_SETMASK, &Old, nullptr); }
  EndingsBlocked(const EndingsBlocked &) = delete;
  EndingsBlocked &operator=(const EndingsBlocked &) = delete;

private:
  sigset_t Old;
};

/// A different name for each \p Try, short enough for any file system however long \p Target's name
/// is.
std::string nameBeside(const std::string &Target, unsigned Try) {
  constexpr size_t LongestName = 240;
  const size_t Folder = Target.rfind('/') + 1;
  timespec Now{};
  clock_gettime(CLOCK_REALTIME, &Now);
  uint64_t Number = (static_cast<uint64_t>(getpid()) << 32) ^
                    (static_cast<uint64_t>(Now.tv_nsec) * 0x9e3779b97f4a7c15u) ^ Try;
  std::string End;
  for (unsigned I = 0; I < 6; ++I, Number /= 36)
    End += "abcdefghijklmnopqrstuvwxyz0123456789"[Number % 36];
  return Target.substr(0, Folder) + Target.substr(Folder).substr(0, LongestName) + '.' + End;
}

} // namespace

NamedTemporary::NamedTemporary(std::string Given) : Name(std::move(Given)), Slot(Doomed.size()) {
  for (unsigned I = 0; I < Doomed.size() && Slot == Doomed.size(); ++I) {
    const char *Free = nullptr;
    if (Doomed[I].compare_exchange_strong(Free, Name.c_str()))
      Slot = I;
  }
}

NamedTemporary::~NamedTemporary() {
  if (Owned)
    unlink(Name.c_str());
  forget();
}

void NamedTemporary::forget() {
  if (Slot < Doomed.size())
    Doomed[Slot].store(nullptr);
  Slot = Doomed.size();
  Owned = false;
}

std::unique_ptr<NamedTemporary>
NamedTemporary::create(const std::string &Target,
                       const std::function<int(const char *Name)> &Create, int &Created) {
  static std::once_flag Watching;
  std::call_once(Watching, watchEndings);
  for (unsigned Try = 0; Try < 1000; ++Try) {
    const std::string Name = nameBeside(Target, Try);
    const EndingsBlocked Blocked;
    Created = Create(Name.c_str());
    if (Created >= 0)
      return std::unique_ptr<NamedTemporary>(new NamedTemporary(Name));
    if (errno != EEXIST && errno != EINTR)
      return nullptr;
  }
  return nullptr;
}

} // namespace seamscope::tools
