// A compiler that is called without the package manager, as for the fuzzers, does not know it.
#if canImport(TablerBuild)
  import TablerBuild
#endif

/// How the program was built, as `--version` prints it.
///
/// Nothing of it is looked up while the program runs: it is the same wherever the program is.
public enum BuildFacts {
  /// The hash of the commit, if the build was told.
  public static var commit: String? {
    #if canImport(TablerBuild)
      // SAFETY: a constant of the program, which ends with a null.
      return unsafe tablerCommit.map { unsafe String(cString: $0) }
    #else
      return nil
    #endif
  }

  /// The time of the sources in seconds since 1970-01-01T00:00Z, if the build was told.
  static var sourceDate: Int64? {
    #if canImport(TablerBuild)
      return tablerSourceDate < 0 ? nil : Int64(tablerSourceDate)
    #else
      return nil
    #endif
  }

  /// The version of the compiler.
  ///
  /// It can only be compared with versions that are known here. The library's own constant says 6.3.0 for 6.3.1, and
  /// what C headers are told of it is told on Apple's systems only.
  public static var swift: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3.2)
      "6.3.2 or later"
    #elseif compiler(>=6.3.1)
      "6.3.1"
    #else
      "6.3"
    #endif
  }

  /// Whether the program holds all libraries that it needs.
  public static var isStatic: Bool {
    #if TABLER_STATIC
      true
    #else
      false
    #endif
  }

  /// The C library.
  public static var library: String {
    #if canImport(Glibc)
      "glibc"
    #elseif canImport(Musl)
      "musl"
    #else
      "Darwin"
    #endif
  }

  /// What bytes are examined with.
  public static var scanning: String { MachineVector.name }
}
