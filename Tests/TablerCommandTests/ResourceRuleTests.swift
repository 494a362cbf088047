import Foundation
import Testing

/// What a run takes of the machine, and what it does to a terminal.
@Suite struct ResourceRuleTests {
  static let hasProcessFiles = FileManager.default.fileExists(atPath: "/proc/self/status")

  static let hasTerminals = FileManager.default.fileExists(atPath: "/dev/pts")

  /// Rows of about a mebibyte.
  static let rows = (0..<60_000).map { "\($0 % 97),some words \($0)\n" }.joined()

  @Test(
    .enabled(if: hasProcessFiles, "there is no /proc"),
    arguments: [
      "--csv --filter 'a > 5 and b like \"%9\"'", "--tsv --columns b,a",
      "--csv --set 'b = upper(b) where a % 3 = 0' --can-edit 'a % 2 = 0'",
      "--jsonl --skip 10 --sorted-by '(0)'", "--csv --unpivot 'a,b to k, v'",
      "--jsonl --unpivot 'b to k, v' --head -9",
      "--html", "--detail", "--list --tail 100", "--csv --head -100", "--jsonl --filter 'a = 5' --tail 20",
      "--html --section-by 'a // 50' --section-footer totals",
      "--grid --grid-items 'adaptive(30)'", "--detail --grid-items 'adaptive(30)'",
      "--detail --section-by 'a // 9' --section-header '{count()}'",
    ])
  func `R52 streaming steps take no more memory for more rows`(_ options: String) throws {
    let run = try FedRun("exec \"$0\" \(options)")
    // Until as much is read ahead as may be, which a busy machine may come to late.
    for _ in 0..<10 { try run.feed(Self.rows) }
    let before = try #require(try run.systemNumber("VmHWM"))
    for _ in 0..<20 { try run.feed(Self.rows) }
    let after = try #require(try run.systemNumber("VmHWM"))
    #expect(after - before < 10 << 10, "\(before) KiB, then \(after) KiB")
    try run.closeInput()
    #expect(try run.ends() && run.process.terminationStatus == 0)
  }

  @Test(.enabled(if: hasProcessFiles, "there is no /proc"))
  func `R54 a tiny input starts no thread`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data().write(to: folder.appending(path: "out.jsonl"))
    let run = try FedRun("exec \"$0\" --filter 'a >= 0' -o out.jsonl", in: folder)
    #expect(try run.hasBegun(in: folder))
    #expect(try run.systemNumber("Threads") == 1)
    try run.closeInput()
    #expect(try run.ends() && run.process.terminationStatus == 0)
  }

  @Test func `R52 a table of --lookup for which memory has no room is refused`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString).csv")
    try Data(("k,v\n" + String(repeating: "x", count: 1 << 19) + ",1\n").utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let rows = "k,v\n" + (0..<40).map { "\($0)" + String(repeating: "x", count: 1 << 19) + ",1\n" }.joined()
    let arguments = [
      "--lookup", "t=\(file.path)", "--memory", "1M", "--filter", "lookup('t', a) = 1", "--csv",
    ]
    #expect(try Run(arguments, input: "a\nx\n").status == 0)
    try Data(rows.utf8).write(to: file)
    let run = try Run(arguments, input: "a\nx\n")
    #expect(run.status == 4 && run.output.isEmpty)
    let words = "the table 't' does not fit into half of the memory (--memory gives it more)"
    #expect(run.errors.text == "tabler: \(file.path): \(words)\n")
  }

  @Test func `R54 the binary links no Foundation`() throws {
    let binary = try Data(contentsOf: Run.binary)
    #expect(binary.range(of: Data("swift".utf8)) != nil)
    for trace in ["libFoundation", "$s10Foundation"] {
      #expect(binary.range(of: Data(trace.utf8)) == nil, "\(trace)")
    }
  }

  @Test(
    .enabled(if: hasTerminals, "there is no /dev/ptmx of Linux"),
    arguments: [
      ["--grid", "--filter", "a != 1"], ["--csv", "--filter", "a != 1"], ["--csv", "--sorted-by", "-b,a"],
      ["--markdown", "--sort", "a:number"], ["--csv"], ["--jsonl", "--ragged", "skip"], ["--detail"],
    ])
  func `R56 messages stand before or after a table on the same terminal`(_ options: [String]) throws {
    let rows = (0..<3000).map { $0 == 1500 ? "none,y\n" : "\($0),x\n" }.joined() + "1,2,3\n"
    let arguments = options + ["--color", "never"]
    let apart = try Run(arguments, input: "a,b\n" + rows)
    let together = try onTerminal(arguments, input: "a,b\n" + rows)
    #expect(!apart.errors.isEmpty)
    #expect(together == apart.output.text + apart.errors.text)
  }

  @Test(
    .enabled(if: hasTerminals, "there is no /dev/ptmx of Linux"),
    arguments: Choice.all)
  func `R56 an error begins on a line of its own`(_ form: String) throws {
    let rows = "{\"a\":1}\n{\"a\":2}\n{\"a\":}\n"
    let apart = try Run([form], input: rows)
    let together = try onTerminal([form, "--color", "never"], input: rows)
    #expect(
      apart.errors.text == "tabler: <stdin>:3:6: expected a JSON value; --ragged skip leaves it out\n"
    )
    #expect(together == apart.errors.text || together.hasSuffix("\n" + apart.errors.text))
  }

  /// What a run writes to a terminal that is its standard output and error.
  private func onTerminal(_ arguments: [String], input: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString)")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
    defer { close(master) }
    var isLocked: CInt = 0
    var number: CInt = -1
    try #require(unsafe ioctl(master, lockTerminal, &isLocked) == 0)
    try #require(unsafe ioctl(master, terminalNumber, &number) == 0)
    let slave = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(slave >= 0)
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    let process = Process()
    process.executableURL = Run.binary
    process.arguments = arguments
    process.environment = ["LANG": "C.UTF-8", "COLUMNS": "80"]
    process.standardInput = try FileHandle(forReadingFrom: file)
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
    close(slave)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(master, &piece, piece.count)
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }
}

/// `TIOCSPTLCK` and `TIOCGPTN` of Linux, which its C library does not export.
private let lockTerminal: UInt = 0x4004_5431
private let terminalNumber: UInt = 0x8004_5430
