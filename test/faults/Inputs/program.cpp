// Kernels on threads of a team, in children, and in a library that comes late; the output depends on none of
// it. What the program does itself needs no file.
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static void scale(float *Values, int Count) {
#pragma omp parallel for num_threads(3)
  for (int I = 0; I < Count; ++I)
    Values[I] = Values[I] * 0.5f + 1;
}

__attribute__((noinline, annotate("seamscope.kernel"))) static void tiny() { asm volatile("" ::: "memory"); }

int main(int Count, char **Words) {
  static float Values[4096];
  scale(Values, 4096);
  for (int I = 0, Calls = Count > 2 ? atoi(Words[2]) : 40000; I < Calls; ++I)
    tiny();
  if (Count > 1) {
    fflush(stdout);
    const pid_t Child = fork();
    if (!Child) {
      for (int I = 0; I < 100; ++I)
        tiny();
      puts("child");
      exit(3);
    }
    int Status = 0;
    waitpid(Child, &Status, 0);
    printf("child ended with %d\n", WEXITSTATUS(Status));
  }
  std::thread Other([] {
    for (int I = 0; I < 100; ++I)
      tiny();
  });
  Other.join();
  scale(Values, 4096);
  double Sum = 0;
  for (const float Value : Values)
    Sum += Value;
  printf("sum %g\n", Sum);
  return 5;
}
