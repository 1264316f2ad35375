// Loops with tests of their variable against a bound: of each type, comparison and step, with bounds below the
// start, above the end, and at the ends of the type.
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline, annotate("seamscope.kernel"))) void

static float inputs[64], outputs[64];

// What both branches store is read by the next iteration, so that the test stays a branch.
#define HERE y[0] = y[0] * 0.5f + x[i & 63]
#define ELSE y[1] = y[1] / 2 - y[0]
#define EACH y[2] = y[1] - 1

#define TEST(NAME, T, OP, STEP)                                                                                       \
  KERNEL k_##NAME##_##STEP(const float *x, float *y, T start, T end, T bound) {                                       \
    for (T i = start; i < end; i += STEP) {                                                                           \
      if (i OP bound)                                                                                                 \
        HERE;                                                                                                         \
      else                                                                                                            \
        ELSE;                                                                                                         \
      EACH;                                                                                                           \
    }                                                                                                                 \
  }
#define STEPS(NAME, T, OP) TEST(NAME, T, OP, 1) TEST(NAME, T, OP, 2) TEST(NAME, T, OP, 3) TEST(NAME, T, OP, 8)
#define TESTS(NAME, T)                                                                                                \
  STEPS(NAME##_lt, T, <)                                                                                              \
  STEPS(NAME##_le, T, <=)                                                                                             \
  STEPS(NAME##_gt, T, >)                                                                                              \
  STEPS(NAME##_ge, T, >=)                                                                                             \
  STEPS(NAME##_eq, T, ==)                                                                                             \
  STEPS(NAME##_ne, T, !=)                                                                                             \
  KERNEL k_##NAME##_down(const float *x, float *y, T start, T end, T bound) {                                         \
    for (T i = end; i > start; --i) {                                                                                 \
      if (i < bound)                                                                                                  \
        HERE;                                                                                                         \
      EACH;                                                                                                           \
    }                                                                                                                 \
  }                                                                                                                   \
  KERNEL k_##NAME##_nested(const float *x, float *y, T start, T end, T bound) {                                       \
    for (T i = start; i < end; ++i) {                                                                                 \
      if (i < bound) {                                                                                                \
        if (i >= bound / 2)                                                                                           \
          HERE;                                                                                                       \
        if (i == 7)                                                                                                   \
          ELSE;                                                                                                       \
      }                                                                                                               \
      EACH;                                                                                                           \
    }                                                                                                                 \
  }                                                                                                                   \
  KERNEL k_##NAME##_leaves_before(const float *x, float *y, T start, T end, T bound) {                                \
    for (T i = start; i < end; ++i) {                                                                                 \
      if (x[i & 63] > 0.9f)                                                                                           \
        break;                                                                                                        \
      if (i < bound)                                                                                                  \
        HERE;                                                                                                         \
      EACH;                                                                                                           \
    }                                                                                                                 \
  }                                                                                                                   \
  KERNEL k_##NAME##_leaves_behind(const float *x, float *y, T start, T end, T bound) {                                \
    for (T i = start; i < end; ++i) {                                                                                 \
      if (i >= bound)                                                                                                 \
        HERE;                                                                                                         \
      if (i == bound || x[i & 63] > 0.95f)                                                                            \
        break;                                                                                                        \
      EACH;                                                                                                           \
    }                                                                                                                 \
  }                                                                                                                   \
  KERNEL k_##NAME##_leaves_by_test(const float *x, float *y, T start, T end, T bound) {                               \
    for (T i = start; i < end; i += 2) {                                                                              \
      HERE;                                                                                                           \
      if (i > bound)                                                                                                  \
        break;                                                                                                        \
      EACH;                                                                                                           \
    }                                                                                                                 \
  }                                                                                                                   \
  KERNEL k_##NAME##_breaks_at(const float *x, float *y, T start, T end, T bound) {                                    \
    for (T i = start; i < end; ++i) {                                                                                 \
      HERE;                                                                                                           \
      if (i == bound)                                                                                                 \
        break;                                                                                                        \
      ELSE;                                                                                                           \
    }                                                                                                                 \
  }                                                                                                                   \
  KERNEL k_##NAME##_part(const float *x, float *y, T start, T end, T bound) {                                         \
    for (int i = start & 63; i < (end & 63) + 600; ++i) {                                                             \
      if ((T)i == bound)                                                                                              \
        HERE;                                                                                                         \
      else                                                                                                            \
        ELSE;                                                                                                         \
    }                                                                                                                 \
  }                                                                                                                   \
  KERNEL k_##NAME##_switch(const float *x, float *y, T start, T end, T bound) {                                       \
    (void)bound;                                                                                                      \
    for (T i = start; i < end; ++i) {                                                                                 \
      switch (i) {                                                                                                    \
      case 0:                                                                                                         \
        HERE;                                                                                                         \
        break;                                                                                                        \
      case 3:                                                                                                         \
      case 19:                                                                                                        \
        ELSE;                                                                                                         \
        break;                                                                                                        \
      case 33:                                                                                                        \
        return;                                                                                                       \
      default:                                                                                                        \
        y[3] = y[3] * 0.25f + 1;                                                                                      \
      }                                                                                                               \
      EACH;                                                                                                           \
    }                                                                                                                 \
  }                                                                                                                   \
  KERNEL k_##NAME##_checked(const float *x, float *y, T start, T end, T bound) {                                      \
    for (T i = start; i < end; ++i) {                                                                                 \
      if (i < bound) {                                                                                                \
        HERE;                                                                                                         \
        if (x[i & 63] > 2)                                                                                            \
          abort();                                                                                                    \
        y[3] = y[3] * 0.25f + 1;                                                                                      \
      }                                                                                                               \
      EACH;                                                                                                           \
    }                                                                                                                 \
  }                                                                                                                   \
  KERNEL k_##NAME##_around_loop(const float *x, float *y, T start, T end, T bound) {                                  \
    for (T i = start; i < end; ++i) {                                                                                 \
      if (i < bound)                                                                                                  \
        for (int j = 0; j < 5; ++j)                                                                                   \
          HERE;                                                                                                       \
      else                                                                                                            \
        for (int j = 0; j < (i & 3); ++j)                                                                             \
          ELSE;                                                                                                       \
      EACH;                                                                                                           \
    }                                                                                                                 \
  }                                                                                                                   \
  KERNEL k_##NAME##_inner(const float *x, float *y, T start, T end, T bound) {                                        \
    for (int k = 0; k < 4; ++k)                                                                                       \
      for (T i = start; i < end; ++i) {                                                                               \
        if (i < k)                                                                                                    \
          HERE;                                                                                                       \
        if (i == bound)                                                                                               \
          ELSE;                                                                                                       \
        if (k > 1)                                                                                                    \
          EACH;                                                                                                       \
      }                                                                                                               \
  }                                                                                                                   \
  KERNEL k_##NAME##_tiles(const float *x, float *y, T start, T end, T bound) {                                        \
    (void)start, (void)bound;                                                                                         \
    for (T t = 0; t < end; t += 4) {                                                                                  \
      if (t + 4 <= end) {                                                                                             \
        for (T i = t; i < t + 4; ++i)                                                                                 \
          HERE;                                                                                                       \
      } else {                                                                                                        \
        for (T i = t; i < end; ++i)                                                                                   \
          ELSE;                                                                                                       \
      }                                                                                                               \
      y[2] = y[1] - 1;                                                                                                \
    }                                                                                                                 \
  }

#define CALL(NAME, T) k_##NAME(inputs, outputs, (T)start, (T)end, (T)bound);
#define CALLS_OF(NAME, T) CALL(NAME##_1, T) CALL(NAME##_2, T) CALL(NAME##_3, T) CALL(NAME##_8, T)
#define CALLS(NAME, T, LEAST, MOST)                                                                                   \
  {                                                                                                                   \
    const T bounds[] = {LEAST, LEAST + 1, LEAST + 20, LEAST + 33, 0, 1, 5, 19, 20, 21, 33, MOST, MOST - 1, MOST - 30, \
                        MOST - 33, (T)-1, (T)-7};                                                                     \
    const T ranges[][2] = {{0, 0}, {0, 1}, {0, 20}, {0, 33}, {3, 40}, {40, 3}, {LEAST, LEAST + 33},                   \
                           {MOST - 50, MOST - 10}, {(T)(LEAST ? -20 : 1), 20}, {LEAST, LEAST}, {MOST, LEAST}};        \
    for (unsigned r = 0; r < sizeof ranges / sizeof *ranges; ++r)                                                     \
      for (unsigned b = 0; b < sizeof bounds / sizeof *bounds; ++b) {                                                 \
        const T start = ranges[r][0], end = ranges[r][1], bound = bounds[b];                                          \
        outputs[0] = outputs[1] = outputs[2] = outputs[3] = 0;                                                        \
        CALLS_OF(NAME##_lt, T)                                                                                        \
        CALLS_OF(NAME##_le, T)                                                                                        \
        CALLS_OF(NAME##_gt, T)                                                                                        \
        CALLS_OF(NAME##_ge, T)                                                                                        \
        CALLS_OF(NAME##_eq, T)                                                                                        \
        CALLS_OF(NAME##_ne, T)                                                                                        \
        CALL(NAME##_down, T)                                                                                          \
        CALL(NAME##_nested, T)                                                                                        \
        CALL(NAME##_leaves_before, T)                                                                                 \
        CALL(NAME##_leaves_behind, T)                                                                                 \
        CALL(NAME##_leaves_by_test, T)                                                                                \
        CALL(NAME##_breaks_at, T)                                                                                     \
        CALL(NAME##_part, T)                                                                                          \
        CALL(NAME##_switch, T)                                                                                        \
        CALL(NAME##_checked, T)                                                                                       \
        CALL(NAME##_around_loop, T)                                                                                   \
        CALL(NAME##_inner, T)                                                                                         \
        if (end < 50)                                                                                                 \
          CALL(NAME##_tiles, T)                                                                                       \
      }                                                                                                               \
  }

TESTS(int, int)
TESTS(unsigned, unsigned)
TESTS(long, long)
TESTS(size, uint64_t)
TESTS(short, short)
TESTS(byte, uint8_t)

int main(void) {
  for (int i = 0; i < 64; ++i)
    inputs[i] = (i * 7 + 5) % 64 / 64.0f;
  CALLS(int, int, INT_MIN, INT_MAX)
  CALLS(unsigned, unsigned, 0u, UINT_MAX)
  CALLS(long, long, LONG_MIN, LONG_MAX)
  CALLS(size, uint64_t, 0ul, ULONG_MAX)
  CALLS(short, short, SHRT_MIN, SHRT_MAX)
  CALLS(byte, uint8_t, 0, UINT8_MAX)
  return 0;
}
