// LodePNG: encode and decode in several colour types. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "lodepng.h"
#include "data.h"
int main(int argc, char **argv) {
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; --round)
    for (LodePNGColorType type : {LCT_RGBA, LCT_RGB, LCT_GREY}) {
      const unsigned w = 64, h = 48, channels = type == LCT_RGBA ? 4 : type == LCT_RGB ? 3 : 1;
      std::vector<unsigned char> image(w * h * channels), file, back;
      for (size_t i = 0; i < image.size(); ++i)
        image[i] = static_cast<unsigned char>((i * i >> 6) ^ (data_next() % 4));
      unsigned width, height;
      if (lodepng::encode(file, image, w, h, type, 8) ||
          lodepng::decode(back, width, height, file, type, 8) || back != image)
        return 1;
      sum = data_sum(sum, file.data(), file.size());
      file.resize(file.size() / 2);
      back.clear();
      sum += lodepng::decode(back, width, height, file);
    }
  data_print(sum);
}
