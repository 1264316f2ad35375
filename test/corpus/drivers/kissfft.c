/* Kiss FFT: lengths with all radices, there and back. SPDX-License-Identifier: Apache-2.0 WITH
 * LLVM-exception */
#include "data.h"
#include "kiss_fft.h"
#include "kiss_fftr.h"
int main(int argc, char **argv) {
  static const int lengths[] = {1024, 1000, 729, 625, 2310, 4096};
  static kiss_fft_cpx in[4096], out[4096];
  static float real[4096];
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; round--)
    for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; l++) {
      int n = lengths[l];
      kiss_fft_cfg there = kiss_fft_alloc(n, 0, 0, 0), back = kiss_fft_alloc(n, 1, 0, 0);
      for (int i = 0; i < n; i++) {
        in[i].r = (float)data_unit();
        in[i].i = (float)data_unit();
        real[i] = in[i].r;
      }
      kiss_fft(there, in, out);
      kiss_fft(back, out, in);
      sum = data_sum(data_sum(sum, in, sizeof *in * n), out, sizeof *out * n);
      if (n % 2 == 0) {
        kiss_fftr_cfg half = kiss_fftr_alloc(n, 0, 0, 0);
        kiss_fftr(half, real, out);
        sum = data_sum(sum, out, sizeof *out * (n / 2 + 1));
        free(half);
      }
      free(there);
      free(back);
    }
  data_print(sum);
  return 0;
}
