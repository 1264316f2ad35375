//===- Unwind.cpp - the callers of a thread, from a piece of its stack -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "symbols/Unwind.h"

#include <cstring>
#include <set>
#include <unistd.h>

#include <elfutils/libdwfl.h>

namespace seamscope::tools {
namespace {

/// DWARF's number of the stack pointer.
#if defined(__x86_64__)
constexpr int StackRegister = 7;
#elif defined(__aarch64__)
constexpr int StackRegister = 31;
#else
constexpr int StackRegister = -1;
#endif

constexpr size_t MostFrames = 128;

/// The only thread of the process that libdwfl is told of.
constexpr pid_t OnlyThread = 1;

int noElf(Dwfl_Module *, void **, const char *, Dwarf_Addr, char **, Elf **) { return -1; }
int noDebugInformation(Dwfl_Module *, void **, const char *, Dwarf_Addr, const char *, const char *,
                       GElf_Word, char **) {
  return -1;
}

} // namespace

struct Unwinder::State {
  Dwfl *Session = nullptr;
  bool Attached = false;
  uint64_t Pc = 0, Sp = 0;
  std::string_view Stack;
  std::vector<uint64_t> Found;

  static pid_t nextThread(Dwfl *, void *Arg, void **Thread) {
    if (*Thread)
      return 0;
    *Thread = Arg;
    return OnlyThread;
  }
  static bool readMemory(Dwfl *, Dwarf_Addr Address, Dwarf_Word *Word, void *Arg) {
    const State &Its = *static_cast<State *>(Arg);
    if (Address < Its.Sp || Its.Stack.size() < sizeof(Dwarf_Word) ||
        Address - Its.Sp > Its.Stack.size() - sizeof(Dwarf_Word))
      return false;
    std::memcpy(Word, Its.Stack.data() + (Address - Its.Sp), sizeof(Dwarf_Word));
    return true;
  }
  static bool setRegisters(Dwfl_Thread *Thread, void *Arg) {
    const State &Its = *static_cast<State *>(Arg);
    const Dwarf_Word Sp = Its.Sp;
    dwfl_thread_state_register_pc(Thread, Its.Pc);
    return StackRegister >= 0 && dwfl_thread_state_registers(Thread, StackRegister, 1, &Sp);
  }
  static int visit(Dwfl_Frame *Frame, void *Arg) {
    State &Its = *static_cast<State *>(Arg);
    Dwarf_Addr Pc = 0;
    bool IsExact = false;
    if (!dwfl_frame_pc(Frame, &Pc, &IsExact) || !Pc)
      return DWARF_CB_ABORT;
    Its.Found.push_back(IsExact || Its.Found.empty() ? Pc : Pc - 1);
    return Its.Found.size() < MostFrames ? DWARF_CB_OK : DWARF_CB_ABORT;
  }
};

Unwinder::Unwinder(const std::vector<Mapping> &Mapped, SymbolFinder &Finder)
    : Held(std::make_unique<State>()) {
  static const Dwfl_Callbacks Callbacks = {noElf, noDebugInformation, nullptr, nullptr};
  static const Dwfl_Thread_Callbacks OfThread = {State::nextThread,   nullptr, State::readMemory,
                                                 State::setRegisters, nullptr, nullptr};
  Held->Session = dwfl_begin(&Callbacks);
  if (!Held->Session)
    return;
  dwfl_report_begin(Held->Session);
  std::set<MappedFile> Known;
  for (const Mapping &Of : Mapped) {
    const ElfFile *const File = Finder.fileOf(Of.File);
    const auto Address = File ? File->addressOf(Of.FileOffset) : std::nullopt;
    // A file is reported once, where its code is.
    if (!Address || *Address > Of.Begin || !Known.insert(Of.File).second)
      continue;
    if (const int Copy = dup(File->descriptor()); Copy >= 0)
      if (!dwfl_report_elf(Held->Session, Of.File.Path.c_str(), Of.File.Path.c_str(), Copy,
                           Of.Begin - *Address, /*add_p_vaddr=*/true))
        close(Copy);
  }
  dwfl_report_end(Held->Session, nullptr, nullptr);
  Held->Attached = dwfl_attach_state(Held->Session, nullptr, OnlyThread, &OfThread, Held.get());
}

Unwinder::~Unwinder() {
  if (Held->Session)
    dwfl_end(Held->Session);
}

std::vector<uint64_t> Unwinder::callers(uint64_t Pc, uint64_t Sp, std::string_view Stack) const {
  Held->Pc = Pc;
  Held->Sp = Sp;
  Held->Stack = Stack;
  Held->Found.clear();
  if (Held->Attached)
    dwfl_getthread_frames(Held->Session, OnlyThread, State::visit, Held.get());
  if (Held->Found.empty())
    Held->Found.push_back(Pc);
  return Held->Found;
}

} // namespace seamscope::tools
