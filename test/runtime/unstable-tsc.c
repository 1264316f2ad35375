// If the kernel has found the TSC unstable and therefore does not offer it as a clock source,
// CLOCK_MONOTONIC is used and a line says so. SEAMSCOPE_CLOCK=tsc still uses the TSC.
// REQUIRES: llvm-22, x86_64
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang-22 -O1 -DPROGRAM -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o program
// RUN: %clang-22 -O1 -shared -fPIC %s -o sysfs.so
// DEFINE: %{run} = env LD_PRELOAD=./sysfs.so SEAMSCOPE=trace SEAMSCOPE_OUT=k.json
// RUN: %{run} SOURCES="hpet acpi_pm " timeout 60 ./program 2> text && FileCheck %s --input-file=text && FileCheck %s --check-prefix=MONOTONIC --input-file=k.json
// CHECK: seamscope: the kernel found this machine's TSC unstable; CLOCK_MONOTONIC is used, which makes
// CHECK-NOT: seamscope
// MONOTONIC: "clock":"monotonic"
// RUN: %{run} SOURCES="hpet acpi_pm " SEAMSCOPE_CLOCK=tsc timeout 60 ./program 2> text && FileCheck %s --check-prefix=WISH --input-file=text
// WISH: seamscope: SEAMSCOPE_CLOCK=tsc:
// A clock source whose name only begins with "tsc" is another one. If the TSC is offered, or the
// sources cannot be read, the processor decides.
// RUN: %{run} SOURCES="tsc-early hpet" timeout 60 ./program 2> text && FileCheck %s --input-file=text
// RUN: %{run} SOURCES="kvm-clock tsc acpi_pm" timeout 60 ./program 2> offered
// RUN: %{run} timeout 60 ./program 2> none && diff offered none
// RUN: FileCheck %s --check-prefix=OFFERED --input-file=offered --allow-empty
// OFFERED-NOT: seamscope: the kernel
#ifdef PROGRAM
__attribute__((noinline, annotate("seamscope.kernel"))) static void kernel(void) {
  __asm__ volatile("" ::: "memory");
}
int main(void) { kernel(); }
#else
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
/// Returns SOURCES as this machine's clock sources; unset: sysfs cannot be read.
int open(const char *Path, int Flags, ...) {
  va_list Arguments;
  va_start(Arguments, Flags);
  const int Mode = va_arg(Arguments, int);
  va_end(Arguments);
  if (strstr(Path, "available_clocksource")) {
    const char *Text = getenv("SOURCES");
    if (!Text) {
      errno = ENOENT;
      return -1;
    }
    const int Fd = memfd_create("sources", 0);
    if (write(Fd, Text, strlen(Text)) < 0)
      return -1;
    lseek(Fd, 0, SEEK_SET);
    return Fd;
  }
  return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open"))(Path, Flags, Mode);
}
#endif
