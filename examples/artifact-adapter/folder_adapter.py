#!/usr/bin/env python3
"""A complete artifact adapter over a folder; it needs Python 3.9 or later and nothing else.

The store is the folder that ARTIFACT_FOLDER names:

    BOARD/TASK/            one folder a task; a task is there when its folder is (mkdir -p makes one)
    BOARD/TASK/41/bytes    the exact bytes of attachment 41
    BOARD/TASK/41/record   what is known of it, as JSON, without the checksum
    last-id                the id that was given last, for all boards together

What it must do, and why, is in docs/artifacts/adapter-contract.md.
"""

import argparse
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

MAX_FILE_BYTES = 26_214_400  # 25 MiB
CHUNK_BYTES = 65_536

ABSENT, TOO_LARGE, MISMATCH = 3, 4, 5


class Refusal(Exception):
    """Ends the adapter with a status of the contract."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


def find_task(store, board, task):
    """The names become parts of a path, so nothing that could lead elsewhere is looked up."""
    known = re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", board) and re.fullmatch(
        r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", task
    )
    folder = store / board / task
    if not known or not folder.is_dir():
        raise Refusal(ABSENT)
    return folder


def hash_file(path):
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as source:
        while chunk := source.read(CHUNK_BYTES):
            digest.update(chunk)
            size += len(chunk)
    return digest.hexdigest(), size


def take_id(store):
    """Ids are given once, whichever task they belong to, also to two uploads at the same moment."""
    with (store / "last-id").open("a+") as counter:
        fcntl.flock(counter, fcntl.LOCK_EX)
        counter.seek(0)
        taken = int(counter.read() or 0) + 1
        counter.truncate(0)
        counter.write(str(taken))
    return taken


def receive(target):
    """Copies standard input, and stops at the first byte too many instead of filling the disk."""
    digest, size = hashlib.sha256(), 0
    with target.open("wb") as sink:
        while chunk := sys.stdin.buffer.read(CHUNK_BYTES):
            size += len(chunk)
            if size > MAX_FILE_BYTES:
                raise Refusal(TOO_LARGE)
            digest.update(chunk)
            sink.write(chunk)
        sink.flush()
        os.fsync(sink.fileno())
    return digest.hexdigest(), size


def upload(store, words):
    task = find_task(store, words.board, words.task)
    if words.size > MAX_FILE_BYTES:
        raise Refusal(TOO_LARGE)
    # Beside the attachments and under no number: until it is renamed, no listing shows it.
    incoming = Path(tempfile.mkdtemp(prefix=".incoming-", dir=task))
    try:
        sha256, size = receive(incoming / "bytes")
        if size != words.size or sha256 != words.sha256:
            raise Refusal(MISMATCH)
        record = {
            "id": take_id(store),
            "task_id": words.task,
            "filename": words.name,
            "content_type": words.media_type,
            "size": size,
            "uploaded_by": os.environ.get("ARTIFACT_ACTOR", "coordinator"),
            "created_at": int(time.time()),
        }
        (incoming / "record").write_text(json.dumps(record))
        incoming.rename(task / str(record["id"]))
    except BaseException:
        shutil.rmtree(incoming, ignore_errors=True)
        raise
    print(json.dumps({**record, "sha256": sha256}))


def list_attachments(store, words):
    task = find_task(store, words.board, words.task)
    records = []
    for folder in sorted((f for f in task.iterdir() if f.name.isdecimal()), key=lambda f: int(f.name)):
        # The bytes as they are now, not as they were: damage must show as another checksum.
        sha256, size = hash_file(folder / "bytes")
        record = json.loads((folder / "record").read_text())
        records.append({**record, "size": size, "sha256": sha256})
    print(json.dumps(records))


def download(store, words):
    task = find_task(store, words.board, words.task)
    known = re.fullmatch(r"[1-9][0-9]{0,15}", words.attachment_id)
    stored = task / words.attachment_id / "bytes"
    if not known or not stored.is_file():
        raise Refusal(ABSENT)
    with stored.open("rb") as source:
        shutil.copyfileobj(source, sys.stdout.buffer, CHUNK_BYTES)
    sys.stdout.buffer.flush()


def read_words():
    parser = argparse.ArgumentParser(prog="folder_adapter.py", allow_abbrev=False)
    verbs = parser.add_subparsers(required=True)

    def add_verb(name, run):
        verb = verbs.add_parser(name, allow_abbrev=False)
        verb.add_argument("board")
        verb.add_argument("task")
        verb.set_defaults(run=run)
        return verb

    uploading = add_verb("artifact-upload", upload)
    uploading.add_argument("--name", required=True)
    uploading.add_argument("--media-type", required=True)
    uploading.add_argument("--size", required=True, type=int)
    uploading.add_argument("--sha256", required=True)
    uploading.add_argument("--json", action="store_true", required=True)
    add_verb("artifact-list", list_attachments).add_argument("--json", action="store_true", required=True)
    add_verb("artifact-download", download).add_argument("attachment_id")
    return parser.parse_args()


def main():
    # At the deadline SIGTERM comes first: as an exception it takes the unfinished upload away.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    words = read_words()
    store = os.environ.get("ARTIFACT_FOLDER")
    if not store:
        sys.exit("folder_adapter: ARTIFACT_FOLDER names no folder")
    try:
        words.run(Path(store), words)
    except Refusal as refusal:
        sys.exit(refusal.status)


if __name__ == "__main__":
    main()
