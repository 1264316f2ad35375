#!/usr/bin/env python3
"""Takes the picture of the demo's page that README.md shows.

usage: demo/screenshot.py [PAGE [PICTURE]]

PAGE defaults to build/demo/report.html, which `./dev demo` writes; PICTURE to docs/images/report.png.
Chromium draws it, without a network. The picture is then rewritten: smaller, and without metadata
that shows where it was made.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
WIDTH, HEIGHT = 1280, 740
MOST_BYTES = 250_000
TIME_LIMIT = 120
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def fail(text):
    print(f"screenshot.py: {text}", file=sys.stderr)
    sys.exit(1)


def take(page, path):
    browser = shutil.which("chromium") or fail("there is no chromium: see ./dev setup")
    with tempfile.TemporaryDirectory(prefix="seamscope-screenshot-") as profile:
        command = [browser, "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--hide-scrollbars", "--force-device-scale-factor=1", "--force-prefers-reduced-motion",
                   "--virtual-time-budget=4000", f"--user-data-dir={profile}",
                   f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={path}"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        environment = dict(os.environ, HOME=profile, XDG_CONFIG_HOME=profile, XDG_CACHE_HOME=profile)
        done = subprocess.run([*command, f"file://{page}"], env=environment, capture_output=True, text=True,
                              timeout=TIME_LIMIT)
    if done.returncode or not os.path.exists(path):
        fail(f"chromium wrote no picture: {done.stderr.strip()[-500:]}")


def chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        yield kind, data[at + 8 : at + 8 + size]
        at += size + 12


def nearest(left, up, corner):
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))


def pixels(data):
    """Width, height and rows of RGB of a PNG as Chromium writes it: 8 bits, not interlaced."""
    parts = list(chunks(data))
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", parts[0][1])
    if depth != 8 or colour not in (2, 6) or interlaced:
        fail("the picture is not an RGB PNG of 8 bits without interlacing, as Chromium usually writes")
    each = 4 if colour == 6 else 3
    raw = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    before, rows = bytearray(width * each), []
    for row in range(height):
        at = row * (width * each + 1)
        how, line = raw[at], bytearray(raw[at + 1 : at + 1 + width * each])
        for index in range(len(line) if how else 0):
            left = line[index - each] if index >= each else 0
            corner = before[index - each] if index >= each else 0
            up = before[index]
            line[index] = (line[index] + (left, up, (left + up) // 2, nearest(left, up, corner))[how - 1]) & 255
        before = line
        rows.append([bytes(line[index : index + 3]) for index in range(0, len(line), each)])
    return width, height, rows


def smaller(data):
    """The same picture with a palette: a page has few colours, and the rarest are replaced by the nearest."""
    width, height, rows = pixels(data)
    count = {}
    for row in rows:
        for pixel in row:
            count[pixel] = count.get(pixel, 0) + 1
    palette = sorted(count, key=lambda pixel: (-count[pixel], pixel))[:256]
    number = {pixel: index for index, pixel in enumerate(palette)}
    for pixel in count:
        if pixel not in number:
            number[pixel] = min(range(len(palette)), key=lambda index: sum(
                (mine - theirs) ** 2 for mine, theirs in zip(palette[index], pixel)))
    raw = b"".join(b"\0" + bytes(number[pixel] for pixel in row) for row in rows)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    return b"".join((SIGNATURE, chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
                     chunk(b"PLTE", b"".join(palette)), chunk(b"IDAT", zlib.compress(raw, 9)),
                     chunk(b"IEND", b"")))


def main():
    page = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build/demo/report.html"))
    target = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "docs/images/report.png")
    if not os.path.exists(page):
        fail(f"{page} is not there: ./dev demo writes it")
    with tempfile.TemporaryDirectory(prefix="seamscope-screenshot-") as folder:
        taken = os.path.join(folder, "taken.png")
        take(page, taken)
        with open(taken, "rb") as file:
            made = smaller(file.read())
    if len(made) > MOST_BYTES:
        fail(f"the picture has {len(made)} bytes, more than {MOST_BYTES}")
    os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
    with open(target, "wb") as file:
        file.write(made)
    print(f"{target}: {len(made)} bytes")


if __name__ == "__main__":
    main()
