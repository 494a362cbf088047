/// The completion function of zsh.
enum CompletionZsh {
  /// The script, as it is committed.
  static var script: String {
    let visible = Option.all.filter { !$0.isHidden }
    return """
      #compdef tabler
      # Printed by 'tabler --generate zsh'; do not edit.

      # Names of columns, in lists and with signs, and further words.
      _tabler_ask() {
        local -a found plain all
        local typed
        case $compstate[quote] in
          \\') typed=$PREFIX ;;
          \\") typed=${(Q):-\\"$PREFIX\\"} ;;
          *) typed=${(Q)PREFIX} ;;
        esac
        plain=("${(@)words/#\\~\\//$HOME/}")
        found=("${(@f)$("${(Q)plain[1]}" --complete "$1" "$typed" -- "${(@Q)plain}" 2>/dev/null)}")
        found=(${found:#})
        # A name in backticks need not begin with what is typed.
        ((#found)) && [[ $found[1] != "$typed"* ]] && all=(-U)
        found+=(${@[2,-1]})
        compadd $all -S '' -a found
      }

      _tabler() {
        _arguments -s -S \\
      \(visible.map { "    " + spec($0) + " \\" }.joined(separator: "\n"))
          '*:file:_files'
      }

      _tabler "$@"

      """
  }

  private static func spec(_ option: Option) -> String {
    let brief = quoted("[" + escaped(option.brief, "[]") + "]" + action(of: option))
    let mark = option.takesValue ? "=" : ""
    guard let letter = option.letter else {
      return (option.accumulates ? "'*'" : "") + option.spelling + mark + brief
    }
    let names = "{-\(letter)\(option.takesValue ? "+" : ""),\(option.spelling)\(mark)}"
    return "'" + (option.accumulates ? "*" : "(-\(letter) \(option.spelling))") + "'" + names + brief
  }

  private static func action(of option: Option) -> String {
    guard let placeholder = option.placeholder else { return "" }
    let message = ":" + escaped(placeholder, ":") + ":"
    switch option.offer {
    case .nothing: return message + " "
    case .file: return message + "_files"
    case .namedFile: return message + #"{compset -P "*="; _files}"#
    case .joinedFile: return message + "{_tabler_ask \(Completion.Kind.join.rawValue) || _files}"
    case .words(let words): return message + "(" + words.map { escaped($0, ":") }.joined(separator: " ") + ")"
    case .columns(let kind, let words):
      return message + "{_tabler_ask " + ([kind.rawValue] + words).joined(separator: " ") + "}"
    }
  }

  /// The text with a backslash before each of `marks`.
  private static func escaped(_ text: String, _ marks: String) -> String {
    String(text.flatMap { marks.contains($0) ? ["\\", $0] : [$0] })
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
