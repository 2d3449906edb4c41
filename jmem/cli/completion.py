"""``jmem completion``: the script that makes a shell complete what is half typed."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from jmem.cli import render
from jmem.cli.completing import VARIABLE

_WHERE = {
    "bash": "~/.bashrc",
    "zsh": "~/.zshrc, after compinit",
    "fish": "~/.config/fish/completions/jmem.fish",
}
_BASH = """\
_jmem_completion() {
    local IFS=$'\\n' line kind word said width
    local -a words=() told=()
    while IFS= read -r line; do
        kind=${line%%,*} line=${line#*,}
        case $kind in
            '') ;;
            dir) compopt -o dirnames 2> /dev/null ;;
            file) compopt -o default 2> /dev/null ;;
            *) words+=("${line%%$'\\t'*}") told+=("$line") ;;
        esac
    done < <(COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD %(variable)s=bash_complete jmem)
    COMPREPLY=("${words[@]}")
    # Where several are listed, what each means stands behind it; never where one is inserted.
    if (( ${#words[@]} > 1 )) && [[ " 9 33 63 64 " == *" $COMP_TYPE "* ]]; then
        width=0
        for word in "${words[@]}"; do (( ${#word} > width )) && width=${#word}; done
        COMPREPLY=()
        for line in "${told[@]}"; do
            word=${line%%$'\\t'*} said=${line#"$word"}
            said=${said#$'\\t'}
            [[ -n $said ]] && printf -v line '%%-*s  (%%s)' "$width" "$word" "$said" || line=$word
            COMPREPLY+=("$line")
        done
    fi
}
complete -o nosort -F _jmem_completion jmem
"""


@click.command()
@click.argument("shell", type=click.Choice(list(_WHERE)))
def completion(shell: str) -> None:
    """Print the completion script of a shell: commands, options, ids, kinds, settings.

    \b
    bash: add to ~/.bashrc   eval "$(jmem completion bash)"
    zsh:  add to ~/.zshrc    eval "$(jmem completion zsh)"   (after compinit)
    fish: once               jmem completion fish > ~/.config/fish/completions/jmem.fish
    """
    if shell == "bash":
        render.text(_BASH % {"variable": VARIABLE})
        return
    found = get_completion_class(shell)
    assert found is not None, "click knows the shells that are offered"
    render.text(found(click.Group(), {}, "jmem", VARIABLE).source())
