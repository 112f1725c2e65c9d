"""Spanish is complete, compiled, and shown to those who chose it."""

from __future__ import annotations

import gettext
import re
from datetime import datetime
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import override

from tests.webapp.review.builders import make_queue, make_user

ROOT = Path(settings.BASE_DIR)
CATALOGUE = ROOT / "locale" / "es" / "LC_MESSAGES"
IN_TEMPLATES = re.compile(r"""\{%\s*(?:translate|trans)\s+(?:"([^"]+)"|'([^']+)')""")
IN_CODE = re.compile(r"""(?<![\w.])(?:_|gettext|gettext_lazy)\(\s*(?:"((?:[^"\\]|\\.)+)"|'((?:[^'\\]|\\.)+)')\s*\)""")


def catalogue():
    with (CATALOGUE / "django.po").open("rb") as file:
        return read_po(file)


def strings_of(pattern, paths):
    for path in paths:
        for double, single in pattern.findall(path.read_text(encoding="utf-8")):
            yield path.name, double or single


def test_every_string_of_pages_and_code_has_its_spanish():
    ids = [message.id if isinstance(message.id, str) else message.id[0] for message in catalogue() if message.id]
    known = {text.replace("%%", "%") for text in ids}
    used = list(strings_of(IN_TEMPLATES, (ROOT / "templates").rglob("*.html")))
    used += strings_of(IN_CODE, (ROOT / "webapp").rglob("*.py"))
    assert len(used) > 300
    missing = sorted({f"{name}: {text}" for name, text in used if text not in known})
    assert missing == []


def test_strings_of_pages_have_curly_apostrophes():
    """As the rest of the page is set; what the engine says of a mark keeps the typewriter's."""
    used = [*strings_of(IN_TEMPLATES, (ROOT / "templates").rglob("*.html"))]
    used += strings_of(IN_CODE, (ROOT / "webapp").rglob("*.py"))
    engine = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "proofing").rglob("*.py"))
    straight = {text for _name, text in used if re.search(r"[a-z]'[a-z\s]", text)}
    assert {text for text in straight if text.split("%")[0] not in engine} == set()


def test_nothing_is_left_empty_and_placeholders_agree():
    for message in catalogue():
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        texts = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(texts), message.id
        wanted = set(re.findall(r"%\(\w+\)s", " ".join(ids)))
        for text in texts:
            assert set(re.findall(r"%\(\w+\)s", text)) <= wanted, message.id


def test_the_compiled_catalogue_is_the_written_one():
    with (CATALOGUE / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for message in catalogue():
        if message.id and isinstance(message.id, str):
            assert compiled.gettext(message.id) == message.string


def test_dates_are_written_one_way_in_each_language():
    moment = datetime(2026, 3, 4, 15, 6)
    for language, written in (("en", "4 Mar 2026, 15:06"), ("es", "4 mar 2026, 15:06")):
        with override(language):
            assert date_format(moment, "SHORT_DATETIME_FORMAT") == date_format(moment, "DATETIME_FORMAT") == written
            assert date_format(moment, "SHORT_DATE_FORMAT") == written.partition(",")[0]


def test_pages_name_formats_of_dates_and_write_none_of_their_own():
    known = {"c", "DATE_FORMAT", "SHORT_DATE_FORMAT", "SHORT_DATETIME_FORMAT", "TIME_FORMAT", "H:i:s"}
    used = [
        (path.name, text)
        for path in (ROOT / "templates").rglob("*.html")
        for text in re.findall(r"""\|(?:date|time):["']([^"']+)["']""", path.read_text(encoding="utf-8"))
    ]
    assert len(used) > 30
    assert [place for place in used if place[1] not in known] == []


@pytest.mark.django_db
def test_a_page_in_spanish(client):
    user = make_user("revisora", make_queue().project)
    user.language = "es"
    user.save()
    client.force_login(user)
    html = client.get(reverse("desk")).content.decode()
    assert '<html lang="es"' in html
    assert "Aún no hay nada que corregir" in html
