//===- inject.cpp - makes a system call of a program fail ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   inject [OPTION]... [--] COMMAND...
//
// Counts the injectable system calls of COMMAND and of its threads, and makes the calls in --fail
// fail: a seccomp filter stops only these calls, and this process skips them by ptrace. Linux on
// x86-64.
//
//   --fail N:WHAT     the N-th counted call, from 1 on, fails: ENOSPC, ... is its errno, short a
//                     read or write of half as much; SIGKILL, ... comes when the call begins.
//                     N+:WHAT: this call and all later ones. Repeatable
//   --calls LIST      count only these calls, by name, separated by commas
//   --children        also count calls of child processes; without it they are not touched
//   --program         count from the entry point of each program on, after its dynamic loader
//   --only-after TEXT count after the first call with TEXT in its path or descriptor's file
//   --path TEXT       count only calls with TEXT in their path or descriptor's file
//   --thread TEXT     count only calls of threads with TEXT in their name
//   --from TEXT       count only calls made by a file with TEXT in its path, directly or through
//                     libc: by the innermost frame of the stack outside of the C and C++ libraries
//   --list FILE       write the counted calls: number, thread, name, path or descriptor's file
//   --result FILE     write {"calls": N, "failed": [...], "exit": N or null, "signal": N or null}
//   --limit SECONDS   kill COMMAND after that time (60) and exit with 124
//
// Exits with the status of COMMAND; 128 + N: signal N ended it; 125: inject itself failed.
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

/// A system call that can be counted: which arguments are a path or a descriptor; -1: none.
struct Call {
  const char *Name;
  long Number;
  int Path = -1, Descriptor = -1;
};

constexpr Call Calls[] = {
#define CALL(NAME, ...) {#NAME, SYS_##NAME, ##__VA_ARGS__},
#include "calls.def"
#undef CALL
};

constexpr std::pair<const char *, int> Errors[] = {
    {"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EMFILE", EMFILE}, {"EPERM", EPERM},
    {"EINTR", EINTR},   {"ENOMEM", ENOMEM}, {"EACCES", EACCES}, {"EAGAIN", EAGAIN},
    {"EROFS", EROFS},   {"EFBIG", EFBIG},   {"ENFILE", ENFILE}, {"ENOENT", ENOENT},
    {"EINVAL", EINVAL}, {"ENOSYS", ENOSYS}, {"EDQUOT", EDQUOT}, {"EOPNOTSUPP", EOPNOTSUPP},
    {"EEXIST", EEXIST}, {"ELOOP", ELOOP},   {"EXDEV", EXDEV},   {"ENOTSUP", ENOTSUP}};
constexpr std::pair<const char *, int> Signals[] = {{"SIGKILL", SIGKILL}, {"SIGTERM", SIGTERM},
                                                    {"SIGINT", SIGINT},   {"SIGHUP", SIGHUP},
                                                    {"SIGSEGV", SIGSEGV}, {"SIGUSR1", SIGUSR1}};
constexpr int Short = -1; ///< not an error: reads or writes half

struct Fault {
  uint64_t At;
  bool Onwards;
  int Why; ///< errno, Short, or 0: Signal
  int Signal = 0;
};

struct Options {
  std::vector<Fault> Faults;
  std::set<long> Counted;
  bool Children = false, Program = false;
  std::string OnlyAfter, Path, Thread, From, List, Result;
  unsigned Limit = 60;
  char **Command = nullptr;
};

struct Tracee {
  pid_t Process = 0;                  ///< the process that it is a thread of
  std::optional<int> Result;          ///< result of the current call
  std::optional<uint64_t> Breakpoint; ///< not yet at the program's entry point
  long Replaced = 0;                  ///< replaced by the breakpoint
};

[[noreturn]] void die(const std::string &Why) {
  std::fprintf(stderr, "inject: %s\n", Why.c_str());
  std::exit(125);
}

volatile sig_atomic_t TimeIsUp = 0;

const Call *callOf(long Number) {
  const auto *Found = std::ranges::find(Calls, Number, &Call::Number);
  return Found == std::end(Calls) ? nullptr : Found;
}

std::string linkOf(const std::string &Name) {
  char Text[PATH_MAX];
  const ssize_t Size = readlink(Name.c_str(), Text, sizeof Text);
  return Size < 0 ? "" : std::string(Text, static_cast<size_t>(Size));
}

/// Up to \p Size bytes of the tracee's memory.
std::string memoryOf(pid_t Of, uint64_t At, size_t Size) {
  std::string Bytes(Size, '\0');
  const iovec Into = {Bytes.data(), Size};
  std::vector<iovec> Parts; // page by page, since the next page may be unmapped
  for (size_t Done = 0; Done < Size; Done += Parts.back().iov_len)
    Parts.push_back({reinterpret_cast<void *>(At + Done),
                     std::min<size_t>(Size - Done, 4096 - (At + Done) % 4096)});
  const ssize_t Got = process_vm_readv(Of, &Into, 1, Parts.data(), Parts.size(), 0);
  const size_t Done = Got < 0 ? 0 : static_cast<size_t>(Got);
  Bytes.resize(Done);
  return Bytes;
}

/// The path argument of the call, or the file of its descriptor.
std::string fileOf(pid_t Of, const Call &What, const uint64_t *Arguments) {
  if (What.Path >= 0) {
    const std::string Text = memoryOf(Of, Arguments[What.Path], 1024);
    const std::string Name = Text.substr(0, Text.find('\0'));
    if (!Name.empty())
      return Name;
  }
  const int Descriptor = What.Path > 0 ? 0 : What.Descriptor;
  return Descriptor < 0 ? ""
                        : linkOf("/proc/" + std::to_string(Of) + "/fd/" +
                                 std::to_string(static_cast<int>(Arguments[Descriptor])));
}

std::string threadName(pid_t Of) {
  std::string Name;
  std::ifstream File("/proc/" + std::to_string(Of) + "/comm");
  std::getline(File, Name);
  return Name;
}

struct Mapping {
  uint64_t Begin, End;
  std::string Path;
};

/// Follows the frames of a process's stopped threads by the unwind tables of its mapped files.
/// Searching the stack for return addresses would also find those that earlier calls left there.
class Stacks {
public:
  explicit Stacks(pid_t Process) : Of(dwfl_begin(&Callbacks)), Process(Process) { reread(); }
  ~Stacks() { dwfl_end(Of); }
  Stacks(const Stacks &) = delete;
  Stacks &operator=(const Stacks &) = delete;

  void reread() {
    dwfl_report_begin(Of);
    dwfl_linux_proc_report(Of, Process);
    dwfl_report_end(Of, nullptr, nullptr);
    if (!Attached)
      Attached = dwfl_linux_proc_attach(Of, Process, /*assume_ptrace_stopped=*/true) == 0;
  }

  /// Shows addresses of code to \p Stop, from the innermost frame on, until it returns true.
  void walk(pid_t Thread, std::function<bool(uint64_t)> Stop) {
    dwfl_getthread_frames(
        Of, Thread,
        [](Dwfl_Frame *Frame, void *Context) -> int {
          Dwarf_Addr At = 0;
          bool IsExact = false; // else a return address
          if (!dwfl_frame_pc(Frame, &At, &IsExact))
            return DWARF_CB_ABORT;
          const auto &Stop = *static_cast<std::function<bool(uint64_t)> *>(Context);
          return Stop(IsExact ? At : At - 1) ? DWARF_CB_ABORT : DWARF_CB_OK;
        },
        &Stop);
  }

private:
  static int noDebugInfo(Dwfl_Module *, void **, const char *, Dwarf_Addr, const char *,
                         const char *, GElf_Word, char **) {
    return -1; // unwind tables are enough
  }
  static constexpr Dwfl_Callbacks Callbacks = {dwfl_linux_proc_find_elf, noDebugInfo, nullptr,
                                               nullptr};
  Dwfl *Of;
  pid_t Process;
  bool Attached = false;
};

/// The code ranges of files that a process has mapped, which belong to a wanted file, and stacks.
struct Mapped {
  std::vector<Mapping> Code, Wanted;
  unsigned Rereads = 1; ///< reads still to do
  std::unique_ptr<Stacks> Threads;
};

void readCode(Mapped &Into, pid_t Of, const std::string &From) {
  std::vector<Mapping> &Code = Into.Code;
  Code.clear();
  std::ifstream Maps("/proc/" + std::to_string(Of) + "/maps");
  for (std::string Line; std::getline(Maps, Line);) {
    std::istringstream Words(Line);
    std::string Range, Rights, Skipped, Path;
    Words >> Range >> Rights >> Skipped >> Skipped >> Skipped >> std::ws;
    std::getline(Words, Path); // the path may contain blanks
    char *Rest = nullptr;
    const uint64_t Begin = std::strtoull(Range.c_str(), &Rest, 16);
    if (Rights.find('x') != Rights.npos && Path.starts_with('/'))
      Code.push_back({Begin, std::strtoull(Rest + 1, nullptr, 16), Path});
  }
  Into.Wanted.clear();
  std::ranges::copy_if(Code, std::back_inserter(Into.Wanted),
                       [&](const Mapping &Each) { return Each.Path.find(From) != From.npos; });
}

/// The file whose code made the call, directly or through libc. Empty for code that is not wanted,
/// and where the stack cannot be followed.
std::string callerOf(pid_t Process, pid_t Thread, uint64_t Instruction, uint64_t Stack,
                     Mapped &Has) {
  // Few stacks contain an address of wanted code, and unwinding takes long.
  const std::string Bytes = memoryOf(Thread, Stack, 32 << 10);
  std::vector<uint64_t> Words(Bytes.size() / 8);
  std::memcpy(Words.data(), Bytes.data(), Words.size() * 8);
  Words.push_back(Instruction);
  if (std::ranges::none_of(Words, [&](uint64_t Word) {
        return std::ranges::any_of(
            Has.Wanted, [&](const Mapping &Each) { return Word >= Each.Begin && Word < Each.End; });
      }))
    return "";
  if (!Has.Threads)
    Has.Threads = std::make_unique<Stacks>(Process);
  std::string Found;
  Has.Threads->walk(Thread, [&](uint64_t At) {
    const auto Behind = std::ranges::upper_bound(Has.Code, At, {}, &Mapping::Begin);
    if (Behind == Has.Code.begin() || At >= std::prev(Behind)->End)
      return true;
    const std::string &Path = std::prev(Behind)->Path;
    const std::string Name = Path.substr(Path.rfind('/') + 1);
    for (const char *Library : {"libc.so", "libc-", "libstdc++", "libpthread", "ld-linux", "libm."})
      if (Name.starts_with(Library))
        return false;
    Found = Path;
    return true;
  });
  return Found;
}

class Injector {
public:
  explicit Injector(const Options &Given)
      : Given(Given), Started(Given.OnlyAfter.empty()),
        MayCall(Given.From.empty() || !Given.Counted.contains(SYS_openat)) {
    if (!Given.List.empty())
      List.open(Given.List);
  }

  int run() {
    start();
    int Status = 0;
    for (;;) {
      const pid_t Of = waitpid(-1, &Status, __WALL);
      if (TimeIsUp)
        return finish(124);
      if (Of < 0 && errno == EINTR)
        continue;
      if (Of < 0)
        return finish(WIFSIGNALED(MainStatus) ? 128 + WTERMSIG(MainStatus)
                                              : WEXITSTATUS(MainStatus));
      if (WIFSTOPPED(Status)) {
        stopped(Of, Status);
      } else {
        Known.erase(Of);
        if (Of == Main)
          MainStatus = Status;
      }
    }
  }

private:
  void start() {
    int Ready[2];
    if (pipe(Ready))
      die("no pipe");
    Main = fork();
    if (Main < 0)
      die("no process");
    if (!Main) {
      char Byte;
      close(Ready[1]);
      if (read(Ready[0], &Byte, 1) == 1) {
        close(Ready[0]);
        filter();
        execvp(Given.Command[0], Given.Command);
      }
      die(std::string(Given.Command[0]) + ": " + std::strerror(errno));
    }
    close(Ready[0]);
    const long Follow = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                        PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD |
                        PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SEIZE, Main, nullptr, Follow))
      die(std::string("ptrace: ") + std::strerror(errno));
    struct sigaction Act{};
    Act.sa_handler = [](int) { TimeIsUp = 1; };
    sigaction(SIGALRM, &Act, nullptr);
    alarm(Given.Limit);
    [[maybe_unused]] const ssize_t Written = write(Ready[1], "", 1);
    close(Ready[1]);
  }

  /// In the child: makes the calls that can be counted stop for the tracer.
  void filter() {
    std::vector<sock_filter> Code = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
    for (const long Number : Given.Counted) {
      Code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(Number), 0, 1));
      Code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE));
    }
    Code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog Program = {static_cast<unsigned short>(Code.size()), Code.data()};
    if (geteuid() && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
      die("no_new_privs cannot be set");
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Program))
      die(std::string("seccomp: ") + std::strerror(errno));
  }

  void stopped(pid_t Of, int Status) {
    const int Signal = WSTOPSIG(Status), Event = Status >> 16;
    Tracee &Thread = Known[Of];
    long Go = PTRACE_CONT, Deliver = 0;
    if (Event == PTRACE_EVENT_SECCOMP) {
      if (seen(Of, Thread))
        Go = PTRACE_SYSCALL; // run to its end, where the result is replaced
    } else if (Event == PTRACE_EVENT_EXEC) {
      Thread = {};
      CodeOf.erase(Of);
      ++Executed;
      if (Given.Program && (Given.Children || Of == Main))
        stopAtEntry(Of, Thread);
    } else if (Event == PTRACE_EVENT_STOP) {
      if (Signal != SIGTRAP)
        Go = PTRACE_LISTEN; // a group stop
    } else if (Event == 0 && Signal == (SIGTRAP | 0x80)) {
      if (Thread.Result) {
        user_regs_struct Registers{};
        ptrace(PTRACE_GETREGS, Of, nullptr, &Registers);
        Registers.rax = static_cast<uint64_t>(-static_cast<int64_t>(*Thread.Result));
        ptrace(PTRACE_SETREGS, Of, nullptr, &Registers);
        Thread.Result.reset();
      }
    } else if (Event == 0 && Signal == SIGTRAP && Thread.Breakpoint) {
      user_regs_struct Registers{};
      ptrace(PTRACE_GETREGS, Of, nullptr, &Registers);
      Registers.rip = *Thread.Breakpoint;
      ptrace(PTRACE_SETREGS, Of, nullptr, &Registers);
      ptrace(PTRACE_POKETEXT, Of, *Thread.Breakpoint, Thread.Replaced);
      Thread.Breakpoint.reset();
    } else if (Event == 0) {
      Deliver = Signal;
    }
    ptrace(static_cast<__ptrace_request>(Go), Of, nullptr, Deliver);
  }

  void stopAtEntry(pid_t Of, Tracee &Thread) {
    std::ifstream File("/proc/" + std::to_string(Of) + "/auxv", std::ios::binary);
    for (Elf64_auxv_t Each; File.read(reinterpret_cast<char *>(&Each), sizeof Each);)
      if (Each.a_type == AT_ENTRY) {
        Thread.Breakpoint = Each.a_un.a_val;
        Thread.Replaced = ptrace(PTRACE_PEEKTEXT, Of, *Thread.Breakpoint, nullptr);
        ptrace(PTRACE_POKETEXT, Of, *Thread.Breakpoint, (Thread.Replaced & ~0xffL) | 0xcc);
      }
  }

  pid_t processOf(pid_t Of, Tracee &Thread) {
    std::ifstream File("/proc/" + std::to_string(Of) + "/status");
    for (std::string Line; !Thread.Process && std::getline(File, Line);)
      if (Line.starts_with("Tgid:"))
        Thread.Process = std::atoi(Line.c_str() + 5);
    return Thread.Process;
  }

  /// Reads the mappings again while a library is being loaded.
  Mapped &code(pid_t Process, const Call &What, const std::string &File) {
    constexpr unsigned CallsOfLoading = 32;
    Mapped &Has = CodeOf[Process];
    if (What.Path >= 0 && (File.empty() || File.find(".so") != File.npos))
      Has.Rereads = CallsOfLoading;
    if (Has.Rereads) {
      --Has.Rereads;
      readCode(Has, Process, Given.From);
      if (Has.Threads)
        Has.Threads->reread();
    }
    return Has;
  }

  /// Called before a system call runs. Returns whether its end must be handled.
  bool seen(pid_t Of, Tracee &Thread) {
    user_regs_struct Registers{};
    if (!Executed || Thread.Breakpoint || ptrace(PTRACE_GETREGS, Of, nullptr, &Registers))
      return false;
    const Call *What = callOf(static_cast<long>(Registers.orig_rax));
    if (!What || (!Given.Children && processOf(Of, Thread) != Main))
      return false;
    const uint64_t Arguments[] = {Registers.rdi, Registers.rsi, Registers.rdx,
                                  Registers.r10, Registers.r8,  Registers.r9};
    const bool WantsFile = !Given.From.empty() || List.is_open() || !Started ||
                           !Given.Path.empty() || !Given.Faults.empty();
    const std::string File = WantsFile ? fileOf(Of, *What, Arguments) : "";
    // Finding the caller is slow. Code makes no call before its file is opened.
    if (!MayCall)
      MayCall = File.find(Given.From) != File.npos;
    if (!Started) {
      Started = File.find(Given.OnlyAfter) != File.npos;
      return false;
    }
    if (File.find(Given.Path) == File.npos ||
        (!Given.Thread.empty() && threadName(Of).find(Given.Thread) == std::string::npos))
      return false;
    if (!Given.From.empty() &&
        (!MayCall || callerOf(processOf(Of, Thread), Of, Registers.rip, Registers.rsp,
                              code(processOf(Of, Thread), *What, File))
                             .find(Given.From) == std::string::npos))
      return false;
    ++Count;
    if (List.is_open())
      List << Count << '\t' << threadName(Of) << '\t' << What->Name << '\t' << File << std::endl;
    const auto Chosen = std::ranges::find_if(Given.Faults, [&](const Fault &Each) {
      return Each.Onwards ? Count >= Each.At : Count == Each.At;
    });
    if (Chosen == Given.Faults.end())
      return false;
    Failed.push_back(std::string(What->Name) + ' ' + File);
    if (Chosen->Signal) {
      kill(processOf(Of, Thread), Chosen->Signal);
      return false;
    }
    if (Chosen->Why == Short) {
      Registers.rdx = std::max<uint64_t>(Registers.rdx / 2, Registers.rdx > 0);
      ptrace(PTRACE_SETREGS, Of, nullptr, &Registers);
      return false;
    }
    if (What->Number == SYS_close) { // close() closes the descriptor even when it fails
      Thread.Result = Chosen->Why;
      return true;
    }
    // Anonymous memory fails for lack of memory alone: glibc asserts that for a thread's stack.
    const bool IsMemory = What->Number == SYS_mmap && static_cast<int>(Registers.r8) == -1;
    Registers.orig_rax = ~0ull;
    Registers.rax = static_cast<uint64_t>(-static_cast<int64_t>(IsMemory ? ENOMEM : Chosen->Why));
    ptrace(PTRACE_SETREGS, Of, nullptr, &Registers);
    return false;
  }

  int finish(int Code) const {
    if (Given.Result.empty())
      return Code;
    std::ofstream To(Given.Result);
    To << "{\"calls\": " << Count << ", \"failed\": [";
    for (size_t I = 0; I < Failed.size(); ++I) {
      To << (I ? ", \"" : "\"");
      for (const char C : Failed[I])
        To << (C == '"' || C == '\\' || static_cast<unsigned char>(C) < ' ' ? '?' : C);
      To << '"';
    }
    const bool Ended = Code != 124 || !TimeIsUp;
    To << "], \"exit\": "
       << (Ended && WIFEXITED(MainStatus) ? std::to_string(WEXITSTATUS(MainStatus)) : "null")
       << ", \"signal\": "
       << (Ended && WIFSIGNALED(MainStatus) ? std::to_string(WTERMSIG(MainStatus)) : "null")
       << "}\n";
    return Code;
  }

  const Options &Given;
  bool Started, MayCall;
  pid_t Main = 0;
  int MainStatus = 0;
  uint64_t Count = 0;
  unsigned Executed = 0;
  std::map<pid_t, Tracee> Known;
  std::map<pid_t, Mapped> CodeOf;
  std::vector<std::string> Failed;
  std::ofstream List;
};

Fault readFault(const std::string &Text) {
  char *Rest = nullptr;
  Fault Result{std::strtoull(Text.c_str(), &Rest, 10), false, 0};
  if (*Rest == '+') {
    Result.Onwards = true;
    ++Rest;
  }
  const std::string Name = *Rest ? Rest + 1 : "";
  for (const auto &[Each, Number] : Errors)
    if (Name == Each)
      Result.Why = Number;
  for (const auto &[Each, Number] : Signals)
    if (Name == Each)
      Result.Signal = Number;
  if (Name == "short")
    Result.Why = Short;
  if (*Rest != ':' || !Result.At || !(Result.Why || Result.Signal))
    die("--fail takes N:WHAT or N+:WHAT, not " + Text);
  return Result;
}

std::set<long> readCalls(const std::string &Text) {
  std::set<long> Numbers;
  std::istringstream Names(Text);
  for (std::string Name; std::getline(Names, Name, ',');) {
    const auto *Found = std::ranges::find_if(Calls, [&](const Call &C) { return Name == C.Name; });
    if (Found == std::end(Calls))
      die("unknown call " + Name);
    Numbers.insert(Found->Number);
  }
  return Numbers;
}

Options readOptions(int Count, char **Words) {
  Options Result;
  for (const Call &Each : Calls)
    Result.Counted.insert(Each.Number);
  const std::map<std::string, std::string Options::*> Texts = {
      {"--only-after", &Options::OnlyAfter},
      {"--path", &Options::Path},
      {"--thread", &Options::Thread},
      {"--from", &Options::From},
      {"--list", &Options::List},
      {"--result", &Options::Result}};
  int I = 1;
  for (; I < Count && std::string_view(Words[I]).starts_with("--"); ++I) {
    const std::string Name = Words[I];
    if (Name == "--") {
      ++I;
      break;
    }
    if (Name == "--children" || Name == "--program") {
      (Name == "--children" ? Result.Children : Result.Program) = true;
      continue;
    }
    if (++I >= Count)
      die(Name + " needs a value");
    if (const auto Text = Texts.find(Name); Text != Texts.end())
      Result.*Text->second = Words[I];
    else if (Name == "--fail")
      Result.Faults.push_back(readFault(Words[I]));
    else if (Name == "--calls")
      Result.Counted = readCalls(Words[I]);
    else if (Name == "--limit")
      Result.Limit = static_cast<unsigned>(std::max(1, std::atoi(Words[I])));
    else
      die("unknown option " + Name);
  }
  if (I >= Count)
    die("no command");
  Result.Command = Words + I;
  return Result;
}

} // namespace

int main(int Count, char **Words) {
  const Options Given = readOptions(Count, Words);
  return Injector(Given).run();
}
