"""The `proofmark` command: a thin door to the public API.

Commands by what they are about: `reading` (one answer, a file of them), `labels` (what labels are worth and what is
fitted on them), `files` (other formats); the judges have their own. Exit codes stand in `output`. Errors are one line
on standard error: what, where, how to mend.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

import proofing
from proofing.cli import files, labels, reading
from proofing.cli.output import BAD_INPUT, DONE, REFUSED
from proofing.errors import ProofingError, Refused
from proofing.judges.commands import judges


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # several threads on shared cores are slower than one
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = cli.main(
            args=None if arguments is None else list(arguments), prog_name="proofmark", standalone_mode=False
        )
        sys.stdout.flush()
        return int(code or DONE)
    except Refused as error:
        return _failed(str(error), REFUSED)
    except ProofingError as error:
        return _failed(str(error), BAD_INPUT)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return BAD_INPUT
    except click.ClickException as error:
        hint = f" (see `{error.ctx.command_path} --help`)" if isinstance(error, click.UsageError) and error.ctx else ""
        return _failed(error.format_message() + hint, BAD_INPUT)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads any more: say nothing
        return DONE
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _failed(f"{where}{error.strerror or error}", BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        return _failed("stopped", 130)
    except Exception as error:  # a fault of ours: still one line, unless somebody wants to see where
        if os.environ.get("PROOFMARK_TRACE"):
            raise
        said = f"internal error ({type(error).__name__}: {error}); PROOFMARK_TRACE=1 shows where"
        return _failed(said, BAD_INPUT)


def _failed(message: str, code: int) -> int:
    click.echo(f"proofmark: {' '.join(message.split())}", err=True)
    return code


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(proofing.__version__, prog_name="proofmark")
def cli() -> None:
    """Proofread answers against their sources: mark the words the sources do not back, with evidence."""


for command in (*reading.COMMANDS, *labels.COMMANDS, *files.COMMANDS, judges):
    cli.add_command(command)
