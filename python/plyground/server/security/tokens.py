"""Visitor tokens, the cookie that carries them, and share-link tokens."""

from __future__ import annotations

import hashlib
import secrets
from http.cookies import CookieError, SimpleCookie

from itsdangerous import BadSignature, Signer
from starlette.datastructures import Headers

COOKIE = "plyground"
RANDOM_CHARACTERS = 43
"""Length of the random part of a token: 32 bytes in URL-safe base64."""
MAX_COOKIE_CHARACTERS = 200
COOKIE_MAX_AGE_S = 400 * 24 * 3600
"""400 days, the maximum browsers allow."""


class VisitorTokens:
    """Issues and checks the tokens of visitors: a random part and the server's signature.

    The signature proves that this server issued the token. The visitor's ID is the digest of the random part, so
    neither the database nor the server's secret is enough to act as another visitor.
    """

    def __init__(self, secret: str) -> None:
        self._signer = Signer(secret, salt="plyground visitor", key_derivation="hmac", digest_method=hashlib.sha256)

    def issue(self) -> str:
        """Return a token for a new visitor."""
        return self.sign(secrets.token_urlsafe(32))

    def sign(self, random_part: str) -> str:
        """Return the token that consists of a random part and its signature."""
        return self._signer.sign(random_part).decode()

    def read(self, token: str) -> str | None:
        """Return the random part of a token; None if this server did not issue it."""
        try:
            return self._signer.unsign(token).decode()
        except (BadSignature, UnicodeError):
            return None


def token_digest(token: str) -> str:
    """Return the SHA-256 of a token. Only digests are stored, so a leaked database contains no usable tokens."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def is_unsigned(token: str) -> bool:
    """Whether a token has the format issued by earlier versions: a random part without a signature."""
    return len(token) == RANDOM_CHARACTERS and "." not in token


def cookie_token(headers: Headers) -> str | None:
    """Return the token in the cookie of a request; it may be forged."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return None if morsel is None or len(morsel.value) > MAX_COOKIE_CHARACTERS else morsel.value


def cookie_header(token: str, *, secure: bool) -> str:
    """Return the Set-Cookie header that gives a visitor their token."""
    header = f"{COOKIE}={token}; Path=/; Max-Age={COOKIE_MAX_AGE_S}; HttpOnly; SameSite=Lax"
    return f"{header}; Secure" if secure else header
