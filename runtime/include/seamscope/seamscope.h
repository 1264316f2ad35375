/*===- seamscope.h - mark and control recording by hand -------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The public API of libseamscope. Instrumented programs need none of it; it is
|* here for code that no compiler plugin sees and for programs that choose
|* themselves when to record. Every function may be called from any thread.
|*
\*===----------------------------------------------------------------------===*/
#ifndef SEAMSCOPE_SEAMSCOPE_H
#define SEAMSCOPE_SEAMSCOPE_H

#include "seamscope/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is recorded. The environment's SEAMSCOPE (off, profile, trace) sets the first one. */
enum SeamscopeMode {
  SEAMSCOPE_OFF = 0,     /**< nothing: a predicted branch a call */
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

/** The mode in force now. */
enum SeamscopeMode seamscope_mode(void);

/** Switches recording. Calls that are open keep the mode they began with. */
enum SeamscopeStatus seamscope_set_mode(enum SeamscopeMode mode);

/** Finds or makes the site (name, file, line). `file` may be null, `line` 0. Strings
 *  are copied. Not for the hot path: keep the id. Returns 0 when there is no room. */
uint32_t seamscope_site(const char *name, const char *file, uint32_t line);

/** Opens a call of `site` in `frame`, which must live, unmoved, until seamscope_end. */
void seamscope_begin(uint32_t site, SeamscopeFrame *frame);

/** Closes it; on the thread that opened it. */
void seamscope_end(SeamscopeFrame *frame);

/** Steps to record, as torch.profiler counts them: after `skip_first` steps, cycles of
 *  `wait` steps off, `warmup` steps recorded and thrown away (off here: nothing needs
 *  warming), `active` steps in the mode of the environment (trace if that is off);
 *  `repeat` cycles, 0 for ever. */
typedef struct SeamscopeSchedule {
  uint32_t skip_first, wait, warmup, active, repeat;
} SeamscopeSchedule;

/** Starts a schedule at step 0. `active` must not be 0. Null ends it and leaves the mode. */
enum SeamscopeStatus seamscope_set_schedule(const SeamscopeSchedule *schedule);

/** Ends a step of the schedule. */
void seamscope_step(void);

/** Writes what was recorded so far as a Chrome trace. Null: where the exit would write it.
 *  Recording goes on; a later flush and the exit write the whole trace again. */
enum SeamscopeStatus seamscope_flush(const char *path);

/** A stretch of time, in readings of seamscope_now() (spans.h): from `begin` on, before `end`. */
typedef struct SeamscopeWindow {
  uint64_t begin, end;
} SeamscopeWindow;

/** As seamscope_flush, but only the calls that began in one of the windows, whole, also where
 *  they ended later; without the sums of mode profile, which have no times. The windows are in
 *  order and do not overlap. So a program that records now and then, or this and that in turns,
 *  can write each to a trace of its own. What was written stays in the spool: SEAMSCOPE_LIMIT
 *  bounds all that a process records. `path` must not be null. */
enum SeamscopeStatus seamscope_write(const char *path, const SeamscopeWindow *windows,
                                     uint32_t count);

/** Where the exit writes the trace, and a flush without a path, in place of what the environment
 *  says; a relative path counts from the folder that the process is in now. Null: nowhere; what is
 *  recorded is then lost unless it was written before. Children that are forked later inherit
 *  it. */
enum SeamscopeStatus seamscope_set_output(const char *path);

#ifdef __cplusplus
} /* extern "C" */

namespace seamscope {
/** Records its own lifetime as one call of a site. */
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
