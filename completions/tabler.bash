# bash completion for tabler. Printed by 'tabler --generate bash'; do not edit.

# The words of the line up to the cursor, with those that bash parts at = and : glued again.
_tabler_words() {
  local rest=$COMP_LINE word glue=0 i
  words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case $rest in
      [[:blank:]]*) glue=0 ;;
      *) ((i > 0)) && glue=1 ;;
    esac
    rest=${rest#"${rest%%[![:blank:]]*}"}
    rest=${rest#"$word"}
    if ((glue)); then
      words[${#words[@]}-1]+=$word
    else
      words[${#words[@]}]=$word
    fi
  done
}

# The option with a value that the letters of a cluster end in: 'option' and what is 'attached'.
_tabler_cluster() {
  local letters=${1#-} letter
  option= attached=
  while [[ -n $letters ]]; do
    letter=${letters:0:1} letters=${letters:1}
    case $letter in
      d) option=--delimiter attached=$letters; return ;;
      f) option=--filter attached=$letters; return ;;
      n) option=--head attached=$letters; return ;;
      s) option=--sort attached=$letters; return ;;
      c) option=--columns attached=$letters; return ;;
      w) option=--width attached=$letters; return ;;
      t) option=--to attached=$letters; return ;;
      o) option=--output attached=$letters; return ;;
    esac
  done
}

# Whether an option is followed by a value.
_tabler_takes_value() {
  case $1 in
    --from | \
    --pattern | \
    --delimiter | \
    --quote | \
    --escape | \
    --comment | \
    --skip-lines | \
    --names | \
    --auto-names | \
    --header-lines | \
    --max-fields | \
    --footer-lines | \
    --at | \
    --ragged | \
    --null | \
    --quoted-empty | \
    --types | \
    --on-error | \
    --date-format | \
    --decimal | \
    --thousands | \
    --encoding | \
    --lookup | \
    --arg | \
    --apply | \
    --explode | \
    --explode-empty | \
    --add | \
    --join | \
    --join-type | \
    --derive | \
    --set | \
    --can-edit | \
    --filter | \
    --delete | \
    --can-delete | \
    --validate | \
    --id | \
    --diff | \
    --context | \
    --diff-ignore | \
    --same | \
    --tolerance | \
    --moves | \
    --rejects | \
    --select | \
    --select-mode | \
    --unpivot | \
    --group-by | \
    --aggregate | \
    --pivot | \
    --pivot-total | \
    --having | \
    --move | \
    --can-move | \
    --compute | \
    --sample | \
    --seed | \
    --skip | \
    --head | \
    --tail | \
    --ends | \
    --sort | \
    --sorted-by | \
    --nulls | \
    --order | \
    --memory | \
    --columns | \
    --hide | \
    --row-names | \
    --align | \
    --format | \
    --missing | \
    --width | \
    --overflow | \
    --lookahead | \
    --grid-items | \
    --grid-alignment | \
    --min-width | \
    --header-position | \
    --border | \
    --separator | \
    --page | \
    --footer | \
    --header-height | \
    --title | \
    --caption | \
    --section-by | \
    --section-header | \
    --section-footer | \
    --span | \
    --merge-repeats | \
    --title-of | \
    --preamble | \
    --postamble | \
    --table-padding | \
    --row-padding | \
    --item-padding | \
    --header-spacing | \
    --footer-spacing | \
    --row-spacing | \
    --column-spacing | \
    --min-row-height | \
    --color | \
    --sort-indicator-forward | \
    --sort-indicator-reverse | \
    --sort-indicator-neutral | \
    --invalid-indicator | \
    --valid-indicator | \
    --header-style | \
    --row-background | \
    --row-overlay | \
    --cell | \
    --selection-style | \
    --ambiguous-width | \
    --to | \
    --output | \
    --html-style | \
    --editable | \
    --lang | \
    --output-delimiter | \
    --paging | \
    --explain | \
    --via | \
    --dialect | \
    --table | \
    --progress | \
    --config)
      return 0 ;;
  esac
  return 1
}

# Adds the words that begin with what is typed.
_tabler_offer() {
  local word
  for word in $1; do
    [[ $word == "$value"* ]] && COMPREPLY[${#COMPREPLY[@]}]=$before$word
  done
}

# Adds the names of columns.
_tabler_ask() {
  local line plain=() word typed=$value
  case $quote in
    \') ;;
    \")
      typed=${typed//\\\`/\`} typed=${typed//\\\$/\$}
      typed=${typed//\\\"/\"} typed=${typed//\\\\/\\} ;;
    *) typed=${typed//\\/} ;;
  esac
  for word in "${words[@]:1}"; do
    word=${word//[\"\'\\]/}
    plain[${#plain[@]}]=${word/#\~\//$HOME/}
  done
  while IFS= read -r line; do
    case $quote in
      \') [[ $line == *\'* ]] && continue ;;
      \")
        line=${line//\\/\\\\} line=${line//\"/\\\"}
        line=${line//\$/\\\$} line=${line//\`/\\\`} ;;
      *)
        if [[ $line == *[[:space:]\"\'\\\$\`\&\|\;\<\>\(\)\*\?\[\{\#]* ]]; then
          line=$(printf %q "$line")
          line=${line//\\,/,}
        fi ;;
    esac
    COMPREPLY[${#COMPREPLY[@]}]=$before$line
  done < <("${words[0]/#\~\//$HOME/}" --complete "$1" "$typed" -- "${words[0]}" ${plain[@]+"${plain[@]}"} 2>/dev/null)
  ((${#COMPREPLY[@]})) && type compopt >/dev/null 2>&1 && compopt -o nospace
  # bash closes the quote after a single answer, but an expression goes on.
  if [[ -n $quote ]] && [[ $1 == expression || $1 == templates ]] && ((${#COMPREPLY[@]} == 1)); then
    COMPREPLY[1]="${COMPREPLY[0]} "
  fi
}

_tabler() {
  local words word option= attached= value= before= quote= ended= current i
  COMPREPLY=()
  _tabler_words
  current=${words[${#words[@]}-1]}

  # Which option waits for its value when the word at the cursor begins?
  for ((i = 1; i < ${#words[@]} - 1; i++)); do
    word=${words[i]}
    if [[ -n $option ]]; then option=; continue; fi
    case $word in
      --) ended=1; break ;;
      --*=*) ;;
      --*) _tabler_takes_value "$word" && option=$word ;;
      -?*) _tabler_cluster "$word"; [[ -n $attached ]] && option= ;;
    esac
  done
  [[ -n $ended ]] && return

  value=$current
  if [[ -z $option ]]; then
    case $current in
      --*=*) option=${current%%=*} value=${current#*=} before=$option= ;;
      --*) ;;
      -?*)
        _tabler_cluster "$current"
        if [[ -n $option ]]; then
          value=$attached before=${current%"$attached"}
        fi ;;
    esac
  fi
  case $value in
    [\"\']*) quote=${value:0:1} value=${value:1} before= ;;
  esac

  case $option in
    '')
      case $current in
        -*) _tabler_offer '--from --pattern --delimiter --quote --escape --lazy-quotes --comment --skip-lines --no-header-in --names --auto-names --header-lines --max-fields --footer-lines --trim --at --ragged --null --quoted-empty --types --on-error --date-format --decimal --thousands --encoding --lookup --arg --apply --reverse --explode --explode-empty --add --join --join-type --derive --set --can-edit --filter --delete --can-delete --validate --id --diff --context --diff-ignore --same --tolerance --moves --delta --diff-stat --changed-columns --invalid-only --rejects --select --select-mode --unpivot --group-by --aggregate --pivot --pivot-total --having --summary --move --can-move --compute --sample --seed --skip --head --tail --ends --sort --sorted-by --nulls --order --memory --columns --hide --flatten --row-names --row-numbers --align --format --missing --list --stack --grid --detail --width --overflow --single-line --lookahead --follow --grid-items --grid-alignment --grid-wrap --fill --min-width --header-position --border --separator --row-rules --page --no-header --footer --header-height --title --caption --section-by --section-header --section-footer --span --merge-repeats --title-of --preamble --postamble --blend --table-padding --row-padding --item-padding --header-spacing --footer-spacing --row-spacing --column-spacing --min-row-height --color --sort-indicator-forward --sort-indicator-reverse --sort-indicator-neutral --no-sort-indicators --sort-rank --invalid-indicator --valid-indicator --hover --header-style --zebra --row-background --row-overlay --cell --selection-style --ascii --ambiguous-width --to --text --markdown --html --csv --tsv --json --jsonl --output --in-place --markdown-raw --fragment --html-style --interactive --editable --lang --output-delimiter --formula-guard --raw-control --paging --no-pager --explain --via --dialect --table --tables --exit-status --progress --quiet --config --no-config --help --version' ;;
      esac ;;
    --from) _tabler_offer 'auto csv tsv words blanks table pattern jsonl json' ;;
    --pattern) _tabler_offer 'combined common syslog logfmt' ;;
    --quote) _tabler_offer 'none' ;;
    --escape) _tabler_offer 'none' ;;
    --comment) _tabler_offer 'none' ;;
    --ragged) _tabler_offer 'error fill skip' ;;
    --quoted-empty) _tabler_offer 'null text' ;;
    --types) _tabler_ask types ;;
    --on-error) _tabler_offer 'null skip stop' ;;
    --encoding) _tabler_offer 'utf-8 latin1 utf-16 utf-16le utf-16be' ;;
    --explode) _tabler_ask columns ;;
    --explode-empty) _tabler_offer 'keep drop' ;;
    --add) _tabler_ask expression ;;
    --join) _tabler_ask join ;;
    --join-type) _tabler_offer 'left inner semi anti' ;;
    --derive) _tabler_ask expression ;;
    --set) _tabler_ask expression ;;
    --can-edit) _tabler_ask expression ;;
    --filter) _tabler_ask expression ;;
    --delete) _tabler_ask expression ;;
    --can-delete) _tabler_ask expression ;;
    --validate) _tabler_ask expression ;;
    --id) _tabler_ask columns ;;
    --context) _tabler_offer 'all' ;;
    --diff-ignore) _tabler_ask columns ;;
    --same) _tabler_ask expression ;;
    --tolerance) _tabler_ask columns ;;
    --moves) _tabler_offer 'auto always never' ;;
    --select) _tabler_ask expression ;;
    --select-mode) _tabler_offer 'none single multi' ;;
    --unpivot) _tabler_ask columns ;;
    --group-by) _tabler_ask columns ;;
    --aggregate) _tabler_ask expression ;;
    --pivot) _tabler_ask columns ;;
    --having) _tabler_ask expression ;;
    --can-move) _tabler_ask expression ;;
    --compute) _tabler_ask expression ;;
    --sort) _tabler_ask keys ;;
    --sorted-by) _tabler_ask keys ;;
    --nulls) _tabler_offer 'first last' ;;
    --order) _tabler_ask columns ;;
    --columns) _tabler_ask columns ;;
    --hide) _tabler_ask columns ;;
    --row-names) _tabler_ask columns ;;
    --align) _tabler_ask alignments ;;
    --format) _tabler_ask templates ;;
    --width) _tabler_offer 'auto none' ;;
    --overflow) _tabler_offer 'fit wrap truncate scroll' ;;
    --lookahead) _tabler_offer 'all' ;;
    --grid-alignment) _tabler_offer 'leading center trailing' ;;
    --header-position) _tabler_offer 'inside outside' ;;
    --border) _tabler_offer 'none ascii light heavy double round rules dots outline' ;;
    --separator) _tabler_offer 'none line' ;;
    --page) _tabler_offer 'auto none' ;;
    --footer) _tabler_offer 'titles totals'; _tabler_ask templates ;;
    --section-by) _tabler_ask expression ;;
    --section-header) _tabler_offer 'none' ;;
    --section-footer) _tabler_offer 'titles totals none' ;;
    --span) _tabler_ask columns ;;
    --merge-repeats) _tabler_ask columns ;;
    --color) _tabler_offer 'auto always never' ;;
    --row-background) _tabler_ask expression ;;
    --row-overlay) _tabler_ask expression ;;
    --cell) _tabler_ask expression ;;
    --selection-style) _tabler_offer 'marker background overlay' ;;
    --ambiguous-width) _tabler_offer '1 2' ;;
    --to) _tabler_offer 'text markdown pandoc html csv tsv json jsonl' ;;
    --html-style) _tabler_offer 'embed inline none' ;;
    --editable) _tabler_ask columns ;;
    --paging) _tabler_offer 'auto always never' ;;
    --explain) _tabler_offer 'plan duckdb sqlite postgres clickhouse spark trino ansi portable' ;;
    --dialect) _tabler_offer 'duckdb sqlite postgres clickhouse spark' ;;
    --progress) _tabler_offer 'auto always never' ;;
  esac

  # Files are offered for files alone.
  case $option in
    '' | --lookup | --apply | --join | --diff | --rejects | --preamble | --postamble | --output | --config) ;;
    *) type compopt >/dev/null 2>&1 && compopt +o default ;;
  esac

  # bash replaces only what stands after an open quote.
  [[ -n $quote ]] && return

  # bash replaces only what stands after the last = or :, where these part words.
  local part=
  for word in = :; do
    if [[ $COMP_WORDBREAKS == *$word* && $current == *$word* ]]; then
      word=${current%"${current##*$word}"}
      ((${#word} > ${#part})) && part=$word
    fi
  done
  for ((i = 0; i < ${#COMPREPLY[@]}; i++)); do
    COMPREPLY[i]=${COMPREPLY[i]#"$part"}
  done
}

complete -o default -F _tabler tabler
