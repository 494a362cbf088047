extension RecordedSections {
  /// Paints what precedes the first row of the table.
  func paintStart(with painter: inout some DisplayPainter & ~Copyable, into out: inout ByteBuffer) {
    painter.beginSection(heading: sections.first?.heading, into: &out)
  }

  /// Paints some rows, and what separates the sections that they are in: between two rows in different pieces
  /// it belongs to the later piece.
  func paint(
    _ piece: RowPiece, with painter: inout some DisplayPainter & ~Copyable, into out: inout ByteBuffer
  ) {
    resume(painter: &painter, at: piece.start)
    var index = place(before: piece.start)
    let distance = piece.range.lowerBound - piece.start
    let end = piece.start + piece.range.count
    var start = piece.start
    while start < end {
      let next = min(sections[index].rows.upperBound, end)
      if start < next { painter.paint(piece.rows, start + distance..<next + distance, into: &out) }
      start = next
      if start == end { return }
      painter.endSection(footers: sections[index].footers, into: &out)
      index += 1
      painter.beginSection(heading: sections[index].heading, into: &out)
    }
  }

  /// Paints what follows the last row of the table, with a painter that began it.
  func paintEnd(with painter: inout some DisplayPainter & ~Copyable, into out: inout ByteBuffer) {
    resume(painter: &painter, at: sections.last?.rows.upperBound ?? 0)
    painter.endSection(footers: sections.last?.footers ?? [], into: &out)
  }

  /// Prepares a painter for the row at an index.
  private func resume(painter: inout some DisplayPainter & ~Copyable, at row: Int) {
    let index = place(before: row)
    painter.walk.resume(at: row, inSection: index + 1, from: sections[index].rows.lowerBound)
    painter.resumeSection(hasHeading: sections[index].heading != nil)
  }

  /// The section of the row before another one; the first section for the first row.
  private func place(before row: Int) -> Int {
    var (low, high) = (0, sections.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sections[middle].rows.upperBound < row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
