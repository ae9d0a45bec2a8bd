"""A request refusal, raised as an exception."""

from fourfold.engine.match.events import refused


class RequestRefused(Exception):
    """A request is refused, and answered by `error`. After `retry` milliseconds, if given, it may be accepted."""

    def __init__(self, code: str, message: str, retry: int | None = None) -> None:
        super().__init__(message)
        self.rejection = refused(code, message, retry)


def too_fast(what: str, retry: int) -> RequestRefused:
    """The refusal of what was done too often. `retry` is in milliseconds."""
    return RequestRefused("too_fast", f"{what}; try again in {-(-retry // 1000)} s.", retry)
