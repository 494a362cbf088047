/// Measures tabler on data of its own, beside any peers; `--help` tells how.
///
///     swift build -c release --static-swift-stdlib && .build/release/Benchmarks
@main enum Benchmarks {
  static func main() {
    do {
      let options = try Options(CommandLine.arguments)
      guard System.isProgram(options.tabler) else {
        System.complain("there is no program '\(options.tabler)'; --tabler names one")
        System.exit(2)
      }
      System.exit(try run(options) ? 0 : 1)
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
  /// Times the tasks, or counts their instructions.
  ///
  /// - Returns: whether every task gave its rows, every peer ran, and no count has grown.
  private static func run(_ options: Options) throws(SystemFailure) -> Bool {
    let folder = try DataFolder(named: options.folder, rows: options.rows)
    if let baseline = options.baseline { return try count(options, against: baseline, in: folder) }
    return try time(options, in: folder)
  }

  private static func time(_ options: Options, in folder: borrowing DataFolder) throws(SystemFailure) -> Bool
  {
    let peers = try Peers(options.peers, in: options.tasks)
    for program in peers.missing {
      System.complain("peers run by \(program) are left out, as it is not here")
    }
    var lines: [String] = []
    func say(_ text: String) {
      System.print(text)
      lines.append(text)
    }
    say(Report.introduction(machine: Machine(), tabler: try Peer.version(of: options.tabler), peers, options))
    say(Report.heading)
    var isFine = true
    for task in options.tasks {
      let path = try folder.path(of: task.input)
      let runner = TaskRunner(
        task: task, path: path, old: try folder.path(ofOld: task), options: options, peers: peers.present)
      do throws(TaskRunner.Failure) {
        say(Report.line(of: try runner.run(rounds: options.rounds)))
      } catch {
        System.complain("\(task.id) \(Report.text(of: error))")
        isFine = false
      }
    }
    if isFine, let document = options.document {
      try Section.performance.replace(in: document, with: lines.joined(separator: "\n"))
    }
    return isFine
  }

  private static func count(
    _ options: Options, against path: String, in folder: borrowing DataFolder
  ) throws(SystemFailure) -> Bool {
    var baseline = try InstructionBaseline(
      path: path, isRenewed: options.renews, allowance: options.allowance)
    guard baseline.fits else {
      System.complain("the counts in \(path) are of \(baseline.platform), this is \(Machine.platform)")
      return false
    }
    System.print(Report.countHeading)
    var isFine = true
    for task in options.tasks.map(\.reduced) {
      let data = try folder.path(of: task.input)
      let runner = TaskRunner(
        task: task, path: data, old: try folder.path(ofOld: task), options: options, peers: [])
      do throws(TaskRunner.Failure) {
        let change = baseline.record(try runner.instructions(), of: task.id)
        System.print(Report.line(of: change, task))
        if change.isGrowth {
          System.complain("\(task.id) takes more instructions than before")
          isFine = false
        }
      } catch {
        System.complain("\(task.id) \(Report.text(of: error))")
        isFine = false
      }
    }
    if options.renews && isFine { try baseline.write(to: path) }
    return isFine
  }
}
