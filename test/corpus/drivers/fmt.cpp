// fmt: integers, floats, strings, ranges, dates. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "data.h"
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>
int main(int argc, char **argv) {
  uint64_t sum = DATA_SUM;
  fmt::memory_buffer out;
  for (int round = data_rounds(argc, argv); round > 0; --round) {
    for (int i = 0; i < 300; ++i) {
      out.clear();
      double x = data_unit() * 1e6;
      auto to = fmt::appender(out);
      fmt::format_to(to, "{} {:>10} {:#x} {:08.3f} {:e} {:g}", i, i * 7, data_next(), x, x, x);
      fmt::format_to(to, "{:*^20} {}", "name", true);
      fmt::format_to(to, "{} {}", std::vector<int>{1, i, 3}, std::chrono::milliseconds(i));
      sum = data_sum(sum, out.data(), out.size());
    }
    try {
      sum += fmt::format(fmt::runtime("{:d}"), "text").size();
    } catch (const fmt::format_error &error) {
      sum = data_sum(sum, error.what(), strlen(error.what()));
    }
  }
  data_print(sum);
}
