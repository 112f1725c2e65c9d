"""The operator's file: what it may say, and one sentence for each thing it may not."""

from __future__ import annotations

import pytest

from proofing.errors import BadInput
from proofing.judges import read_judges
from proofing.judges.configuration import Judge, chosen

GOOD = """
[[judge]]
name = "small"
base_url = "http://127.0.0.1:8080/v1"
model = "m"

[[judge]]
name = "large"
base_url = "https://models.example.org/v1"
model = "large-2"
key_env = "LARGE_KEY"
budget_cost = 5
extra_body = { seed = 1 }
omit = ["temperature"]
"""


def read(tmp_path, text):
    path = tmp_path / "judges.toml"
    path.write_text(text, encoding="utf-8")
    return read_judges(path)


def test_judges_come_in_the_order_of_the_file(tmp_path):
    small, large = read(tmp_path, GOOD)
    assert (small.name, small.on_this_machine, small.encrypted, small.host) == ("small", True, False, "127.0.0.1:8080")
    assert (large.on_this_machine, large.encrypted, large.host) == (False, True, "models.example.org")
    assert (large.budget_cost, large.omit, large.extra_body) == (5.0, ("temperature",), {"seed": 1})
    assert chosen([small, large], ["large"]) == (large,)
    with pytest.raises(BadInput, match="there is no judge 'huge'; known are large, small"):
        chosen([small, large], ["huge"])


BASE = '[[judge]]\nname = "a"\nbase_url = "http://h/v1"\nmodel = "m"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("judge = 1", "names no judge"),
        ("", "names no judge"),
        ("[[judge]", "is not valid TOML"),
        (BASE + 'api_key = "sk-1"', "api_key does not belong in a file"),
        (BASE + 'Token = "sk-1"', "Token does not belong in a file"),
        (BASE + "timeout = 3", "unknown field 'timeout'"),
        (BASE + BASE, "two judges are called 'a'"),
        ('[[judge]]\nname = "a"\nmodel = "m"', "judge 'a': base_url is missing"),
        ('[[judge]]\nbase_url = "http://h"\nmodel = "m"', "a judge: name is missing"),
        (BASE.replace("http://h/v1", "file:///etc/passwd"), "must be an http or https address"),
        (BASE.replace("http://h/v1", "http://u:p@h/v1"), "must hold no user"),
        (BASE.replace("http://h/v1", "http://h:99999/v1"), "must be an http or https address"),
        (BASE + "concurrency = 0", "concurrency must be a whole number from 1 to 64"),
        (BASE + "concurrency = true", "concurrency must be a whole number"),
        (BASE + "timeout_s = nan", "timeout_s must be a number"),
        (BASE + 'key_env = "no name"', "key_env must be the name of an environment variable"),
        (BASE + "extra_body = { messages = [] }", "extra_body must be a table, without messages"),
        (BASE + 'omit = ["model"]', "omit must be a list of temperature, max_tokens"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(tmp_path, text, said):
    with pytest.raises(BadInput) as caught:
        read(tmp_path, text)
    assert said in str(caught.value)
    assert "sk-1" not in str(caught.value)


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(BadInput, match="cannot read"):
        read_judges(tmp_path / "none.toml")


def test_cost_is_per_million_tokens():
    assert Judge("a", "http://h", "m", price_in=2.0, price_out=8.0).cost_of(500_000, 125_000) == 2.0
