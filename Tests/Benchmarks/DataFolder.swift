/// Where the data of a run lies; a temporary one goes when the run ends.
struct DataFolder: ~Copyable {
  private let path: String
  private let rows: Int
  private let isTemporary: Bool

  /// The named folder, made where there is none; without a name a temporary one.
  ///
  /// - Parameter rows: the rows of the tables in it.
  init(named name: String?, rows: Int) throws(SystemFailure) {
    self.rows = rows
    isTemporary = name == nil
    if let name {
      try System.makeFolder(name)
      path = name
    } else {
      path = try System.makeTemporaryFolder()
    }
  }

  deinit {
    guard isTemporary else { return }
    for file in SampleFile.allCases { System.remove(path + "/" + file.name(rows: rows)) }
    System.remove(path)
  }

  /// The path of the file that the input of a task is compared with, if there is one.
  func path(ofOld task: BenchmarkTask) throws(SystemFailure) -> String? {
    guard let old = task.old else { return nil }
    return try path(of: old)
  }

  /// The path of a file, which is made when it is not there yet.
  ///
  /// A file takes its name when it is whole, so what is there can be used.
  func path(of file: SampleFile) throws(SystemFailure) -> String {
    let path = path + "/" + file.name(rows: rows)
    if !System.isFile(path) { try file.write(to: path, rows: rows) }
    return path
  }
}
