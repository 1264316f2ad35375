/*===- trace.h - traces as Arrow columns ------------------------------------===*\
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libseamscope-trace reads what `seamscope report` reads, and gives out the events of a trace and
 * the tables of its report as columns in memory, by Arrow's C stream interface. It needs no
 * Arrow library; pyarrow, DuckDB, polars and others take the streams. docs/formats.md ("Arrow
 * tables") has the tables and their columns. For C and C++; link with -lseamscope-trace.
 *
 *   struct seamscope_trace *trace;
 *   if (seamscope_trace_open("trace.json.gz", &trace))
 *     fprintf(stderr, "%s\n", seamscope_trace_message(trace, 0));
 *   else {
 *     struct ArrowArrayStream stream;
 *     if (!seamscope_trace_table(trace, "slice", &stream))
 *       ... // stream.get_next, stream.release
 *   }
 *   seamscope_trace_close(trace);
 *
 * Functions may be called from any thread, but not two at once for one trace. A stream and its
 * arrays live on when the trace is closed.
 *
\*===----------------------------------------------------------------------===*/
#ifndef SEAMSCOPE_TRACE_H
#define SEAMSCOPE_TRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The structs of Arrow's C data interface, as its specification has them; a program may have them
   from elsewhere. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};
#endif

/* Of the interface below; a library with another version has other functions. */
#define SEAMSCOPE_TRACE_VERSION 1

struct seamscope_trace;

/* Reads a trace, or the traces of a folder, as `seamscope report` does. Returns 0, or the exit status
   that the command would have: 1 for bad data, 2 for a bad path. *out is set in any case, unless memory
   ran out (then the result is 1 and *out is NULL): it has the messages, and is to be closed. */
int seamscope_trace_open(const char *path, struct seamscope_trace **out);

/* Opens one trace with the tables of the trace model, as the reader filled them, in place of those of a
   report. A tool of the same version reads the trace from these and seamscope_trace_head(): what
   Tables.to_parquet of Python writes into the folder `model`. */
int seamscope_trace_open_model(const char *path, struct seamscope_trace **out);

/* The trace without its events, as JSON. NULL: the trace was opened by seamscope_trace_open(). Lives as
   long as the trace. */
const char *seamscope_trace_head(const struct seamscope_trace *trace);

/* The Python with pyarrow that is started to read Parquet files; the default is that which the
   environment variable SEAMSCOPE_PYTHON names, or python3. Not while another thread opens a trace. */
void seamscope_trace_set_python(const char *program);

void seamscope_trace_close(struct seamscope_trace *trace);

/* What was said about the trace, a sentence each, in the order in which it was found: after a failure
   the last one is the error. NULL: there are no more. Lives as long as the trace. */
const char *seamscope_trace_message(const struct seamscope_trace *trace, size_t index);

/* Names of tables; NULL: there are no more. Lives as long as the trace. */
const char *seamscope_trace_table_name(const struct seamscope_trace *trace, size_t index);

/* Makes a stream of a table. Returns 0, or 1 with a new message: there is no such table, or it does
   not fit into memory or Arrow's types. */
int seamscope_trace_table(struct seamscope_trace *trace, const char *name, struct ArrowArrayStream *out);

/* Frees a table, unless a stream still uses it. The next seamscope_trace_table() makes it again. */
void seamscope_trace_forget(struct seamscope_trace *trace, const char *name);

/* Destructors of PyCapsules around a stream and a schema from malloc(): release and free it. */
void seamscope_trace_free_stream_capsule(void *capsule);
void seamscope_trace_free_schema_capsule(void *capsule);

#ifdef __cplusplus
}
#endif
#endif
