/// A template with the option it was written in, so that messages can show the place.
public struct SourceTemplate: Sendable {
  /// The option, as in `--footer`.
  public var option: String
  /// The text as typed.
  public var text: String
  /// Its pieces.
  public var template: Template

  /// Creates a source template.
  public init(option: String, text: String, template: Template) {
    self.option = option
    self.text = text
    self.template = template
  }
}
