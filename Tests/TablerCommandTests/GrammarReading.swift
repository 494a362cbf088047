@testable import TablerCommand
@testable import TablerEngine

/// What a grammar makes of a value, as text: the value, or the marked place and the words.
///
///     "-weight:desc"  →  "▸-weight:desc◂ reversed twice"
struct GrammarReading {
  /// Reads `text` as the value of `option`.
  static func of(
    _ text: String, _ option: Option.ID,
    _ reading: (inout GrammarCursor) throws(GrammarError) -> String
  ) -> String {
    var cursor = GrammarCursor(text, of: option)
    do {
      return try reading(&cursor)
    } catch {
      return describe(error)
    }
  }

  /// The source with the place marked, and what is said of it.
  static func describe(_ error: GrammarError) -> String {
    var source = error.source
    var range = error.range
    if case .expression(let wrapped) = error.kind {
      source = wrapped.source
      range = wrapped.range
    }
    let message = Messages(Environment()).text(error).split(separator: "\n")[0]
    let prefix = "tabler: \(Option[error.option].spelling): "
    precondition(message.hasPrefix(prefix))
    return marked(source, range) + " " + message.dropFirst(prefix.count)
  }

  static func marked(_ source: String, _ range: Range<Int>) -> String {
    let bytes = Array(source.utf8)
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    return text(0..<range.lowerBound) + "▸" + text(range) + "◂" + text(range.upperBound..<bytes.count)
  }
}

// MARK: - Values as text

extension ColumnReference {
  var shape: String {
    switch self {
    case .name(let name, isQuoted: true): "'\(name)'"
    case .name(let name, isQuoted: false): name
    case .position(let position): "#\(position)"
    }
  }
}

extension GridItems {
  var shape: String {
    switch self {
    case .columns(let items): items.map(\.shape).joined(separator: " | ")
    case .records(let width): "adaptive \(width.least).." + (width.most.map(String.init) ?? "")
    }
  }
}

extension GridItem {
  var shape: String {
    (least.map(String.init) ?? "") + ".." + (most.map(String.init) ?? "") + (ideal.map { "~\($0)" } ?? "")
      + (alignment.map { " \($0.rawValue)" } ?? "") + (spacing.map { " +\($0)" } ?? "")
      + (count == 1 ? "" : " *\(count)")
  }
}

extension SortKey {
  var shape: String {
    let name: String
    switch target {
    case .column(let column): name = column.shape
    case .expression(let expression): name = "(\(expression.text.utf8.count) bytes)"
    }
    return (isDescending ? "-" : "") + name + (comparison == .auto ? "" : " \(comparison.rawValue)")
      + (nulls.map { " nulls \($0.rawValue)" } ?? "") + " @\(place.lowerBound)-\(place.upperBound)"
  }
}

extension ColumnList {
  var shape: String {
    entries.map { entry in
      let item: String
      switch entry.item {
      case .column(let column, nil): item = column.shape
      case .column(let column, let title?): item = column.shape + "=<\(title)>"
      case .range(let first, let last): item = "[\(first?.shape ?? "")..\(last?.shape ?? "")]"
      case .glob(let pattern): item = "~\(pattern)"
      }
      return (entry.isExcluded ? "!" : "") + item
    }.joined(separator: " ")
  }
}

extension ColumnSelector {
  var shape: String {
    switch self {
    case .column(let column): column.shape
    case .glob(let pattern): "~\(pattern)"
    }
  }
}

extension Move {
  var shape: String {
    let rows: String
    switch what {
    case .rows(let ranges): rows = ranges.map(\.shape).joined(separator: " ")
    case .matching(let expression): rows = "(\(expression.option))"
    }
    switch place {
    case .top: return rows + " to top"
    case .bottom: return rows + " to bottom"
    case .beforeRow(let row): return rows + " before \(row)"
    case .afterRow(let row): return rows + " after \(row)"
    case .beforeMatch: return rows + " before match"
    case .afterMatch: return rows + " after match"
    }
  }
}

extension RowRange {
  var shape: String {
    first == last ? "\(first ?? 0)" : "\(first.map(String.init) ?? "")..\(last.map(String.init) ?? "")"
  }
}

extension Length {
  var shape: String {
    switch unit {
    case .cells: "\(amount)"
    case .pixels: "\(amount)px"
    case .ems: "\(amount)em"
    }
  }
}

extension Edges {
  var shape: String {
    [top, trailing, bottom, leading].map { $0?.shape ?? "-" }.joined(separator: " ")
  }
}
