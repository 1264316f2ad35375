//===- OutputOwner.cpp - which process of a program gets the trace's name -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SEAMSCOPE_OWNER is "<pid> <path>". A program that gives those that it starts another path makes
// the value void for them.
//
//===----------------------------------------------------------------------===//
#include "core/OutputOwner.h"

#include "core/Environment.h"
#include "core/Platform.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace seamscope {
namespace {

constexpr char Variable[] = "SEAMSCOPE_OWNER";

bool isVariable(const char *Text) {
  return !strncmp(Text, Variable, sizeof(Variable) - 1) && Text[sizeof(Variable) - 1] == '=';
}

} // namespace

uint32_t outputOwner(const Config &C, uint32_t Pid) {
  const char *Text = environment(Variable);
  if (!Text || *Text < '1' || *Text > '9')
    return Pid;
  char *End = nullptr;
  const unsigned long Owner = strtoul(Text, &End, 10);
  return *End == ' ' && Owner <= INT32_MAX && !strcmp(End + 1, C.Out) ? static_cast<uint32_t>(Owner)
                                                                      : Pid;
}

void announceOutputOwner(const Config &C, uint32_t Pid) {
  size_t Count = 0;
  for (char **Each = environ; Each && *Each; ++Each)
    ++Count;
  // Not setenv(): its lock may be held by a thread that waits for ours, and it frees a list that
  // other threads may be reading.
  const size_t ListBytes = (Count + 2) * sizeof(char *);
  const size_t TextBytes = sizeof(Variable) + 16 + strlen(C.Out) + 1;
  char **List = static_cast<char **>(allocatePages(ListBytes + TextBytes));
  if (!List)
    return;
  char *Text = reinterpret_cast<char *>(List) + ListBytes;
  snprintf(Text, TextBytes, "%s=%u %s", Variable, Pid, C.Out);
  size_t Used = 0;
  for (size_t I = 0; I < Count; ++I)
    if (!isVariable(environ[I]))
      List[Used++] = environ[I];
  List[Used] = Text;
  storeRelease(&environ, List);
}

} // namespace seamscope
