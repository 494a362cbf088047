/// What parts rows into sections, and what stands above and below each: `--section-by` and its like.
public struct SectionOptions: Sendable {
  /// What stands below the rows of a section.
  public enum Foot: Sendable {
    /// What a table may have: texts under their columns.
    case columns(Footer)
    /// A text over all columns.
    case text(SourceTemplate)
  }

  /// A section begins where its value changes.
  public var value: SourceExpression

  /// The text above the rows of a section, if there is one.
  public var header: SourceTemplate?

  /// What stands below them, if anything does.
  public var footer: Foot?

  /// The name of the value in templates.
  static let name = "section"

  /// Creates sections without headers and footers.
  public init(by value: SourceExpression) { self.value = value }
}
