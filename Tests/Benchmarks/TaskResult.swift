/// The figures of one task.
struct TaskResult {
  var task: BenchmarkTask
  var contents: SampleFile.Contents
  var rows: Int
  var tabler = Figures()
  var cat = Figures()
  var peers: [(name: String, figures: Figures)]

  init(task: BenchmarkTask, contents: SampleFile.Contents, rows: Int, peerNames: [String]) {
    self.task = task
    self.contents = contents
    self.rows = rows
    peers = peerNames.map { ($0, Figures()) }
  }

  /// The median time as a multiple of the median of `cat FILE | cat`.
  var timesCat: Double { cat.wall > 0 ? tabler.wall / cat.wall : 0 }

  /// The memory beyond what is free, as a multiple of the size of the input.
  var timesInput: Double {
    Double(max(tabler.peak - BenchmarkTask.Limits.freeMemory, 0)) / Double(max(contents.bytes, 1))
  }

  /// The limits that were passed.
  var passedLimits: [PassedLimit] {
    var passed: [PassedLimit] = []
    if timesCat > task.limits.timesCat { passed.append(.time(timesCat, limit: task.limits.timesCat)) }
    if timesInput > task.limits.timesInput {
      passed.append(.memory(timesInput, limit: task.limits.timesInput))
    }
    return passed
  }

  /// A limit and the figure beyond it.
  enum PassedLimit {
    case time(Double, limit: Double)
    case memory(Double, limit: Double)
  }
}
