"""Formats of several files: a folder, or a zip file of it."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from proofing.errors import BadInput

#: The most that a zip file may unpack to, in bytes; a small file can be made to fill a disk.
MOST_UNPACKED = 4 * 2**30


class Bundle:
    """Files by name, each to be read from its start and by offset."""

    def __init__(self, stack: ExitStack, path: Path) -> None:
        self._stack = stack
        self._path = path
        self._archive: zipfile.ZipFile | None = None
        if path.is_dir():
            self._files = {str(file.relative_to(path)): str(file) for file in sorted(path.rglob("*")) if file.is_file()}
            return
        try:
            self._archive = stack.enter_context(zipfile.ZipFile(path))
        except (OSError, zipfile.BadZipFile) as error:
            raise BadInput(f"cannot read {path}: neither a folder nor a zip file") from error
        entries = [entry for entry in self._archive.infolist() if not entry.is_dir()]
        if sum(entry.file_size for entry in entries) > MOST_UNPACKED:
            raise BadInput(f"{path} unpacks to more than {MOST_UNPACKED // 2**30} GiB")
        self._files = {entry.filename: entry.filename for entry in entries}

    @property
    def names(self) -> list[str]:
        """The files' names, below the folder."""
        return sorted(self._files)

    def path_of(self, name: str) -> str:
        """The full name of the file that is called `name`, wherever in the bundle it lies.

        Raises:
            BadInput: there is none, or more than one.
        """
        found = [own for own in self._files if own == name or own.endswith(f"/{name}")]
        if len(found) != 1:
            what = "holds no" if not found else "holds more than one"
            raise BadInput(f"{self._path} {what} {name}")
        return found[0]

    def open(self, name: str) -> BinaryIO:
        """The file called `name`; it is closed with the bundle.

        Raises:
            BadInput: there is none, or it cannot be unpacked.
        """
        own = self._files[self.path_of(name)]
        try:
            if self._archive is None:
                return self._stack.enter_context(open(own, "rb"))
            # Unpacked first: packed files can only be read from their start.
            unpacked = cast(BinaryIO, self._stack.enter_context(tempfile.TemporaryFile()))  # noqa: SIM115
            with self._archive.open(own) as packed:
                shutil.copyfileobj(packed, unpacked)
        except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
            raise BadInput(f"cannot read {name} in {self._path}: {error}") from error
        unpacked.seek(0)
        return unpacked


@contextmanager
def opened_bundle(path: str | Path) -> Iterator[Bundle]:
    """The files of a folder or zip file.

    Raises:
        BadInput: it is neither, or unpacks to too much.
    """
    with ExitStack() as stack:
        yield Bundle(stack, Path(path))


def pack(folder: Path, archive: Path) -> None:
    """A zip file of a folder's files, with nothing in it that differs from one making to the next."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                entry = zipfile.ZipInfo(str(file.relative_to(folder)), date_time=(1980, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                with file.open("rb") as stream, packed.open(entry, "w", force_zip64=True) as target:
                    shutil.copyfileobj(stream, target)
