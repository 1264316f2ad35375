// A library that uses the processor.
#include <time.h>
void spin(double Seconds) {
  struct timespec T;
  volatile double X = 1;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  const double End = (double)T.tv_sec + (double)T.tv_nsec * 1e-9 + Seconds;
  do {
    for (int I = 0; I < 100000; ++I)
      X = X * 1.0000001;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  } while ((double)T.tv_sec + (double)T.tv_nsec * 1e-9 < End);
}
