/// The completion script of bash; it runs on 3.2 and needs no bash-completion.
enum CompletionBash {
  /// The script, as it is committed.
  static var script: String {
    let visible = Option.all.filter { !$0.isHidden }
    let valued = visible.filter(\.takesValue)
    let letters = valued.compactMap { option in option.letter.map { ($0, option.spelling) } }
    return """
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
      \(letters.map { "      \($0.0)) option=\($0.1) attached=$letters; return ;;" }.joined(separator: "\n"))
          esac
        done
      }

      # Whether an option is followed by a value.
      _tabler_takes_value() {
        case $1 in
          \(valued.map(\.spelling).joined(separator: " | \\\n    ")))
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
          \\') ;;
          \\")
            typed=${typed//\\\\\\`/\\`} typed=${typed//\\\\\\$/\\$}
            typed=${typed//\\\\\\"/\\"} typed=${typed//\\\\\\\\/\\\\} ;;
          *) typed=${typed//\\\\/} ;;
        esac
        for word in "${words[@]:1}"; do
          word=${word//[\\"\\'\\\\]/}
          plain[${#plain[@]}]=${word/#\\~\\//$HOME/}
        done
        while IFS= read -r line; do
          case $quote in
            \\') [[ $line == *\\'* ]] && continue ;;
            \\")
              line=${line//\\\\/\\\\\\\\} line=${line//\\"/\\\\\\"}
              line=${line//\\$/\\\\\\$} line=${line//\\`/\\\\\\`} ;;
            *)
              if [[ $line == *[[:space:]\\"\\'\\\\\\$\\`\\&\\|\\;\\<\\>\\(\\)\\*\\?\\[\\{\\#]* ]]; then
                line=$(printf %q "$line")
                line=${line//\\\\,/,}
              fi ;;
          esac
          COMPREPLY[${#COMPREPLY[@]}]=$before$line
        done < <("${words[0]/#\\~\\//$HOME/}" --complete "$1" "$typed" -- "${words[0]}" ${plain[@]+"${plain[@]}"} 2>/dev/null)
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
          [\\"\\']*) quote=${value:0:1} value=${value:1} before= ;;
        esac

        case $option in
          '')
            case $current in
              -*) _tabler_offer '\(visible.map(\.spelling).joined(separator: " "))' ;;
            esac ;;
      \(valued.compactMap(branch).joined(separator: "\n"))
        esac

        # Files are offered for files alone.
        case $option in
          '' | \(valued.filter(takesFile).map(\.spelling).joined(separator: " | "))) ;;
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

      """
  }

  /// Whether the value is a file, or contains one.
  private static func takesFile(_ option: Option) -> Bool {
    switch option.offer {
    case .file, .namedFile, .joinedFile: true
    case .nothing, .words, .columns: false
    }
  }

  /// The values offered for one option.
  private static func branch(_ option: Option) -> String? {
    switch option.offer {
    case .nothing, .file, .namedFile: nil
    case .joinedFile: "    \(option.spelling)) _tabler_ask \(Completion.Kind.join.rawValue) ;;"
    case .words(let words): "    \(option.spelling)) _tabler_offer '\(words.joined(separator: " "))' ;;"
    case .columns(let kind, let words):
      "    \(option.spelling)) "
        + (words.isEmpty ? "" : "_tabler_offer '\(words.joined(separator: " "))'; ")
        + "_tabler_ask \(kind.rawValue) ;;"
    }
  }
}
