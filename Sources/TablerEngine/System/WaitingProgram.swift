/// A program that takes long to start: it answers a first question, and then waits for what it reads.
///
/// The first question is in a file besides its input, which is a pipe. The answer lies between two lines, known by words
/// in them; the program may write something else before.
///
///     col_name     data_type
///     k3v0start    int            the titles
///     id           bigint         the answer
///     k3v0end      int            its end
@safe
final class WaitingProgram: Equatable, @unchecked Sendable {
  // Why it may be shared: one thread at a time asks and reads.

  /// The path by which the program reads the first question.
  static let questionPath = "/dev/fd/\(ChildProcess.questionNumber)"

  private let run: ProgramRun
  private let start: String
  private let end: String

  /// The program until it is given what it reads, and our end of the pipe for that.
  private var process: ChildProcess?
  private var input: Descriptor?

  /// The maximum number of bytes of the first answer.
  private static let mostBytes = 1 << 26

  /// Describes a program, which is not started yet.
  ///
  /// - Parameters:
  ///   - run: its words and its first question.
  ///   - start: the word that begins the line before the answer.
  ///   - end: the word that begins the line after it.
  init(_ run: ProgramRun, from start: String, to end: String) {
    self.run = run
    self.start = start
    self.end = end
  }

  static func == (one: WaitingProgram, other: WaitingProgram) -> Bool { one === other }

  /// Starts the program and waits for its first answer.
  ///
  /// - Returns: the answer, from the line before it on: that stands for titles.
  /// - Throws: also `answer` if there is none.
  func firstAnswer() throws(SystemError) -> [UInt8] {
    let pipe = try ChildProcess.openPipe()
    defer { _ = close(pipe.reading) }
    input = Descriptor(number: pipe.writing, path: nil, closesAtEnd: true)
    let process = try run.start(before: pipe.reading)
    var (answer, line) = ([UInt8](), [UInt8]())
    var hasBegun = false
    while answer.count + line.count <= Self.mostBytes {
      var builder = ByteBlock.Builder(capacity: 1 << 16)
      if try process.read(into: &builder, atMost: builder.capacity) == 0 { break }
      for byte in Array(builder.span) {
        line.append(byte)
        if byte != 10 { continue }
        if line.starts(with: start.utf8) {
          (answer, hasBegun) = ([], true)
        } else if hasBegun, line.starts(with: end.utf8) {
          self.process = process
          return answer
        }
        answer += line
        line = []
      }
    }
    input = nil
    throw SystemError(.answer, path: FilePath(run.name), code: process.finish().code)
  }

  /// Gives the program what it reads.
  ///
  /// - Returns: the program, which now answers; `nil` if it does not wait.
  func process(reading text: String) -> ChildProcess? {
    // If it has ended, that is learned when it is read.
    let signals = SignalsAtRest([SIGPIPE])
    try? input?.write(Array(text.utf8).span)
    signals.end()
    defer { (process, input) = (nil, nil) }
    return process
  }
}
