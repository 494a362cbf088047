import TablerEngine

extension Messages {
  /// Why options that are each in order make no plan.
  func text(_ error: PlanError) -> String {
    switch error {
    case .grammar(let error): return text(error)
    case .nothingToRead: return Help.short
    case .foreignLayout(let option, let layout, let known):
      let names = Self.list(known.map { $0.rawValue.capitalizedFirst })
      return foreign(option, layout.rawValue.capitalizedFirst, names, known.map { "--" + $0.rawValue })
    case .foreignForm(let option, let form, let known):
      let names = Self.list(known.map(\.rawValue))
      return foreign(option, form.rawValue, names, known.map { "--" + $0.rawValue })
    case .foreignInput(let option, let form, let known):
      let names = Self.list(known.map(\.rawValue))
      return foreign(option, form.rawValue, names, known.map { "--from " + $0.rawValue })
    case .fileNamedLikeForm(let form, let path):
      return self.error(
        "--output",
        "-t \(form.rawValue) writes \(form.title); -o ./\(Self.typed(path)) names a file")
    case .foreignSuffix(let suffix):
      return self.error(
        "--output",
        "tabler does not write .\(Self.escaped(suffix)); with a format such as -t csv the suffix does not matter"
      )
    case .rawControlToTerminal:
      return self.error(
        "--raw-control", "not to a terminal; control characters of the data may go only to a pipe or a file")
    case .sameMarks(let first, let second, let mark):
      return self.error(
        nil,
        "\(Option[first].spelling) and \(Option[second].spelling) are both \(Self.quoted(String(mark)))")
    case .unusableMark(let option, let mark):
      return self.error(
        Option[option].spelling, "\(Self.quoted(String(mark))) cannot be a mark in a number")
    case .needsAllRows(let option, let value):
      return self.error(
        Option[option].spelling,
        (value.map { Self.quoted($0) + " " } ?? "")
          + "needs all rows, but --follow shows each row as it comes")
    case .contradiction(let option, let other):
      return self.error(
        nil, "\(Option[option].spelling) and \(Option[other].spelling) cannot be used together")
    }
  }

  private func foreign(_ option: Option.ID, _ name: String, _ known: String, _ switches: [String]) -> String {
    error(
      Option[option].spelling,
      "not for \(name), only for \(known) (\(switches.joined(separator: ", ")))")
  }

  /// Something about the options that is worth a warning.
  func text(_ notice: PlanNotice) -> String {
    switch notice {
    case .formAgainstSuffix(let form, let path):
      warning("--output", "'\(Self.name(path))' will hold \(form.rawValue), not what its suffix says")
    case .idleGuard(let option, let operation):
      warning(Option[option].spelling, "has no effect without \(Option[operation].spelling)")
    }
  }
}

extension OutputForm {
  /// The name of the form in a sentence.
  fileprivate var title: String {
    switch self {
    case .text: "text"
    case .markdown: "Markdown"
    case .html: "HTML"
    case .csv, .tsv: rawValue
    case .json: "JSON"
    case .jsonl: "JSON Lines"
    }
  }
}

extension String {
  /// `Grid` for `grid`.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
