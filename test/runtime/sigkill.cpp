// Killed a hundred times at a random moment: all events that were committed before are recovered.
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t -pthread
// RUN: %python %S/Inputs/kill-and-recover.py %t %seamscope 100 | FileCheck %s
// REQUIRES: llvm-22
// CHECK: 100 kills, nothing committed was lost
#include "Inputs/kernel.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

// Publishes in a shared file the number of kernels that each of two threads has finished.
int main(int, char **Arguments) {
  const int File = open(Arguments[1], O_RDWR);
  auto *Finished = static_cast<volatile long *>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0));
  const auto Work = [&](int Thread) {
    for (long I = 1;; ++I) {
      kernel();
      Finished[Thread * 64] = I;
    }
  };
  std::thread Second(Work, 1);
  Work(0);
}
