import Foundation
import Testing

/// What the tool prints, kept in folders: `arguments` (one a line), `input`, `expected`, `errors`, `status`.
///
/// A folder is the working directory of its run, so arguments may name files in it. `input` is the standard input
/// (empty where there is none; a link into `Inputs` where several cases have it), `expected` the standard output,
/// `errors` the standard error (empty where there is none), `status` the exit status (0 where there is none). With
/// `TABLER_RECORD=1` the files are rewritten and the test still fails; `TABLER_BINARY` names another binary to try.
@Suite struct Cases {
  @Test(arguments: CaseFolder.all)
  func printsWhatTheFolderHolds(_ folder: CaseFolder) throws {
    let run = try folder.run()
    if ProcessInfo.processInfo.environment["TABLER_RECORD"] == "1" { try folder.record(run) }
    #expect(run.output.text == folder.text("expected"))
    #expect(run.errors.text == folder.text("errors"))
    #expect(run.status == Int32(folder.text("status").trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0)
    #expect(ProcessInfo.processInfo.environment["TABLER_RECORD"] != "1", "recorded")
  }
}

/// A folder that holds one behaviour.
struct CaseFolder: CustomTestStringConvertible, Sendable {
  let place: URL

  static let root = collection("Cases")
  static let all = folders(in: root)

  /// The folder of that name beside this file.
  static func collection(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: name)
  }

  static func folders(in root: URL) -> [CaseFolder] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.sorted().map { CaseFolder(place: root.appending(path: $0)) }.filter {
      FileManager.default.fileExists(atPath: $0.url("arguments").path)
    }
  }

  var testDescription: String { place.lastPathComponent }

  func url(_ file: String) -> URL { place.appending(path: file) }

  /// The text of a file; empty where there is none.
  func text(_ file: String) -> String { ((try? Data(contentsOf: url(file))) ?? Data()).text }

  /// Runs the binary as the folder says.
  func run() throws -> Run {
    let arguments = text("arguments").split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    let input =
      FileManager.default.fileExists(atPath: url("input").path)
      ? url("input") : URL(fileURLWithPath: "/dev/null")
    return try Run(
      Array(arguments.last == "" ? arguments.dropLast() : arguments[...]), input: input, in: url(""))
  }

  /// Writes what a run printed into the folder.
  func record(_ run: Run) throws {
    try run.output.write(to: url("expected"))
    for (file, data) in [
      ("errors", run.errors), ("status", run.status == 0 ? Data() : Data("\(run.status)\n".utf8)),
    ] {
      if data.isEmpty {
        try? FileManager.default.removeItem(at: url(file))
      } else {
        try data.write(to: url(file))
      }
    }
  }
}

/// One run of the binary and what came of it.
struct Run {
  let output: Data
  let errors: Data
  let status: Int32

  /// The binary under test: `TABLER_BINARY`, else the one built beside the tests.
  static let binary: URL = {
    if let path = ProcessInfo.processInfo.environment["TABLER_BINARY"] { return URL(fileURLWithPath: path) }
    var folder = Bundle.main.bundleURL
    if !FileManager.default.isExecutableFile(atPath: folder.appending(path: "tabler").path) {
      folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    }
    return folder.appending(path: "tabler")
  }()

  /// Runs the binary to its end.
  init(_ arguments: [String], input: URL, in folder: URL? = nil, environment: [String: String] = [:]) throws {
    let process = Process()
    process.executableURL = Self.binary
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) { $1 }
    process.currentDirectoryURL = folder
    process.standardInput = try FileHandle(forReadingFrom: input)
    let scratch = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let files = ["output", "errors"].map { scratch.appending(path: $0) }
    for file in files { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    output = try Data(contentsOf: files[0])
    errors = try Data(contentsOf: files[1])
    status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }

  /// Runs the binary with a terminal of 80 columns as its standard output; the other streams are files.
  init(
    onTerminal arguments: [String], input: URL, in folder: URL? = nil, environment: [String: String] = [:]
  ) throws {
    var (terminal, end) = (Int32(), Int32())
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    let status = unsafe openpty(&terminal, &end, nil, nil, &size)
    try #require(status == 0)
    defer { close(terminal) }
    let screen = FileHandle(fileDescriptor: end, closeOnDealloc: true)
    let errors = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: errors) }
    let process = Process()
    process.executableURL = Self.binary
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) { $1 }
    process.currentDirectoryURL = folder
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = screen
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    try screen.close()
    // Reading fails once nobody holds the other end.
    var output = Data()
    var bytes = [UInt8](repeating: 0, count: 4096)
    while case let count = unsafe read(terminal, &bytes, bytes.count), count > 0 { output += bytes[..<count] }
    process.waitUntilExit()
    self.output = output
    self.errors = try Data(contentsOf: errors)
    self.status =
      process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }

  /// Runs the binary with `input` on its standard input.
  init(_ arguments: [String], input: String, environment: [String: String] = [:]) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try self.init(arguments, input: file, environment: environment)
  }
}

/// Runs `body` with a folder of its own, gone afterwards.
func inFolder(_ body: (URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder)
}

extension Data {
  /// The bytes as text; ill-formed ones are shown.
  var text: String { String(decoding: self, as: UTF8.self) }
}
