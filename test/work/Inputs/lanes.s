# Functions whose demanded lanes are known by hand: `# 2` is the number of FLOPs of an instruction.
.intel_syntax noprefix
.macro begin name
  .globl \name
  .type \name, @function
\name:
.endm
.macro end name
  .size \name, .-\name
.endm

.text
begin two_floats
  movsd xmm0, [rdi]
  movsd xmm1, [rsi]
  mulps xmm0, xmm1        # 2
  addps xmm0, xmm1        # 2
  movlps [rdi], xmm0
  ret
end two_floats

begin four_floats
  movups xmm0, [rdi]
  addps xmm0, [rsi]       # 4
  movups [rdi], xmm0
  ret
end four_floats

begin sum_of_four
  movups xmm0, [rdi]
  mulps xmm0, xmm0        # 4
  movaps xmm1, xmm0
  movhlps xmm1, xmm0
  addps xmm1, xmm0        # 2
  movshdup xmm0, xmm1
  addss xmm0, xmm1        # 1
  movss [rsi], xmm0
  ret
end sum_of_four

begin sum_of_pairs
  movups xmm0, [rdi]
  addps xmm0, xmm0        # 2
  haddps xmm0, xmm0       # 1
  movss [rsi], xmm0
  ret
end sum_of_pairs

begin in_loop
  vxorps xmm0, xmm0, xmm0
1:
  vmovsd xmm1, [rdi]
  vaddps xmm0, xmm0, xmm1 # 2
  add rdi, 8
  dec rsi
  jne 1b
  vmovlps [rdx], xmm0
  ret
end in_loop

# The upper two lanes are read in one of two branches.
begin in_branches
  vaddps xmm0, xmm0, [rdi] # 4
  vmulps xmm1, xmm0, xmm0  # 1
  test esi, esi
  je 1f
  vmovhps [rdi], xmm0
1:
  vmovss [rdi + 8], xmm1
  vmovlps [rdi + 16], xmm0
  ret
end in_branches

begin halves
  vaddps ymm0, ymm0, ymm1 # 6
  vsubps ymm2, ymm0, ymm1 # 4
  vextractf128 xmm3, ymm0, 1
  vmovlps [rdi], xmm3
  vmovups [rdi + 8], xmm2
  vmovups [rdi + 24], xmm0
  vzeroupper
  ret
end halves

begin doubles
  vaddpd ymm0, ymm0, ymm1 # 2
  vpermpd ymm1, ymm0, 0xf
  vmovupd [rdi], xmm1
  vfmadd231pd ymm2, ymm0, ymm1 # 2
  vmovsd [rdi + 16], xmm2
  vzeroupper
  ret
end doubles

begin shuffled
  vaddps xmm0, xmm0, xmm1 # 1
  vbroadcastss ymm2, xmm0
  vfmadd213ps ymm2, ymm1, ymm1 # 16
  vmovups [rdi], ymm2
  vmulps xmm3, xmm3, xmm1 # 3
  vinsertps xmm3, xmm3, xmm1, 0x10
  vmovups [rdi + 32], xmm3
  vdivps xmm4, xmm4, xmm1 # 2
  vunpcklps xmm4, xmm4, xmm1
  vmovups [rdi + 48], xmm4
  vzeroupper
  ret
end shuffled

# No lane is read; a scalar instruction takes the upper lanes along.
begin unread
  vaddps xmm1, xmm1, xmm0 # 0
  vmulps xmm2, xmm2, xmm0 # 1
  vaddss xmm2, xmm2, xmm0 # 1
  vaddss xmm2, xmm0, xmm2 # 1
  vmovss [rdi], xmm2
  vmulps xmm3, xmm3, xmm0 # 4
  vaddss xmm3, xmm3, xmm0 # 1
  vmovups [rdi + 16], xmm3
  ret
end unread

begin undescribed
  vaddps xmm0, xmm0, xmm0 # 4
  vaesenc xmm1, xmm0, xmm0
  vmovss [rdi], xmm1
  ret
end undescribed

begin reads_two
  vaddps xmm0, xmm0, xmm0 # 2
  vmovlps [rdi], xmm0
  ret
end reads_two

# It returns four floats, of which its caller reads one.
begin returns_four
  vaddps xmm0, xmm0, xmm0 # 1
  ret
end returns_four

begin calls
  sub rsp, 24
  vmulps xmm0, xmm0, xmm0 # 2
  call reads_two
  vmovups xmm0, [rdi]
  vmulps xmm0, xmm0, xmm0 # 1
  call returns_four
  vmovss [rdi], xmm0
  add rsp, 24
  ret
end calls

# Somebody else may call it: its type says that it returns two floats.
begin returns_two
  vaddps xmm0, xmm0, xmm0 # 2
  ret
end returns_two

begin calls_by_address
  lea rax, [rip + returns_two]
  mov [rdi], rax
  vaddps xmm0, xmm0, xmm0 # 2
  jmp [rdi]
end calls_by_address

begin spills
  sub rsp, 24
  vaddps xmm0, xmm0, xmm0 # 2
  vmovaps [rsp], xmm0
  vmulps xmm0, xmm0, xmm0 # 0
  call two_floats
  vmovaps xmm0, [rsp]
  vmovlps [rdi], xmm0
  add rsp, 24
  ret
end spills

# An array on the stack: its address may be anywhere.
begin arrays
  sub rsp, 24
  vaddps xmm0, xmm0, xmm0 # 4
  vmovaps [rsp], xmm0
  vmovaps xmm0, [rsp]
  vmovlps [rdi], xmm0
  add rsp, 24
  ret
end arrays

begin by_table
  vaddps xmm0, xmm0, xmm0 # 2
  lea rax, [rip + table]
  movsxd rdi, dword ptr [rax + 4 * rdi]
  add rdi, rax
  jmp rdi
1:
  vmovss [rsi], xmm0
  ret
2:
  vmovlps [rsi], xmm0
  ret
end by_table

.section .rodata
table:
  .long 1b - table
  .long 2b - table
.section .note.GNU-stack, "", @progbits
