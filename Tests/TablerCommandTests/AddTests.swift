import Foundation
import Testing

/// Records that are added are as good as those that are read.
@Suite struct AddTests {
  private static let csv = "id,name,weight\r\n1,Kiwi,75\r\n2,\"Ban,ana\",118.50\n3,,\n"
  private static let json =
    "{\"id\":1,\"name\":\"Kiwi\",\"weight\":75}\n{\"id\":2,\"name\":\"Ban,ana\",\"weight\":118.50}\n{\"id\":3}\n"
  private static let additions = ["--add", "id = 4, name = 'Fig, dried', weight = 2.50", "--add", "id = 5"]

  @Test(arguments: Choice.all)
  func `an added record is written and drawn as one that was read`(_ form: String) throws {
    for (input, last) in [
      (Self.csv, "4,\"Fig, dried\",2.50\r\n5\r\n"),
      (Self.json, "{\"id\":4,\"name\":\"Fig, dried\",\"weight\":2.50}\n{\"id\":5}\n"),
    ] {
      for options in [
        [], ["--sort", "-id"], ["--sort", "-id", "--memory", "1K"], ["--sort", "weight", "--head", "2"],
        ["--tail", "1"], ["--head=-1"], ["--head", "4"], ["--skip", "4"], ["--filter", "weight is null"],
        ["--delete", "-2"], ["--move", "-1 to top"],
        ["--set", "weight = 1 where id = 5", "--derive", "x = id * 2"],
        ["--group-by", "name"], ["--hide", "weight"], ["-c", "weight,id"],
      ] {
        let all = [form, "--ragged", "fill"] + options
        let expected = try Run(all, input: input + last)
        let found = try Run(Self.additions + all, input: input)
        #expect(expected.status == 0 && expected.output.count > 0, "\(all)")
        #expect(found.output.text == expected.output.text, "\(all)")
        #expect(found.errors == expected.errors && found.status == 0, "\(all)")
      }
    }
  }

  @Test(arguments: [
    ("id = name", "a record is made of constants, but 'name' is a column; text is written \"name\"\n"),
    ("id = Mango", "column 'Mango' not found; text is written \"Mango\"\n"),
    ("nme = 1", "column 'nme' not found; did you mean 'name'?\n"),
    ("id = 1, id = 2", "column 'id' appears twice in the record\n"),
    ("$1 = 1, id = 2", "column 'id' appears twice in the record\n"),
    ("$4 = 1", "there is no column $4; the input has 3 columns\n"),
    ("'x'", "a record needs a column before each '=', as in 'id = 7, name = \"Mango\"'\n"),
    ("id =", "expected a value after '='\n"), ("id = sum(1)", ""),
    ("id = 1 where true", "expected"), ("", "needs a value, but it is empty\n"),
  ])
  func `what is no record of constants is refused`(_ record: String, _ message: String) throws {
    for input in message.contains("nme") ? [Self.csv] : [Self.csv, Self.json] {
      let run = try Run(["--add", record], input: input)
      #expect(run.status == 2 && run.output.isEmpty)
      #expect(run.errors.text.hasPrefix("tabler: --add: " + message), "\(run.errors.text)")
    }
  }

  @Test(arguments: [
    (
      ["--types", "id:int"], "id = 'x'", 2,
      "tabler: --add: column 'id' is declared int, but 'x' is not of that type\n"
    ),
    ([], "id = must('x', 'int')", 3, "tabler: --add:1: must(): 'x' is not of type int\n"),
    (
      ["--filter", "id > 0"], "id = 'x'", 0,
      "tabler: warning: --add: 1 cell of 'id' is not a number (first: line 1, 'x')"
    ),
  ])
  func `messages name the record`(
    _ options: [String], _ record: String, _ status: Int32, _ message: String
  ) throws {
    let run = try Run(options + ["--add", record, "--csv"], input: Self.csv)
    #expect(run.status == status)
    #expect(run.errors.text.hasPrefix(message), "\(run.errors.text)")
  }

  @Test func `a column is named by its position, or as a member of the row`() throws {
    let options = ["--add", "$1 = 4, $0[\"name\"] = 'Fig, dried', $3 = 2.50", "--add", "$1 = 5", "--csv"]
    for input in [Self.csv, Self.json] {
      let expected = try Run(Self.additions + ["--csv"], input: input)
      let run = try Run(options, input: input)
      #expect(run.output == expected.output && run.errors == expected.errors && run.status == 0)
    }
  }

  @Test func `R64 rows after the last one needed are neither read nor added`() throws {
    let run = try Run(["--add", "id = 9", "--head", "2", "--csv"], input: Self.csv + "4,\"open\n")
    #expect(run.output.text == "id,name,weight\r\n1,Kiwi,75\r\n2,\"Ban,ana\",118.50\n" && run.status == 0)
  }

  @Test func `several files come before what is added`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tabler-\(UUID().uuidString).csv")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("weight,id\n7,8\n".utf8).write(to: file)
    let run = try Run(["--add", "weight = row_number()", "--csv", "-", file.path], input: Self.csv)
    #expect(run.output.text.hasSuffix("8,,7\r\n,,5\r\n") || run.output.text.hasSuffix("8,,7\n,,5\r\n"))
  }
}
