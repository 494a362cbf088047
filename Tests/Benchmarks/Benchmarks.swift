/// Measures tabler on data of its own, beside a bare `cat` and any peers.
///
///     swift build -c release --static-swift-stdlib && .build/release/Benchmarks --check
@main enum Benchmarks {
  static func main() {
    let arguments = CommandLine.arguments
    do {
      let options = try Options(Array(arguments.dropFirst()), beside: arguments.first ?? "")
      guard System.isProgram(options.tabler) else {
        System.complain("there is no program '\(options.tabler)'; --tabler names one")
        System.exit(2)
      }
      let isFine = try run(options)
      System.exit(isFine ? 0 : 1)
    } catch Options.Mistake.help {
      System.print(Options.help)
    } catch let mistake as Options.Mistake {
      System.complain(Report.text(of: mistake))
      System.exit(2)
    } catch let failure as SystemFailure {
      System.complain(Report.text(of: failure))
      System.exit(4)
    } catch {
      System.complain("\(error)")
      System.exit(4)
    }
  }
}

extension Benchmarks {
  /// Runs the tasks on fresh data.
  ///
  /// - Returns: whether every task gave its rows and, under `--check`, kept its limits.
  private static func run(_ options: Options) throws(SystemFailure) -> Bool {
    let folder: String
    if let kept = options.folder {
      try System.makeFolder(kept)
      folder = kept
    } else {
      folder = try System.makeTemporaryFolder()
    }
    defer {
      if options.folder == nil {
        for file in SampleFile.allCases { System.remove(folder + "/" + file.rawValue) }
        System.remove(folder)
      }
    }
    var contents: [SampleFile: SampleFile.Contents] = [:]
    for file in Set(options.tasks.map(\.input)) {
      contents[file] = try file.write(into: folder, rows: options.rows)
    }
    System.print(Report.heading)
    var isFine = true
    for task in options.tasks {
      guard let input = contents[task.input] else { continue }
      if !report(task, on: input, options) { isFine = false }
    }
    System.print(Report.remarks(ownPeak: System.ownPeak))
    return isFine
  }

  private static func report(_ task: BenchmarkTask, on contents: SampleFile.Contents, _ options: Options)
    -> Bool
  {
    do throws(TaskRunner.Failure) {
      let result = try TaskRunner(task: task, contents: contents, options: options).run(
        rounds: options.rounds)
      System.print(Report.lines(of: result))
      guard options.isCheck else { return true }
      for limit in result.passedLimits {
        System.complain("\(task.id) \(Report.text(of: limit))")
      }
      return result.passedLimits.isEmpty
    } catch {
      System.complain("\(task.id) \(Report.text(of: error))")
      return false
    }
  }
}
