; A template in a local class, such as a generic lambda, has its name, although LLVM's demangler does not
; know it: qualified, with the arguments, and without result and parameters.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan;select=all>' -disable-output %s | FileCheck %s

; CHECK: kernel 'main::$_1::operator()<int>' symbol=_ZZ4mainENK3$_1clIiEEDaRKT_d
; CHECK: kernel 'main::$_1::operator()<std::vector<std::vector<int, std::allocator<int>>, std::allocator<std::vector<int, std::allocator<int>>>>>' symbol=
; CHECK: kernel 'f()::X::operator()<int>' symbol=
; CHECK: kernel 'f()::X::operator< <int>' symbol=
; CHECK: kernel 'f()::X::foo<&(g(int))>' symbol=
; CHECK: kernel '_ZZ4mainENK3$_1clI' symbol=_ZZ4mainENK3$_1clI
define void @"_ZZ4mainENK3$_1clIiEEDaRKT_d"() {
  ret void
}
define void @"_ZZ4mainENK3$_1clISt6vectorIS1_IiSaIiEESaIS3_EEEEDaRKT_"() {
  ret void
}
define void @_ZZ1fvENK1XclIiEEvRKT_d() {
  ret void
}
define void @_ZZ1fvEN1XltIiEEbRKT_d() {
  ret void
}
define void @_ZZ1fvENK1X3fooIXadL_Z1giEEEEvRAT__i() {
  ret void
}
define void @"_ZZ4mainENK3$_1clI"() {
  ret void
}
