extension TextPainter {
  /// Draws a row whose cells stand in its batch as they are drawn, parted by nothing but their newlines.
  ///
  /// 1. Every cell is measured; `false` if something of one must be escaped, broken, cut or lined up.
  /// 2. Line by line, every cell gives what stands before its next newline, or blanks.
  mutating func paintPartedRow(_ batch: Batch, _ row: Int, into out: inout ByteBuffer) -> Bool {
    let first = row &* batch.columnCount
    guard let height = partedHeight(batch, first) else { return false }
    for _ in 0..<height {
      let start = out.count
      out.append(arrangement.frame.lead.span)
      for index in slots.indices {
        let slot = slots[index]
        let content = batch.content(batch.cells[first &+ slot.column])
        let place = places[index]
        let line = content.part(from: place)
        places[index] = line.next
        let text = content.extracting(place..<line.end)
        let width = line.isPlain ? text.count : context.metrics.width(of: text)
        _ = paint(text, width: width, in: slot, into: &out)
        appendGap(index, into: &out)
      }
      endLine(from: start, into: &out)
    }
    return true
  }

  /// The lines that the record whose cells begin at `first` takes; `nil` if they are not as simple.
  @inline(__always)
  private mutating func partedHeight(_ batch: Batch, _ first: Int) -> Int? {
    let isLate = arrangement.lookAhead.isLate(rowCount)
    var newlines = 0
    for index in slots.indices {
      let slot = slots[index]
      guard slot.column < batch.columnCount else { return nil }
      let cell = batch.cells[first &+ slot.column]
      guard !cell.isAbsent, let extent = context.extent(of: batch.content(cell)),
        extent.width <= slot.width || context.overflow == .scroll && !isLate
      else { return nil }
      newlines = max(newlines, extent.newlines)
      places[index] = 0
    }
    return max(newlines &+ 1, arrangement.spacing.rowHeight)
  }
}

extension Span<UInt8> {
  /// The line that begins at `start`: where it ends, where the next one begins, whether it is printable ASCII.
  @inline(__always)
  fileprivate func part(from start: Int) -> (end: Int, next: Int, isPlain: Bool) {
    var end = firstNotPlain(from: start)
    var isPlain = true
    while end < count {
      if let length = newlineLength(at: end) { return (end, end &+ length, isPlain) }
      isPlain = false
      end &+= 1
    }
    return (end, end, isPlain)
  }
}
