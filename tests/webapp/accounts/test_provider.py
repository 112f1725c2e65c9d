"""Log-in by an OpenID Connect provider: a real one over HTTP, which the tests make honest or not."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings as django_settings
from django.core.cache import cache
from django.test import Client

from tests.webapp.conftest import person
from webapp.accounts.members import create_account
from webapp.accounts.models import Identity, Membership, User
from webapp.accounts.services import create_token
from webapp.environment import SettingError, read_environment

pytestmark = pytest.mark.django_db
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Provider:
    """A small OpenID Connect provider. `claims` and `key` are what its next ID token holds and is signed with."""

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {}
        self.about: dict[str, Any] = {"preferred_username": "cartographer"}
        self.key = KEY
        self.headers: dict[str, str] = {"kid": "one"}
        self.status = 200
        self.asked: dict[str, str] = {}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page = urlsplit(self.path).path
                if page.endswith("openid-configuration"):
                    self.say(outer.description())
                elif page == "/keys":
                    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
                    self.say({"keys": [{**public, "kid": "one", "alg": "RS256", "use": "sig"}]})
                else:
                    self.say({"sub": outer.claims.get("sub", "s-1"), **outer.about})

            def do_POST(self) -> None:
                sent = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
                self.say(outer.token(sent))

            def say(self, body: dict[str, Any]) -> None:
                raw = json.dumps(body).encode()
                self.send_response(outer.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def description(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/me",
            "jwks_uri": f"{self.url}/keys",
            "id_token_signing_alg_values_supported": ["none", "HS256", "RS256"],
        }

    def token(self, sent: dict[str, str]) -> dict[str, Any]:
        verifier = base64.urlsafe_b64encode(hashlib.sha256(sent["code_verifier"].encode()).digest()).decode()
        assert verifier.rstrip("=") == self.asked["code_challenge"]
        assert sent["client_secret"] == "hush"
        assert sent["redirect_uri"] == self.asked["redirect_uri"]
        claims = {
            "iss": self.url, "aud": "proofmark", "sub": "s-1", "exp": int(time.time()) + 60, "iat": int(time.time()),
            "nonce": self.asked["nonce"], **self.claims,
        }  # fmt: skip
        claims = {name: value for name, value in claims.items() if value is not None}
        kind = self.headers.get("alg", "RS256")
        key: Any = self.key if kind == "RS256" else None if kind == "none" else "hush"
        return {"access_token": "x", "id_token": jwt.encode(claims, key, algorithm=kind, headers=self.headers)}

    def log_in(self, client: Client, **query: str) -> Any:
        """Go to the provider and come back."""
        away = client.get("/accounts/provider/", query)
        assert away.status_code == 302
        assert away["Location"].startswith(f"{self.url}/authorize?")
        self.asked = {name: values[0] for name, values in parse_qs(urlsplit(away["Location"]).query).items()}
        return client.get("/accounts/provider/callback/", {"state": self.asked["state"], "code": "c"})


@pytest.fixture
def provider(settings) -> Iterator[Provider]:
    cache.clear()
    made = Provider()
    settings.OIDC_ISSUER = made.url
    settings.OIDC_RP_CLIENT_ID = "proofmark"
    settings.OIDC_RP_CLIENT_SECRET = "hush"
    settings.AUTHENTICATION_BACKENDS = [
        *django_settings.AUTHENTICATION_BACKENDS,
        "webapp.accounts.provider.ProviderBackend",
    ]
    yield made
    made.server.shutdown()
    made.server.server_close()
    cache.clear()


def who(client: Client) -> str | None:
    key = client.session.get("_auth_user_id")
    return User.objects.get(pk=key).username if key else None


def test_the_log_in_page_offers_a_provider_only_where_there_is_one(client, provider, settings):
    page = client.get("/accounts/login/?next=/desk/").text
    assert "/accounts/provider/?next=%2Fdesk%2F" in page
    assert "Log in with 127.0.0.1<" in page
    settings.OIDC_NAME = "Northern & <b>"
    assert "Log in with Northern &amp; &lt;b&gt;<" in client.get("/accounts/login/").text
    settings.OIDC_ISSUER = ""
    assert "/accounts/provider/" not in client.get("/accounts/login/").text
    assert client.get("/accounts/provider/").status_code == 404


def test_an_unknown_person_gets_an_account_in_no_project_and_the_same_one_next_time(client, provider, project):
    answer = provider.log_in(client, next="/accounts/profile/")
    assert answer["Location"] == "/accounts/profile/"
    assert who(client) == "cartographer"
    user = User.objects.get(username="cartographer")
    assert not user.has_usable_password()
    assert not Membership.objects.filter(user=user).exists()
    again = Client()
    provider.about = {"preferred_username": "renamed"}
    provider.log_in(again)
    assert who(again) == "cartographer"


@pytest.mark.parametrize("wish", ["reviewer", "Reviewer"])
def test_a_name_or_address_like_a_colleagues_opens_nothing_of_theirs(client, provider, reviewer, wish):
    reviewer.email = "reviewer@example.org"
    reviewer.save()
    provider.about = {"preferred_username": wish, "email": "reviewer@example.org", "email_verified": True}
    provider.log_in(client)
    assert who(client) == f"{wish}-2"


@pytest.mark.parametrize("wish", ["api-returns", "API-x", "", "   ", "<b>", "a" * 400])
def test_any_wish_for_a_name_becomes_one_that_people_may_have(client, provider, wish):
    provider.about = {"preferred_username": wish}
    provider.log_in(client)
    name = who(client)
    assert name
    assert not name.lower().startswith("api-")
    User(username=name).clean_fields(exclude=["password"])


FALSE = {
    "another issuer": {"iss": "https://elsewhere.example"},
    "for somebody else": {"aud": "another-site"},
    "for several, given to another": {"aud": ["proofmark", "another-site"], "azp": "another-site"},
    "another nonce": {"nonce": "n"},
    "no nonce": {"nonce": None},
    "too old": {"exp": 1},
    "no end": {"exp": None},
    "nobody": {"sub": ""},
    "no subject": {"sub": None},
    "a subject that is no text": {"sub": 7},
}


@pytest.mark.parametrize("claims", FALSE.values(), ids=FALSE.keys())
def test_a_false_token_opens_nothing(client, provider, claims):
    provider.claims = claims
    answer = provider.log_in(client)
    assert answer["Location"] == "/accounts/login/"
    assert who(client) is None
    assert not Identity.objects.exists()
    assert "did not work" in client.get("/accounts/login/").text


@pytest.mark.parametrize(
    ("key", "headers"),
    [(OTHER_KEY, {"kid": "one"}), (KEY, {"kid": "two"}), (KEY, {"kid": "one", "alg": "HS256"}),
     (KEY, {"kid": "one", "alg": "none"})],
    ids=["another key", "an unknown key", "a shared secret", "no signature"],
)  # fmt: skip
def test_a_false_signature_opens_nothing(client, provider, key, headers):
    provider.key, provider.headers = key, headers
    provider.log_in(client)
    assert who(client) is None


def test_coming_back_twice_or_from_nowhere_opens_nothing(client, provider):
    client.get("/accounts/provider/")
    assert client.get("/accounts/provider/callback/?state=made-up&code=c")["Location"] == "/accounts/login/"
    stranger = Client()
    assert stranger.get("/accounts/provider/callback/?state=s&code=c")["Location"] == "/accounts/login/"
    provider.log_in(client)
    client.logout()
    client.get("/accounts/provider/callback/", {"state": provider.asked["state"], "code": "c"})
    assert who(client) is None


def test_a_provider_that_is_down_or_talks_nonsense_is_a_sentence(client, provider):
    provider.status = 500
    assert client.get("/accounts/provider/")["Location"] == "/accounts/login/"
    provider.status = 200
    provider.claims = {"sub": "s-1"}
    provider.description = lambda: {"issuer": "https://elsewhere.example"}  # type: ignore[method-assign]
    assert client.get("/accounts/provider/")["Location"] == "/accounts/login/"


def test_a_session_needs_no_provider_once_it_stands(client, provider):
    provider.log_in(client)
    cache.clear()
    provider.status = 500
    assert client.get("/accounts/profile/").status_code == 200


def test_a_closed_account_stays_closed_and_its_session_ends(client, provider):
    provider.log_in(client)
    User.objects.filter(username="cartographer").update(is_active=False)
    assert client.get("/accounts/profile/").status_code == 302
    other = Client()
    provider.log_in(other)
    assert who(other) is None
    assert "closed" in other.get("/accounts/login/").text


def test_where_nobody_new_is_wanted_an_unknown_person_is_told_whom_to_ask(client, provider, settings):
    settings.OIDC_CREATE_USER = False
    provider.log_in(client)
    assert who(client) is None
    assert "invitation" in client.get("/accounts/login/").text


def test_a_person_connects_their_account_by_saying_so_and_can_end_it(client, provider, reviewer):
    client.force_login(reviewer, backend="django.contrib.auth.backends.ModelBackend")
    assert provider.log_in(client)["Location"] == "/accounts/profile/"
    assert not Identity.objects.exists(), "only a press of the button connects"
    assert "/accounts/provider/connect/" in client.get("/accounts/profile/").text
    client.post("/accounts/provider/connect/")
    elsewhere = Client()
    provider.log_in(elsewhere)
    assert who(elsewhere) == reviewer.username
    client.post("/accounts/provider/disconnect/")
    assert not Identity.objects.exists()


def test_what_belongs_to_another_account_is_not_connected_and_nobody_locks_themselves_out(client, provider, reviewer):
    first = Client()
    provider.log_in(first)
    first.post("/accounts/provider/disconnect/")
    assert Identity.objects.count() == 1, "an account without a password keeps its only door"
    client.force_login(reviewer, backend="django.contrib.auth.backends.ModelBackend")
    session = client.session
    session["oidc_pending"] = "s-1"
    session.save()
    client.post("/accounts/provider/connect/")
    assert Identity.objects.get().user.username == "cartographer"


def test_a_person_cannot_take_the_name_a_projects_programs_will_act_as(project):
    from proofing.errors import BadInput

    with pytest.raises(BadInput, match="programs"):
        create_account(username=f"API-{project.slug}", password="a-long-pass-phrase")
    taken = person(f"api-{project.slug}")
    token, _secret = create_token(project=project, name="n")
    assert token.acts_as != taken
    assert not Membership.objects.filter(user=taken).exists()
    assert create_token(project=project, name="m")[0].acts_as == token.acts_as


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"PROOFMARK_OIDC_ISSUER": "https://id.example"}, "PROOFMARK_OIDC_CLIENT_ID is not set"),
        ({"PROOFMARK_OIDC_CLIENT_SECRET": "s"}, "PROOFMARK_OIDC_ISSUER is not set"),
        ({"PROOFMARK_OIDC_ISSUER": "http://id.example"}, "no issuer"),
        ({"PROOFMARK_OIDC_ISSUER": "https://id.example/?a=b"}, "no issuer"),
    ],
)
def test_half_a_provider_is_refused_at_the_start(values, told, tmp_path):
    with pytest.raises(SettingError, match=told) as refused:
        read_environment(values, base_dir=tmp_path)
    assert "\n" not in str(refused.value)
