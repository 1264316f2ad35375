// MiniSat: random 3-SAT near the threshold. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define __STDC_FORMAT_MACROS
#define __STDC_LIMIT_MACROS
#include "core/Solver.h"
#include "data.h"
using namespace Minisat;
int main(int argc, char **argv) {
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; --round)
    for (int problem = 0; problem < 6; ++problem) {
      Solver solver;
      const int variables = 90;
      for (int v = 0; v < variables; ++v)
        solver.newVar();
      for (int clause = 0; clause < int(variables * 4.2); ++clause) {
        vec<Lit> literals;
        for (int l = 0; l < 3; ++l)
          literals.push(mkLit(int(data_next() % variables), data_next() % 2));
        solver.addClause_(literals);
      }
      bool satisfied = solver.solve();
      sum = sum * 31 + satisfied * 7 + solver.conflicts + solver.decisions;
    }
  data_print(sum);
}
