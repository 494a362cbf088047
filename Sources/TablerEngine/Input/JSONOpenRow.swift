/// A row that the block cuts: what comes of it is gone over once, and it is read again when it is whole.
struct JSONOpenRow {
  /// Where it begins, counted from the first byte that is still needed.
  private let start: Int

  private var skipper: JSONSkipper

  /// How many of its bytes were gone over.
  private var length = 0

  /// Creates a row of which nothing was gone over yet.
  ///
  /// - Parameters:
  ///   - start: where it begins, counted from the first byte that is still needed.
  ///   - isMember: whether a key stands before it.
  ///   - isLineBound: whether a newline between tokens is damage.
  init(at start: Int, isMember: Bool = false, isLineBound: Bool = false) {
    self.start = start
    skipper = JSONSkipper(isMember: isMember, isLineBound: isLineBound)
  }

  /// Goes on over the row.
  ///
  /// - Returns: whether it is to be read: it is whole or damaged, holds a value that is too long, or the input ends.
  fileprivate mutating func isReady(_ feed: BlockFeed) -> Bool {
    if feed.isLast { return true }
    let block = feed.block
    let row = block.span.extracting((feed.start + start)...)
    guard let isWhole = try? skipper.skip(row, isLast: false, from: &length) else { return true }
    return isWhole || length - skipper.lastPart > Cell.longest
  }

  /// Where it begins in the block at hand.
  fileprivate func place(_ feed: BlockFeed) -> Int { feed.start + start }
}

extension InputContext {
  /// Goes on to a block with more bytes, of a row that the last one cut with all of it.
  ///
  /// - Parameters:
  ///   - row: the row; `nil` afterwards.
  ///   - hint: a way to read a row that is too long.
  /// - Returns: `false` where the feed lost its patience instead.
  func advance(
    _ feed: BlockFeed, over row: inout JSONOpenRow?, hint: InputError.Hint? = nil
  ) throws(InputError) -> Bool {
    repeat {
      guard try advance(feed, recordAt: row?.place(feed), hint: hint) else { return false }
    } while !(row?.isReady(feed) ?? true)
    row = nil
    return true
  }
}
