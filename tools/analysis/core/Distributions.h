//===- Distributions.h - probabilities, by Boost.Math ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boost's headers take seconds to compile: only Distributions.cpp includes
// them.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_DISTRIBUTIONS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_DISTRIBUTIONS_H

#include <cstddef>

namespace seamscope::tools {

/// The probability that a variable with Student's t distribution is at least |\p T| away from 0. \p
/// Degrees of freedom: above 0; need not be whole.
double studentTails(double T, double Degrees);

/// The |t| whose studentTails() is \p Probability, which is above 0 and below 1.
double studentCritical(double Probability, double Degrees);

/// The probability of \p Least or more successes in \p Trials, each with probability \p Chance.
double binomialTail(size_t Least, size_t Trials, double Chance);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_DISTRIBUTIONS_H
