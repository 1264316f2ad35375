// oneTBB: loops, reductions, sorting, a pipeline and a graph on several threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "data.h"
#include <numeric>
#include <oneapi/tbb.h>
#include <vector>
using namespace oneapi;
int main(int argc, char **argv) {
  uint64_t sum = DATA_SUM;
  tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 3);
  for (int round = data_rounds(argc, argv); round > 0; --round) {
    std::vector<double> x(20000), y(20000);
    for (auto &e : x)
      e = static_cast<double>(data_next() % 1000);
    tbb::parallel_for(tbb::blocked_range<size_t>(0, x.size(), 1000), [&](const auto &range) {
      for (size_t i = range.begin(); i < range.end(); ++i)
        y[i] = 2 * x[i] + 1;
    });
    double total = tbb::parallel_reduce(
        tbb::blocked_range<size_t>(0, y.size()), 0.0,
        [&](const auto &range, double s) {
          for (size_t i = range.begin(); i < range.end(); ++i)
            s += y[i];
          return s;
        },
        std::plus<>());
    tbb::parallel_sort(y);
    sum = data_sum(data_sum(sum, &total, sizeof total), y.data(), y.size() * sizeof(double));
    int next = 0;
    long passed = 0;
    tbb::parallel_pipeline(
        4, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                       [&](tbb::flow_control &flow) {
                                         if (next == 50)
                                           flow.stop();
                                         return next++;
                                       }) &
               tbb::make_filter<int, long>(tbb::filter_mode::parallel,
                                           [](int i) { return long(i) * i; }) &
               tbb::make_filter<long, void>(tbb::filter_mode::serial_in_order,
                                            [&](long v) { passed = passed * 31 + v; }));
    sum = data_sum(sum, &passed, sizeof passed);
    bool caught = false;
    try {
      tbb::parallel_for(0, 100, [](int i) {
        if (i == 57)
          throw i;
      });
    } catch (int) {
      caught = true;
    }
    sum += caught;
  }
  data_print(sum);
}
