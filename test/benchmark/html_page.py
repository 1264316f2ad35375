"""How fast the page of `report --html` opens and draws, in Chromium.

Measures two pages of 1,000,000 events: a synthetic document of 100,000 rows, and the tool's page of a trace
with 100,000 kernels and 300,000 operators, each with a different name of about 240 characters.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import statistics
import sys
import time

import measure
import traces

PYTHON = os.path.join(measure.root, ".browser", "bin", "python")
TESTS = os.path.join(measure.root, "test", "html")

MARKS = """
const at = (name) => performance.getEntriesByName(name)[0].startTime;
return { paint: at('first-contentful-paint'), ready: at('seamscope-ready') };
"""


def heap(window):
    window.command("HeapProfiler.collectGarbage")
    found = window.command("Runtime.getHeapUsage")
    # The events are in typed arrays, which are outside the heap.
    return found["usedSize"] + found.get("backingStorageSize", 0)


def frames_of(window, gesture):
    """The time to draw each frame of the gesture, in ms."""
    result = []
    for step in range(60):
        gesture(step)
        time.sleep(0.02)
        result.append(float(window.run("return document.querySelector('canvas.lanes').dataset.frame")))
    return result


def opened(window, path):
    """The times of the first paint and of readiness, and the size of the heap."""
    window.open(path)
    window.wait("return performance.getEntriesByType('paint').length > 1")
    found = window.run(MARKS)
    found["heap"] = heap(window)
    return found


# Sorting and filtering are one task each, for which the reader waits.
SORT = """
const table = document.querySelector(`#section-${arguments[0]} section.table`);
const head = table.querySelectorAll('thead th button')[arguments[1]], begin = performance.now();
head.click();
table.querySelector('.table-scroll').offsetHeight;
return performance.now() - begin;
"""
FILTER = """
const table = document.querySelector(`#section-${arguments[0]} section.table`);
const filter = table.querySelector('.filter'), begin = performance.now();
filter.value = arguments[1];
filter.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
table.querySelector('.table-scroll').offsetHeight;
return performance.now() - begin;
"""


def once(window, path):
    found = opened(window, path)
    found["sort"] = window.run(SORT, "summary", 2)
    found["filter"] = window.run(FILTER, "summary", "run_77")
    window.open(path, "#at=timeline")
    window.wait("return document.querySelector('canvas.lanes')?.dataset.frame")
    found["timeline"] = window.run(
        "return performance.getEntriesByName('seamscope-timeline-ready')[0].startTime"
    )
    found["timeline_heap"] = heap(window)
    left, top, width, _ = window.box("canvas.lanes")

    def zoom(step):
        delta = -100 if step < 45 else 300
        window.mouse("mouseWheel", left + width * 0.4, top + 80, deltaX=0, deltaY=delta, modifiers=2)

    found["zoom"] = frames_of(window, zoom)
    window.key("0", target="canvas.lanes")
    for _ in range(4):
        window.key("w", target="canvas.lanes")
    found["pan"] = frames_of(window, lambda step: window.key("d" if step < 30 else "a"))
    window.check_quiet()
    return found


def once_named(window, path):
    """Measures the page with long names: its table of kernels, then the timeline."""
    found = opened(window, path)
    window.open(path, "#at=kernels")
    found["kernels"] = window.run(MARKS)["ready"]
    found["sort"] = window.run(SORT, "kernels", 2)
    found["sort_names"] = window.run(SORT, "kernels", 0)
    found["filter"] = window.run(FILTER, "kernels", "functor_77")
    found["filter_again"] = window.run(FILTER, "kernels", "functor_78")
    found["filter_expression"] = window.run(FILTER, "kernels", "/functor_7\\d*_a/")
    found["kernels_heap"] = heap(window)
    window.open(path, "#at=timeline")
    window.wait("return document.querySelector('canvas.lanes')?.dataset.frame")
    found["timeline"] = window.run(
        "return performance.getEntriesByName('seamscope-timeline-ready')[0].startTime"
    )
    window.check_quiet()
    return found


def main(folder, named, count):
    """Prints the figures of each round as JSON. Runs in the Python of .browser."""
    sys.path.insert(0, TESTS)
    import browser

    path, _, _ = browser.make_pages(folder, "big")["big"]
    doc, blobs, _ = browser.make_document.empty()
    bare = os.path.getsize(browser.make_page(os.path.join(folder, "bare.html"), doc, blobs))
    with browser.browser() as window:
        rounds = [once(window, path) for _ in range(count + 1)]
        named_rounds = [once_named(window, named) for _ in range(count)]
    # The first round also starts parts of the browser.
    print(json.dumps({"bytes": os.path.getsize(path), "bare": bare, "rounds": rounds[1:], "named": named_rounds}))


def measure_html(folder, count, quiet):
    if not os.path.exists(PYTHON):
        measure.fail("no .browser: ./dev setup installs selenium there")
    trace, named = os.path.join(folder, "named.json"), os.path.join(folder, "named.html")
    traces.make(trace, "--events", "1000000", "--names", "100000", "--long")
    quiet.wait()
    begin = time.perf_counter()
    measure.run([traces.tool, "report", "--html", "-o", named, trace])
    written = time.perf_counter() - begin
    os.remove(trace)
    quiet.wait()
    found = json.loads(measure.run([PYTHON, "-B", os.path.realpath(__file__), folder, named, str(count)]))

    def middle(key, rounds="rounds"):
        return statistics.median(entry[key] for entry in found[rounds])

    detail = f"{found['bytes'] / 1e6:.1f} MB, 100,000 rows, 1,000,000 events"
    measure.bar("html, the page without data", found["bare"] / 1e6, 1.5, "MB")
    measure.bar("html, first paint", middle("paint"), 500, "ms", detail)
    measure.bar("html, until interactive", middle("ready"), 1000, "ms", detail)
    measure.bar("html, sorting 100,000 rows", middle("sort"), 200, "ms")
    measure.bar("html, filtering 100,000 rows, first time", middle("filter"), 300, "ms")
    measure.bar("html, heap once interactive", middle("heap") / 1e6, 150, "MB")
    measure.bar("html, long names, written", written, 30, "s", f"{os.path.getsize(named) / 1e6:.1f} MB")
    for key, what, most in (
        ("paint", "first paint", 500),
        ("ready", "until interactive", 1000),
        ("kernels", "until 100,000 kernels are shown", 1500),
        ("sort", "sorting 100,000 rows", 100),
        ("sort_names", "sorting 100,000 rows by name", 100),
        ("filter", "filtering 100,000 rows, first time", 150),
        ("filter_again", "filtering 100,000 rows", 100),
        ("filter_expression", "filtering 100,000 rows by an expression", 300),
        ("timeline", "timeline ready", 3000),
    ):
        measure.bar(f"html, long names, {what}", middle(key, "named"), most, "ms")
    for key, what, most in (("heap", "once interactive", 150), ("kernels_heap", "with kernels", 200)):
        measure.bar(f"html, long names, heap {what}", middle(key, "named") / 1e6, most, "MB")
    measure.bar("html, timeline ready", middle("timeline"), 3000, "ms", "from the start of loading")
    measure.bar("html, heap with the timeline", middle("timeline_heap") / 1e6, 200, "MB")
    for key in ("zoom", "pan"):
        frames = sorted(frame for entry in found["rounds"] for frame in entry[key])
        measure.bar(
            f"html, timeline {key}, a frame",
            statistics.median(frames),
            16,
            "ms",
            f"99th percentile {frames[int(len(frames) * 0.99)]:.1f} ms, most {frames[-1]:.1f} ms",
        )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
