/// The figures of one task.
struct TaskResult {
  var task: BenchmarkTask
  /// The size of the file, in bytes.
  var inputSize: Int
  /// The rows of the output, all of them right.
  var rows: Int
  /// What the runner held itself, in bytes: no peak below that can be seen.
  var ownPeak: Int
  var tabler = Figures()
  var peers: [PeerResult] = []

  /// The figures of a peer.
  struct PeerResult {
    var name: String
    var rows: Int
    var figures = Figures()
  }
}
