/// A sum that is exact for exact numbers and compensated for doubles.
struct ExactSum: Sendable {
  private var exact = Number.int(0)
  private var double = 0.0
  private var compensation = 0.0
  private var hasDoubles = false

  /// Adds a number.
  mutating func add(_ number: Number) {
    guard number.exact != nil else { return add(number.doubleValue) }
    let sum = exact.adding(number)
    if case .double = sum {
      // More digits than an exact number has: both parts go on as doubles.
      add(exact.doubleValue)
      exact = number
    } else {
      exact = sum
    }
  }

  /// Adds another sum.
  mutating func merge(_ other: ExactSum) {
    add(other.exact)
    guard other.hasDoubles else { return }
    add(other.double)
    add(other.compensation)
  }

  /// The sum.
  var total: Number {
    guard hasDoubles else { return exact }
    guard double.isFinite else { return .double(double) }
    return .double(exact.doubleValue + (double + compensation))
  }

  /// Neumaier's summation: what rounding takes from the sum is kept beside it.
  private mutating func add(_ value: Double) {
    hasDoubles = true
    let sum = double + value
    if sum.isFinite {
      compensation += abs(double) >= abs(value) ? (double - sum) + value : (value - sum) + double
    }
    double = sum
  }
}
