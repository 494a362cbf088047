import TablerEngine

extension Messages {
  /// The message about a failure of a run.
  func text(_ failure: Failure) -> String {
    switch failure {
    case .input(let error): text(error)
    case .expression(let error): text(error)
    case .column(let option, let error): text(error, option: option)
    case .unknown(.expression(let error), let columns): text(error, columns: columns)
    case .unknown(.column(let option, let error), let columns): text(error, option: option, columns: columns)
    case .unknown(let failure, _): text(failure)
    case .lateColumns(let option):
      error(option, "keys of JSON may come at any time; name the columns, without patterns and ranges")
    case .columnExists(let option, let name):
      error(option, "column \(Self.quoted(name)) exists; choose another name")
    case .tooManyGridItems(let count, let columns):
      error(
        "--grid-items", "\(Self.count(count, "item")), but the table has \(Self.count(columns, "column"))")
    case .notEditable(let column, let reason):
      error("--editable", "\(Self.quoted(column)) \(Self.words(reason))")
    case .repeatedKey(let key):
      error("--columns", "key \(Self.quoted(key)) would appear twice in each object; '=Title' renames it")
    case .misread(let failure, let path, let hint):
      text(failure)
        + note(nil, Self.name(path) + ": the header looks like another format" + Self.words(hint))
    case .nothingToRead(let failure, let notice):
      (arguments.isOn(.quiet) ? "" : text(notice)) + text(failure)
    case .noOrder(let option, let column, let isList, let members, let place):
      text(unordered: column, isList: isList, members: members, option: option, at: place)
    case .must(let path, let line, let bytes, let type):
      error(
        Self.name(path) + (line.map { ":\($0)" } ?? ""),
        "must(): '\(Self.escaped(bytes))' is not of type \(type)")
    case .textTooLong(let use, let count, let first):
      error(first.map(Self.place), Self.longTexts(use, count) + "; nothing is written")
    case .loss(let part, let count, let misfits): text(lost: part, count, misfits)
    case .misfit(let column, let place, let bytes, let wanted, let remedies, let use):
      error(
        Self.place(place),
        "'\(Self.escaped(bytes))' in \(Self.quoted(column)) is not \(Self.one(wanted)) (--on-error stop)"
          + advice(on: wanted, column, bytes) + advice(remedies, column, count: 1, uses: [use]))
    case .neverSeen(let name, let suggestion, let names):
      error(
        nil,
        listing(
          names, suggestion, after: "column \(Self.quoted(name)) is not in the input (--on-error stop)"))
    case .lookupTooLarge(let name, let path):
      error(
        Self.name(path),
        "the table \(Self.quoted(name)) does not fit into half of the memory (--memory gives it more)")
    case .joinTooLarge(let path):
      error(Self.name(path), "the table does not fit into half of the memory (--memory gives it more)")
    case .lateJoinedName(let name, let place, let path):
      error(
        Self.place(place),
        "\(Self.quoted(name)) is also a column of \(Self.name(path)), and no row before had that key; "
          + "give one of them another name")
    case .joinColumn(let path, let mistake, let columns): text(mistake, joinedFrom: path, columns)
    case .formTooLarge(let path):
      error(Self.name(path), "the form is larger than an eighth of --memory; raise --memory")
    case .inPlace(let mistake, let path):
      error("--in-place", "\(Self.quoted(Self.name(path))) \(Self.words(mistake))")
    case .old(let failure, let path):
      text(failure) + note("--diff", "both tables take the steps, and this is said of \(Self.name(path))")
    case .tooManyRows: error("--diff", "tables of more than 4,294,967,294 rows cannot be compared")
    case .repeatedID(let key, let first, let second, let remedy):
      error(
        Self.place(second),
        "another row with \(Self.words(key)), as in "
          + (first.path == second.path ? "line \(first.line)" : Self.place(first)) + Self.remedy(ids: remedy))
    case .outOfOrder(let place): text(disorder: place)
    case .emptyID(let place, let remedy):
      error(Self.place(place), "--id is empty in this row" + Self.remedy(ids: remedy))
    case .notEditableFile(let path):
      error(
        "--editable", "\(Self.quoted(Self.name(path))) is not UTF-8, so --apply cannot write changes back")
    case .identitiesTooLarge:
      error("--id", "the different values do not fit into half of the memory (--memory gives it more)")
    case .query(let mistake): text(mistake)
    case .rejectsOverOutput: error("--rejects", "names the file that the table goes to")
    case .rejectsOverInput(let path):
      error(
        "--rejects", "'\(Self.name(path))' is an input; rejected rows need a file of their own")
    case .pivotedKey:
      error("--pivot", "its column is a key of --group-by, too: one of them makes rows, the other columns")
    case .manyPivotedValues(let name):
      error("--pivot", "\(Self.quoted(name)) has more than 1000 different values; each would make a column")
    case .groupsTooLarge:
      error(
        nil, "--aggregate: what is kept of the groups does not fit into the memory (--memory gives it more)")
    case .footerTooLarge(let option):
      error(option, "what its aggregates keep does not fit into the memory (--memory gives it more)")
    case .changes(let damage, let place): error(Self.place(place), Self.words(damage))
    case .changesOfView(let place):
      error(
        Self.place(place),
        "rows cannot be inserted or moved: the list was made of rows that steps had left out, ordered or made"
      )
    case .changesTooLarge(let path):
      error(
        Self.name(path), "the changes do not fit into half of the memory (--memory gives it more)")
    case .changesUnderFollow:
      error("--apply", "rows that move or do not fit need all rows, but --follow shows each row as it comes")
    case .tooManyKeys(let function):
      error(
        nil, "\(function)(): the different values do not fit into half of the memory (--memory gives it more)"
      )
    case .spill(let error), .output(let error): text(error)
    }
  }

  /// `id 7 and name Kiwi`.
  private static func words(_ key: [RowKey]) -> String {
    list(key.map { "\(escaped($0.column)) \(escaped($0.text))" })
  }

  /// The columns that would identify rows, or nothing.
  private static func remedy(ids columns: [String]) -> String {
    columns.isEmpty
      ? "" : "; --id \(typed(columns.map { target($0) }.joined(separator: ","))) tells all rows apart"
  }

  /// The wording for a file that cannot be written back.
  private static func words(_ mistake: InPlaceMistake) -> String {
    switch mistake {
    case .noFile: "is no regular file"
    case .encoding: "is not UTF-8, and would be afterwards; -o writes another file"
    case .otherForm(let form):
      "does not hold \(form.rawValue); --from csv, tsv, json or jsonl says what it holds"
    }
  }

  /// All messages at the end of a run that did not fail.
  ///
  /// - Parameter isQuiet: whether to be brief: only the reason for the exit status.
  func text(_ outcome: Outcome, isQuiet: Bool) -> String {
    var words = ""
    if !isQuiet, !outcome.notices.isEmpty { words = text(outcome.notices) }
    if !isQuiet, let comparison = outcome.comparison { words += text(comparison) }
    if let disorder = outcome.disorder { words += text(disorder: disorder) }
    if outcome.selectedCount > 1 {
      words += error(nil, "\(outcome.selectedCount) rows are selected; --select-mode single allows one")
    }
    if let (count, total, rejects) = outcome.unfit {
      let part = "\(count) of \(Self.count(total, "change")) \(count == 1 ? "does" : "do") not fit"
      words += error(
        rejects.map(Self.name),
        rejects == nil
          ? "nothing is written: \(part); --rejects FILE applies the others"
          : "\(part); \(count == 1 ? "it is" : "they are") kept there")
    }
    if let path = outcome.unwritten {
      let are = outcome.invalidCount == 1 ? "1 row is" : "\(outcome.invalidCount) rows are"
      words += error(Self.name(path), "not written: \(are) not valid")
    }
    if let (path, count) = outcome.emptied {
      let none = count.map { $0 == 1 ? "its only row would not" : "none of its \($0) rows would" }
      words += error(
        Self.name(path),
        "not written: \(none ?? "none of its columns would") be left; "
          + "-o \(Self.typed(Self.name(path))) writes it so")
    }
    return words
  }

  /// The closing line of a comparison, and what was not shown.
  private func text(_ summary: ComparisonSummary) -> String {
    var words = ""
    if summary.hidesMoves {
      words += note(
        nil,
        "order changed: \(Self.grouped(summary.moved)) of \(Self.grouped(summary.matched)) rows moved; --moves always "
          + "shows them")
    }
    if let key = summary.keyColumn {
      words += note(nil, "\(Self.quoted(key)) is unique in both: --id \(Self.typed(Self.target(key)))")
    }
    return words + error(nil, Self.harmless(summary.text))
  }

  /// A number with commas between groups of three digits.
  private static func grouped(_ number: Int) -> String { ComparisonSummary.grouped(number) }

  /// The notices, each reported once; if a kind may come for each of many names, the first ones and the
  /// number of others.
  func text(_ notices: [Notice]) -> String {
    var alike: [NoticeKind: [Notice]] = [:]
    for notice in notices {
      if let kind = notice.kind { alike[kind, default: []].append(notice) }
    }
    var lines = ""
    var said: Set<String> = []
    for notice in notices {
      if let kind = notice.kind {
        if let several = alike.removeValue(forKey: kind) { lines += text(several, kind) }
        continue
      }
      let line = text(notice)
      if said.insert(line).inserted { lines += line }
    }
    return lines
  }

  /// The notices of one kind.
  private func text(_ notices: [Notice], _ kind: NoticeKind) -> String {
    var names: Set<String> = []
    let notices = notices.filter { $0.name.map { names.insert($0).inserted } ?? true }
    let others = notices.dropFirst(kind.most)
    var ending = ""
    if !others.isEmpty {
      let names = others.prefix(4).compactMap(\.name).map { Self.quoted($0) }
      ending =
        names.count == others.count
        ? " (also \(Self.list(names)))"
        : " (and so for \(Self.count(others.count, "other " + kind.noun)))"
    }
    if case .input(.neverSeen(let name, let suggestion, let names))? = notices.first {
      return neverSeen(name, suggestion, names, others: ending)
    }
    var lines: [String] = []
    for notice in notices.prefix(kind.most) {
      let line = text(notice)
      if !lines.contains(line) { lines.append(line) }
    }
    let text = lines.joined()
    return ending.isEmpty ? text : text.dropLast() + ending + "\n"
  }

  /// The warning or note about a notice.
  func text(_ notice: Notice) -> String {
    switch notice {
    case .input(let notice): return text(notice)
    case .layout(let notice): return text(notice)
    case .misfits(
      let column, let count, let first, let bytes, _, _, let remedies, uses: [.total(isLeftOut: true)]):
      return note(
        Self.name(first.path),
        "\(Self.quoted(column)) has no total: "
          + (count == 1 ? "1 cell is not a number " : "\(count) cells are not numbers ")
          + "(first: line \(first.line), '\(Self.escaped(bytes))')"
          + advice(remedies, column, count: count, uses: [.total(isLeftOut: true)]))
    case .misfits(let column, let count, let first, let bytes, let wanted, _, let remedies, uses: [.format]):
      return note(
        Self.name(first.path),
        "\(Self.quoted(column)) has no \(wanted == .date ? "date" : "number"): --format left its cells as they are "
          + "(first: line \(first.line), '\(Self.escaped(bytes))')"
          + advice(remedies, column, count: count, uses: [.format]))
    case .misfits(
      let column, let count, let first, let bytes, let wanted, let areLeftOut, let remedies, let uses):
      return warning(
        Self.name(first.path),
        Self.misfits(column, count, first, bytes, wanted) + "; "
          + (areLeftOut
            ? count == 1 ? "its row was left out" : "their rows were left out" : "treated as null")
          + advice(on: wanted, column, bytes) + advice(remedies, column, count: count, uses: uses))
    case .unconverted(let column, let count, let first, let bytes, let wanted, let areAll, let remedies):
      let cells =
        switch (areAll, count) {
        case (false, _): "\(Self.count(count, "cell")) of \(Self.quoted(column)) could not"
        case (true, 1): "the only cell of \(Self.quoted(column)) that was read could not"
        case (true, _): "none of the \(count) cells of \(Self.quoted(column)) that were read could"
        }
      return note(
        Self.name(first.path),
        cells + " be converted to \(Self.one(wanted)) "
          + "(first: line \(first.line), '\(Self.escaped(bytes))')"
          + advice(remedies, column, count: count, uses: [.expression]))
    case .wordsAsValues(let column, let count, let first, let bytes, let words):
      return note(
        Self.name(first.path),
        "\(Self.count(count, "cell")) of \(Self.quoted(column)) \(count == 1 ? "is a word" : "are words"), not null "
          + "(first: line \(first.line), '\(Self.escaped(bytes))'); "
          + Self.nullOptions(words)
          + (words.count == 1 ? " makes that word" : " make those words") + " null everywhere")
    case .datesAsText(let column, let count, let first, let bytes, let formats):
      return text(datesAsText: column, count, first, bytes, formats)
    case .comparedAsText(let notice): return text(notice)
    case .thousandths(let column, let count, let first, let bytes, let use):
      return text(thousandths: column, count, first, bytes, use)
    case .longTexts(let use, let count, let first):
      let place = first.map { " (first: line \($0.line))" } ?? ""
      let instead = if case .filled = use { "not filled in" } else { "treated as null" }
      return warning(first.map { Self.name($0.path) }, Self.longTexts(use, count) + place + "; " + instead)
    case .wordsBesideValues(let word, let count, let areNumbers, let areVerified):
      return note(
        nil,
        "\(Self.count(count, "cell")) \(Self.quoted(word)) \(areVerified ? "compared" : "sorted") as text beside "
          + (areNumbers ? "numbers; " : "values; ")
          + Self.nullOptions([word]) + " makes "
          + (count == 1 ? "it null" : "them null"))
    case .doubtfulKey(let notice): return text(notice)
    case .nothingSelected(let column):
      return note(
        "--select",
        "no row is marked, as \(Self.quoted(column)) is true in none; --columns \(Self.typed(Self.target(column))) "
          + "shows that column alone")
    case .numberIsName(let name):
      return note(
        name.option,
        "\(name.number) is a number in \(Self.quoted(name.expression)); the column is written \(Self.column(name.number))"
      )
    case .nothingExploded(let column, let first, let bytes):
      return note(
        Self.name(first.path),
        "no row that was read has a list in \(Self.quoted(column)) "
          + "(first: line \(first.line), '\(Self.escaped(bytes))'); --explode left it as it is")
    case .totalsAdded(let column, let count, let first, let bytes, let texts):
      return text(totalsAdded: count, column, first, bytes, texts)
    case .nothingMatched(let option, let pattern):
      return warning(option, "no column matches \(Self.quoted(pattern))")
    case .hiddenPart(let option, let name, let column):
      return warning(
        option,
        "\(Self.quoted(name)) is a part of \(Self.quoted(column)), which is shown whole; "
          + "only whole columns are left out (with --flatten, the parts of JSON input are columns)")
    case .pager(let name, let reason):
      return warning(nil, "the pager '\(Self.escaped(name))' did not show the table: \(reason)")
    case .nothingToMove(let move):
      return warning("--move", "\(Self.quoted(move)): no row to move")
    case .noPlaceToMove(let move):
      return warning("--move", "\(Self.quoted(move)): no row is at that place; nothing was moved")
    case .noRowToMove(let move, let number, let count):
      return warning(
        "--move",
        "\(Self.quoted(move)): there is no row \(number) (the table has \(Self.count(count, "row")))")
    case .noRows(let option, let range, let count):
      let rows =
        switch (range.first, range.last) {
        case (let first?, let last?) where first == last: "is no row \(first)"
        case (let first, let last):
          "are no rows \(first.map(String.init) ?? "")..\(last.map(String.init) ?? "")"
        }
      return warning(option, "there \(rows) (the table has \(Self.count(count, "row")))")
    case .refused(let operation, let count, let first):
      let (done, option) =
        switch operation {
        case .edit: ("edited", Option.ID.canEdit)
        case .delete: ("deleted", .canDelete)
        case .move: ("moved", .canMove)
        }
      return warning(
        nil,
        "\(Self.count(count, "row")) may not be \(done) (--\(option.rawValue); first: \(Self.place(first)))")
    case .replacedByDerived(let column, let option, let count, let first):
      return warning(
        nil,
        "\(Self.quoted(column)) is computed (\(option)); \(Self.count(count, "cell")) of that name left out "
          + "(first: \(Self.place(first)))")
    case .finding(let place, let key, let field, let message):
      let row =
        key.isEmpty
        ? Self.place(place)
        : Self.name(place.path) + ": "
          + Self.list(key.map { "\(Self.escaped($0.column)) \(Self.escaped($0.text))" }, last: "and")
      return error(row, (field.map { Self.escaped($0) + ": " } ?? "") + Self.escaped(message))
    case .findings(let count, let rowCount):
      return error(
        nil,
        "\(count) findings in \(Self.count(rowCount, "row")); the first \(ValidationFindings.most) are named")
    case .unfit(let misfit, let place): return text(misfit, at: place)
    case .unfitCount(let count):
      return error(nil, "\(count) changes do not fit; the first \(ChangeMisfit.most) are named")
    case .changedUnseen(let column, let nearest):
      return warning(
        "--set",
        "column \(Self.quoted(column)) is not in the input; "
          + (nearest.map { "did you mean \(Self.quoted($0))? " } ?? "") + "--derive adds new ones")
    case .sectionsCameBack(let count, let first, let key, let isExpression):
      return text(sectionsCameBack: count, first, key, isExpression)
    case .paddedKeys(let column, let isComputed, let count, let first, let bytes, let haveNoBreakSpaces):
      let value = isComputed ? (haveNoBreakSpaces ? "…" : "") : Self.named(column)
      let trimmed = Self.trimmed(value, haveNoBreakSpaces)
      return note(
        Self.name(first.path),
        "\(Self.count(count, "key")) of the groups \(count == 1 ? "differs from another" : "differ from others") only in "
          + "blanks at the ends (first: line \(first.line), '\(Self.escaped(bytes))'); "
          + trimmed + (isComputed ? " around the key" : " as the key") + " makes them equal")
    case .repeatedLookupKey(let path, let key, let count):
      return warning(
        Self.name(path),
        "\(Self.count(count, "row")) \(count == 1 ? "has" : "have") the key of an earlier row, which lookup() finds "
          + "(first: '\(Self.escaped(key))')")
    case .repeatedJoinKeys(let first, let key, let count):
      return note(
        Self.place(first),
        "\(Self.count(count, "key")) \(count == 1 ? "is" : "are") in several rows, each of which is joined "
          + "(first: '\(Self.escaped(key))')")
    case .unmatchedRows(let path, let count, let first):
      return note(
        nil,
        "\(Self.count(count, "row")) without a match in \(Self.name(path)) (first: \(Self.place(first)))")
    case .paddedJoinKeys(let path, let count, let first, let key):
      return note(
        Self.name(first.path),
        "\(Self.count(count, "row")) \(count == 1 ? "has" : "have") no match in \(Self.name(path)) only because of "
          + "blanks at the ends of keys (first: line \(first.line), '\(Self.escaped(key))')")
    case .emptied(let column, let count, let first):
      return note(
        Self.name(first.path),
        "\(Self.count(count, "cell")) of \(Self.quoted(column)) emptied (first: line \(first.line))")
    case .leftOut(let path, let rows, let columns, let emptyLines):
      let lines = emptyLines > 0 ? Self.count(emptyLines, "empty line") : nil
      let parts = [Self.part(rows, "row"), Self.part(columns, "column"), lines].compactMap { $0 }
      return note(Self.name(path), Self.list(parts) + " left out")
    case .changesShown(let count, let total):
      return note(nil, "\(Self.grouped(count)) of \(Self.grouped(total)) changes shown")
    case .unchanged(let path): return note(Self.name(path), "0 cells changed")
    case .changedOwner(let path):
      return warning(Self.name(path), "its owner or its group could not be kept")
    case .betweenEnds(let count): return note(nil, "\(Self.count(count, "row")) between the ends left out")
    case .footerLeftOut(let count):
      return note(
        "--footer-lines", "\(Self.count(count, "record")) left out, for which there are no columns now")
    case .pivotedTwice(let title, let name):
      return note("--pivot", "two columns would be called \(Self.quoted(title)); one is \(Self.quoted(name))")
    case .footerNotCompared(let count):
      return note("--footer-lines", "\(Self.count(count, "record")) of each table not compared")
    case .guardedFormulas(let count):
      return warning(nil, "\(Self.count(count, "cell")) began like a formula and got a leading '")
    }
  }

  /// The warning about the drawing.
  func text(_ notice: LayoutNotice) -> String {
    switch notice {
    case .cutCells(let count):
      warning(nil, "\(Self.count(count, "cell")) cut to fit; --overflow wrap shows all")
    case .cutTitles(let count):
      warning(nil, "\(Self.count(count, "title")) cut to fit; a larger --header-height shows more")
    case .clippedCells(let count):
      warning(
        nil,
        "\(Self.count(count, "cell")) cut to fit; "
          + (arguments.has(.gridItems) ? "wider columns show all" : "a larger --width shows all"))
    case .leftOutBars:
      note(nil, "bars left out, because they do not fit beside the numbers; a larger --width has room")
    case .leftOutColumns(let shown, let total):
      note(nil, "\(shown) of \(total) columns shown; -x shows all, -c chooses")
    case .lateCells(let count):
      warning(
        nil,
        Self.count(count, "cell") + (count == 1 ? " is" : " are")
          + " wider than the cells measured first; a larger --lookahead makes room")
    case .widerThanLimit(let cells):
      warning(
        nil,
        "lines are \(Self.count(cells, "cell")) wider than the width; "
          + (arguments.has(.diff) && arguments.has(.id) && !arguments.has(.changedColumns)
            ? "--changed-columns, " : "")
          + "--detail or --columns makes them fit")
    case .replacedBytes(let count, let first):
      warning(
        first.map { name(ofSource: $0.source) },
        "bytes that are not UTF-8 in \(Self.count(count, "place")) of the cells\(Self.line(of: first))"
          + "; drawn as U+FFFD" + (arguments.has(.encoding) ? "" : " (--encoding latin1?)"))
    case .nulBytes(let count, let first):
      warning(
        first.map { name(ofSource: $0.source) },
        "\(Self.count(count, "NUL byte")) in the cells\(Self.line(of: first))")
    case .longCells(let count, let first):
      warning(
        first.map { name(ofSource: $0.source) },
        "\(Self.count(count, "cell")) cut, too long to be drawn\(Self.line(of: first)); --csv or --json writes all"
      )
    case .notColors(let count, let first):
      warning(
        first.map { name(ofSource: $0.place.source) },
        (count == 1 ? "1 value is not a color" : "\(count) values are not colors")
          + (first.map { " (first: \(Self.words($0)))" } ?? "") + "; ignored")
    case .longTitles(let count):
      warning(nil, "\(Self.count(count, "title")) cut, too long to be drawn; --csv or --json writes all")
    case .ignoredRowSpacing:
      arguments.isConfigured(.rowSpacing) ? "" : warning(nil, "--row-spacing has no effect in Markdown")
    }
  }

  /// `line 3, 'rod' for --cell color`.
  private static func words(_ value: ColorlessValue) -> String {
    "line \(value.place.line)" + (value.text.map { ", '\(escaped($0))'" } ?? "")
      + " for \(value.option)" + (value.column.map { " \(escaped($0))" } ?? "")
  }

  /// ` (first: line 3)`, if that is known.
  private static func line(of place: RowPlace?) -> String {
    place.map { " (first: line \($0.line))" } ?? ""
  }

  /// The name of an input by its index among the inputs.
  private func name(ofSource index: Int) -> String {
    if arguments.sources.indices.contains(index), case .file(let path) = arguments.sources[index] {
      return Self.name(path)
    }
    return Self.name(nil)
  }

  /// `3 of 5 rows`; `nil` if none is left out.
  private static func part(_ part: LeftOut, _ noun: String) -> String? {
    part.count > 0 ? "\(part.count) of \(Self.count(part.total, noun))" : nil
  }

  /// The first row that `--sorted-by` found out of order.
  func text(disorder place: InputError.Location) -> String {
    if arguments.has(.via), arguments.has(.sort) {
      return error(
        Self.place(place),
        "this row is not in the order that was asked for (--sort \(Self.typed(arguments.joined(.sort))))")
    }
    return error(
      Self.place(place), "this row is out of order (--sorted-by \(Self.typed(arguments.joined(.sortedBy))))")
  }

  /// The hint about what else may have been meant if a cell did not convert.
  func advice(on wanted: ExpressionError.ValueKind, _ column: String, _ bytes: [UInt8]) -> String {
    switch wanted {
    case .list: " (contains() searches in text)"
    case .bool where arguments.occurrences.contains { $0.value.repeats("|") }: " (++ joins text)"
    case .bool where filtersByNumber(column, bytes): " (did the shell take '>' or '<'? quote the expression)"
    case _ where column.utf8.elementsEqual(bytes): " (\(repeatedHeader(column)))"
    default: ""
    }
  }

  /// The note on rows that are added although they seem to be totals.
  private func text(
    totalsAdded count: Int, _ column: String, _ first: InputError.Location, _ bytes: [UInt8],
    _ texts: [[UInt8]]
  ) -> String {
    let isOne = count == 1
    let words = texts.map { Self.literal(String(decoding: $0, as: UTF8.self)) }
    let isMeant = words.count == 1 ? "= \(words[0])" : "in (\(words.joined(separator: ", ")))"
    let isPlain =
      !column.isEmpty && !texts.isEmpty && texts.allSatisfy { Self.escaped($0).utf8.elementsEqual($0) }
    return note(
      Self.name(first.path),
      "\(Self.count(count, "row")) \(isOne ? "seems to be a total, and is" : "seem to be totals, and are") "
        + "added with the others (first: line \(first.line), '\(Self.escaped(bytes))')"
        + (isPlain
          ? "; --delete \(Self.typed("\(Self.named(column)) \(isMeant)")) leaves \(isOne ? "it" : "them") out"
          : ""))
  }

  /// The hint on a cell that is the name of its column: a header among the rows.
  func repeatedHeader(_ column: String) -> String {
    // A typed or changed cell is null before rows are deleted.
    let isNull = [.types, .set, .derive].contains { arguments.has($0) }
    guard Self.escaped(column) == column, !isNull else { return "the header again?" }
    let condition = "\(Self.named(column)) = \(Self.literal(column))"
    return "the header again? --delete \(Self.typed(condition)) removes it"
  }

  /// Whether a filter is only a column of numbers, as happens if the shell took `> 5` as a redirection.
  private func filtersByNumber(_ column: String, _ bytes: [UInt8]) -> Bool {
    arguments.values(.filter).contains(column) && bytes.first.map { $0 >= 0x30 && $0 <= 0x39 } == true
  }

  /// A column as it is typed in a list of columns: quoted if it might mean something else.
  static func target(_ name: String) -> String {
    let isPlain =
      name.first.map { !"-+@ ".contains($0) } ?? false && name.last != " "
      && !name.contains { ",:()\"`*?".contains($0) }
    return isPlain ? name : quotedColumn(name)
  }

  /// A column as an item of a list that may have titles and ranges.
  static func item(_ name: String) -> String {
    let isPlain =
      !name.contains("=") && !name.hasPrefix("!")
      && !zip(name, name.dropFirst()).contains { $0 == "." && $1 == "." }
    return isPlain ? target(name) : quotedColumn(name)
  }

  private static func quotedColumn(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  static func one(_ kind: ExpressionError.ValueKind) -> String {
    switch kind {
    case .number: "a number"
    case .wholeNumber: "a whole number"
    case .object: "an object"
    case .date: "a date"
    case .duration: "a duration"
    case .size: "a size"
    case .bool: "true or false"
    case .list: "a list"
    case .container: "a list or an object"
    case .comparedText: "a text of at most 4,096 characters"
    case .null, .text, .pattern: "of that kind"
    }
  }

  /// The message that texts are too long.
  private static func longTexts(_ use: LongTextUse, _ count: Int) -> String {
    let user =
      switch use {
      case .made(let function): "\(function) makes"
      case .read(let function): "\(function) reads"
      case .filled: count == 1 ? "fills a template" : "fill a template"
      }
    return "\(Self.count(count, "text")) that \(user) \(count == 1 ? "has" : "have") more than 16 MiB"
  }

  static func several(_ kind: ExpressionError.ValueKind) -> String {
    switch kind {
    case .number: "numbers"
    case .wholeNumber: "whole numbers"
    case .object: "objects"
    case .date: "dates"
    case .duration: "durations"
    case .size: "sizes"
    case .bool: "true or false"
    case .list: "lists"
    case .container: "lists or objects"
    case .comparedText: "texts of at most 4,096 characters"
    case .null, .text, .pattern: "of that kind"
    }
  }
}

/// A kind of notice that there may be for each of many columns, names or files.
private enum NoticeKind: Hashable {
  case misfits
  case dates
  case comparisons
  case units
  case words
  case looks
  case patterns(option: String)
  case neverSeen
  case lateKey
  case input
  case leftOut

  /// How many get a line of their own.
  var most: Int {
    switch self {
    case .misfits, .dates, .comparisons, .units, .words, .looks, .input, .leftOut: 10
    case .patterns, .neverSeen, .lateKey: 1
    }
  }

  /// The noun for what each is about.
  var noun: String {
    switch self {
    case .misfits, .dates, .comparisons, .units, .neverSeen: "column"
    case .words: "word"
    case .looks, .lateKey: "key"
    case .patterns: "pattern"
    case .input, .leftOut: "file"
    }
  }
}

extension Notice {
  /// The kind, if there may be one for each of many names; nil if there are at most as many as options typed.
  fileprivate var kind: NoticeKind? {
    switch self {
    case .misfits, .unconverted, .wordsAsValues: .misfits
    case .datesAsText: .dates
    case .comparedAsText: .comparisons
    case .thousandths: .units
    case .wordsBesideValues: .words
    case .doubtfulKey: .looks
    case .nothingMatched(let option, _): .patterns(option: option)
    case .input(let notice): notice.kind
    case .nothingSelected, .numberIsName, .layout, .longTexts, .hiddenPart, .pager, .nothingToMove,
      .noPlaceToMove,
      .noRowToMove, .noRows,
      .refused,
      .replacedByDerived, .changedUnseen, .sectionsCameBack, .paddedKeys, .repeatedLookupKey,
      .repeatedJoinKeys,
      .unmatchedRows, .paddedJoinKeys, .emptied, .leftOut,
      .unchanged,
      .changedOwner,
      .guardedFormulas, .betweenEnds, .footerLeftOut, .footerNotCompared, .pivotedTwice, .finding, .findings,
      .changesShown, .unfit, .unfitCount, .totalsAdded, .nothingExploded:
      nil
    }
  }
}

extension Notice {
  /// The name that it is about, if there is nothing else to report about it.
  fileprivate var name: String? {
    switch self {
    case .nothingMatched(_, let name), .input(.neverSeen(let name, _, _)), .input(.lateKey(let name, _)): name
    default: nil
    }
  }
}

extension InputNotice {
  fileprivate var kind: NoticeKind? {
    switch self {
    case .neverSeen: .neverSeen
    case .lateKey: .lateKey
    case .noInput, .noLinesLeft, .nulInHeader: .input
    case .leftOutLines, .delimiterLine: .leftOut
    case .repeatedName, .replacedNumbers, .rowAsHeader, .oneColumn, .log, .quotesInText, .skippedRows,
      .damagedLines, .valuesWithoutPath, .crossedBoundary, .unevenWords,
      .outsideTable, .mostOutsideTable, .repeatedKey, .loneObject:
      nil
    }
  }
}

extension Messages {
  /// The hint about sections with the value of an earlier one.
  ///
  /// - Parameter key: the value of `--section-by`, as it was typed.
  func text(sectionsCameBack count: Int, _ first: [UInt8], _ key: String, _ isExpression: Bool) -> String {
    let name = "'\(Self.escaped(first))'"
    let sections = count == 1 ? "section \(name)" : "\(count) sections (first: \(name))"
    let sortKey = isExpression ? "(\(key))" : Self.target(Self.unquoted(key))
    return note(
      nil,
      "\(sections) began again after others; --sort \(Self.typed(sortKey)) brings rows of a section together")
  }

  /// The name of a column that may be in backquotes.
  private static func unquoted(_ name: String) -> String {
    let name = name.trimmingBlanks
    guard name.utf8.count > 1, name.hasPrefix("`"), name.hasSuffix("`") else { return name }
    // The second of two consecutive backquotes is removed.
    var isKept = false
    return name.dropFirst().dropLast().filter { character in
      isKept = character == "`" && !isKept
      return character != "`" || isKept
    }
  }
}

extension Messages {
  /// What an engine was asked, and what was done here.
  func text(_ query: EngineQuery, rowCount: Int) -> String {
    func names(_ options: [String]) -> String {
      var names: [String] = []
      for name in options.map({ String($0.dropFirst(2)) }) where !names.contains(name) { names.append(name) }
      return names.joined(separator: ", ")
    }
    let client = Self.escaped(query.client.name)
    return note(
      nil,
      "asked of \(client): \(query.asked.isEmpty ? "all rows" : names(query.asked)); "
        + (query.left.isEmpty ? "" : "done here: \(names(query.left)); ")
        + Self.count(rowCount, "row") + " fetched")
  }

  /// The warning before all rows of a table are fetched.
  func warning(beforeFetching query: EngineQuery) -> String {
    warning(
      "--via",
      "fetching all rows; --filter, --group-by or --head would fetch fewer")
  }

  /// The query below the words of a client that failed.
  func text(failed query: EngineQuery, _ environment: Environment) -> String {
    guard environment.standardErrorIsTerminal else { return "" }
    let lines = query.text.split(separator: "\n", omittingEmptySubsequences: false).map {
      "  " + Self.escaped(String($0))
    }
    return note(nil, "--explain \(query.client.dialect.rawValue) prints this query:")
      + lines.joined(separator: "\n") + "\n"
  }

  /// Where a database belongs that stands after a command: `--via 'sqlite3 shop.db'`.
  func databaseAdvice(_ path: FilePath) -> String? {
    guard EngineClient.databaseSuffixes.contains(path.suffix) else { return nil }
    let command = (arguments.value(.via) ?? "") + " " + Self.typed(path.text)
    return "; a database belongs to the command: --via \(Self.typed(command))"
  }

  /// The option that makes a query.
  private var engineOption: String { arguments.has(.via) ? "--via" : "--explain" }

  /// Why there is no query that asks for what is wanted.
  func text(_ mistake: QueryMistake) -> String {
    switch mistake {
    case .option(let option): error(engineOption, "\(option) cannot be part of a query")
    case .rowNumbers(let option):
      error(option, "rows of an engine have no numbers; an expression tells which are meant")
    case .fromEnd(let option):
      error(option, "a query cannot count rows from the end; sort them the other way round and use --head")
    case .beforeGroups(let option):
      error(option, "checks rows before they are grouped, so no query can group them")
    case .partOfCell(let option): error(option, "no query asks for a part of a cell")
    case .moveWithHead: error("--move", "cannot be part of a query, and --head after it would need all rows")
    case .order(let order, let column):
      error("--sort", "no query sorts '\(Self.escaped(column))' in the order \(order)")
    case .noTable:
      error(
        "--table",
        arguments.value(.table).map { "\(Self.quoted($0)) is not the name of a table" }
          ?? "needs the name of a table; without a file it must be given")
    case .severalFiles: error(engineOption, "asks for one file; --table names a table")
    case .unnamedColumn:
      error(engineOption, "a column has no name" + (arguments.has(.via) ? "" : "; --names gives it one"))
    case .namesAlike(let name):
      error(
        engineOption,
        "another column is called \(Self.quoted(name)) but for its case, which engines do not tell apart")
    case .noColumns: error(engineOption, "there are no columns to ask for")
    case .oddText: error(engineOption, "no query names a file or a column with a carriage return or NUL")
    case .tooLong(let most):
      error(engineOption, "the query is longer than \(most) bytes, which engines refuse")
    case .conversion(let column, let from, let type):
      error(
        "--types",
        "\(Self.quoted(column)) is \(Self.escaped(from)) in the database; no query can make it \(type.rawValue)"
      )
    case .readsNoFiles(let client, let path):
      error(
        "--via",
        "\(Self.escaped(client)) does not read \(Self.quoted(Self.name(path))) as a table"
          + (databaseAdvice(path) ?? "; --table names a table"))
    case .oneColumn(let name, let mark):
      error(
        "--via",
        "the only column is \(Self.quoted(name)); -d '\(mark == "\t" ? "\\t" : String(mark))' separates it")
    case .noSuchTable(let table): error("--table", "there is no table \(Self.quoted(table))")
    }
  }
}

extension Messages {
  /// Why the cells of a column cannot be changed.
  private static func words(_ reason: FixedColumn) -> String {
    switch reason {
    case .identifiesRows: "says which row is which (--id); its cells cannot be changed"
    case .isComputed: "is computed; it is not in the file"
    case .isPart: "is a part of cells; only whole cells can be changed"
    case .isHidden: "is not shown"
    case .isRenamed: "is shown under another title; only columns under their own names can be changed"
    }
  }
}
