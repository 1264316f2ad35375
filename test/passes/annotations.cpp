// Annotations mark kernels, exclude functions, and give operators and names.
// RUN: %clangxx-22 -O1 -gline-tables-only -S -emit-llvm -fpass-plugin=%plugin-22 -Rpass=seamscope \
// RUN:   -Rpass-missed=seamscope -o %t.ll %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.ll
// REQUIRES: llvm-22

// REMARK-DAG: warning: seamscope: unknown annotation 'seamscope.kernle' on '_Z5wrongPfi'
// REMARK-DAG: :[[@LINE+2]]:1: remark: timing kernel 'tiny': annotated in the source [-Rpass=seamscope]
__attribute__((annotate("seamscope.kernel")))
static void tiny(float *p) { *p += 1; }

// CHECK: c"add,add,mul,add\00"
__attribute__((annotate("seamscope.ops=add,add,mul,add")))
void fused(float *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] = (p[i] + 1) * 2;
}

// CHECK: c"my kernel\00"
__attribute__((annotate("seamscope.name=my kernel")))
void renamed(float *p) { *p += 1; }

// REMARK-DAG: '_Z8left_outPfi' is not timed: it is annotated seamscope.off
__attribute__((annotate("seamscope.off")))
void left_out(float *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] += 1;
}

__attribute__((annotate("seamscope.kernle")))
void wrong(float *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] += 1;
}

void use(float *p) { tiny(p); }
