/// Which tabler this is.
enum Release {
  /// The version, as `--version` prints it.
  static let version = "0.1.0"
  /// The day of the version, as the manual page gives it.
  static let date = "November 21, 2026"
}
