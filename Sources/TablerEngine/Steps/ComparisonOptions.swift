/// How a table is compared with an older one: `--diff` and the options about it.
public struct ComparisonOptions: Sendable {
  /// The unchanged rows that are shown.
  public enum Context: Equatable, Sendable {
    /// This many before and after each change.
    case rows(Int)
    /// All of them.
    case all
  }

  /// Whether rows that were moved are shown.
  public enum MovePolicy: String, CaseIterable, Sendable {
    /// In forms for people only as long as they are few.
    case auto
    /// However many they are.
    case always
    /// Not at all.
    case never
  }

  /// How far apart numbers may be that count as equal.
  public struct Tolerance: Sendable {
    /// The columns of the numbers.
    public let columns: ColumnSelector

    /// The largest distance, or the hundredths of the larger absolute value that it may be.
    let distance: Number
    let isPercentage: Bool

    /// Reads `0.01` or `1%`; `nil` if it is neither.
    public init?(_ columns: ColumnSelector, _ text: String) {
      isPercentage = text.hasSuffix("%")
      let digits = Array((isPercentage ? String(text.dropLast()) : text).utf8)
      guard let distance = NumberReader.loose(digits.span), !(distance < .int(0)) else { return nil }
      self.columns = columns
      self.distance = distance
    }

    /// Whether two numbers are so near to one another that they count as equal.
    func joins(_ left: Number, _ right: Number) -> Bool {
      if left == right { return true }
      let difference = left < right ? right.subtracting(left) : left.subtracting(right)
      // Numbers of very many digits are told apart, but not subtracted exactly.
      if difference == .int(0) || !difference.isFinite { return false }
      guard isPercentage else { return !(distance < difference) }
      func magnitude(_ number: Number) -> Number {
        number < .int(0) ? Number.int(0).subtracting(number) : number
      }
      let (first, second) = (magnitude(left), magnitude(right))
      let larger = first < second ? second : first
      let hundredfold = difference.multiplied(by: .int(100))
      return hundredfold.isFinite && !(larger.multiplied(by: distance) < hundredfold)
    }
  }

  /// The older table.
  public var old: Source
  /// Whether columns of the old table may come with any row (JSON).
  var isOldOpen = false
  /// `--diff-ignore`: columns that are not compared.
  public var ignored = ColumnList([])
  /// `--tolerance`.
  public var tolerances: [Tolerance] = []
  /// `--same`: cells are equal if the value of the expression is the same for both.
  public var equalities: [ValidationRule] = []
  /// `--context`.
  public var context = Context.rows(0)
  /// `--moves`.
  public var moves = MovePolicy.auto
  /// `--diff-stat`: changes are counted by column, and not shown.
  public var countsOnly = false
  /// `--delta`: changed numbers say by how much.
  public var showsDelta = false
  /// `--changed-columns`: only these are shown, and those of `--id`.
  public var showsChangedColumnsOnly = false

  /// Creates the defaults.
  public init(with old: Source) { self.old = old }
}
