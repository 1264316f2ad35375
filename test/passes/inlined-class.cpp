// Functions that were inlined are shown with their class and namespace, also with line tables alone, which have neither;
// the debug information of the object stays as it is.
// RUN: %clangxx-22 -O2 -gline-tables-only -fpass-plugin=%plugin-22 -Rpass=seamscope -S -emit-llvm -o %t.ll %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=DEBUG < %t.ll
// REQUIRES: llvm-22
// CHECK-DAG: timing loop 'linear::Mat::mul [loop inlined-class.cpp:[[@LINE+12]]]'
// CHECK-DAG: timing loop 'linear::Mat::scale [loop inlined-class.cpp:[[@LINE+17]]]'
// DEBUG-NOT: seamscope.named
// DEBUG-NOT: linkageName: "_Z
// DEBUG: !DISubprogram(name: "mul"
// DEBUG-NOT: seamscope.named
// DEBUG-NOT: linkageName: "_Z
namespace linear {
struct Mat {
  int N;
  double *D;
  void mul(const Mat &A, const Mat &B) {
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J)
        for (int K = 0; K < N; ++K)
          D[I * N + J] += A.D[I * N + K] * B.D[K * N + J];
  }
  void scale(double S) {
    for (int I = 0; I < N * N; ++I)
      D[I] = D[I] * S + 1;
  }
};
} // namespace linear

void simulate(linear::Mat &A, linear::Mat &B) {
  A.mul(B, B);
  A.scale(0.9);
}
