/* LZ4: fast and high compression, and back. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "lz4.h"
#include "data.h"
#include "lz4hc.h"
int main(int argc, char **argv) {
  enum { size = 1 << 18 };
  char *text = data_text(size), *packed = malloc(size * 2), *back = malloc(size);
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; round--) {
    for (int level = 0; level <= 9; level += 3) {
      int n = level ? LZ4_compress_HC(text, packed, size, size * 2, level)
                    : LZ4_compress_default(text, packed, size, size * 2);
      sum = data_sum(sum, packed, (size_t)n);
      if (LZ4_decompress_safe(packed, back, n, size) != size || memcmp(text, back, size))
        return 1;
    }
  }
  data_print(sum);
  return 0;
}
