/* Zstandard: three levels, and back. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "zstd.h"
#include "data.h"
int main(int argc, char **argv) {
  enum { size = 1 << 18 };
  char *text = data_text(size), *packed = malloc(size * 2), *back = malloc(size);
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; round--) {
    for (int level = 1; level <= 13; level += 6) {
      size_t n = ZSTD_compress(packed, size * 2, text, size, level);
      if (ZSTD_isError(n))
        return 1;
      sum = data_sum(sum, packed, n);
      if (ZSTD_decompress(back, size, packed, n) != size || memcmp(text, back, size))
        return 1;
    }
  }
  data_print(sum);
  return 0;
}
