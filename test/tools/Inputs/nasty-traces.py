"""nasty-traces.py FOLDER: traces whose bytes lead a careless writer astray.

Each has the device
work of LINKED below, or EXPECTED has the number of events that get notes. If the trace is JSON, all bytes outside of
notes must survive.
"""

import os
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)

OP = '{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 5%s}'
LAUNCH = ('{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, '
          '"ts": 2, "dur": 1, "args": {"correlation": 7}}')
KERNEL = ('{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 9, "dur": 4, '
          '"args": %s}')
ARGS = '{"device": 0, "correlation": 7}'


def save(name, text, marks=b""):
    data = marks + (text if isinstance(text, bytes) else text.encode())
    with open(os.path.join(folder, name + ".json"), "wb") as file:
        file.write(data)


def trace(*events, head='{"traceEvents": [', tail="]}\n", between=",\n"):
    return head + between.join(events) + tail


whole = (OP % "", LAUNCH, KERNEL % ARGS)
save("plain", trace(*whole))
save("no-newline", trace(*whole, tail="]}"))
save("array", trace(*whole, head="[", tail="]"))
save("array-space", trace(*whole, head=" \t[ ", tail=" ] \n\n"))
save("mark", trace(*whole), marks=b"\xef\xbb\xbf")
save("crlf", trace(*whole, head='{\r\n"traceEvents": [\r\n', tail="\r\n]\r\n}\r\n", between=",\r\n"))
save("behind", trace(*whole, tail='], "a": "]}{[\\"", "deviceProperties": [{"id": 0}]}'))
save("one-line", trace(*whole, between=",").replace(": ", ":").replace(", ", ","))
save("spread", trace(*whole).replace("{", "{\n\n\t ").replace("}", " \n}").replace(":", " : ")
     .replace(",", "\n, "))
# Arguments that are empty, absent, nested, of other types, or duplicate.
save("empty-args", trace(OP % ', "args": {}', LAUNCH, KERNEL % ARGS))
save("blank-args", trace(OP % ', "args": { \n }', LAUNCH, KERNEL % ARGS))
save("nested", trace(OP % ', "args": {"a": {"args": {}}, "b": [{"x": "}"}, [1, {}]]}, "z": {"args": {"b": 1}}',
                     LAUNCH, KERNEL % '{"grid": [1, {"}": "{"}], "device": 0, "correlation": 7 }'))
save("args-first", trace('{"args": {"q": 1}, "ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, '
                         '"tid": 1, "ts": 1, "dur": 5}', LAUNCH, KERNEL % ARGS))
save("other-args", trace(OP % ', "args": [1, 2]', LAUNCH, KERNEL % ARGS, OP % ', "args": null'))
save("args-twice", trace(OP % ', "args": {"a": 1}, "args": {"b": 2}', LAUNCH, KERNEL % ARGS))
save("args-twice-other", trace(OP % ', "args": {"a": 1}, "args": 3', LAUNCH, KERNEL % ARGS))
save("args-escaped", trace(OP % ', "\\u0061rgs": {"a": 1}', LAUNCH,
                           (KERNEL % ARGS).replace('"args"', '"ar\\u0067s"')))
# Text that looks like something else.
save("strings", trace(OP % r', "args": {"a": "\"args\": {", "b": "}}]\\", "c": "\\\\\"", "": "{"}', LAUNCH,
                      (KERNEL % ARGS).replace('"gemm"', r'"void f<{[\"}\\\">"')))
save("unicode", trace(OP % ', "args": {"a": "\u00e9\u4e16\U0001f600\u202e", "b": "\\ud83d\\ude00"}', LAUNCH,
                      (KERNEL % ARGS)).replace("aten::mm", "aten::\u00e9\\u001b[31m\\n\\\"x"))
save("infinite", trace(OP % ', "args": {"a": inf, "b": -nan, "c": [NaN, {"d": -inf}]}', LAUNCH,
                       KERNEL % '{"warps per SM": inf, "device": 0, "correlation": 7}'))
save("numbers", trace(OP % ', "args": {"a": 1e400, "b": -0.0, "c": 1E+2, "d": 123456789012345678901234567890}',
                      LAUNCH, KERNEL % '{"device": 0, "correlation": 7, "x": 1.10}'))
# Our keys are already there, with old and odd values.
save("again", trace(OP % ', "args": {"seamscope_device_ns": 17, "seamscope_device_calls": [1, {"a": "]"}]}', LAUNCH,
                    KERNEL % '{"seamscope_op": null, "device": 0, "seam\\u0073cope_category": "old", "correlation": 7}'))
save("again-twice", trace(OP % ', "args": {"seamscope_device_ns": 1, "seamscope_device_ns": 2}', LAUNCH, KERNEL % ARGS))
# Begins and ends, which nest; metadata; things that are not events.
save("halves", trace('{"ph": "B", "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 1, "ts": 0}',
                     '{"ph": "B", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "args": {"a": 1}}',
                     LAUNCH, KERNEL % ARGS,
                     '{"ph": "E", "pid": 1, "tid": 1, "ts": 6}', '{"ph": "E", "pid": 1, "tid": 1, "ts": 8}',
                     '{"ph": "E", "pid": 1, "tid": 1, "ts": 9}',
                     '{"ph": "B", "cat": "cpu_op", "name": "open", "pid": 1, "tid": 1, "ts": 10}'))
save("others", trace('{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "p"}}',
                     '{"ph": "s", "id": 7, "cat": "ac2g", "name": "ac2g", "pid": 1, "tid": 1, "ts": 2}',
                     "17", "[{}]", '"{"', *whole,
                     '{"ph": "X", "cat": "kernel", "name": "no time", "pid": 0, "tid": 7, "args": {"device": 0}}',
                     '{"ph": "i", "name": "x", "pid": 1, "tid": 1, "ts": 3, "s": "t"}', "{}"))
save("broken", trace(OP % "", '{"ph": "X", "name": nonsense, "x": {"y": }}', LAUNCH, KERNEL % ARGS))
save("bytes", trace(OP % "", LAUNCH, KERNEL % ARGS, '{"ph": "X", "name": "\udcff", "args": {}}')
     .encode("utf-8", "surrogateescape"))
