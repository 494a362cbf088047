/// A cell that is drawn directly from its batch, line by line.
///
/// Lines are not stored, so a cell may have millions.
struct WrappedCell: Sendable {
  /// The index of its slot.
  var slot: Int

  /// Finds its lines.
  var breaker: LineBreaker

  /// Whether a line of it was cut.
  private var isCut = false

  /// Starts before the first line.
  ///
  /// - Parameter width: the maximum number of cells in a line; `nil` breaks at newlines only.
  @inline(__always)
  init(slot: Int, width: Int?, _ metrics: TextMetrics) {
    self.slot = slot
    breaker = LineBreaker(width: width, metrics: metrics)
  }

  /// Counts it as cut, once.
  mutating func countCut(in cells: inout TextCells) {
    if !isCut { cells.countCut() }
    isCut = true
  }
}

extension TextSlot {
  /// Whether a line of a text must be cut.
  @inline(__always)
  func cuts(_ line: TextLine, _ overflow: Overflow) -> Bool {
    (line.isReplaced || line.width > width) && overflow != .scroll
  }

  /// Appends as much of a line as fits, then the cut mark.
  func appendCut(
    _ line: TextLine, of content: Span<UInt8>, _ context: TextContext, to out: inout ByteBuffer
  ) {
    var cut = TextCut(replacedBy: 1)
    if !line.isReplaced {
      cut = context.metrics.cut(content.extracting(line.range), to: width, mark: context.cutMark)
    }
    let free = max(0, width &- cut.width &- cut.markWidth)
    let before = alignment.blanksBefore(free)
    let start = line.range.lowerBound
    out.append(blanks: before)
    out.append(content.extracting(start..<start &+ cut.count))
    context.cutMark.append(to: &out, cells: cut.markWidth)
    if isPadded { out.append(blanks: free &- before) }
  }
}
