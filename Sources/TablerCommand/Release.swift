/// The release of tabler.
enum Release {
  /// The version, as `--version` prints it.
  static let version = "0.1.0"
  /// The date of the version, as in the manual page.
  static let date = "November 21, 2026"
}
