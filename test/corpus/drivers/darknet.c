/* Darknet: layers forward and backward. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Before the layers: Darknet has a header of this name and guard, too. */
#include "data.h"

#include "activations.h"
#include "connected_layer.h"
#include "convolutional_layer.h"
#include "darknet.h"
#include "maxpool_layer.h"
#include "softmax_layer.h"
enum { LAYERS = 4, BATCH = 2, SIZE = 20, CHANNELS = 3 };
int main(int argc, char **argv) {
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; round--) {
    srand(1);
    layer layers[LAYERS] = {
        make_convolutional_layer(BATCH, SIZE, SIZE, CHANNELS, 8, 1, 3, 1, 1, LEAKY, 1, 0, 0, 0),
        make_maxpool_layer(BATCH, SIZE, SIZE, 8, 2, 2, 0),
        make_connected_layer(BATCH, SIZE / 2 * (SIZE / 2) * 8, 10, RELU, 0, 0),
        make_softmax_layer(BATCH, 10, 1),
    };
    network net = {.batch = BATCH, .train = 1, .truth = NULL};
    net.workspace = calloc(1, layers[0].workspace_size);
    float *input = malloc(sizeof *input * BATCH * SIZE * SIZE * CHANNELS);
    for (int i = 0; i < BATCH * SIZE * SIZE * CHANNELS; i++)
      input[i] = (float)data_unit();
    net.input = input;
    for (int l = 0; l < LAYERS; l++) {
      layers[l].forward(layers[l], net);
      net.input = layers[l].output;
      sum = data_sum(sum, layers[l].output, sizeof(float) * BATCH * (size_t)layers[l].outputs);
    }
    for (int i = 0; i < BATCH * 10; i++)
      layers[3].delta[i] = (float)data_unit() - layers[3].output[i];
    for (int l = LAYERS - 1; l >= 0; l--) {
      net.input = l ? layers[l - 1].output : input;
      net.delta = l ? layers[l - 1].delta : NULL;
      layers[l].backward(layers[l], net);
    }
    update_args update = {.batch = BATCH, .learning_rate = 0.01f, .momentum = 0.9f, .decay = 0.0005f};
    layers[0].update(layers[0], update);
    layers[2].update(layers[2], update);
    sum = data_sum(sum, layers[0].weights, sizeof(float) * (size_t)layers[0].nweights);
    for (int l = 0; l < LAYERS; l++)
      free_layer(layers[l]);
    free(input);
    free(net.workspace);
  }
  data_print(sum);
  return 0;
}
