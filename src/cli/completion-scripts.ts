/** Shell scripts that ask `batchyard __complete` what could come next. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

// A line of the answer is a word, a tab and what it means; `:file` asks for file names.
const BASH = `# bash completion for batchyard: add to ~/.bashrc
#   source <(batchyard completion bash)
_batchyard() {
  local line word words=()
  COMPREPLY=()
  while IFS= read -r line; do
    word="\${line%%$'\\t'*}"
    if [[ "$word" == ":file" ]]; then
      compopt -o default 2>/dev/null
    elif [[ "$word" == "\${COMP_WORDS[COMP_CWORD]}"* ]]; then
      words+=("$(printf '%q' "$word")")
    fi
  done < <(batchyard __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=("\${words[@]}")
}
complete -F _batchyard batchyard
`;

const ZSH = `#compdef batchyard
# zsh completion for batchyard: add to ~/.zshrc
#   source <(batchyard completion zsh)
_batchyard() {
  local line word
  local -a described
  while IFS= read -r line; do
    word="\${line%%$'\\t'*}"
    if [[ "$word" == ":file" ]]; then
      _files
    else
      described+=("\${word//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <(batchyard __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#described} )) && _describe 'batchyard' described
}
if [[ "$funcstack[1]" == "_batchyard" ]]; then
  _batchyard "$@"
else
  compdef _batchyard batchyard
fi
`;

const FISH = `# fish completion for batchyard: batchyard completion fish > ~/.config/fish/completions/batchyard.fish
function __batchyard_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (batchyard __complete -- $words[2..-1] 2>/dev/null)
    if test "$line" = ":file"
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c batchyard -f -a '(__batchyard_complete)'
`;

export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
};
