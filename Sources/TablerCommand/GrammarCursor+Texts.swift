import TablerEngine

extension GrammarCursor {
  /// `NAME=TEXT`; the text is whatever follows.
  mutating func argument() throws(GrammarError) -> (name: String, text: String) {
    let start = offset
    while let byte = next, byte != UInt8(ascii: "=") { offset += 1 }
    let name = text(start..<offset)
    guard Self.isIdentifier(name) else {
      throw error(.expected(.argumentName, found: name.isEmpty ? nil : name), at: start..<offset)
    }
    guard take("=") else { throw expected(.equalsSign) }
    return (name, text(offset..<bytes.count))
  }

  /// Whether `$name` can stand in an expression.
  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first else { return false }
    return (first == "_" || first.properties.isXIDStart)
      && name.unicodeScalars.dropFirst().allSatisfy(\.properties.isXIDContinue)
  }

  /// A path into JSON, as `--at` has it.
  func path() throws(GrammarError) -> JSONPath {
    guard let path = JSONPath(text) else { throw error(.notAPath, at: 0..<bytes.count) }
    return path
  }

  /// A template with no other fields than `known`, as `--auto-names` has it.
  func text(fields known: [String]) throws(GrammarError) -> String {
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
        if place + 1 < bytes.count, bytes[place + 1] == byte {
          place += 1
        } else {
          let end = bytes[place...].firstIndex(of: UInt8(ascii: "}")).map { $0 + 1 } ?? bytes.count
          let field = text(place..<max(end, place + 1))
          guard known.contains(field) else {
            throw error(.unknownField(field, known: known), at: place..<max(end, place + 1))
          }
          place = end - 1
        }
      }
      place += 1
    }
    return text
  }

  /// A text that is drawn as it is, and so holds nothing that breaks a line.
  func drawable() throws(GrammarError) -> String {
    var place = 0
    for scalar in text.unicodeScalars {
      let length = Unicode.UTF8.width(scalar)
      if scalar.properties.generalCategory == .control {
        throw error(.controlCharacter, at: place..<place + length)
      }
      place += length
    }
    return text
  }

  /// `embed`, `inline`, `none` or `link:URL`.
  func styleSheet() throws(GrammarError) -> StyleSheet {
    switch text {
    case "inline": return .inline
    case "none": return .none
    case "embed": return .embed
    default:
      // The address stands in the document's policy too, whose parts end at `;` and `,` and blanks.
      let start = "link:".utf8.count
      let forbidden = Array("\"'<>;, \\`".utf8)
      for place in start..<max(start, bytes.count)
      where bytes[place] <= 0x20 || bytes[place] >= 0x7F || forbidden.contains(bytes[place]) {
        throw error(.notAnAddress, at: place..<place + 1)
      }
      return .link(String(text.dropFirst(start)))
    }
  }

  /// A language tag such as `pt-BR`.
  func language() throws(GrammarError) -> String {
    let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
    let isTag = subtags.allSatisfy { subtag in
      (1...8).contains(subtag.utf8.count) && subtag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    guard isTag, text.first?.isLetter == true else { throw error(.notALanguage, at: 0..<bytes.count) }
    return text
  }
}
