/// An engine in a run: its client is asked for the columns of a table first, then for rows.
///
/// Clients are started for each question; but one that takes seconds to start answers the first, and waits for the other.
struct EngineConnection {
  private let client: EngineClient
  private var waiting: WaitingProgram?

  /// Connects to the engine of a client, which is started when it is asked.
  init(_ client: EngineClient) { self.client = client }

  /// Asks for the names and types of the columns of a table or a file.
  ///
  /// - Parameters:
  ///   - source: the table or file as it is written in queries.
  ///   - table: the name of the table; `nil` for a file.
  ///   - settings: the clause that follows the query.
  /// - Returns: the source of the answer, which `open` opens.
  mutating func columns(of source: String, table: String?, settings: String) throws(Failure) -> Source {
    guard client.canWait else {
      let query = try client.dialect.columnsQuery(source, table: table) + settings
      return .program(client.run(describing: query))
    }
    // No column of the table has such a name.
    let word = "w" + String(UInt64.random(in: 1 << 60 ... .max), radix: 36)
    let columns = "0 AS `\(word)start`, *, 0 AS `\(word)end`"
    let run = client.run(describingFirst: client.dialect.columnsQuery(source, columns))
    waiting = WaitingProgram(run, from: word + "start", to: word + "end")
    return .program(run)
  }

  /// Opens the source of columns.
  func open(_ source: Source) throws(SystemError) -> ByteSource {
    guard let waiting else { return try source.open() }
    return ByteSource(bytes: try waiting.firstAnswer())
  }

  /// The source of the rows of a query.
  ///
  /// - Parameters:
  ///   - query: without the mark at its end.
  ///   - names: its columns.
  func rows(of query: String, names: [String]) -> Source {
    var run = client.run(asking: query, names: names)
    run.waiting = waiting
    return .program(run)
  }
}
