"""The command line and the shell around it: completion scripts, pipes, a quick answer."""

import json
import shutil
import subprocess
import sys

import pytest
from references.child_processes import Children

from pitchline import cli, gallery


def completion(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert cli.main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_commands_options_and_models(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = completion(shell, capsys)
    for word in ("run", "response", "press", *gallery.MODELS):
        assert word in text
    assert ("-l frequencies" if shell == "fish" else "--frequencies") in text
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=text, text=True, check=True)


@pytest.mark.parametrize(
    "words, offered",
    [
        (["pitchline", "r"], {"run", "response", "report"}),
        (["pitchline", "run", "hel"], {"helical-pair"}),
        (["pitchline", "run", "pa"], {"pair.toml", "pair.nc"}),
        (["pitchline", "check", "pa"], {"pair.toml"}),
        (["pitchline", "plot", "pa"], {"pair.nc"}),
        (["pitchline", "run", "press", "--s"], {"--set"}),
        (["pitchline", "gallery", "--copy", "kubo-"], {"kubo-a", "kubo-b", "kubo-c", "kubo-d"}),
        (["pitchline", "run", "press", "-o", "o"], {"out"}),
        (["pitchline", "completion", ""], {"bash", "zsh", "fish"}),
    ],
)
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_offers_what_fits(
    words: list[str], offered: set[str], tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = " ".join(f"'{word}'" for word in words)
    script = (
        f"cd '{tmp_path}'; touch pair.toml pair.nc other.txt; mkdir out\n{completion('bash', capsys)}\n"
        f'COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _pitchline; printf "%s\\n" "${{COMPREPLY[@]}}"\n'
    )
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert set(done.stdout.split()) == offered


def test_help_loads_no_numbers() -> None:
    """In a process of its own: help of every command, and of the whole, without numpy, matplotlib and numba."""
    code = """
import contextlib, io, json, sys
import pitchline
from pitchline import cli
with contextlib.redirect_stdout(io.StringIO()):
    for arguments in ([], ["--help"], ["--version"], *([name, "--help"] for name in sys.argv[1:])):
        try:
            cli.main(arguments)
        except SystemExit as end:
            assert end.code == 0
heavy = {"numpy", "scipy", "matplotlib", "numba", "llvmlite", "h5py", "tomllib"}
print(json.dumps(sorted(heavy & set(sys.modules))))
"""
    names = ["run", "gallery", "check", "gear", "modes", "response", "plot", "info", "report", "completion"]
    done = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


def test_python_m_pitchline_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "pitchline", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("pitchline")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pipe that can be closed")
def test_a_reader_who_leaves_early_is_no_error(children: Children) -> None:
    run = children([sys.executable, "-m", "pitchline", "gallery"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.stdout is not None and run.stderr is not None
    run.stdout.close()
    assert run.stderr.read() == b""
    run.stderr.close()
    assert run.wait() == 0


STARTING = """
import os, signal, sys
sys.argv = ["/usr/bin/pitchline", "--help"]

class Finder:  # presses Ctrl-C when this module is imported
    def find_spec(self, name, path=None, target=None):
        if name == MODULE:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
from pitchline.cli import main
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
@pytest.mark.parametrize("module", ["pitchline.errors", "pitchline.cli.program", "pitchline.cli.program"])
def test_ctrl_c_while_the_command_starts(module: str, keyboard: None) -> None:
    """A message and the usual exit status, no traceback; programs that use the library keep Python's own way."""
    text = STARTING.replace("MODULE", repr(module))
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (130, "error: interrupted\n", "")
    library = text.replace("/usr/bin/pitchline", "program.py")
    done = subprocess.run([sys.executable, "-c", library], capture_output=True, text=True, check=False)
    assert done.returncode != 130 and "KeyboardInterrupt" in done.stderr


def test_ctrl_c_is_that_of_python_when_the_command_has_started(keyboard: None) -> None:
    text = (
        "import signal, sys; sys.argv = ['pitchline', '--version']\n"
        "from pitchline.cli import main\n"
        "before = signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
        "main(); print(before, signal.getsignal(signal.SIGINT) is signal.default_int_handler)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False True"
