/// The syntax tree of an expression.
public struct Expression: Sendable {}
