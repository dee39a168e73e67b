"""Sessions in a signed cookie or in Redis."""

import hmac
import secrets


class SessionStore:
    def load_session(self, identifier: str) -> dict:
        raise NotImplementedError


class CookieSessionStore(SessionStore):
    """The data travels with the visitor."""

    MAX_BYTES = 4096

    def verify_signature(self, payload: bytes, signature: bytes, keys: list[bytes]) -> bool:
        """Old keys are accepted too, so that a key can be rotated."""
        return any(hmac.compare_digest(hmac.digest(key, payload, "sha256"), signature) for key in keys)


class RedisSessionStore(SessionStore):
    def renew_identifier(self, old: str) -> str:
        """A new identifier for the same data: prevents session fixation."""
        fresh = secrets.token_urlsafe(32)
        self.client.rename(old, fresh)
        return fresh
