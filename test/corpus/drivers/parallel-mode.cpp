// libstdc++'s parallel mode: OpenMP in the headers of a library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "data.h"
#include <algorithm>
#include <numeric>
#include <parallel/algorithm>
#include <parallel/numeric>
#include <vector>
int main(int argc, char **argv) {
  uint64_t sum = DATA_SUM;
  omp_set_num_threads(3);
  __gnu_parallel::_Settings settings;
  settings.algorithm_strategy = __gnu_parallel::force_parallel;
  __gnu_parallel::_Settings::set(settings);
  for (int round = data_rounds(argc, argv); round > 0; --round) {
    std::vector<uint64_t> v(20000), w(20000);
    for (auto &e : v)
      e = data_next() % 100000;
    __gnu_parallel::transform(v.begin(), v.end(), w.begin(),
                              [](uint64_t x) { return x * x % 7919; });
    sum += __gnu_parallel::accumulate(w.begin(), w.end(), uint64_t(0));
    __gnu_parallel::partial_sum(w.begin(), w.end(), w.begin());
    __gnu_parallel::sort(v.begin(), v.end());
    sum += uint64_t(
        __gnu_parallel::count_if(v.begin(), v.end(), [](uint64_t x) { return x % 3 == 0; }));
    sum += uint64_t(__gnu_parallel::find(v.begin(), v.end(), v[777]) - v.begin());
    sum = data_sum(data_sum(sum, v.data(), v.size() * 8), w.data(), w.size() * 8);
  }
  data_print(sum);
}
