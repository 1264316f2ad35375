// Eigen, many small fixed-size operations: rotation of points, 3x3 inverses, and a dot method that
// is called through a helper from a hot loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "data.h"
#include <Eigen/Dense>
#include <vector>
using namespace Eigen;
struct Vec {
  double v[3];
  double dot(const Vec &o) const {
    double s = 0;
    for (int i = 0; i < 3; ++i)
      s += v[i] * o.v[i];
    return s;
  }
};
static double angle(const Vec &a, const Vec &b) { return a.dot(b) / (1 + a.dot(a) * b.dot(b)); }
int main(int argc, char **argv) {
  std::vector<Vector3d> points(2000);
  std::vector<Vec> vectors(2000);
  for (size_t i = 0; i < points.size(); ++i)
    for (int k = 0; k < 3; ++k)
      vectors[i].v[k] = points[i][k] = data_unit();
  double total = 0;
  for (int round = data_rounds(argc, argv); round > 0; --round) {
    Matrix3d r = AngleAxisd(0.01 * round, Vector3d(1, 2, 2) / 3).toRotationMatrix();
    for (Vector3d &p : points)
      p = r * p;
    Matrix3d m = r;
    for (size_t i = 0; i + 2 < points.size(); i += 3) {
      m << points[i], points[i + 1], points[i + 2];
      total += (m + 2 * Matrix3d::Identity()).inverse().trace();
    }
    for (size_t i = 0; i + 1 < vectors.size(); ++i)
      total += angle(vectors[i], vectors[i + 1]);
  }
  printf("%.9e\n", total);
}
