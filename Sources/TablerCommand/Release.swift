import TablerEngine

/// The release of tabler.
enum Release {
  /// The version, as `--version` prints it.
  static let version = "0.1.0"
  /// The date of the version, as in the manual page.
  static let date = "November 21, 2026"

  /// The output of `--version`: a first line that scripts can rely on, then what a report needs.
  static var text: String {
    let facts = [
      ("commit", BuildFacts.commit), ("date", BuildFacts.date), ("Swift", BuildFacts.swift),
      ("linking", BuildFacts.isStatic ? "static" : "dynamic"), ("C library", BuildFacts.library),
      ("scanning", BuildFacts.scanning),
    ]
    return "tabler \(version)\n" + facts.compactMap { name, fact in fact.map { "\(name): \($0)\n" } }.joined()
  }
}
