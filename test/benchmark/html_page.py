"""How fast the page of `report --html` opens and draws: 100,000 rows, 1,000,000 events, in Chromium."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import statistics
import sys

import measure

PYTHON = os.path.join(measure.root, ".browser", "bin", "python")
TESTS = os.path.join(measure.root, "test", "html")

MARKS = """
const at = (name) => performance.getEntriesByName(name)[0].startTime;
return { paint: at('first-contentful-paint'), ready: at('seamscope-ready') };
"""


def heap(window):
    window.command("HeapProfiler.collectGarbage")
    found = window.command("Runtime.getHeapUsage")
    # The events are in typed arrays, which lie beside the heap.
    return found["usedSize"] + found.get("backingStorageSize", 0)


def frames_of(window, gesture):
    """What each frame of the gesture took to draw, in ms."""
    import time

    result = []
    for step in range(60):
        gesture(step)
        time.sleep(0.02)
        result.append(float(window.run("return document.querySelector('canvas.lanes').dataset.frame")))
    return result


def once(window, path):
    window.open(path)
    window.wait("return performance.getEntriesByType('paint').length > 1")
    found = window.run(MARKS)
    found["heap"] = heap(window)
    # Sorting and filtering are one task each: what the reader waits for.
    found["sort"] = window.run(
        "const begin = performance.now(); document.querySelector('thead th:nth-child(3) button').click();"
        "document.querySelector('.table-scroll').offsetHeight; return performance.now() - begin"
    )
    found["filter"] = window.run(
        "const view = document.querySelector('section.table').view; const begin = performance.now();"
        "view.setFilter('run_77', ''); view.scroll.offsetHeight; return performance.now() - begin"
    )
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


def main(folder, count):
    """In the Python of .browser: the figures of each round as JSON."""
    sys.path.insert(0, TESTS)
    import browser

    path, _, _ = browser.make_pages(folder, "big")["big"]
    doc, blobs, _ = browser.make_document.empty()
    bare = os.path.getsize(browser.make_page(os.path.join(folder, "bare.html"), doc, blobs))
    with browser.browser() as window:
        rounds = [once(window, path) for _ in range(count + 1)]
    # The first also starts the browser's own parts.
    print(json.dumps({"bytes": os.path.getsize(path), "bare": bare, "rounds": rounds[1:]}))


def measure_html(folder, count, quiet):
    if not os.path.exists(PYTHON):
        measure.fail("no .browser: ./dev setup installs selenium there")
    quiet.wait()
    found = json.loads(measure.run([PYTHON, "-B", os.path.realpath(__file__), folder, str(count)]))

    def middle(key):
        return statistics.median(entry[key] for entry in found["rounds"])

    detail = f"{found['bytes'] / 1e6:.1f} MB, 100,000 rows, 1,000,000 events"
    measure.bar("html, the page without data", found["bare"] / 1e6, 1.5, "MB")
    measure.bar("html, first paint", middle("paint"), 500, "ms", detail)
    measure.bar("html, until interactive", middle("ready"), 1000, "ms", detail)
    measure.bar("html, sorting 100,000 rows", middle("sort"), 200, "ms")
    measure.bar("html, filtering 100,000 rows, first time", middle("filter"), 300, "ms")
    measure.bar("html, heap once interactive", middle("heap") / 1e6, 150, "MB")
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
    main(sys.argv[1], int(sys.argv[2]))
