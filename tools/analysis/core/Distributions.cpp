//===- Distributions.cpp - probabilities, by Boost.Math -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Distributions.h"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>

#include <cmath>
#include <limits>

namespace seamscope::tools {
namespace {

namespace policies = boost::math::policies;

/// Times in a trace may have any value: without a result these functions return NaN and do not
/// throw.
using Policy = policies::policy<policies::domain_error<policies::ignore_error>,
                                policies::pole_error<policies::ignore_error>,
                                policies::overflow_error<policies::ignore_error>,
                                policies::evaluation_error<policies::ignore_error>,
                                policies::rounding_error<policies::ignore_error>>;

using Student = boost::math::students_t_distribution<double, Policy>;

} // namespace

double studentTails(double T, double Degrees) {
  return 2 * cdf(complement(Student(Degrees), std::abs(T)));
}

double studentCritical(double Probability, double Degrees) {
  return quantile(complement(Student(Degrees), Probability / 2));
}

double binomialTail(size_t Least, size_t Trials, double Chance) {
  if (Least == 0 || Least > Trials)
    return Least == 0 ? 1 : 0;
  // Boost throws for such a probability in spite of the policy.
  if (!(Chance >= 0 && Chance <= 1))
    return std::numeric_limits<double>::quiet_NaN();
  // https://dlmf.nist.gov/8.17#E5
  return boost::math::ibeta(static_cast<double>(Least), static_cast<double>(Trials - Least + 1),
                            Chance, Policy());
}

} // namespace seamscope::tools
