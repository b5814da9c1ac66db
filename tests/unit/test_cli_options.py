"""One option has one meaning over all commands: the same name, the same kind of value, the same words."""

import argparse
import re

import pytest

from pitchline.cli.program import build_parser


def options() -> dict[str, dict[str, argparse.Action]]:
    """Option -> command -> what argparse knows of it."""
    parser = build_parser()
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    found: dict[str, dict[str, argparse.Action]] = {}
    for command, sub in commands.choices.items():
        for action in sub._actions:
            for name in action.option_strings:
                found.setdefault(name, {})[command] = action
    return found


@pytest.mark.parametrize("name", sorted(options()))
def test_an_option_means_the_same_in_all_commands(name: str) -> None:
    used = options()[name]
    assert len({type(action) for action in used.values()}) == 1
    assert len({action.nargs for action in used.values()}) == 1
    assert all(action.help for action in used.values())
    if name in ("-o", "--output"):  # where to write, and then what
        for action in used.values():
            kind = {"DIR": "folder", "FILE": "file"}[str(action.metavar)]
            assert str(action.help).startswith(f"{kind} for ")
            assert set(action.option_strings) == {"-o", "--output"}
        return
    words = {(str(action.metavar), re.sub(r" \(default: .*\)$", "", str(action.help))) for action in used.values()}
    assert len(words) == 1, sorted(used)


def test_names_that_differ_by_little_have_no_different_meanings() -> None:
    """No option is another one with an s at its end."""
    names = set(options())
    assert not [name for name in names if f"{name}s" in names]


def test_arguments_of_one_name_mean_the_same() -> None:
    parser = build_parser()
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    said: dict[str, set[str]] = {}
    for sub in commands.choices.values():
        for action in sub._actions:
            if not action.option_strings:
                said.setdefault(str(action.metavar), set()).add(str(action.help).replace(" (default: all)", ""))
    assert all(len(texts) == 1 for metavar, texts in said.items() if metavar in ("NAME|FILE", "RESULT", "SIGNAL"))


@pytest.mark.parametrize(
    "words",
    [
        "values a.nc x y --from 1ms",
        "values a.nc --from 1ms x y",
        "values --from 1ms a.nc x y",
        "values a.nc x --from 1ms y",
    ],
)
def test_signals_may_stand_before_and_after_options(words: str) -> None:
    given = build_parser().parse_args(words.split())
    assert (given.signals, given.start, str(given.result)) == (["x", "y"], "1ms", "a.nc")


@pytest.mark.parametrize(
    "words, message",
    [
        ("values a.nc --form 1ms", 'there is no option --form; did you mean "--from"'),
        ("compare a.nc b.nc --tolrance 1", 'there is no option --tolrance; did you mean "--tolerance"?'),
        ("run four-bar --outptu=x", 'there is no option --outptu; did you mean "--output"?'),
        ("values a.nc x -q y", "there is no option -q"),
        ("info a.nc x", "unrecognized arguments: x"),
    ],
)
def test_unknown_options_get_the_near_ones(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        build_parser().parse_args(words.split())
    assert end.value.code == 1
    assert message in capsys.readouterr().err
