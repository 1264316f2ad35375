// Voro++: cells of random points in a box. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "data.h"
#include "voro++.hh"
int main(int argc, char **argv) {
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; --round) {
    voro::container box(-1, 1, -1, 1, -1, 1, 4, 4, 4, false, true, false, 8);
    for (int i = 0; i < 400; ++i) {
      double x = 2 * data_unit() - 1, y = 2 * data_unit() - 1, z = 2 * data_unit() - 1;
      box.put(i, x, y, z);
    }
    voro::c_loop_all loop(box);
    voro::voronoicell cell;
    if (loop.start())
      do {
        if (!box.compute_cell(cell, loop))
          continue;
        double values[5] = {cell.volume(), cell.surface_area()};
        cell.centroid(values[2], values[3], values[4]);
        sum = data_sum(sum, values, sizeof values);
      } while (loop.inc());
  }
  data_print(sum);
}
