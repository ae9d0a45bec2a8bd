"""Commands without the full screen do not import its modules."""

import subprocess
import sys


def test_the_command_line_is_read_without_textual() -> None:
    script = (
        "import sys, os; from fourfold.clients.__main__ import parser; import fourfold.clients.terminal.plain;"
        "import fourfold.clients.demo;"
        "parser(os.environ).parse_args(['play', '--local', '--plain']); parser(os.environ).parse_args(['demo']);"
        "print([name for name in ('textual', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
