"""A request refusal, raised as an exception."""

from fourfold.engine.decisions import refused


class RequestRefused(Exception):
    """A request is refused, and answered with `error`. If `retry` is given, a retry may succeed after that many
    milliseconds."""

    def __init__(self, code: str, message: str, retry: int | None = None) -> None:
        super().__init__(message)
        self.rejection = refused(code, message, retry)


def too_fast(what: str, retry: int) -> RequestRefused:
    """The refusal of a request over a rate limit. `retry` is in milliseconds."""
    return RequestRefused("too_fast", f"{what}; try again in {-(-retry // 1000)} s.", retry)
