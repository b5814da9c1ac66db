"""Completion scripts for shells, generated from the argument parser."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from pitchline.gallery.catalogue import MODELS

from .program import build_parser

__all__ = ["script"]


@dataclass(frozen=True)
class Option:
    """One option: its names, its help text, whether it takes a value, and the kinds of this value."""

    names: tuple[str, ...]
    help: str
    takes_value: bool
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Command:
    """One command: its options and the kinds of its arguments (as in `options.completes`) or the fixed choices."""

    name: str
    help: str
    options: tuple[Option, ...]
    kinds: tuple[str, ...]
    words: tuple[str, ...]


def script(shell: str) -> str:
    """Return the script for a shell."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](_commands())


def _commands() -> list[Command]:
    parser = build_parser()
    group = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    lines = {action.dest: action.help or "" for action in group._choices_actions}
    return [_command(name, lines[name], sub) for name, sub in group.choices.items()]


def _command(name: str, line: str, parser: argparse.ArgumentParser) -> Command:
    options: list[Option] = []
    kinds: list[str] = []
    words: list[str] = []
    for action in parser._actions:
        offered = getattr(action, "completes", ())
        if action.option_strings:
            takes = action.nargs != 0
            options.append(Option(tuple(action.option_strings), action.help or "", takes, offered))
        else:
            kinds += offered
            words += [str(choice) for choice in action.choices or ()]
    return Command(name, line, tuple(options), tuple(kinds), tuple(words))


def _words(kinds: tuple[str, ...], words: tuple[str, ...] = ()) -> list[str]:
    return [*words, *(MODELS if "gallery" in kinds else ())]


def _endings(kinds: tuple[str, ...]) -> list[str]:
    return [kind for kind in kinds if kind.startswith(".")]


# --- bash ----------------------------------------------------------------------------------------------


def _bash(commands: list[Command]) -> str:
    lines = [
        "# completion of pitchline for bash",
        "_pitchline() {",
        '    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"',
        "    COMPREPLY=()",
        "    if (( COMP_CWORD == 1 )); then",
        f'        COMPREPLY=( $(compgen -W "{" ".join(c.name for c in commands)} --help --version" -- "$cur") )',
        "        return",
        "    fi",
        '    case "$command" in',
    ]
    for command in commands:
        lines.append(f"        {command.name})")
        valued = [option for option in command.options if option.takes_value]
        if valued:
            lines.append('            case "$prev" in')
            for option in valued:
                lines.append(f"                {'|'.join(option.names)}) {_bash_offer(option.kinds, ())}return ;;")
            lines.append("            esac")
        names = " ".join(name for option in command.options for name in option.names)
        lines.append('            if [[ "$cur" == -* ]]; then')
        lines.append(f'                COMPREPLY=( $(compgen -W "{names}" -- "$cur") )')
        lines.append("                return")
        lines.append("            fi")
        offer = _bash_offer(command.kinds, command.words)
        lines.append(f"            {offer or ': '};;")
    return "\n".join([*lines, "    esac", "}", "complete -o filenames -F _pitchline pitchline", ""])


def _bash_offer(kinds: tuple[str, ...], words: tuple[str, ...]) -> str:
    parts = []
    offered = _words(kinds, words)
    if offered:
        parts.append(f'COMPREPLY+=( $(compgen -W "{" ".join(offered)}" -- "$cur") )')
    if "folder" in kinds or _endings(kinds):
        parts.append('COMPREPLY+=( $(compgen -d -- "$cur") )')
    if "file" in kinds:
        parts.append('COMPREPLY+=( $(compgen -f -- "$cur") )')
    parts += [f"COMPREPLY+=( $(compgen -f -X '!*{ending}' -- \"$cur\") )" for ending in _endings(kinds)]
    return "".join(f"{part}; " for part in parts)


# --- zsh -----------------------------------------------------------------------------------------------

_ZSH_LINE = "words"
"""Array of zsh with the parts of the command line."""


def _zsh(commands: list[Command]) -> str:
    models = " ".join(MODELS)
    lines = [
        "#compdef pitchline",
        "# completion of pitchline for zsh",
        "_pitchline_models() {",
        f"    _alternative 'models:model:({models})' 'files:file:_files -g \"*.(toml|nc)\"'",
        "}",
        "_pitchline() {",
        "    local -a commands",
        "    commands=(",
        *(f"        {_quoted(f'{c.name}:{c.help}')}" for c in commands),
        "    )",
        "    if (( CURRENT == 2 )); then",
        "        _describe command commands",
        "        return",
        "    fi",
        f"    shift {_ZSH_LINE}",
        "    (( CURRENT-- ))",
        f'    case "${{{_ZSH_LINE}[1]}}" in',
    ]
    for command in commands:
        specs = [_zsh_option(option, name) for option in command.options for name in option.names]
        specs.append(_quoted(f"*:argument:{_zsh_offer(command.kinds, command.words)}"))
        lines += [f"        {command.name})", "            _arguments " + " \\\n                ".join(specs) + " ;;"]
    lines += ["    esac", "}"]
    # zsh calls the function if the script is in a function folder; if the script is sourced, it registers itself
    lines.append('if [[ "$funcstack[1]" == _pitchline ]]; then _pitchline "$@"; else compdef _pitchline pitchline; fi')
    return "\n".join([*lines, ""])


def _zsh_option(option: Option, name: str) -> str:
    text = option.help.replace("[", "(").replace("]", ")").replace(":", " -")
    value = f":value:{_zsh_offer(option.kinds, ())}" if option.takes_value else ""
    return _quoted(f"*{name}[{text}]{value}")


def _zsh_offer(kinds: tuple[str, ...], words: tuple[str, ...]) -> str:
    if words or kinds == ("gallery",):
        return f"({' '.join(words or MODELS)})"
    if "gallery" in kinds:
        return "_pitchline_models"
    if "folder" in kinds:
        return "_files -/"
    endings = "|".join(ending[1:] for ending in _endings(kinds))
    return f'_files -g "*.({endings})"' if endings else "_files" if kinds else " "


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


# --- fish ----------------------------------------------------------------------------------------------


def _fish(commands: list[Command]) -> str:
    lines = ["# completion of pitchline for fish", "complete -c pitchline -f"]
    lines += [
        f"complete -c pitchline -n __fish_use_subcommand -a {command.name} -d {_fish_quoted(command.help)}"
        for command in commands
    ]
    for command in commands:
        here = f"complete -c pitchline -n '__fish_seen_subcommand_from {command.name}'"
        offered = _words(command.kinds, command.words)
        if offered:
            lines.append(f"{here} -a {_fish_quoted(' '.join(offered))}")
        lines += [f"{here} -a '(__fish_complete_suffix {ending})'" for ending in _endings(command.kinds)]
        for option in command.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = " -r" if option.takes_value else ""
            if option.takes_value and set(option.kinds) & {"file", "folder"}:
                value = " -r -F"
            elif option.kinds:
                value = f" -x -a {_fish_quoted(' '.join(_words(option.kinds)))}"
            lines.append(f"{here} {names}{value} -d {_fish_quoted(option.help)}")
    return "\n".join([*lines, ""])


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
