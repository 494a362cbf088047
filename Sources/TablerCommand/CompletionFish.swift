/// The completions of fish.
enum CompletionFish {
  /// The script, as it is committed.
  static var script: String {
    let visible = Option.all.filter { !$0.isHidden }
    return """
      # fish completions for tabler. Printed by 'tabler --generate fish'; do not edit.

      # Names of columns, in lists and with signs.
      function __tabler_ask
          set -l words (commandline -opc)
          # A quote that is not closed yet cannot be unescaped.
          set -l token (commandline -ct)
          set -l plain (string unescape -- "$token")
          or set plain (string replace -r -- '^(--[^=]*=|-[a-zA-Z])?["\\']' '$1' "$token")
          set token "$plain"
          set -l before ''
          if string match -qr -- '^--[^=]*=' "$token"
              set before (string replace -r -- '=.*' '=' "$token")
          else if string match -qr -- '^-[a-zA-Z]' "$token"
              set before (string sub -l 2 -- "$token")
          end
          set -l value (string sub -s (math 1 + (string length -- "$before")) -- "$token")
          command $words[1] --complete $argv[1] "$value" -- (commandline -op | string replace -r '^~/' "$HOME/" | string unescape) 2>/dev/null
      end

      \(visible.map(line).joined(separator: "\n"))

      """
  }

  private static func line(_ option: Option) -> String {
    var line = "complete -c tabler"
    if let letter = option.letter { line += " -s \(letter)" }
    line += " -l \(option.name)"
    switch option.offer {
    case _ where !option.takesValue: break
    case .nothing: line += " -x"
    case .file, .namedFile: line += " -r -F"
    case .words(let words): line += " -x -a " + quoted(words.joined(separator: " "))
    case .columns(_, let words):
      line += " -x -a " + quoted((words + ["(__tabler_ask \(kind(of: option)))"]).joined(separator: " "))
    }
    return line + " -d " + quoted(option.brief)
  }

  private static func kind(of option: Option) -> String {
    if case .columns(let kind, _) = option.offer { kind.rawValue } else { "" }
  }

  private static func quoted(_ text: String) -> String {
    "'" + String(text.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }) + "'"
  }
}
