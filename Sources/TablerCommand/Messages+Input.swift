import TablerEngine

extension Messages {
  /// Damage in the input, or an input that the system would not give.
  func text(_ error: InputError) -> String {
    switch error {
    case .system(let error): text(error)
    case .textAfterQuote(let place):
      self.error(Self.place(place), "text after a closing quote; --lazy-quotes takes it as text")
    case .unclosedQuote(let place):
      self.error(Self.place(place), "this quote is never closed; --quote none takes quotes as text")
    case .ragged(let place, let fields, let columns, let hint):
      self.error(
        Self.place(place),
        "\(Self.count(fields, "field")), but the header has \(columns)\(raggedAdvice("keeps such rows"))"
          + Self.words(hint))
    case .recordTooLong(let place):
      self.error(Self.place(place), "a record that begins here is too long to be kept in memory")
    case .cellTooLong(let place):
      self.error(Self.place(place), "a cell that begins here is longer than 64 MiB")
    case .noTable(let place):
      self.error(
        Self.place(place), "no drawn table: below the header stands no rule of '-', '=' or box lines")
    case .json(let place, let damage, let hint):
      self.error(Self.place(place), Self.words(damage) + Self.words(hint))
    case .changed(let path): self.error(Self.name(path), "cut short or changed while it was read")
    case .notText(let path, let format): self.error(Self.name(path), foreign(format, path))
    case .newColumn(let place, let name):
      self.error(
        Self.place(place),
        "column \(Self.quoted(name)) is not in the header\(raggedAdvice("adds such columns"))")
    }
  }

  /// What `--ragged fill` would do, or, where it was asked for, why it cannot.
  private func raggedAdvice(_ use: String) -> String {
    arguments.value(.ragged) == "fill" ? ", which is written already" : "; --ragged fill \(use)"
  }

  /// A call to the system that failed.
  func text(_ error: SystemError) -> String {
    let place = error.path.map { Self.escaped($0.bytes) }
    switch error.operation {
    case .open: return self.error(place ?? "<stdin>", error.reason)
    case .readOutput: return self.error(place ?? "<stdin>", "input file is output file")
    case .read, .readAgain: return self.error(place ?? "<stdin>", "read error: \(error.reason)")
    case .write: return self.error(place, "write error: \(error.reason)")
    case .replace: return self.error(place, "cannot be written: \(error.reason)")
    case .writeTemporary: return self.error(place, "cannot write temporary file: \(error.reason)")
    case .readTemporary: return self.error(place, "cannot read temporary file: \(error.reason)")
    }
  }

  private func foreign(_ format: InputError.Foreign, _ path: FilePath?) -> String {
    switch format {
    case .packed(let unpacker):
      let file = path.map { " " + Self.typed($0.text) } ?? ""
      return "packed; unpack it first: \(unpacker)\(file) | tabler"
    case .format(let name): return "not text but \(name); convert it to csv first"
    }
  }

  /// ` (--from words?)`, or nothing.
  static func words(_ hint: InputError.Hint?) -> String {
    switch hint {
    case nil: ""
    case .from(let form): " (--from \(form.rawValue)?)"
    case .delimiter(let mark):
      " (separated by '\(Character(Unicode.Scalar(mark)))'? -d '\(Character(Unicode.Scalar(mark)))')"
    case .quote: " (--quote '\"'?)"
    case .utf16: " (--encoding utf-16?)"
    }
  }

  private static func words(_ damage: JSONDamage) -> String {
    switch damage {
    case .expectedValue: "expected a JSON value"
    case .expectedObject: "expected an object; a row is an object"
    case .expectedKey: "expected a key in double quotes"
    case .expectedColon: "expected ':' after a key"
    case .expectedCommaOrEnd: "expected ',' or the end of the object or list"
    case .unexpectedEnd: "the input ends inside a value"
    case .controlCharacter: "a control character in a string must be escaped"
    case .badEscape: "unknown escape in a string"
    case .badNumber: "this is no JSON number"
    case .notANumber: "JSON has no NaN and no Infinity"
    case .tooDeep: "nested deeper than 512 levels"
    case .tooLong: "a value is longer than 64 MiB"
    case .textAfterArray: "text behind the array; rows are one array of objects, or objects one after another"
    case .badEncoding: "bytes that are not UTF-8 outside a string"
    }
  }

  /// Something about the input that is worth a warning.
  func text(_ notice: InputNotice) -> String {
    switch notice {
    case .repeatedName(let name, let address):
      warning(
        nil, "column \(Self.quoted(name)) stands twice; the second is addressed as \(Self.quoted(address))")
    case .quoteInText(let place): warning(Self.place(place), "quote inside an unquoted field, taken as text")
    case .noInput(let path): warning(Self.name(path), "no input")
    case .skippedRows(let count, let first):
      warning(
        Self.name(first.path),
        "\(Self.count(count, "row")) with too few or too many fields left out (first: line \(first.line))")
    case .crossedBoundary(let count, let first):
      warning(
        Self.name(first.path),
        "\(Self.count(count, "line")) with text across columns (first: line \(first.line)); parted at blanks")
    case .unevenWords(let count, let first):
      warning(
        Self.name(first.path),
        "\(Self.count(count, "line")) with other words than one for each title (first: line \(first.line)); "
          + "parted at blanks")
    case .outsideTable(let count, let first):
      error(
        "note",
        "\(Self.name(first.path)): \(Self.count(count, "line")) outside of the table left out "
          + "(first: line \(first.line))")
    case .repeatedKey(let key, let place):
      warning(Self.place(place), "key \(Self.quoted(key)) stands twice in an object; the last one wins")
    case .lateKey(let key, let place):
      warning(
        Self.place(place),
        "key \(Self.quoted(key)) came after the columns were settled and is not shown; name it in --columns")
    case .neverSeen(let name): warning(nil, "column \(Self.quoted(name)) never came; it was read as null")
    case .loneObject(let key, let count):
      error(
        "note",
        "one row; its \(Self.quoted(key)) holds \(Self.count(count, "object")): jq '\(Self.path(key))[]'")
    }
  }

  /// A member as jq writes it.
  private static func path(_ key: String) -> String {
    let isName = key.utf8.allSatisfy { byte in
      (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == 0x5F || (byte >= 0x30 && byte <= 0x39)
    }
    return isName ? "." + key : ".\"\(escaped(key))\""
  }
}
