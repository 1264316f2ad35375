// Catch2: its test runner, on tests with sections, generators, matchers and exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
TEST_CASE("factorials") {
  REQUIRE(factorial(5) == 120);
  SECTION("small") { CHECK(factorial(0) == 1); }
  SECTION("larger") { CHECK(factorial(10) == 3628800); }
}
TEST_CASE("generators") {
  auto i = GENERATE(range(0, 20));
  CHECK(i * i >= i);
  CHECK_THROWS_AS(std::vector<int>(3).at(static_cast<size_t>(i + 3)), std::out_of_range);
}
TEST_CASE("vectors") {
  std::vector<double> v(100);
  for (size_t i = 0; i < v.size(); ++i)
    v[i] = static_cast<double>(i) / 3;
  CHECK_THAT(v[3], Catch::Matchers::WithinAbs(1, 1e-12));
  CHECK_THAT(v, Catch::Matchers::VectorContains(v[50]));
}
