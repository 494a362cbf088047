/// The pieces of a template.
public struct Template: Sendable {}
