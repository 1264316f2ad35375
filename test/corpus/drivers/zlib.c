/* zlib: deflate at three levels, inflate, CRC. SPDX-License-Identifier: Apache-2.0 WITH
 * LLVM-exception */
#include "zlib.h"
#include "data.h"
int main(int argc, char **argv) {
  enum { size = 1 << 18 };
  unsigned char *text = (unsigned char *)data_text(size), *packed = malloc(size * 2),
                *back = malloc(size);
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; round--) {
    for (int level = 1; level <= 9; level += 4) {
      uLongf n = size * 2, m = size;
      if (compress2(packed, &n, text, size, level) != Z_OK)
        return 1;
      sum = data_sum(sum, packed, n) + crc32(0, packed, (uInt)n) + adler32(1, packed, (uInt)n);
      if (uncompress(back, &m, packed, n) != Z_OK || m != size || memcmp(text, back, size))
        return 1;
    }
  }
  data_print(sum);
  return 0;
}
