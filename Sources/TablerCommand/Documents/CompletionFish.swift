/// The completions of fish.
enum CompletionFish {
  /// The script, as it is committed.
  static var script: String {
    let visible = Option.all.filter { !$0.isHidden }
    return """
      # fish completions for tabler. Printed by 'tabler --generate fish'; do not edit.

      # The option whose value is being typed, where it begins with a dash of its own: fish takes it for an option.
      function __tabler_signed
          string match -qr -- '^-([^-]|$)' (commandline -ct)
          or return
          switch (commandline -opc | string replace -r -- '^-[a-zA-Z]*([a-zA-Z])$' '-$1')[-1]
              \(signed(visible).joined(separator: "\n        "))
              case '*'
                  return 1
          end
      end

      # Names of columns, in lists and with signs.
      function __tabler_ask
          set -l words (commandline -opc)
          # A quote that is not closed yet cannot be unescaped.
          set -l token (commandline -ct)
          set -l plain (string unescape -- "$token")
          or set plain (string replace -r -- '^(--[^=]*=|-[a-zA-Z])?["\\']' '$1' "$token")
          set token "$plain"
          set -l before ''
          if __tabler_signed >/dev/null
              # The dash belongs to the value.
          else if string match -qr -- '^--[^=]*=' "$token"
              set before (string replace -r -- '=.*' '=' "$token")
          else if string match -qr -- '^-[a-zA-Z]' "$token"
              set before (string sub -l 2 -- "$token")
          end
          set -l value (string sub -s (math 1 + (string length -- "$before")) -- "$token")
          # A tab keeps the description of the option away from each value.
          command $words[1] --complete $argv[1] "$value" -- (commandline -op | string replace -r '^~/' "$HOME/" | string unescape) 2>/dev/null | string replace -r '$' \\t
      end

      complete -c tabler -n __tabler_signed -x -a '(__tabler_ask (__tabler_signed))'
      \(visible.map(line).joined(separator: "\n"))

      """
  }

  private static func line(_ option: Option) -> String {
    var line = "complete -c tabler -n 'not __tabler_signed'"
    if let letter = option.letter { line += " -s \(letter)" }
    line += " -l \(option.name)"
    switch option.offer {
    case _ where !option.takesValue: break
    case .nothing: line += " -x"
    case .file, .namedFile: line += " -r -F"
    case .joinedFile: line += " -r -F -a '(__tabler_ask \(Completion.Kind.join.rawValue))'"
    case .words(let words): line += " -x -a " + quoted(words.map(plain).joined(separator: " "))
    case .columns(_, let words):
      let values = words.map(plain) + ["(__tabler_ask \(kind(of: option)))"]
      line += " -x -a " + quoted(values.joined(separator: " "))
    }
    return line + " -d " + quoted(option.brief)
  }

  /// A case for each kind of names, with the options whose values are such names, printing the kind.
  private static func signed(_ options: [Option]) -> [String] {
    let kinds = options.map(kind).filter { !$0.isEmpty }
    return Set(kinds).sorted().map { name in
      let options = options.filter { kind(of: $0) == name }
      let names = options.map { option in (option.letter.map { "-\($0) " } ?? "") + "--" + option.name }
      return "case \(names.joined(separator: " "))\n            echo \(name)"
    }
  }

  /// A value without a description; otherwise fish shows that of the option next to each.
  private static func plain(_ word: String) -> String { word + "\\t" }

  private static func kind(of option: Option) -> String {
    if case .columns(let kind, _) = option.offer { kind.rawValue } else { "" }
  }

  private static func quoted(_ text: String) -> String {
    "'" + String(text.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }) + "'"
  }
}
