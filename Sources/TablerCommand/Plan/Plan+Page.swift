import TablerEngine

extension Plan {
  /// Reads `--interactive` and `--editable`.
  mutating func readPage(_ arguments: Arguments) throws(PlanError) {
    guard arguments.isOn(.interactive) else {
      if arguments.has(.editable) { throw .needsPage(.editable) }
      return
    }
    if layout.kind == .detail { throw .foreignLayout(.interactive, .detail, known: [.list, .stack, .grid]) }
    for option in [Option.ID.fragment, .follow] where arguments.isOn(option) {
      throw .contradiction(.interactive, option)
    }
    if output.styleSheet != .embed { throw .contradiction(.interactive, .htmlStyle) }
    var page = PageOptions(
      command: arguments.commandOfView, keys: arguments.joined(arguments.orderOption),
      spelled: { name in (Messages.target(name), Messages.item(name), Messages.exactlyNamed(name)) })
    page.applyCommand = arguments.commandThatApplies
    page.editable = try arguments.readLast(.editable) { (cursor) throws(GrammarError) in
      try cursor.columnList()
    }
    if page.editable != nil {
      if rowKeys == nil { throw .needsKeys(.editable) }
      for option in [
        Option.ID.set, .groupBy, .aggregate, .pivot, .unpivot, .explode, .join, .summary, .diff, .apply, .add,
      ]
      where arguments.has(option) {
        throw .contradiction(.editable, option)
      }
      if page.applyCommand == nil { throw .cannotWriteBack(.editable) }
      // The file has no such columns when the changes are checked.
      if arguments.has(.derive), arguments.checksChanges { throw .contradiction(.editable, .derive) }
    }
    output.page = page
  }
}

extension Arguments {
  /// The option that says in which order the rows are.
  fileprivate var orderOption: Option.ID { has(.sort) ? .sort : .sortedBy }

  /// The files named.
  private var files: [FilePath] {
    sources.compactMap { source in if case .file(let path) = source { path } else { nil } }
  }

  /// What was typed, as it must be typed again: some of the options, and the files.
  private func command(_ isWanted: (Option.ID) -> Bool, file: String? = nil) -> [String] {
    var words = ["tabler"] + files.map { Messages.exactlyTyped($0.text) }
    if let file, files.isEmpty { words.append(file) }
    for occurrence in occurrences where !occurrence.isConfigured && isWanted(occurrence.option) {
      let option = Option[occurrence.option]
      if option.takesValue {
        words += [option.spelling, Messages.exactlyTyped(occurrence.path?.text ?? occurrence.value)]
      } else {
        words.append(occurrence.isOn ? option.spelling : "--" + (option.negatedName ?? option.name))
      }
    }
    return words
  }

  /// The command whose rows are those of the page, up to where the options that the page adds stand.
  fileprivate var commandOfView: String {
    let isPiped = Self.dependingOnOrder.contains { has($0) }
    let words = command { option in
      switch Option[option].group {
      case .input, .general: option != .explain && !Self.ofRun.contains(option)
      case .rows: ![.select, .selectMode].contains(option) && (isPiped || !Self.guards.contains(option))
      case .order: isPiped || option != .sort && option != .sortedBy && option != .memory
      case .columns: [.columns, .hide, .flatten].contains(option)
      case .layout, .header, .spacing, .style, .output: false
      }
    }
    guard isPiped else { return words.joined(separator: " ") }
    // Types and orders name columns, which must be there after the pipe.
    let isSame = !Self.changingColumns.contains { has($0) }
    let again = command { Self.ofValues.contains($0) || isSame && [.types, .order].contains($0) }
    return (words + ["--csv", "|", "tabler"] + again.dropFirst(1 + files.count)).joined(separator: " ")
  }

  /// The command that applies changes to the file, up to the name of their list; `nil` if it is no file that is written
  /// back.
  fileprivate var commandThatApplies: String? {
    let form: OutputForm?
    switch choice(.from, as: InputForm.self) ?? .auto {
    case .csv: form = .csv
    case .tsv: form = .tsv
    case .json: form = .json
    case .jsonl: form = .jsonl
    case .auto: form = files.first.map { OutputForm(suffix: $0.suffix) } ?? .csv
    case .words, .blanks, .table, .pattern: form = nil
    }
    guard let form, !form.isDisplay, sources.count <= 1, !has(.via),
      !Self.notWrittenBack.contains(where: { has($0) })
    else { return nil }
    let words = command({ Option[$0].group == .input || Self.checking.contains($0) }, file: "FILE")
    return words.joined(separator: " ") + " --apply"
  }

  /// Options whose work depends on the order or the number of rows.
  private static let dependingOnOrder: [Option.ID] = [
    .groupBy, .aggregate, .pivot, .unpivot, .explode, .join, .summary, .diff, .move, .compute, .sample, .skip,
    .head, .tail,
    .ends,
    .delete,
    .invalidOnly,
    .rejects,
  ]

  /// Options that give a table other columns than its file has.
  private static let changingColumns: [Option.ID] = [
    .groupBy, .aggregate, .pivot, .unpivot, .explode, .join, .summary, .diff, .columns, .hide, .flatten,
    .names, .autoNames,
  ]

  /// Options that say how the cells of all columns are read.
  private static let ofValues: [Option.ID] = [.decimal, .thousands, .dateFormat, .nulls]

  /// Options that are about a run, not its rows.
  private static let ofRun: [Option.ID] = [
    .exitStatus, .progress, .quiet, .config, .noConfig, .help, .version,
  ]

  /// The options that say which changes are refused.
  private static let guards: [Option.ID] = [.canEdit, .canDelete, .canMove]

  /// Options that are asked whether changes may be made.
  private static let checking: [Option.ID] = guards + [.validate, .arg]

  /// Whether changes are checked when they are applied.
  fileprivate var checksChanges: Bool { Self.guards.contains { has($0) } || has(.validate) }

  /// Options with which a file is not written back.
  private static let notWrittenBack: [Option.ID] = [
    .at, .groupBy, .aggregate, .pivot, .unpivot, .explode, .join, .summary, .diff, .apply, .skipLines,
    .comment, .headerLines,
    .footerLines,
    .flatten,
    .names,
    .autoNames,
  ]
}
