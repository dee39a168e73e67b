"""Token bucket behind @limit."""

from perch.clock import now


class TokenBucket:
    """Refills `rate` tokens a second up to `capacity`."""

    def __init__(self, rate: float, capacity: int) -> None:
        self.rate = rate
        self.capacity = capacity
        self.tokens = float(capacity)
        self.updated = now()

    def try_take(self) -> bool:
        elapsed = now() - self.updated
        self.tokens = min(self.capacity, self.tokens + elapsed * self.rate)
        self.updated = now()
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def retry_after_seconds(self) -> float:
        return max(0.0, (1 - self.tokens) / self.rate)


def parse_limit(text: str) -> TokenBucket:
    """Reads "5/minute"."""
    amount, unit = text.split("/")
    seconds = {"second": 1, "minute": 60, "hour": 3600}[unit]
    return TokenBucket(int(amount) / seconds, int(amount))
