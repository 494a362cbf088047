/// The columns of the notes of records, if records have only a few of all columns.
///
/// A record has notes only on its own cells, in the order of their columns: JSON whose keys are always new
/// takes the memory of what its records hold, not of what all of them hold together.
struct SparseCells: Sendable {
  /// The column of each note.
  private(set) var columns: [UInt32] = []

  /// Where the notes of each record begin, and those of the next one.
  private(set) var starts: [UInt32] = [0]

  /// The number of columns up to the last that a record has.
  private(set) var width = 0

  /// Creates an empty list.
  init() {}

  /// Restores the records of a stored batch; `nil` if the number of columns does not match the last start.
  init?(starts: [UInt32], columns: [UInt32], width: Int) {
    guard starts.last == UInt32(exactly: columns.count) else { return nil }
    self.starts = starts
    self.columns = columns
    self.width = width
  }

  /// The number of records.
  var rowCount: Int { starts.count &- 1 }

  /// The bytes that it takes in memory.
  var memory: Int { (columns.capacity + starts.capacity) * MemoryLayout<UInt32>.stride }

  /// Whether `filled` cells of equally wide records would be outnumbered by missing ones.
  @inline(__always)
  static func suit(rowCount: Int, width: Int, filled: Int) -> Bool {
    rowCount &* width > mostMissing &* filled &+ fewCells
  }

  /// The number of missing cells allowed for each one that is filled, and the number allowed in any case.
  private static let mostMissing = 8
  private static let fewCells = 1 << 8

  /// The notes of a record, as indices into those of all records.
  @inline(__always)
  func cellIndices(ofRow row: Int) -> Range<Int> {
    Int(truncatingIfNeeded: starts[row])..<Int(truncatingIfNeeded: starts[row &+ 1])
  }

  /// The note of a record on a column, as an index into those of all records; `nil` if it has none.
  func cellIndex(ofRow row: Int, column: Int) -> Int? {
    let indices = cellIndices(ofRow: row)
    var (low, high) = (indices.lowerBound, indices.upperBound)
    while low < high {
      let middle = (low &+ high) / 2
      if Int(truncatingIfNeeded: columns[middle]) < column { low = middle &+ 1 } else { high = middle }
    }
    return low < indices.upperBound && columns[low] == column ? low : nil
  }
}

// MARK: - Gathering

extension SparseCells {
  /// Takes the records that were gathered with all their cells, and drops those that are missing.
  ///
  /// - Parameters:
  ///   - cells: the notes of all records; afterwards only the remaining ones.
  ///   - firstCells: where those of each record begin.
  ///   - isOpen: whether the last record is still being gathered.
  init(thinning cells: inout [Cell], from firstCells: [Int], isOpen: Bool) {
    var kept: [Cell] = []
    for record in firstCells.indices {
      let first = firstCells[record]
      let end = record + 1 < firstCells.count ? firstCells[record + 1] : cells.count
      for place in first..<end where cells[place].kind != .missing {
        kept.append(cells[place])
        add(column: place - first)
      }
      if !isOpen || record + 1 < firstCells.count { _ = endRecord(&kept) }
    }
    cells = kept
  }

  /// Records the column of the next note of the record that is being gathered.
  mutating func add(column: Int) {
    columns.append(UInt32(truncatingIfNeeded: column))
    width = max(width, column &+ 1)
  }

  /// Ends the record that is being gathered: its notes are sorted by column, and of several on a column the
  /// last is kept, unless it is missing.
  ///
  /// - Parameter cells: the notes of all records.
  /// - Returns: a column that had several.
  mutating func endRecord(_ cells: inout [Cell]) -> Int? {
    let first = Int(starts[starts.count - 1])
    var last = -1
    var isOrdered = true
    for place in first..<cells.count {
      if Int(columns[place]) <= last || cells[place].kind == .missing { isOrdered = false }
      last = Int(columns[place])
    }
    let repeated = isOrdered ? nil : order(from: first, &cells)
    starts.append(UInt32(truncatingIfNeeded: cells.count))
    return repeated
  }

  /// Sorts the notes from `first` on.
  private mutating func order(from first: Int, _ cells: inout [Cell]) -> Int? {
    let places = (first..<cells.count).sorted { (columns[$0], $0) < (columns[$1], $1) }
    var kept: [(column: UInt32, cell: Cell)] = []
    var repeated = -1
    for place in places {
      if kept.last?.column == columns[place] {
        if kept[kept.count - 1].cell.kind != .missing, cells[place].kind != .missing {
          repeated = max(repeated, place)
        }
        kept.removeLast()
      }
      kept.append((columns[place], cells[place]))
    }
    let column = repeated < 0 ? nil : Int(columns[repeated])
    kept.removeAll { $0.cell.kind == .missing }
    cells.replaceSubrange(first..., with: kept.map(\.cell))
    columns.replaceSubrange(first..., with: kept.map(\.column))
    return column
  }

  /// Removes the record that is being gathered, or the last one if none is.
  ///
  /// - Parameters:
  ///   - cells: the notes of all records.
  ///   - isOpen: whether a record is being gathered.
  mutating func removeLast(_ cells: inout [Cell], isOpen: Bool) {
    if !isOpen { starts.removeLast() }
    let end = Int(starts[starts.count - 1])
    cells.removeLast(cells.count - end)
    columns.removeLast(columns.count - end)
  }
}

// MARK: - Changing

extension SparseCells {
  /// The notes with one for each column in every record.
  func evened(_ cells: [Cell]) -> [Cell] {
    var wide = [Cell](repeating: .missing, count: rowCount * width)
    for row in 0..<rowCount {
      for index in cellIndices(ofRow: row) { wide[row * width + Int(columns[index])] = cells[index] }
    }
    return wide
  }

  /// Some consecutive records.
  func extracting(_ rows: Range<Int>) -> SparseCells {
    var some = SparseCells()
    let first = starts[rows.lowerBound]
    some.starts = starts[rows.lowerBound...rows.upperBound].map { $0 - first }
    some.columns = Array(columns[Int(first)..<Int(starts[rows.upperBound])])
    some.width = width
    return some
  }

  /// The records with a note on each of some columns: a missing one if they had none.
  ///
  /// - Parameter cells: the notes of all records; afterwards with the new ones.
  func adding(_ added: [Int], to cells: inout [Cell]) -> SparseCells {
    let added = Set(added).sorted()
    var (others, result) = ([Cell](), SparseCells())
    others.reserveCapacity(cells.count + added.count * rowCount)
    result.columns.reserveCapacity(cells.count + added.count * rowCount)
    for row in 0..<rowCount {
      var next = 0
      for index in self.cellIndices(ofRow: row) {
        let column = Int(columns[index])
        while next < added.count, added[next] < column {
          others.append(.missing)
          result.add(column: added[next])
          next += 1
        }
        if next < added.count, added[next] == column { next += 1 }
        others.append(cells[index])
        result.add(column: column)
      }
      for column in added[next...] {
        others.append(.missing)
        result.add(column: column)
      }
      result.starts.append(UInt32(truncatingIfNeeded: others.count))
    }
    cells = others
    return result
  }

  /// The records without notes on missing cells.
  ///
  /// - Parameter cells: the notes of all records; afterwards only the remaining ones.
  func withoutMissing(_ cells: inout [Cell]) -> SparseCells {
    var (others, result) = ([Cell](), SparseCells())
    for row in 0..<rowCount {
      for index in self.cellIndices(ofRow: row) where cells[index].kind != .missing {
        others.append(cells[index])
        result.add(column: Int(columns[index]))
      }
      result.starts.append(UInt32(truncatingIfNeeded: others.count))
    }
    result.width = width
    cells = others
    return result
  }
}
