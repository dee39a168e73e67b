"""Radix tree of routes."""


class DuplicateRouteError(Exception):
    """Two handlers claim one method and path (P201)."""


class RadixNode:
    """One segment of a path and what follows it."""

    def __init__(self, segment: str) -> None:
        self.segment = segment
        self.children: dict[str, "RadixNode"] = {}
        self.handlers: dict[str, object] = {}

    def insert_route(self, method: str, segments: list[str], handler: object) -> None:
        if not segments:
            if method in self.handlers:
                raise DuplicateRouteError(self.segment)
            self.handlers[method] = handler
            return
        child = self.children.setdefault(segments[0], RadixNode(segments[0]))
        child.insert_route(method, segments[1:], handler)

    def match_path(self, segments: list[str]) -> "RadixNode | None":
        """Literal segments win over parameters, parameters over wildcards."""
        if not segments:
            return self
        for key in (segments[0], "{}", "*"):
            child = self.children.get(key)
            if child is not None:
                found = child.match_path(segments[1:])
                if found is not None:
                    return found
        return None


def strip_trailing_slash(path: str) -> str:
    return path.rstrip("/") or "/"
