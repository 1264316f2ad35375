//===- OrderedWork.h - work on several threads, results in order ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_IO_ORDEREDWORK_H
#define SEAMSCOPE_TOOLS_TRACE_IO_ORDEREDWORK_H

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// Does work on its own threads and passes the results, in the order in which the work was added,
/// to a function that runs on the owner's thread. add() or finish() throws an exception of either
/// to the owner; the destructor then discards the remaining results.
template <typename Input, typename Output> class OrderedWork {
public:
  using WorkFn = std::function<Output(unsigned Thread, Input)>;
  using TakeFn = std::function<void(Output)>;

  /// \p Threads that cannot be started are ignored; with none, add() does the work.
  OrderedWork(unsigned Threads, WorkFn Work, TakeFn Take)
      : Work(std::move(Work)), Take(std::move(Take)), Slots(size_t{PerThread} * Threads) {
    Workers.reserve(Threads);
    try {
      for (unsigned I = 0; I < Threads; ++I)
        Workers.emplace_back([this, I] { run(I); });
    } catch (const std::exception &) {
      // The limit of threads or of memory was reached.
    }
  }

  ~OrderedWork() {
    {
      const std::lock_guard Held(Lock);
      Stopped = true;
      HaveTask.notify_all();
    }
    for (std::thread &Worker : Workers)
      Worker.join();
  }
  OrderedWork(const OrderedWork &) = delete;
  OrderedWork &operator=(const OrderedWork &) = delete;

  /// Adds work, and takes results that are ready. Waits if too much is under way.
  void add(Input What) {
    if (Workers.empty())
      return Take(Work(0, std::move(What)));
    std::unique_lock Held(Lock);
    takeReady(Held);
    while (Added - Taken >= PerThread * Workers.size()) {
      HaveResult.wait(Held, [&] { return slot(Taken).Ready; });
      takeReady(Held);
    }
    slot(Added++).Task.emplace(std::move(What));
    HaveTask.notify_one();
  }

  /// Waits until all results were taken.
  void finish() {
    std::unique_lock Held(Lock);
    while (Taken < Added) {
      HaveResult.wait(Held, [&] { return slot(Taken).Ready; });
      takeReady(Held);
    }
  }

private:
  static constexpr unsigned PerThread = 3;

  struct Slot {
    std::optional<Input> Task;
    std::optional<Output> Result;
    std::exception_ptr Failure;
    bool Ready = false; ///< a result or an exception is there, and not taken
  };

  /// There are at least as many slots as numbers under way.
  Slot &slot(uint64_t Number) { return Slots[Number % Slots.size()]; }

  void run(unsigned Self) {
    std::unique_lock Held(Lock);
    for (;;) {
      HaveTask.wait(Held, [&] { return Stopped || Begun < Added; });
      if (Stopped)
        return;
      Slot &Mine = slot(Begun++);
      Held.unlock();
      try {
        Mine.Result.emplace(Work(Self, std::move(*Mine.Task)));
      } catch (...) {
        Mine.Failure = std::current_exception();
      }
      Mine.Task.reset();
      Held.lock();
      Mine.Ready = true;
      HaveResult.notify_one();
    }
  }

  void takeReady(std::unique_lock<std::mutex> &Held) {
    while (Taken < Added && slot(Taken).Ready) {
      Slot &Next = slot(Taken++);
      const std::exception_ptr Failure = std::exchange(Next.Failure, nullptr);
      std::optional<Output> Result = std::exchange(Next.Result, std::nullopt);
      Next.Ready = false;
      Held.unlock();
      if (Failure)
        std::rethrow_exception(Failure);
      Take(std::move(*Result));
      Held.lock();
    }
  }

  const WorkFn Work;
  const TakeFn Take;
  std::mutex Lock;
  std::condition_variable HaveTask, HaveResult;
  std::vector<Slot> Slots;
  uint64_t Added = 0, Begun = 0, Taken = 0; ///< Taken <= Begun <= Added
  bool Stopped = false;
  std::vector<std::thread> Workers; ///< last: they use the rest
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_IO_ORDEREDWORK_H
