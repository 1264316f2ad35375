// Calls a kernel, then starts itself, argv[1] levels deep, and waits for that process.
#include "kernel-mark.h"
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

KERNEL void work(volatile int *Count) { *Count = *Count + 1; }

int main(int, char **Arguments) {
  volatile int Count = 0;
  work(&Count);
  const int Levels = atoi(Arguments[1]);
  if (!Levels)
    return 7;
  const int Child = fork();
  if (Child == 0) {
    const std::string Fewer = std::to_string(Levels - 1);
    execl(Arguments[0], Arguments[0], Fewer.c_str(), static_cast<char *>(nullptr));
    _exit(1);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 1;
}
