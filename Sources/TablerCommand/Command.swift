/// The whole command: what was typed in, the exit status out.
public enum Command {
  /// Runs tabler with the arguments of the process.
  ///
  /// - Returns: the exit status.
  public static func run() -> Int32 { 0 }
}
