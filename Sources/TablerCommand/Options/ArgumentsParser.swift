import TablerEngine

/// A pass over the words of a command line.
///
/// It never stops: the first error is kept and parsing continues, because a later `-h` still needs an answer,
/// and completions work on unfinished lines.
struct ArgumentsParser {
  private let words: [[UInt8]]
  private var index = 0
  private var occurrences: [Arguments.Occurrence] = []
  private var sources: [Source] = []
  private var request = Arguments.Request.table
  /// The first error, after which parsing continued.
  var firstError: ArgumentError? {
    guard let (option, condition) = looseCondition, case .unknownOption(let typed, _)? = error,
      let assigning = occurrences.last(where: { [.set, .derive].contains($0.option) })
    else { return error }
    return option == typed ? .looseCondition(typed: typed, of: assigning.option, condition: condition) : error
  }

  private var error: ArgumentError?

  /// The first option that other tools have for a condition, as typed, and its value.
  private var looseCondition: (option: String, condition: String)?

  /// Starts before the first word after the name of the program.
  init(_ words: [[UInt8]]) { self.words = words }

  /// The arguments found so far.
  var arguments: Arguments {
    Arguments(occurrences: occurrences, sources: sources, request: request)
  }

  /// Parses to the end.
  mutating func parse() {
    var onlyFilesFollow = false
    while let word = nextWord() {
      if onlyFilesFollow || word.text == "-" || !word.text.begins(with: "-") {
        addSource(word)
      } else if word.text == "--" {
        onlyFilesFollow = true
      } else if word.text.begins(with: "--") {
        parseName(word)
      } else {
        parseLetters(word)
      }
    }
  }
}

extension ArgumentsParser {
  /// A word, or the rest of one: bytes, which need not be UTF-8.
  private struct Word {
    let bytes: ArraySlice<UInt8>

    /// The word as text; bytes that are not UTF-8 become U+FFFD.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// The name of a file.
    var path: FilePath { FilePath(Array(bytes)) }
  }

  private mutating func nextWord() -> Word? {
    guard index < words.count else { return nil }
    defer { index += 1 }
    return Word(bytes: words[index][...])
  }

  /// The next word, if it is not an option.
  private var wordAhead: String? {
    guard index < words.count, words[index].first != UInt8(ascii: "-") else { return nil }
    return String(decoding: words[index], as: UTF8.self)
  }

  private mutating func fail(_ error: ArgumentError) { self.error = self.error ?? error }

  private mutating func addSource(_ word: Word) {
    guard word.text == "-" else { return sources.append(.file(word.path)) }
    if sources.contains(.standardInput) { fail(.standardInputTwice) }
    sources.append(.standardInput)
  }

  // MARK: Names

  /// `--name`, `--name=value`.
  private mutating func parseName(_ word: Word) {
    let body = word.bytes.dropFirst(2)
    let mark = body.firstIndex(of: UInt8(ascii: "="))
    let name = String(decoding: body[..<(mark ?? body.endIndex)], as: UTF8.self)
    let attached = mark.map { Word(bytes: body[($0 + 1)...]) }
    guard let option = Option.named(name) else {
      if OtherTools.isCondition(name), looseCondition == nil {
        let next = index < words.count ? Word(bytes: words[index][...]).text : "…"
        looseCondition = ("--" + name, attached?.text ?? next)
      }
      if OtherTools.way(name) != nil {
        return fail(.foreignOption(typed: "--" + name, value: attached?.text ?? wordAhead))
      }
      return fail(.unknownOption(typed: "--" + name, nearest: Option.nearestSpelling(to: name)))
    }
    if option.takesValue {
      takeValue(of: option.id, attached: attached)
    } else if attached == nil {
      turn(option.id, isOn: name == option.name, isLetter: false)
    } else {
      fail(.unexpectedValue(typed: "--" + name))
    }
  }

  /// `-e`, `-eq`, `-s KEY`, `-sKEY`, `-eqsKEY`.
  private mutating func parseLetters(_ word: Word) {
    let all = word.text.unicodeScalars.dropFirst()
    var letters = all
    var rest = word.bytes.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = Option.lettered(Character(letter)) else {
        return fail(
          letter == "="
            ? .unexpectedValue(typed: "-" + String(all.prefix { $0 != "=" }))
            : .unknownOption(
              typed: "-" + String(letter), nearest: Self.meaning(of: String(all), at: letter)))
      }
      // The letters of options are ASCII: one byte each.
      rest = rest.dropFirst()
      guard option.takesValue else {
        turn(option.id, isOn: true, isLetter: true)
        continue
      }
      // `-d=` is what it is for cut: the one character.
      if letters.first == "=", letters.count > 1 || !option.isCharacter {
        return fail(.equalsSignAfterLetter(option.id, value: String(letters.dropFirst())))
      }
      return takeValue(of: option.id, attached: rest.isEmpty ? nil : Word(bytes: rest))
    }
  }

  // MARK: Values

  private mutating func turn(_ id: Option.ID, isOn: Bool, isLetter: Bool) {
    switch id {
    case .help: ask(isLetter ? .shortHelp : .help)
    case .version: ask(.version)
    default: occurrences.append(.init(option: id, value: "", isOn: isOn, lookAlike: nil))
    }
  }

  /// The value is attached, or it is the next word, whatever that looks like, unless it begins with two dashes.
  private mutating func takeValue(of id: Option.ID, attached: Word?) {
    if case .rest = Option[id].value { return takeRest(attached) }
    if let attached { return recordValue(id, attached, lookAlike: nil) }
    guard let next = nextWord() else { return fail(.missingValue(id)) }
    if next.text.begins(with: "--") {
      index -= 1
      return fail(.optionForValue(id, next: next.text))
    }
    recordValue(id, next, lookAlike: Self.looksLikeOption(next.text) ? next.text : nil)
  }

  private mutating func takeRest(_ attached: Word?) {
    var rest = attached.map { [$0.text] } ?? []
    while let word = nextWord() { rest.append(word.text) }
    ask(.complete(rest))
  }

  private mutating func recordValue(_ id: Option.ID, _ word: Word, lookAlike: String?) {
    let isFile = if case .file = Option[id].value { true } else { false }
    if !isFile, !word.isUTF8 { return fail(.notUTF8(id, repaired: word.text)) }
    do {
      let value = try Option[id].checked(word.text)
      let path = isFile ? word.path : nil
      occurrences.append(.init(option: id, value: value, isOn: true, lookAlike: lookAlike, path: path))
      if id == .generate, let kind = Generate(rawValue: value) { ask(.generate(kind)) }
    } catch {
      fail(error)
    }
  }

  /// Help and version have priority over work; the first such request counts.
  private mutating func ask(_ newRequest: Arguments.Request) {
    if request.isWork { request = newRequest }
  }
}

// MARK: - What there is

extension Option {
  /// The most likely meaning of an unknown name without dashes: what other tools call so, otherwise the
  /// nearest one.
  static func nearestSpelling(to name: String) -> String? {
    if let option = OtherTools.option(name) { return option }
    if name.hasPrefix("no") {
      let dashed = "no-" + name.dropFirst(2)
      if let option = OtherTools.option(dashed) { return option }
      if let option = Option.named(dashed), !option.isHidden { return "--" + dashed }
    }
    let visible = Option.all.filter { !$0.isHidden }
    let known = visible.map(\.name) + visible.compactMap(\.negatedName)
    return name.nearest(among: known).map { "--" + $0 }
  }
}

extension ArgumentsParser {
  /// The meaning of an unknown letter: the cluster is a long name with one dash missing, or other tools have
  /// the letter.
  private static func meaning(of cluster: String, at letter: Unicode.Scalar) -> String? {
    if cluster.utf8.count > 1, let option = Option.named(cluster), !option.isHidden { return "--" + cluster }
    // `head -10`, and `sort -k2`.
    let digits = cluster.drop { $0 == "k" }
    if !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      if digits.count == cluster.count { return "-n \(digits)" }
      if digits.count == cluster.count - 1 { return "--sort @\(digits)" }
    }
    return (cluster.utf8.count > 1 ? OtherTools.option(cluster) : nil) ?? OtherTools.option(letter: letter)
  }

  /// Whether a value looks like an option: `-g`, or switches in a cluster.
  private static func looksLikeOption(_ word: String) -> Bool {
    guard word.begins(with: "-"), word != "-" else { return false }
    let letters = word.dropFirst()
    return letters.allSatisfy { letter in
      guard let option = Option.lettered(letter) else { return false }
      return letters.count == 1 || !option.takesValue
    }
  }
}

extension String {
  /// Whether the text begins with the bytes of `mark`, even if a combining mark follows.
  fileprivate func begins(with mark: String) -> Bool { utf8.starts(with: mark.utf8) }
}
