#===- private.py - folders that only this user can write to ----------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Folders for code that is kept between runs."""

import contextlib
import errno
import os
import stat


def make_private(folder):
    """Creates a folder and its missing parents for this user only, regardless of the umask. Raises OSError if
    others could put code there: if the folder belongs to another user or is writable by others, or if another
    user owns a folder or link that comes after a world-writable folder in the path. makePrivate() of
    `seamscope run` has the same rule."""
    left = os.path.join(os.getcwd(), folder).split("/")[1:]
    flags = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    here = os.open("/", flags)
    path, shared, links = "", False, 0
    try:
        while True:
            found = os.fstat(here)
            writers = 0o022 if shared or not left else 0o002
            if found.st_mode & writers and (not left or not found.st_mode & stat.S_ISVTX):
                raise PermissionError(f"{path or '/'}: others may write to it")
            if not left:
                break
            shared = shared or bool(found.st_mode & stat.S_IWOTH)
            name = left.pop(0)
            if name in ("", "."):
                continue
            try:
                entry = os.stat(name, dir_fd=here, follow_symlinks=False)
            except FileNotFoundError:
                with contextlib.suppress(FileExistsError):  # another process has just created it
                    os.mkdir(name, 0o700, dir_fd=here)
                entry = os.stat(name, dir_fd=here, follow_symlinks=False)
            if shared and entry.st_uid not in (os.geteuid(), 0):
                raise PermissionError(f"{path}/{name}: belongs to another user")
            if stat.S_ISLNK(entry.st_mode):
                links += 1
                if links > 40:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), f"{path}/{name}")
                target = os.readlink(name, dir_fd=here)
                left = target.split("/") + left
                inner = os.open("/" if target.startswith("/") else ".", flags, dir_fd=here)
                path = "" if target.startswith("/") else path
            else:
                inner = os.open(name, flags, dir_fd=here)
                path += "/" + name
            os.close(here)
            here = inner
        if found.st_uid != os.geteuid():
            raise PermissionError(f"{path or '/'}: belongs to another user")
    finally:
        os.close(here)
