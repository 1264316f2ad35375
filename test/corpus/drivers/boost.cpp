// Boost's headers: linear algebra, differential equations, graphs, big numbers, sorting, special
// functions, containers. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "data.h"
#include <boost/container/flat_map.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/math/special_functions.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <boost/numeric/odeint.hpp>
#include <boost/numeric/ublas/lu.hpp>
#include <boost/sort/spreadsort/spreadsort.hpp>
#include <boost/tokenizer.hpp>
#include <vector>
using State = std::vector<double>;
static void lorenz(const State &x, State &d, double) {
  d[0] = 10 * (x[1] - x[0]);
  d[1] = x[0] * (28 - x[2]) - x[1];
  d[2] = x[0] * x[1] - 8.0 / 3 * x[2];
}
int main(int argc, char **argv) {
  uint64_t sum = DATA_SUM;
  auto add = [&](double x) { sum = data_sum(sum, &x, sizeof x); };
  for (int round = data_rounds(argc, argv); round > 0; --round) {
    namespace ublas = boost::numeric::ublas;
    ublas::matrix<double> a(20, 20);
    ublas::vector<double> b(20);
    for (size_t i = 0; i < 20; ++i) {
      b(i) = data_unit();
      for (size_t j = 0; j < 20; ++j)
        a(i, j) = data_unit() + (i == j ? 20 : 0);
    }
    ublas::permutation_matrix<size_t> order(20);
    ublas::lu_factorize(a, order);
    ublas::lu_substitute(a, order, b);
    for (double x : b)
      add(x);
    State x{1, 1, 1};
    boost::numeric::odeint::integrate(lorenz, x, 0.0, 2.0, 0.01);
    add(x[0]), add(x[1]), add(x[2]);
    using Graph =
        boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                              boost::property<boost::edge_weight_t, int>>;
    Graph graph(100);
    for (int e = 0; e < 600; ++e)
      boost::add_edge(data_next() % 100, data_next() % 100, int(data_next() % 50) + 1, graph);
    std::vector<int> distance(100);
    boost::dijkstra_shortest_paths(graph, 0, boost::distance_map(distance.data()));
    sum = data_sum(sum, distance.data(), distance.size() * sizeof(int));
    boost::multiprecision::cpp_int big = 1;
    for (int i = 2; i < 60; ++i)
      big *= i;
    std::string digits = big.str();
    sum = data_sum(sum, digits.data(), digits.size());
    std::vector<uint64_t> keys(5000);
    for (auto &key : keys)
      key = data_next();
    boost::sort::spreadsort::spreadsort(keys.begin(), keys.end());
    sum = data_sum(sum, keys.data(), keys.size() * sizeof(uint64_t));
    for (double t = 0.5; t < 5; t += 0.5)
      add(boost::math::tgamma(t)), add(boost::math::erf(t)), add(boost::math::cyl_bessel_j(1, t));
    boost::container::flat_map<std::string, int> counts;
    std::string text(data_text(2000));
    for (const std::string &word : boost::tokenizer<>(text))
      ++counts[word];
    for (auto &[word, n] : counts)
      sum = data_sum(sum, word.data(), word.size()) + uint64_t(n);
  }
  data_print(sum);
}
