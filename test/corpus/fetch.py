"""Fetches the sources of the corpus's packages into a cache outside of the repository.

Debian's source and binary packages come by apt-get from the system's own mirror, with a separate list
of sources, index and cache: the system does not change, and any user can do it. Source distributions
of PyPI come by pip. Each archive has a version and a SHA-256 in the manifest.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import fcntl
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = os.path.dirname(os.path.realpath(__file__))
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
SUITE = "bookworm"
SECONDS = 600


class Unavailable(Exception):
    """The sources could not be fetched; the text says why."""


def cache_folder():
    chosen = os.environ.get("SEAMSCOPE_CORPUS")
    if chosen:
        return os.path.abspath(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "seamscope", "corpus")


def manifests():
    """All packages of the manifest, by name."""
    result = {}
    for path in sorted(glob.glob(os.path.join(HERE, "packages", "*.toml"))):
        with open(path, "rb") as file:
            package = tomllib.load(file)
        package["name"] = os.path.splitext(os.path.basename(path))[0]
        result[package["name"]] = package
    return result


def folder_of(package):
    """The folder of the fetched package. Its name depends on what is fetched."""
    text = repr((package["archive"], package.get("prepare"))).encode()
    return os.path.join(cache_folder(), f"{package['name']}-{hashlib.sha256(text).hexdigest()[:12]}")


def is_fetched(package):
    return os.path.isdir(folder_of(package))


def execute(command, folder, what, environment=None):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS,
                              env=environment, stdin=subprocess.DEVNULL)
    except FileNotFoundError as error:
        raise Unavailable(f"{what}: there is no {error.filename}") from error
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"{what}: no end within {SECONDS} s") from error
    if done.returncode:
        text = (done.stderr.strip() or done.stdout.strip()).splitlines()
        errors = [line for line in text if line.startswith(("E:", "ERROR", "Err:"))] or text[-1:]
        raise Unavailable(f"{what}: {errors[0] if errors else f'exit status {done.returncode}'}")
    return done.stdout


def debian_mirror(uris):
    """The address of Debian's archive among those that `apt-get update --print-uris` prints.

    Prefers one that serves the corpus's suite. Else takes one with the name that all of Debian's mirrors
    use, which has the suites of other releases too.
    """
    found = re.findall(r"^'([^']+)/dists/([^/']+)/main/binary-", uris, re.MULTILINE)
    for wanted in (lambda address, suite: suite == SUITE and address.endswith("/debian"),
                   lambda address, suite: suite == SUITE,
                   lambda address, suite: address.endswith("/debian")):
        for address, suite in found:
            if wanted(address, suite):
                return address
    raise Unavailable("apt: the system's sources name no mirror of Debian; set SEAMSCOPE_DEBIAN_MIRROR")


class Apt:
    """apt-get, whose files are all in a folder of the cache."""

    def __init__(self):
        self.folder = os.path.join(cache_folder(), "apt")
        self.updated = False

    def command(self, *words, own_sources=True):
        options = {
            "Dir::State::Lists": f"{self.folder}/lists",
            "Dir::Cache": f"{self.folder}/cache",
            "Acquire::Languages": "none",
            "Acquire::Retries": "2",
            "APT::Sandbox::User": "",
        }
        if own_sources:
            options["Dir::Etc::SourceList"] = f"{self.folder}/sources.list"
            options["Dir::Etc::SourceParts"] = "/dev/null"
        return ["apt-get", "-q", *(word for key, value in options.items()
                                   for word in ("-o", f"{key}={value}")), *words]

    def mirror(self):
        os.makedirs(f"{self.folder}/lists/partial", exist_ok=True)
        return os.environ.get("SEAMSCOPE_DEBIAN_MIRROR") or debian_mirror(
            execute(self.command("update", "--print-uris", own_sources=False), self.folder, "apt-get"))

    def update(self):
        if self.updated:
            return
        if not os.path.exists(KEYRING):
            raise Unavailable(f"apt: there is no {KEYRING} (Debian has it)")
        for name in ("lists/partial", "cache/archives/partial"):
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)
        mirror = self.mirror()
        with open(f"{self.folder}/sources.list", "w", encoding="utf-8") as file:
            for kind in ("deb", "deb-src"):
                file.write(f"{kind} [signed-by={KEYRING}] {mirror} {SUITE} main\n")
        # A failed update leaves exit status 0 and warnings.
        execute(self.command("update", "-o", "APT::Update::Error-Mode=any"), self.folder,
                "apt-get update")
        self.updated = True

    def download(self, archive, folder):
        self.update()
        name = archive["package"]
        if archive["from"] == "debian-source":
            # The authors' archive is the same in all of Debian's revisions.
            execute(self.command("source", "--download-only", "--tar-only", name), folder,
                    f"apt-get source {name}")
        else:
            name += f"={archive['version']}"
            execute(self.command("download", name), folder, f"apt-get download {name}")


def pip_download(archive, folder):
    name = f"{archive['package']}=={archive['version']}"
    execute([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:",
             "--no-build-isolation", "-d", folder, name], folder, f"pip download {name}")


def checksum(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unpack(path, folder):
    if path.endswith(".deb"):
        execute(["dpkg-deb", "-x", path, folder], folder, "dpkg-deb")
        return
    execute(["tar", "-xf", path, "--strip-components=1", "-C", folder], folder, "tar")


def fetch(package, apt, log):
    """Fetches, checks and unpacks a package. Leaves nothing half done."""
    target = folder_of(package)
    if os.path.isdir(target):
        return
    os.makedirs(cache_folder(), exist_ok=True)
    with open(os.path.join(cache_folder(), "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.isdir(target):
            return
        log(f"fetching {package['name']}")
        with tempfile.TemporaryDirectory(dir=cache_folder(), prefix="new-") as folder:
            tree = os.path.join(folder, "tree")
            os.mkdir(tree)
            for archive in package["archive"]:
                archives = os.path.join(folder, "archives")
                os.makedirs(archives, exist_ok=True)
                if archive["from"] == "pypi":
                    pip_download(archive, archives)
                else:
                    apt.download(archive, archives)
                path = os.path.join(archives, archive["file"])
                if not os.path.exists(path):
                    raise Unavailable(f"{package['name']}: no {archive['file']} came")
                if checksum(path) != archive["sha256"]:
                    raise Unavailable(f"{package['name']}: {archive['file']} is not the one that "
                                      f"the manifest names (SHA-256 {checksum(path)})")
                into = os.path.join(tree, archive.get("into", ""))
                os.makedirs(into, exist_ok=True)
                unpack(path, into)
            for line in package.get("prepare", []):
                execute(["bash", "-ec", line], tree, f"{package['name']}: {line}")
            shutil.move(tree, target)


def fetch_all(packages, log):
    """Fetches missing packages. Returns by name why packages could not be fetched."""
    apt, failed = Apt(), {}
    for package in packages:
        try:
            fetch(package, apt, log)
        except Unavailable as error:
            failed[package["name"]] = str(error)
            log(f"{package['name']}: {error}")
    return failed
