// Eigen: products, decompositions, eigenvalues, sparse solvers, geometry.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "data.h"
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
using namespace Eigen;
template <class M> static void fill(M &m) {
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      m(i, j) = data_unit() - 0.5;
}
static uint64_t sum = DATA_SUM;
template <class M> static void add(const M &value) {
  auto m = value.eval();
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) {
      double x = m(i, j);
      sum = data_sum(sum, &x, sizeof x);
    }
}
int main(int argc, char **argv) {
  for (int round = data_rounds(argc, argv); round > 0; --round) {
    MatrixXd a(40, 40), b(40, 40);
    VectorXd v(40);
    fill(a), fill(b), fill(v);
    add(a * b + a.transpose() * b);
    add(a.partialPivLu().solve(v));
    add(a.colPivHouseholderQr().solve(v));
    MatrixXd s = a * a.transpose() + MatrixXd::Identity(40, 40);
    add(s.llt().solve(v));
    add(s.ldlt().solve(v));
    SelfAdjointEigenSolver<MatrixXd> eigen(s);
    add(eigen.eigenvalues());
    JacobiSVD<MatrixXd> svd(a.topLeftCorner(12, 12), ComputeThinU | ComputeThinV);
    add(svd.singularValues());
    std::vector<Triplet<double>> entries;
    for (int i = 0; i < 200; ++i) {
      entries.emplace_back(i, i, 4.0);
      if (i + 1 < 200)
        entries.emplace_back(i, i + 1, -1.0), entries.emplace_back(i + 1, i, -1.0);
    }
    SparseMatrix<double> sparse(200, 200);
    sparse.setFromTriplets(entries.begin(), entries.end());
    SimplicialLDLT<SparseMatrix<double>> solver(sparse);
    add(solver.solve(VectorXd::LinSpaced(200, 0, 1)));
    Matrix3d m;
    fill(m);
    add(m.inverse());
    Quaterniond q(AngleAxisd(data_unit(), Vector3d::UnitZ()));
    add(q.toRotationMatrix() * m);
  }
  data_print(sum);
}
