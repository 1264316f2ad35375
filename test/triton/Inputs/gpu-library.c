/* Stands in for libseamscope-cuda: prints the module that it is given. */
#include <stdio.h>
int seamscope_gpu_module(void *Module) {
  printf("module %p\n", Module);
  fflush(stdout);
  return RESULT;
}
