/* Secret Rabbit Code: one and two channels, up and down. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "data.h"
#include <samplerate.h>
int main(int argc, char **argv) {
  static const int converters[] = {SRC_SINC_FASTEST, SRC_SINC_MEDIUM_QUALITY, SRC_LINEAR, SRC_ZERO_ORDER_HOLD};
  static const double ratios[] = {48000 / 44100.0, 0.5, 1.7};
  static float in[2 * 1500], out[2 * 3000];
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; round--)
    for (int c = 0; c < 4; c++)
      for (int channels = 1; channels <= 2; channels++)
        for (int r = 0; r < 3; r++) {
          for (int i = 0; i < 1500 * channels; i++)
            in[i] = (float)data_unit() - 0.5f;
          SRC_DATA data = {.data_in = in, .data_out = out, .input_frames = 1500, .output_frames = 3000, .src_ratio = ratios[r]};
          if (src_simple(&data, converters[c], channels))
            return 1;
          sum = data_sum(sum, out, sizeof *out * (size_t)(data.output_frames_gen * channels));
        }
  data_print(sum);
  return 0;
}
