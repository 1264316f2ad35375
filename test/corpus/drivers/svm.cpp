// libsvm: training and prediction with three kernels. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "svm.h"
#include "data.h"
#include <initializer_list>
int main(int argc, char **argv) {
  uint64_t sum = DATA_SUM;
  svm_set_print_string_function([](const char *) {});
  enum { points = 150, features = 4 };
  for (int round = data_rounds(argc, argv); round > 0; --round) {
    static svm_node nodes[points][features + 1];
    static svm_node *rows[points];
    static double labels[points];
    for (int i = 0; i < points; ++i) {
      double s = 0;
      for (int f = 0; f < features; ++f) {
        nodes[i][f] = {f + 1, data_unit()};
        s += nodes[i][f].value * (f + 1);
      }
      nodes[i][features].index = -1;
      rows[i] = nodes[i];
      labels[i] = s > 5;
    }
    for (int kernel : {LINEAR, POLY, RBF}) {
      svm_problem problem{points, labels, rows};
      svm_parameter parameter{};
      parameter.kernel_type = kernel;
      parameter.degree = 2, parameter.gamma = 0.5, parameter.C = 10;
      parameter.cache_size = 10, parameter.eps = 1e-3, parameter.shrinking = 1;
      svm_model *model = svm_train(&problem, &parameter);
      int right = 0;
      for (int i = 0; i < points; ++i)
        right += svm_predict(model, rows[i]) == labels[i];
      sum = sum * 31 + uint64_t(right);
      svm_free_and_destroy_model(&model);
    }
  }
  data_print(sum);
}
