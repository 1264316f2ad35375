// Runs a program under a filter of system calls.
// usage: filter errno|kill|allow PROGRAM...: what happens to perf_event_open
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int Count, char **Arguments) {
  (void)Count;
  const unsigned Answer = !strcmp(Arguments[1], "errno")  ? SECCOMP_RET_ERRNO | EPERM
                          : !strcmp(Arguments[1], "kill") ? SECCOMP_RET_KILL_PROCESS
                                                          : SECCOMP_RET_ALLOW;
  struct sock_filter Code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, Answer),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog Filter = {sizeof(Code) / sizeof(*Code), Code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Filter))
    return 9;
  execvp(Arguments[2], Arguments + 2);
  return 8;
}
