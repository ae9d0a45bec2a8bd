"""A request's rejection, raised as an exception."""

from fourfold.engine.decisions import Rejection, refused


class RequestRejected(Exception):
    """A request has failed, and is answered with `error`."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(rejection.message)
        self.rejection = rejection


class RequestRefused(RequestRejected):
    """A request is refused. If `retry` is given, a retry may succeed after that many milliseconds."""

    def __init__(self, code: str, message: str, retry: int | None = None) -> None:
        super().__init__(refused(code, message, retry))


def too_fast(what: str, retry: int) -> RequestRefused:
    """The refusal of a request over a rate limit. `retry` is in milliseconds."""
    return RequestRefused("too_fast", f"{what}; try again in {-(-retry // 1000)} s.", retry)
