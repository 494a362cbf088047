// A program that looks whether the table of expressions holds, compiled as one module with the sources: see `mutate.py`.
import Foundation

/// Prints the rows of a table of which something else comes out, and what; the status is then 1.
@main enum ExpressionMutants {
  static func main() {
    let isVerbose = CommandLine.arguments.count > 2
    var isWrong = false
    let table = ExpressionRows(
      String(
        decoding: (try? Data(contentsOf: URL(filePath: CommandLine.arguments[1]))) ?? Data(), as: UTF8.self))
    for row in table.rows {
      let outcome = row.outcome
      if outcome == row.written { continue }
      print("\(row.line): \(row.written)\n\(row.line)= \(outcome)")
      isWrong = true
      if !isVerbose { break }
    }
    exit(isWrong ? 1 : 0)
  }
}
