"""A page in a headless Chromium: documents made into pages, and what the tests ask of them.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import base64
import contextlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

import make_document

HERE = os.path.dirname(os.path.realpath(__file__))
EMBED = os.path.join(os.path.dirname(os.path.dirname(HERE)), "cmake", "embed-page.py")
# Far more than anything takes on an idle machine: for a single wait, and for a whole test.
LIMIT = 60
TEST_LIMIT = 420


def out_of_time(number, frame):
    raise TimeoutError(f"the test took over {TEST_LIMIT} s")


signal.signal(signal.SIGALRM, out_of_time)
signal.alarm(TEST_LIMIT)


def make_page(path, doc, blobs, *arguments):
    """The finished page of a document, at the path."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "document.json")
        with open(source, "w", encoding="utf-8") as file:
            json.dump(doc, file)
        options = []
        for name, data in blobs.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
            options.append(f"--blob={name}={os.path.join(folder, name)}")
        subprocess.run(
            [sys.executable, EMBED, "--document", source, *options, *arguments, "-o", path], check=True
        )
    return path


def make_pages(folder, *kinds):
    """Pages of the named kinds: kind -> (path, document, extras)."""
    result = {}
    os.makedirs(folder, exist_ok=True)
    for kind in kinds:
        doc, blobs, extras = make_document.MAKERS[kind]()
        result[kind] = (make_page(os.path.join(folder, f"{kind}.html"), doc, blobs), doc, extras)
    return result


class Browser:
    def __init__(self, width=1440, height=900, dark=False, heap=False):
        self.folder = tempfile.mkdtemp(prefix="seamscope-browser-")
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or "chromium"
        # Reduced motion: nothing fades while a screenshot is taken or contrast is measured.
        for argument in (
            "--headless=new",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--hide-scrollbars=false",
            "--force-prefers-reduced-motion",
            f"--window-size={width},{height}",
            f"--user-data-dir={self.folder}/profile",
            *(["--no-sandbox"] if os.geteuid() == 0 else []),
            *(["--enable-precise-memory-info"] if heap else []),
        ):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.add_experimental_option(
            "prefs", {"download.default_directory": os.path.join(self.folder, "downloads")}
        )
        environment = dict(
            os.environ, HOME=self.folder, XDG_CONFIG_HOME=self.folder, XDG_CACHE_HOME=self.folder
        )
        self.driver = webdriver.Chrome(
            options=options, service=Service(shutil.which("chromedriver") or "chromedriver", env=environment)
        )
        self.driver.set_page_load_timeout(LIMIT)
        self.driver.set_script_timeout(LIMIT)
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        # No test needs a network: every request to one fails.
        self.command("Network.enable")
        self.command(
            "Network.emulateNetworkConditions",
            offline=True,
            latency=0,
            downloadThroughput=0,
            uploadThroughput=0,
        )
        self.scheme("dark" if dark else "light")
        # Runs before the page: counts calls that hostile names would make.
        self.command(
            "Page.addScriptToEvaluateOnNewDocument",
            source="window.__alerts = 0; window.alert = () => { ++window.__alerts; }; window.__errors = [];"
            "addEventListener('error', (event) => window.__errors.push(String(event.message)));"
            "addEventListener('unhandledrejection', (event) => window.__errors.push(String(event.reason)));"
            "addEventListener('securitypolicyviolation', (event) =>"
            "  window.__errors.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));",
        )

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def scheme(self, name):
        self.command(
            "Emulation.setEmulatedMedia",
            features=[
                {"name": "prefers-color-scheme", "value": name},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ],
        )

    def open(self, path, address=""):
        # A change of the fragment alone would not reload the page.
        self.driver.get("about:blank")
        self.driver.get(f"file://{path}{address}")
        self.wait("return document.documentElement.dataset.ready === 'true'")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, *arguments, limit=LIMIT):
        """Waits until the script returns a true value; returns it."""
        end = time.monotonic() + limit
        while True:
            found = self.run(script, *arguments)
            if found:
                return found
            if time.monotonic() > end:
                raise AssertionError(f"not within {limit} s: {script}")
            time.sleep(0.03)

    def go(self, section):
        self.run("document.querySelector(`nav a[href='#at=${arguments[0]}']`).click()", section)
        self.wait("return document.getElementById(`section-${arguments[0]}`)?.hidden === false", section)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent", selector)

    def texts(self, selector):
        script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"
        return self.run(script, selector)

    def count(self, selector):
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def wait_text(self, selector, words):
        """Waits until the text of the first such element begins with it."""
        script = "return document.querySelector(arguments[0])?.textContent.startsWith(arguments[1])"
        return self.wait(script, selector, words)

    def box(self, selector):
        """Left, top, width and height within the window."""
        return self.run(
            "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [box.x, box.y, box.width, box.height]",
            selector,
        )

    def cells(self, selector):
        """The cells of all rows of a table, whether or not they are elements; None if there is no table yet."""
        return self.run(
            "return window.seamscopePage?.table(document.querySelector(arguments[0]))?.rows()",
            selector,
        )

    def rows(self, section):
        """Numbers of the rows of a section's first table that are elements now."""
        return self.run(
            "const table = document.querySelector(`#section-${arguments[0]} section.table`);"
            "return [...table.querySelectorAll('tr.row')].map((row) => Number(row.dataset.row))",
            section,
        )

    def press(self, selector, words):
        """Clicks the element of the selector whose text begins with it."""
        self.run(
            "[...document.querySelectorAll(arguments[0])]"
            ".find((one) => one.textContent.startsWith(arguments[1])).click()",
            selector,
            words,
        )

    def timelines_ready(self):
        self.wait(
            "return [...document.querySelectorAll('.chart-timeline')]"
            ".every((chart) => chart.dataset.ready === 'true')"
        )

    def key(self, key, target=None, **modifiers):
        """Sends a key like a keyboard would."""
        if target:
            self.run("document.querySelector(arguments[0]).focus()", target)
        codes = {
            "Enter": 13,
            "Escape": 27,
            "ArrowDown": 40,
            "ArrowUp": 38,
            "ArrowLeft": 37,
            "ArrowRight": 39,
            " ": 32,
            "Home": 36,
            "End": 35,
            "Tab": 9,
            "PageDown": 34,
        }
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
        mask = (
            (1 if modifiers.get("alt") else 0)
            | (2 if modifiers.get("ctrl") else 0)
            | (8 if modifiers.get("shift") else 0)
        )
        event = {
            "key": key,
            "windowsVirtualKeyCode": codes.get(key, ord(key.upper()) if len(key) == 1 else 0),
            "modifiers": mask,
        }
        self.command(
            "Input.dispatchKeyEvent",
            type="keyDown",
            **event,
            **({"text": text} if text and not mask & 3 else {}),
        )
        self.command("Input.dispatchKeyEvent", type="keyUp", **event)

    def mouse(self, kind, x, y, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector):
        left, top, width, height = self.box(selector)
        x, y = left + width / 2, top + height / 2
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def drag(self, x, y, to_x, to_y, steps=6):
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        for step in range(1, steps + 1):
            self.mouse(
                "mouseMoved",
                x + (to_x - x) * step / steps,
                y + (to_y - y) * step / steps,
                button="left",
                buttons=1,
            )
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1)

    def type_into(self, selector, text):
        self.run(
            "const field = document.querySelector(arguments[0]); field.focus(); field.value = arguments[1];"
            "field.dispatchEvent(new Event('input', {bubbles: true}))",
            selector,
            text,
        )

    def check_quiet(self):
        """No error, no console message, no request. (The tests themselves read pixels.)"""
        messages = [
            entry
            for entry in self.driver.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING") and "willReadFrequently" not in entry["message"]
        ]
        assert not messages, messages
        errors = self.run("return window.__errors")
        assert not errors, errors
        requests = self.run(
            "return performance.getEntriesByType('resource').map((entry) => entry.name)"
            ".filter((name) => !name.startsWith('data:'))"
        )
        assert not requests, requests

    def picture(self, path, whole=False):
        data = self.command("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def pdf(self, path):
        with open(path, "wb") as file:
            file.write(
                base64.b64decode(
                    self.command("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"]
                )
            )

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def browser(**options):
    window = Browser(**options)
    try:
        yield window
    finally:
        window.close()


def axe_script():
    folder = os.path.dirname(importlib.util.find_spec("axe_playwright_python").origin)
    with open(os.path.join(folder, "axe.min.js"), encoding="utf-8") as file:
        return file.read()
