extension Batch {
  /// The same records with their cells in other columns.
  ///
  /// - Parameters:
  ///   - mapping: the new column of each old one; what was added after them keeps its place.
  ///   - count: the number of columns there are now.
  func remapped(to mapping: [Int], count: Int) -> Batch {
    if columnCount == count, mapping.count == count, mapping.enumerated().allSatisfy({ $0 == $1 }) {
      return self
    }
    let width = max(count, columnCount)
    var moved = [Cell](repeating: .missing, count: rowCount * width)
    for row in 0..<rowCount {
      for column in 0..<columnCount {
        let target = column < mapping.count ? mapping[column] : column
        moved[row * width + target] = cells[row * columnCount + column]
      }
    }
    var origin = origin
    origin.isVerbatim = false
    return Batch(
      block: block, decoded: decoded, escapes: escapes, cells: moved, columnCount: width,
      recordStarts: recordStarts, origin: origin, places: places,
      cutting: cutting.map {
        var cutting = $0
        cutting.cutter = Remapper(cutter: $0.cutter, mapping: mapping, columnCount: count)
        return cutting
      })
  }
}

/// Cuts records and puts their cells into other columns.
private struct Remapper: BatchCutter {
  let cutter: any BatchCutter
  let mapping: [Int]
  let columnCount: Int

  var isOrderFree: Bool { cutter.isOrderFree }

  func cut(_ block: ByteBlock, _ range: Range<Int>, origin: Batch.Origin) -> Batch? {
    cutter.cut(block, range, origin: origin)?.remapped(to: mapping, count: columnCount)
  }
}
