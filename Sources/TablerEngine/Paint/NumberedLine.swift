/// A line that is reused with another number of the same length.
struct NumberedLine: Sendable {
  private let before: [UInt8]
  private let after: [UInt8]

  /// The numbers that fit into the line without changing its length.
  private let numbers: Range<Int>

  /// Stores a line that contains `number`; `nil` if the whole number does not follow `mark`.
  ///
  /// - Parameters:
  ///   - mark: the text before the number, which occurs there first.
  ///   - number: at least 0.
  init?(_ line: Span<UInt8>, before mark: StaticString, _ number: Int) {
    var spelled = ByteBuffer()
    spelled.append(mark)
    let head = spelled.count
    spelled.append(decimal: number)
    guard let place = line.firstRange(of: spelled.span, from: 0) else { return nil }
    before = [UInt8](line.extracting(0..<place + head))
    after = [UInt8](line.extracting((place + spelled.count)...))
    let digits = spelled.count - head
    let least = (1..<digits).reduce(1) { power, _ in power * 10 }
    guard let digit = after.first, digit &- 0x30 > 9, number >= least else { return nil }
    numbers = least..<(least.multipliedReportingOverflow(by: 10).overflow ? .max : least * 10)
  }

  /// Whether `number` has as many digits.
  @inline(__always)
  func fits(_ number: Int) -> Bool { numbers.contains(number) }

  /// Appends the line with another number, one that fits.
  @inline(__always)
  func append(_ number: Int, to out: inout ByteBuffer) {
    out.append(before.span)
    out.append(decimal: number)
    out.append(after.span)
  }
}
