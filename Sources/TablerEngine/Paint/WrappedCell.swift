/// A cell that is drawn directly from its batch, line by line.
///
/// Lines are not stored, so a cell may have millions.
struct WrappedCell: Sendable {
  /// Finds its lines.
  fileprivate var breaker: LineBreaker

  /// Whether a line of it was cut.
  fileprivate var isCut = false

  /// Starts before the first line.
  ///
  /// - Parameter width: the maximum number of cells in a line; `nil` breaks at newlines only.
  @inline(__always)
  init(width: Int?, _ metrics: TextMetrics) { breaker = LineBreaker(width: width, metrics: metrics) }

  /// Whether it has no further line.
  @inline(__always)
  var isFinished: Bool { breaker.isFinished }
}

extension TextCells {
  /// Appends the next line of a wrapped cell, in its slot.
  ///
  /// - Parameter content: the whole text of the cell.
  @inline(__always)
  mutating func appendLine(
    of cell: inout WrappedCell, _ content: Span<UInt8>, in slot: TextSlot, to out: inout ByteBuffer
  ) {
    guard let line = cell.breaker.next(in: content) else { return }
    if line.isReplaced || line.width > slot.width, context.overflow != .scroll {
      return appendCut(line, of: &cell, content, in: slot, to: &out)
    }
    _ = slot.append(content.extracting(line.range), width: line.width, context.overflow, to: &out)
  }

  /// Appends as much of a line as fits, then the cut mark; a cell is counted once.
  private mutating func appendCut(
    _ line: TextLine, of cell: inout WrappedCell, _ content: Span<UInt8>, in slot: TextSlot,
    to out: inout ByteBuffer
  ) {
    var cut = TextCut(replacedBy: 1)
    if !line.isReplaced {
      cut = context.metrics.cut(content.extracting(line.range), to: slot.width, mark: context.cutMark)
    }
    let free = max(0, slot.width &- cut.width &- cut.markWidth)
    let before = slot.alignment.blanksBefore(free)
    let start = line.range.lowerBound
    out.append(blanks: before)
    out.append(content.extracting(start..<start &+ cut.count))
    context.cutMark.append(to: &out, cells: cut.markWidth)
    if slot.isPadded { out.append(blanks: free &- before) }
    if !cell.isCut { countCut() }
    cell.isCut = true
  }
}
