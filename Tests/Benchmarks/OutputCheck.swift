/// Reads an output as it arrives: which rows it shows, and whether they are in order.
struct OutputCheck {
  /// The rows seen so far.
  private(set) var rows = RowSet()
  /// The number of the first row that stood before one it must follow, counted in the output from 1.
  private(set) var firstMisplaced: Int?

  private let file: SampleFile
  private let mark: RowMark
  private let order: RowOrder
  /// What the lines must begin with, where that is known.
  private let beginnings: [String]
  /// The number of the line that is being read, counted from 0.
  private var lineNumber = 0
  private var last: RowOrder.Key?
  /// The beginning of the line that is being read; marks stand there.
  private var line: [UInt8] = []

  /// Reads the output of a task; its lines begin with `beginnings`, where that is known.
  init(_ task: BenchmarkTask, beginnings: [String]) {
    self.beginnings = beginnings
    file = task.input
    mark = task.mark
    order = task.order
    line.reserveCapacity(RowMark.longestBeginning)
  }

  /// Reads on.
  mutating func read(_ bytes: [UInt8]) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        endLine()
      } else if line.count < RowMark.longestBeginning {
        line.append(byte)
      }
    }
  }

  /// Reads what stands after the last newline.
  mutating func finish() {
    endLine()
  }

  private mutating func endLine() {
    defer { line.removeAll(keepingCapacity: true) }
    if mark == .line { return endCheckedLine() }
    guard let number = mark.number(in: line) else { return }
    let position = file.position(of: number)
    rows.insert(position)
    let key = order.key(position: position, line: line)
    if firstMisplaced == nil {
      if let key {
        if let last, !key.isBehind(last) { firstMisplaced = rows.count }
      } else {
        firstMisplaced = rows.count
      }
    }
    last = key
  }

  private mutating func endCheckedLine() {
    defer { lineNumber += 1 }
    guard lineNumber > 0, !line.isEmpty else { return }
    rows.insert(lineNumber)
    let isRight = lineNumber <= beginnings.count && line.starts(with: beginnings[lineNumber - 1].utf8)
    if firstMisplaced == nil, !isRight { firstMisplaced = lineNumber }
  }
}
