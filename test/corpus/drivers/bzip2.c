/* bzip2: block sorting, and back. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bzlib.h"
#include "data.h"
void bz_internal_error(int code) { exit(100 + code % 100); }
int main(int argc, char **argv) {
  enum { size = 1 << 17 };
  char *text = data_text(size), *packed = malloc(size * 2), *back = malloc(size);
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; round--) {
    unsigned n = size * 2, m = size;
    if (BZ2_bzBuffToBuffCompress(packed, &n, text, size, 1 + round % 9, 0, 30))
      return 1;
    sum = data_sum(sum, packed, n);
    if (BZ2_bzBuffToBuffDecompress(back, &m, packed, n, 0, 0) || m != size ||
        memcmp(text, back, size))
      return 1;
  }
  data_print(sum);
  return 0;
}
