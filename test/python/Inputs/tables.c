/* Prints the tables of a trace, and the rows of one. */
#include <seamscope/trace.h>

#include <stdio.h>

int main(int argc, char **argv) {
  struct seamscope_trace *trace;
  struct ArrowArrayStream stream;
  int status = seamscope_trace_open(argv[1], &trace);
  const char *text;
  long rows = 0;
  (void)argc;
  for (size_t i = 0; (text = seamscope_trace_message(trace, i)); ++i)
    printf("says: %s\n", text);
  if (status) {
    seamscope_trace_close(trace);
    return status;
  }
  if (seamscope_trace_table(trace, "nothing", &stream))
    for (size_t i = 0; (text = seamscope_trace_message(trace, i)); ++i)
      printf("says: %s\n", text);
  status = seamscope_trace_table(trace, "slice", &stream);
  seamscope_trace_close(trace);
  if (status)
    return status;
  for (;;) {
    struct ArrowArray batch;
    if (stream.get_next(&stream, &batch) || !batch.release)
      break;
    rows += batch.length;
    batch.release(&batch);
  }
  stream.release(&stream);
  printf("%ld rows of slice\n", rows);
  return 0;
}
