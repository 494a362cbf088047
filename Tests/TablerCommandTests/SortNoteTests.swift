import Testing

/// Which sort keys are noted, and whether what the note names orders them (R69, R72).
@Suite struct SortNoteTests {
  /// The cells of a column `v`, and what the note about its order ends with; nil if there is none.
  private static let notes: [(String, String?)] = [
    // Numbers and texts together.
    ("1,200.00|900", "beside numbers (first: line 2, '1,200.00'); --thousands ,"),
    ("3|1.234,50|12,5", "beside numbers (first: line 3, '1.234,50'); --decimal , --thousands ."),
    ("1'234|900", "beside numbers (first: line 2, '1'234'); --thousands \"'\""),
    ("1_000|5", "beside numbers (first: line 2, '1_000'); --thousands _"),
    ("1.234.567|12.345", "beside numbers (first: line 2, '1.234.567'); --decimal , --thousands ."),
    ("5|abc|7|abd", "2 cells of 'v' sorted as text beside numbers (first: line 3, 'abc')"),
    ("NA|x|3|10", "1 cell of 'v' sorted as text beside numbers (first: line 3, 'x')"),
    ("0x1F|7", "beside numbers (first: line 2, '0x1F')"),
    ("0|2 (3h ago)|10 (5d ago)", "v:natural sorts by the numbers in it"),
    ("5+|10|20", "v:natural sorts by the numbers in it"),
    ("1.10|1.9|1.2.0", "(first: line 4, '1.2.0'); v:version sorts by the numbers between its points"),
    ("153m|2|100m", "v:size sorts sizes"),
    ("none|5|3", "1 cell 'none' sorted as text beside numbers; --null none makes it null"),
    ("--|5", "1 cell '--' sorted as text beside numbers; --null=-- makes it null"),
    // Texts that look like values.
    ("2 (3h ago)|10 (5d ago)", "v:natural sorts by the numbers in it"),
    ("1st|2nd|10th", "v:natural sorts by the numbers in it"),
    ("0-4|5-9|10-14", "v:natural sorts by the numbers in it"),
    ("9:30|10:15", "v:natural sorts by the numbers in it"),
    ("1920x1080|640x480", "v:natural sorts by the numbers in it"),
    ("1m30s|45s|2h", "v:duration sorts durations"),
    ("5m|10m|90m", "v:duration sorts durations"),
    ("1.10.0|1.9.0|1.2.0", "v:version sorts by the numbers between its points"),
    ("10.0.0.2|192.168.1.10|9.9.9.9", "v:version sorts by the numbers between its points"),
    ("192.168.100.200|8.100.100.100", "v:version sorts by the numbers between its points"),
    ("1.5G|900K|12M", "v:size sorts sizes"),
    ("1,5G|900K|12,5M", "v:size --decimal , sorts sizes"),
    ("9%|15%", "v:size sorts percents"),
    ("$12.50|$9.00", "v:number sorts amounts of money"),
    ("$1,200.50|$9.00", "v:number --thousands , sorts amounts of money"),
    ("12 €|9 €", "v:number sorts amounts of money"),
    ("€12|€9", "v:number sorts amounts of money"),
    ("9 500|12 500", "--thousands ' ' reads its thousands"),
    ("31/12/2024|01/02/2025", "v:date --date-format %d/%m/%Y sorts dates"),
    ("12/31/2024|02/01/2025", "v:date --date-format %m/%d/%Y sorts dates"),
    ("01/02/2024|03/01/2023", "v:date --date-format %d/%m/%Y (or %m/%d/%Y) sorts dates"),
    ("05-Jan-2024|12-Feb-2023", "v:date --date-format %d-%b-%Y sorts dates"),
    ("31.12.2024 10:00|01.02.2025 09:30", "v:date --date-format '%d.%m.%Y %H:%M' sorts dates"),
    ("2024-9-5|2024-10-2", "v:date --date-format %Y-%m-%d sorts dates"),
    // Texts whose order is not that of what they mean, though it may be that of the first number in them.
    ("$900K|$1.2M|$15K", "'v' was sorted as text, not by its numbers (first: line 2, '$900K')"),
    ("€2M|€900K", "'v' was sorted as text, not by its numbers (first: line 2, '€2M')"),
    ("900M|1.2B|50K", "'v' was sorted as text, not by its numbers (first: line 2, '900M')"),
    ("9M|10M|1.2B", "'v' was sorted as text, not by its numbers (first: line 2, '9M')"),
    ("97B|42K|1.2M", "v:size sorts sizes"), ("42K|97B|24B", nil),
    ("4/2023|5/2022", "v:date --date-format %m/%Y sorts dates"),
    ("12/2023|1/2024", "v:date --date-format %m/%Y sorts dates"),
    ("11/2021|4/2022|9/2023", nil), ("01/2024|02/2024", nil), ("1-2024|2-2024", nil),
    ("2025-W10|2025-W4|2025-W9", "v:natural sorts by the numbers in it"), ("2025-W04|2025-W10", nil),
    ("2025-1|2025-10|2025-2", "v:natural sorts by the numbers in it"), ("2025-01|2025-10|2025-02", nil),
    ("$1M|$2M|$3M", nil), ("$1.2M|$10.5M", nil), ("512.0B|1.5KB|2.3MB", "v:size sorts sizes"),
    ("1.5M|1.2B|50K", "'v' was sorted as text, not by its numbers (first: line 2, '1.5M')"),
    ("CHF 3'495.91|CHF 16.22|CHF 9.00", "not by its numbers (first: line 2, 'CHF 3'495.91')"),
    ("R$ 1.168|R$ 10|R$ 9", "v:natural sorts by the numbers in it"),
    // Texts among dates.
    (
      "2024-01-02|2023-12-31|unknown|2024-03-01",
      "1 cell of 'v' sorted as text beside dates (first: line 4, 'unknown'); v:date puts it last"
    ),
    (
      "2024-01-02|Jan 5 2024|TBD|2024-03-01|NA|2024-03-02",
      "2 cells of 'v' sorted as text beside dates (first: line 3, 'Jan 5 2024'); v:date puts them last"
    ),
    (
      "2024-01-02T10:00|?|2024-03-01T09:00",
      "1 cell of 'v' sorted as text beside dates (first: line 3, '?'); v:date puts it last"
    ),
    ("2024-01-02|a|b|c", nil),
    // Words for nothing beside texts that are values in order.
    ("2024-01-05|NA|2023-12-31", "1 cell 'NA' sorted as text beside values; --null NA makes it null"),
    ("9,285.01|-|1,285.00|-", "2 cells '-' sorted as text beside values; --null - makes them null"),
    ("Kiwi|NA|Apfel", nil),
    // Times that sort otherwise as text.
    ("2024-01-01T12:00+02:00|2024-01-01T11:00Z", "v:date sorts by time"),
    ("2024-01-01T09:05:07Z|2024-01-01T09:05:07.25Z", "v:date sorts by time"),
    ("2024-01-01T10:00|2024-01-01 11:00", "v:date sorts by time"),
    // Values that begin with letters.
    ("v1.10|v1.9|v1.2", "v:version sorts by the numbers between its points"),
    ("app-1.10.0|app-1.9.3", "v:version sorts by the numbers between its points"),
    ("node-10|node-9|db-2|db-1", "v:natural sorts by the numbers in it"),
    ("img12.png|img9.png", "v:natural sorts by the numbers in it"),
    ("#10|#9", "v:natural sorts by the numbers in it"),
    ("/dev/sda10|/dev/sda9", "v:natural sorts by the numbers in it"),
    ("n10|n9", "v:natural sorts by the numbers in it"),
    ("USD 5|USD 10", "v:natural sorts by the numbers in it"),
    ("Rs 5|Rs 10", "v:natural sorts by the numbers in it"),
    ("PT5S|PT10S|P1D", "v:duration sorts durations"),
    ("Jan 5, 2024|Feb 7, 2024", "v:date --date-format '%b %d, %Y' sorts dates"),
    ("Dec 2023|Jan 2025|Apr 2024", "v:date --date-format '%b %Y' sorts dates"), ("Apr 2023|Dec 2024", nil),
    ("December 2024|April 2025", "v:date --date-format '%b %Y' sorts dates"),
    ("Jan-2026|Dec-2025|Feb-2026", "v:date --date-format %b-%Y sorts dates"),
    ("Sun Nov  2 09:00:00 2025|Mon Dec  1 09:00:00 2025", "--date-format '%a %b %d %H:%M:%S %Y' sorts dates"),
    (
      "Sun Nov 2 09:00:00 2025 +0100|Mon Dec 1 09:00:00 2025 +0100",
      "v:date --date-format '%a %b %d %H:%M:%S %Y %z' sorts dates"
    ),
    (
      "Sun Nov  2 09:00:00 UTC 2025|Mon Dec  1 09:00:00 UTC 2025",
      "v:date --date-format '%a %b %d %H:%M:%S %Z %Y' sorts dates"
    ),
    ("Dec 20 10:00:00 2026 GMT|Mar  1 10:00:00 2026 GMT", "--date-format '%b %d %H:%M:%S %Y %Z' sorts dates"),
    (
      "Sun, 02 Nov 2025 09:00:00 +0000|Mon, 01 Dec 2025 09:00:00 +0000",
      "v:date --date-format '%a, %d %b %Y %H:%M:%S %z' sorts dates"
    ),
    (
      "Sun, 02 Nov 2025 09:00:00 GMT|Mon, 01 Dec 2025 09:00:00 GMT",
      "v:date --date-format '%a, %d %b %Y %H:%M:%S %z' sorts dates"
    ),
    (
      "Dec  1 10:00:00|Nov  2 10:00:00|Oct 30 09:00:00",
      #"'(strptime("2000 " ++ v, "%Y %b %d %H:%M:%S"))' sorts days of one year"#
    ),
    ("Dec-24|Jan-25|Feb-25", "v:date --date-format %b-%y sorts dates"),
    ("24-Dec|25-Jan", #"'(strptime("2000 " ++ v, "%Y %d-%b"))' sorts days of one year"#),
    ("Nov  2 10:00:00|Nov 12 10:00:00", nil), ("May 1|Mayor 2|Mayor 10", nil),
    ("Mon, 01 Jan 2024|Fri, 02 Feb 2024", "v:date --date-format '%a, %d %b %Y' sorts dates"),
    (
      "USD 1,200.00|USD 900.00", "'v' was sorted as text, not by its numbers (first: line 2, 'USD 1,200.00')"
    ),
    ("USD 5|EUR 10|EUR 7|USD 6", "'v' was sorted as text, not by its numbers (first: line 2, 'USD 5')"),
    // No flag reads them, or reads them right.
    (
      "3 days ago|2 weeks ago|30 minutes ago",
      "'v' was sorted as text, not by its numbers (first: line 2, '3 days ago')"
    ),
    (
      "12.5 kg|12.25 kg|9 kg",
      #"'v' was sorted as text; '(number(extract(v, /\S+/)))' sorts by the numbers before the texts"#
    ),
    // What is in order.
    ("Kiwi|Apfel|Birne", nil),
    ("10K|20K|30K", nil),
    ("10%|20%", nil),
    ("1.3.0|1.2.0", nil),
    ("09:30|10:15", nil),
    ("2024-01-05T10:00:00Z|2023-12-31", nil),
    ("2024-01-01T12:00+02:00|2024-01-01T11:00+02:00", nil),
    ("2024-01-01T09:05|2024-01-01T09:05:07|2024-01-01T09:05:07.25|2024-01-01", nil),
    ("2024-01-01T12:00+02:00|2024-01-01T13:00Z", nil),
    ("2015/12/29|2014/12/30", nil),
    ("2024-Q1|2023-Q4", nil),
    ("2010-2015|1999-2004", nil),
    ("007|12", nil),
    // What has no order but that of its bytes.
    ("3f2a91bc|12ab34cd|9e8d7c6b", nil),
    ("550e8400-e29b-41d4-a716-446655440000|6ba7b810-9dad-11d1-80b4-00c04fd430c8", nil),
    ("555-1234|1234-5678", nil),
    ("978-3-16-148410-0|0-306-40615-2", nil),
    ("+1 555 1234|+44 20 7946", nil),
    ("A-12|B-3|C-100", nil),
    ("a3f2|a10b|b2c4", nil),
    ("e3b0c442|d41d8cd9|a10b2c3d", nil),
    ("node-1|node-2|node-3", nil),
    ("node-010|node-009", nil),
    ("Apollo 13|Seven 10|Area 51|Route 66", nil),
    ("Q1 2024|Q4 2023", "--order 'v=Q4 2023,Q1 2024' keeps the usual order of its words"),
    ("Q1 2024|Q2 2024", nil), ("Q5 2024|Q4 2023", nil),
    ("Jan|Feb", "--order v=Jan,Feb keeps the usual order of its words"),
    ("jan|FEB|Mar", "--order v=jan,FEB,Mar keeps the usual order of its words"), ("Jan|Feb|Mustermonat", nil),
    ("Mon|Fri|NA", "--order v=Mon,Fri keeps the usual order of its words"), ("S|M", nil),
    ("R2-D2|C-3PO|BB-8", nil),
    // Names of which a few are numbers.
    ("300|Jaws|Alien|Heat|Up|Her|Rocky|Brazil|Fargo|Seven|Tron|Psycho", nil),
  ]

  private static func column(_ cells: String) -> String {
    "v\n" + cells.split(separator: "|").map { "\"\($0)\"\n" }.joined()
  }

  @Test(arguments: notes)
  func `texts that may be values are noted`(_ cells: String, _ end: String?) throws {
    let errors = try Run(["--sort", "v", "--csv"], input: Self.column(cells)).errors.text
    if let end {
      #expect(errors.hasSuffix(end + "\n"))
    } else {
      #expect(errors.isEmpty)
    }
  }

  /// Arguments that a note names, the cells in the order that they give, and how many are not read.
  private static let remedies: [([String], String)] = [
    (["--sort", "v", "--thousands", ","], "900|1,200.00"),
    (["--sort", "v", "--decimal", ",", "--thousands", "."], "3|12,5|1.234,50"),
    (["--sort", "v:natural"], "0|2 (3h ago)|10 (5d ago)"),
    (["--sort", "v:natural"], "0-4|5-9|10-14"),
    (["--sort", "v:version"], "1.2.0|1.9|1.10"),
    (["--sort", "v:version"], "9.9.9.9|10.0.0.2|192.168.1.10"),
    (["--sort", "v:size"], "100m|153m|2"),
    (["--sort", "v:size"], "900K|12M|1.5G"),
    (["--sort", "v:size"], "9%|15%"),
    (["--sort", "v:duration"], "45s|1m30s|2h"),
    (["--sort", "v:number"], "-$12|-$5|$3|9 €"),
    (["--sort", "v:number", "--thousands", ","], "$9.00|$1,200.50"),
    (["--sort", "v:date", "--date-format", "%d/%m/%Y"], "31/12/2024|01/02/2025"),
    (["--sort", "v:date", "--date-format", "%Y-%m-%d"], "2024-9-5|2024-10-2"),
    (["--sort", "v:date", "--date-format", "%d.%m.%Y %H:%M"], "31.12.2024 10:00|01.02.2025 09:30"),
    // Values that begin with letters.
    (["--sort", "v:version"], "v1.2|v1.9|v1.10"),
    (["--sort", "v:version"], "app-1.9.3|app-1.10.0"),
    (["--sort", "v:natural"], "db-1|db-2|node-9|node-10"),
    (["--sort", "v:natural"], "img9.png|img12.png"),
    (["--sort", "v:natural"], "#9|#10"),
    (["--sort", "v:natural"], "/dev/sda9|/dev/sda10"),
    (["--sort", "v:natural"], "USD 5|USD 10"),
    (["--sort", "v:duration"], "PT5S|PT10S|P1D"),
    (["--sort", "v:date", "--date-format", "%b %d, %Y"], "Jan 5, 2024|Feb 7, 2024"),
    (["--sort", "v:date", "--date-format", "%a, %d %b %Y"], "Mon, 01 Jan 2024|Fri, 02 Feb 2024"),
  ]

  @Test(arguments: remedies)
  func `what a note names orders the texts, without a note`(_ arguments: [String], _ cells: String) throws {
    let names = cells.split(separator: "|").map(String.init)
    let run = try Run(
      arguments + ["--csv"], input: Self.column(names.reversed().joined(separator: "|")))
    #expect(run.errors.text.isEmpty)
    let lines = run.output.text.split(separator: "\n").dropFirst()
    #expect(lines.map { $0.filter { $0 != "\"" } } == names)
  }

  /// The first place and the count are those of the whole input, whatever is held of it.
  @Test(arguments: [[], ["--head", "3"], ["--memory", "1K"], ["--memory", "1K", "--head", "3"]])
  func `the first text is that of the earliest line`(_ options: [String]) throws {
    let rows = (0..<20_000).map { $0 % 7 == 6 ? "\(20_000 - $0),500.0" : "\($0)" }
    let input = "v\n" + rows.map { "\"\($0)\"\n" }.joined()
    let run = try Run(["--sort", "-v", "--csv"] + options, input: input)
    #expect(
      run.errors.text
        == "tabler: note: <stdin>: 2857 cells of 'v' sorted as text beside numbers (first: line 8, '19994,500.0')\n"
    )
    let days = (0..<20_000).map { $0 % 7 == 6 ? "TBD \($0 % 9)" : "20\(10 + $0 % 80)-0\(1 + $0 % 9)-11" }
    let dated = try Run(
      ["--sort", "-v", "--csv"] + options, input: "v\n" + days.joined(separator: "\n") + "\n")
    #expect(
      dated.errors.text
        == "tabler: note: <stdin>: 2857 cells of 'v' sorted as text beside dates (first: line 8, 'TBD 6'); "
        + "-v:date puts them last\n")
  }
}
