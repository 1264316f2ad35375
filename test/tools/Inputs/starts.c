// Starts itself as a child and waits for it; then calls a kernel of its own. `quiet`: without a trace of the parent;
// `exec`: the child's program takes the place of the parent's; N: signal N ends the parent.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int seamscope_set_output(const char *Path);

__attribute__((noinline, annotate("seamscope.kernel"))) static void parent(volatile int *Count) { ++*Count; }
__attribute__((noinline, annotate("seamscope.kernel"))) static void child(volatile int *Count) { ++*Count; }

int main(int Count, char **Words) {
  volatile int Number = 0;
  const char *Word = Count > 1 ? Words[1] : "";
  if (!strcmp(Word, "child")) {
    child(&Number);
    return 0;
  }
  if (!strcmp(Word, "quiet"))
    seamscope_set_output(0);
  if (!strcmp(Word, "exec"))
    parent(&Number);
  const pid_t Child = strcmp(Word, "exec") ? fork() : 0;
  if (!Child) {
    execl("/proc/self/exe", Words[0], "child", (char *)0);
    _exit(1);
  }
  int Status = 0;
  if (waitpid(Child, &Status, 0) != Child || Status)
    return 2;
  parent(&Number);
  if (atoi(Word))
    raise(atoi(Word));
  return 0;
}
