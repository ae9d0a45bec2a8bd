"""The migrations that the first start of this version would run on an archive."""

from typing import NamedTuple


class Migration(NamedTuple):
    """A migration: its revision, and its purpose in a sentence."""

    revision: str
    purpose: str


def after(revision: str) -> list[Migration]:
    """The migrations that follow a revision, in the order in which they run. This version must know the revision."""
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "fourfold.server.archive:migrations")
    found = ScriptDirectory.from_config(config).iterate_revisions("head", revision)
    return [Migration(one.revision, (one.doc or "").strip()) for one in found][::-1]
