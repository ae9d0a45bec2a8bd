"""No, as an exception: what any part of the server raises to have a request answered by an error."""

from fourfold.engine.match.events import refused


class RequestRefused(Exception):
    """A request that is answered by an error; in `retry` milliseconds, if given, it may be answered otherwise."""

    def __init__(self, code: str, message: str, retry: int | None = None) -> None:
        super().__init__(message)
        self.rejection = refused(code, message, retry)


def too_fast(what: str, retry: int) -> RequestRefused:
    """The refusal of something that was done too often, which says when it may be done again."""
    return RequestRefused("too_fast", f"{what}; try again in {-(-retry // 1000)} s.", retry)
