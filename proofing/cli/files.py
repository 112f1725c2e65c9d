"""Commands that turn files of other tools into ours and back."""

from __future__ import annotations

import click

from proofing.cli.output import DONE, Counted, new_folder, output, readable, said_faults, said_left_out


@click.command(name="import")
@click.option("--format", "form", required=True, help="Format of IN; `proofmark formats` lists them.")
@click.option(
    "--column", "columns", multiple=True, metavar="FIELD=COLUMN", help="Which column of a table fills a field."
)
@click.argument("path", metavar="IN")
@click.argument("out", metavar="OUT")
def import_(form: str, columns: tuple[str, ...], path: str, out: str) -> int:
    """Convert a file (or a folder, where the format is one) to answers/1 lines."""
    from proofing.batch import json_line
    from proofing.exchange.answers import READ_NAMES
    from proofing.exchange.formats import imported
    from proofing.exchange.jsonl import BlankRow, LineFault
    from proofing.exchange.unread import UnreadFields

    mapping = dict(column.partition("=")[::2] for column in columns)
    faults, blank, unread = [], 0, UnreadFields(READ_NAMES)
    with output(out, path) as stream:
        for record in imported(form, path, mapping or None, unread):
            if isinstance(record, BlankRow):
                blank += 1
            elif isinstance(record, LineFault):
                faults.append(record)
            else:
                stream.write(json_line(record))
    if blank:
        click.echo(f"proofmark: {blank} blank {'row' if blank == 1 else 'rows'} passed over", err=True)
    for name in unread.found():
        click.echo(f"proofmark: a field that is not read: {name}", err=True)
    return said_faults(len(faults), faults)


@click.command()
@click.option("--format", "form", required=True, help="Format of OUT; `proofmark formats` lists them.")
@click.argument("path", metavar="IN")
@click.argument("out", metavar="OUT")
def export(form: str, path: str, out: str) -> int:
    """Convert a file of answers/1 or reviews/1 lines to another format. OUT is a folder where the format is one.

    Rows that the format cannot hold are left out; how many, and why, is said on standard error.
    """
    from proofing.exchange.formats import format_named, poured, rows_of_file
    from proofing.exchange.sinks import closing

    chosen = format_named(form, to_write=True)
    rows = Counted(rows_of_file(path))
    if chosen.folder is not None:
        with readable(path), closing(chosen.folder(new_folder(out))) as sink:
            faults = list(poured(rows, sink))
    else:
        with output(out, path) as stream, closing(chosen.sink(stream)) as sink:  # type: ignore[misc]
            faults = list(poured(rows, sink))
    return said_left_out(faults, rows.count)


@click.command()
def formats() -> int:
    """List the formats that `import` reads and `export` writes."""
    from proofing.exchange.formats import FORMATS

    for form in FORMATS.values():
        ways = f"{'in' if form.scan else '':3}{'out' if form.writes else '':4}"
        click.echo(f"{form.name:16} {ways} {form.title}{', a folder' if form.folder else ''}")
    return DONE


COMMANDS = (import_, export, formats)
