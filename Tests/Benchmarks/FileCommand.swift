/// A shell command that reads a file: `cat FILE | COMMAND`, or by name where it says `{file}`.
struct FileCommand {
  private let command: String
  /// The file that `cat` reads, nothing where the command names it.
  private let piped: String?

  init(_ command: String, file: String) {
    let parts = command.split(separator: "{file}", omittingEmptySubsequences: false)
    self.command = parts.joined(separator: Self.quoted(file))
    piped = parts.count > 1 ? nil : file
  }

  /// Runs it, with its output going nowhere.
  func measured() throws(SystemFailure) -> Run {
    let start = System.seconds
    let children = try started(output: .null)
    let end = try children.command.wait()
    _ = try children.cat?.wait()
    return Run(wall: System.seconds - start, cpu: end.usage.cpu, peak: end.usage.peak, status: end.status)
  }

  /// Runs it and hands on what it prints, piece by piece.
  ///
  /// - Returns: the status it ended with.
  func read(_ body: ([UInt8]) -> Void) throws(SystemFailure) -> Int32 {
    let pipe = try Child.makePipe()
    defer { Child.close(pipe.read) }
    let children: (cat: Child?, command: Child)
    do {
      defer { Child.close(pipe.write) }
      children = try started(output: .pipe(pipe.write))
    }
    try Child.readAll(pipe.read, body: body)
    let end = try children.command.wait()
    _ = try children.cat?.wait()
    return end.status
  }

  /// A word that `sh` takes as it is.
  static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "+")...UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "_"): true
      default: false
      }
    }
    if plain && !word.isEmpty { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }
}

extension FileCommand {
  private func started(output: Child.Stream) throws(SystemFailure) -> (cat: Child?, command: Child) {
    let shell = ["sh", "-c", command]
    guard let piped else { return (nil, try Child(shell, input: .null, output: output)) }
    let pipe = try Child.makePipe()
    defer {
      Child.close(pipe.read)
      Child.close(pipe.write)
    }
    let cat = try Child(["cat", piped], input: .null, output: .pipe(pipe.write))
    return (cat, try Child(shell, input: .pipe(pipe.read), output: output))
  }
}
