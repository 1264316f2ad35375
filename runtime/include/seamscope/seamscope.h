/*===- seamscope.h - mark calls and control recording ---------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The public API of libseamscope. Instrumented programs do not need it. It is
|* for code that is compiled without the plugin, and for programs that decide
|* when to record. Every function may be called from any thread.
|*
\*===----------------------------------------------------------------------===*/
#ifndef SEAMSCOPE_SEAMSCOPE_H
#define SEAMSCOPE_SEAMSCOPE_H

#include "seamscope/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is recorded. The environment variable SEAMSCOPE (off, profile, trace) sets the initial
 *  mode. */
enum SeamscopeMode {
  SEAMSCOPE_OFF = 0,     /**< nothing; costs a predicted branch per call */
  SEAMSCOPE_PROFILE = 1, /**< sums and a histogram for each site and thread */
  SEAMSCOPE_TRACE = 2    /**< every call */
};

/** Status of the calls below. */
enum SeamscopeStatus {
  SEAMSCOPE_OK = 0,
  SEAMSCOPE_ERROR_ARGUMENT = 1, /**< null, empty or out of range */
  SEAMSCOPE_ERROR_IO = 2,       /**< a file could not be written; one line on stderr says why */
  SEAMSCOPE_ERROR_LIMIT = 3     /**< no room for another site */
};

/** The library's version, "major.minor.patch". */
const char *seamscope_version(void);

/** The current mode. */
enum SeamscopeMode seamscope_mode(void);

/** Switches recording. Open calls keep the mode in which they began. */
enum SeamscopeStatus seamscope_set_mode(enum SeamscopeMode mode);

/** Finds or creates the site (name, file, line). `file` may be null, `line` 0. Strings
 *  are copied. It is slow: keep the id. Returns 0 when there is no room. */
uint32_t seamscope_site(const char *name, const char *file, uint32_t line);

/** Opens a call of `site` in `frame`, which must stay at its address until seamscope_end. */
void seamscope_begin(uint32_t site, SeamscopeFrame *frame);

/** Closes the call; must run on the thread that opened it. */
void seamscope_end(SeamscopeFrame *frame);

/** Steps to record, as in torch.profiler. Skips `skip_first` steps, then repeats a cycle `repeat`
 *  times (0: without end): `wait` steps off, `warmup` steps off (nothing needs warming), and
 *  `active` steps in the mode of the environment (trace if that is off). */
typedef struct SeamscopeSchedule {
  uint32_t skip_first, wait, warmup, active, repeat;
} SeamscopeSchedule;

/** Starts a schedule at step 0. `active` must not be 0. Null ends the schedule and keeps the
 *  current mode. */
enum SeamscopeStatus seamscope_set_schedule(const SeamscopeSchedule *schedule);

/** Ends a step of the schedule. */
void seamscope_step(void);

/** Writes all that was recorded so far as a Chrome trace. Null: to the path used at exit.
 *  Recording continues; a later flush and the exit write the whole trace again. */
enum SeamscopeStatus seamscope_flush(const char *path);

/** A time span in readings of seamscope_now() (spans.h), without `end` itself. */
typedef struct SeamscopeWindow {
  uint64_t begin, end;
} SeamscopeWindow;

/** Like seamscope_flush, but writes only the calls that began in one of the windows, in full even
 *  if they ended later, and no sums of mode profile, which have no times. The windows are ordered
 *  and do not overlap. With it a program can write phases to separate traces. Written calls stay in
 *  the spool: SEAMSCOPE_LIMIT bounds all that a process records. `path` must not be null. */
enum SeamscopeStatus seamscope_write(const char *path, const SeamscopeWindow *windows,
                                     uint32_t count);

/** Sets the path of the trace at exit, and of a flush without a path, in place of that of the
 *  environment. A relative path is resolved now. Null: write no trace; recordings not written
 *  before are then lost. Children that are forked later inherit the path. */
enum SeamscopeStatus seamscope_set_output(const char *path);

#ifdef __cplusplus
} /* extern "C" */

namespace seamscope {
/** Records the object's lifetime as one call of a site. */
class Scope {
public:
  explicit Scope(uint32_t Site) { seamscope_begin(Site, &Frame); }
  ~Scope() { seamscope_end(&Frame); }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

private:
  SeamscopeFrame Frame;
};
} // namespace seamscope

#define SEAMSCOPE_CONCAT_(A, B) A##B
#define SEAMSCOPE_CONCAT(A, B) SEAMSCOPE_CONCAT_(A, B)
/** Records the rest of the enclosing block under `NAME`. */
#define SEAMSCOPE_SCOPE(NAME)                                                                      \
  static const uint32_t SEAMSCOPE_CONCAT(SeamscopeSiteId, __LINE__) =                              \
      seamscope_site(NAME, __FILE__, __LINE__);                                                    \
  ::seamscope::Scope SEAMSCOPE_CONCAT(SeamscopeScope,                                              \
                                      __LINE__)(SEAMSCOPE_CONCAT(SeamscopeSiteId, __LINE__))
#endif
#endif /* SEAMSCOPE_SEAMSCOPE_H */
