/// The Markdown that the runner prints.
enum Report {
  static let heading = """
    | task | | input | time | CPU | memory | rows | others in the same run: time, and tabler's time divided by it |
    | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |
    """

  static let countHeading = """
    | task | | instructions | before | change |
    | --- | --- | ---: | ---: | ---: |
    """

  /// What a reader of the table has to know: the command, the machine, the versions, what the columns mean.
  static func introduction(machine: Machine, tabler: String?, _ peers: Peers, _ options: Options) -> String {
    let command = (["Benchmarks"] + options.arguments).map(FileCommand.quoted).joined(separator: " ")
    let versions = [("tabler", tabler ?? "")] + peers.versions.map { (name(of: $0.program), $0.version) }
    return """
      ```sh
      swift build -c release --static-swift-stdlib && .build/release/\(command)
      ```

      \(machine). \(versions.map { "\($0) \($1)" }.joined(separator: ", ")).

      Times are of `cat FILE | COMMAND > /dev/null`: the median of \(options.rounds) rounds, in which all commands took turns. CPU and
      memory are tabler's alone, without `cat`. Its output was checked first: all rows were right and in
      their order.

      """
  }

  /// The row of one task.
  static func line(of result: TaskResult) -> String {
    let peers = result.peers.map { peer in
      let rows = peer.rows == result.rows ? "" : ", \(grouped(peer.rows)) rows"
      let ratio = decimal(result.tabler.ratio(to: peer.figures), digits: 2)
      return "\(peer.name) \(time(peer.figures.wall)): \(ratio)\(rows)"
    }
    let peak = result.tabler.peak
    return row([
      result.task.id, result.task.title, megabytes(result.inputSize), time(result.tabler.wall),
      time(result.tabler.cpu),
      peak > result.ownPeak ? mebibytes(peak) : "< " + mebibytes(peak), grouped(result.rows),
      peers.joined(separator: "; "),
    ])
  }

  /// The row of a task whose instructions were counted.
  static func line(of change: InstructionBaseline.Change, _ task: BenchmarkTask) -> String {
    let percent = change.percent.map { ($0 < 0 ? "-" : "+") + decimal($0.magnitude, digits: 1) + " %" }
    return row([
      task.id, task.title, grouped(change.count), change.before.map(grouped) ?? "", percent ?? "new",
    ])
  }

  /// A number with so many digits after the point.
  static func decimal(_ value: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { power, _ in power * 10 }
    let units = Int((value * Double(scale)).rounded())
    guard digits > 0 else { return String(units) }
    return "\(units / scale).\(String(scale + units % scale).dropFirst())"
  }
}

extension Report {
  /// A program without its folder.
  private static func name(of program: String) -> String {
    String(program.split(separator: "/").last ?? "")
  }

  private static func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }

  private static func time(_ seconds: Double) -> String {
    if seconds < 0.0995 { return decimal(seconds * 1000, digits: seconds < 0.00995 ? 1 : 0) + " ms" }
    return decimal(seconds, digits: seconds < 9.995 ? 2 : 1) + " s"
  }

  private static func megabytes(_ bytes: Int) -> String {
    bytes < 1_000_000 ? "\(bytes) bytes" : decimal(Double(bytes) / 1e6, digits: 0) + " MB"
  }

  private static func mebibytes(_ bytes: Int) -> String {
    let mebibytes = Double(bytes) / 1_048_576
    return decimal(mebibytes, digits: mebibytes < 9.95 ? 1 : 0) + " MiB"
  }

  /// A number in groups of three digits.
  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += " " }
      text.append(digit)
    }
    return text
  }
}
