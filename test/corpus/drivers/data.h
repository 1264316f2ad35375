/* Input for the drivers, made from a seed and always the same, and a checksum of their output. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef DATA_H
#define DATA_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t data_state = 88172645463325252u;
static inline uint64_t data_next(void) {
  data_state ^= data_state << 13;
  data_state ^= data_state >> 7;
  return data_state ^= data_state << 17;
}
static inline double data_unit(void) { return (double)(data_next() >> 11) / 9007199254740992.0; }

/* Words of a small vocabulary, some repeated in runs, so that the text compresses well. */
static inline char *data_text(size_t size) {
  char *text = (char *)malloc(size + 1);
  char words[256][9];
  for (int w = 0; w < 256; w++) {
    int length = 2 + (int)(data_next() % 7);
    for (int c = 0; c < length; c++)
      words[w][c] = (char)('a' + data_next() % 26);
    words[w][length] = 0;
  }
  size_t at = 0;
  while (at < size) {
    const char *word = words[data_next() % 16 == 0 ? data_next() % 256 : data_next() % 40];
    while (*word && at < size)
      text[at++] = *word++;
    if (at < size)
      text[at++] = data_next() % 12 ? ' ' : '\n';
  }
  text[size] = 0;
  return text;
}

static inline uint64_t data_sum(uint64_t sum, const void *bytes, size_t size) {
  const unsigned char *b = (const unsigned char *)bytes;
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ b[i]) * 1099511628211u;
  return sum;
}
#define DATA_SUM 14695981039346656037u
/* How often to repeat: the first argument. */
static inline int data_rounds(int argc, char **argv) { return argc > 1 ? atoi(argv[1]) : 1; }
static inline void data_print(uint64_t sum) { printf("%016llx\n", (unsigned long long)sum); }
#endif
