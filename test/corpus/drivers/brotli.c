/* Brotli: three qualities, and back. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "data.h"
#include <brotli/decode.h>
#include <brotli/encode.h>
int main(int argc, char **argv) {
  enum { size = 1 << 17 };
  uint8_t *text = (uint8_t *)data_text(size), *packed = malloc(size * 2), *back = malloc(size);
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; round--) {
    for (int quality = 1; quality <= 9; quality += 4) {
      size_t n = size * 2, m = size;
      if (!BrotliEncoderCompress(quality, 18, BROTLI_MODE_TEXT, size, text, &n, packed))
        return 1;
      sum = data_sum(sum, packed, n);
      if (BrotliDecoderDecompress(n, packed, &m, back) != BROTLI_DECODER_RESULT_SUCCESS ||
          m != size || memcmp(text, back, size))
        return 1;
    }
  }
  data_print(sum);
  return 0;
}
