/// The way to the rows inside a JSON document: `--at`.
public struct JSONPath: Equatable, Sendable {
  /// The path as typed.
  public let text: String

  /// The steps from the value on; none for the value itself.
  let steps: [PathStep]

  /// Reads a path such as `items` or `pages[0].items`, where `.` is the value itself; `nil` where it is none.
  public init?(_ text: String) {
    self.text = text
    if text == "." {
      steps = []
      return
    }
    let start = text.hasPrefix(".") || text.hasPrefix("[") ? "" : "."
    guard let steps = PathStep.parse((start + text)[...]), !steps.isEmpty else { return nil }
    let isReachable = steps.allSatisfy { if case .item(let index) = $0 { index >= 0 } else { true } }
    guard isReachable else { return nil }
    self.steps = steps
  }

  /// How many steps the member `key`, which may hold dots, takes after `count` of them; `nil` where it leads elsewhere.
  func stepsTaken(by key: String, after count: Int) -> Int? {
    var name = ""
    for place in count..<steps.count {
      guard case .member(let member) = steps[place] else { return nil }
      name += place > count ? "." + member : member
      if ExactName(name) == ExactName(key) { return place + 1 - count }
      if name.utf8.count > key.utf8.count { return nil }
    }
    return nil
  }
}
