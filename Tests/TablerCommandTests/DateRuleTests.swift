import Foundation
import Testing

/// Dates, times and time zones agree with those of Python.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/env") && hasPython, "python3 is not installed")
)
struct DateRuleTests {
  /// What Python makes of random instants; the seed is `TABLER_SEED`, by default 1.
  private static let oracle = #"""
    import datetime as d, os, random, sys, zoneinfo
    random.seed(int(os.environ.get("TABLER_SEED") or 1))
    zone, count = sys.argv[1], int(sys.argv[2])
    tz = zoneinfo.ZoneInfo(zone) if zone[0] not in "+-" else d.datetime.fromisoformat("2000-01-01T00:00" + zone).tzinfo
    epoch = d.datetime(1970, 1, 1, tzinfo=d.timezone.utc)
    def stamp(t):
        text = t.strftime("%H:%M:%S")
        text = f"{t.year:04}-{t.month:02}-{t.day:02}T" + text
        seconds = int(t.utcoffset().total_seconds())
        sign, seconds = "-" if seconds < 0 else "+", abs(seconds)
        if not seconds: return text + "Z"
        text += f"{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}"
        return text + (f":{seconds % 60:02}" if seconds % 60 else "")
    print("n,want,weekday,week,yearday,sum,diff,other,spelled")
    for index in range(count):
        # Most near our days, some anywhere.
        low, high = (-62000000000, 253000000000) if index % 4 == 0 else (-2000000000, 4000000000)
        n = random.randint(low, high)
        t = (epoch + d.timedelta(seconds=n)).astimezone(tz)
        days = random.randint(-100000, 100000)
        day = d.date.fromordinal(max(1, min(3652059, t.date().toordinal() + days)))
        spelled = f"{t.day:02} {t:%b} {t.year:04} {t:%H:%M:%S %a %j %I %p}"
        print(n, stamp(t), t.isoweekday(), t.isocalendar()[1], t.timetuple().tm_yday, day,
              (day - t.date()).days, t.date(), spelled, sep=",")
    """#

  static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Casablanca",
    "America/Sao_Paulo", "Europe/Dublin", "Asia/Kathmandu", "Pacific/Apia", "Antarctica/Troll",
    "America/St_Johns",
    "Asia/Tehran", "Africa/Monrovia", "Pacific/Chatham", "America/Caracas", "Asia/Gaza", "America/Nuuk",
    "+05:45",
    "-11:30",
  ]

  @Test(arguments: zones) func `Times agree with those of Python`(_ zone: String) throws {
    let rows = try python(Self.oracle, [zone, "500"])
    let derived = """
      t = to_zone(from_epoch(n), '\(zone)'); d = date(t); back = datetime(want)
      a = t = back; b = epoch(back) = n; c = weekday(t) = weekday; e = week(t) = week; f = yearday(t) = yearday
      g = (other + 1d * diff) = date(sum); h = date_diff('day', date(other), date(sum)) = diff
      i = date(sum) - date(other) = 1d * diff; j = date_add('day', diff, date(other)) = date(sum)
      k = strftime(t, '%d %b %Y %H:%M:%S %a %j %I %p') = spelled; l = text(t) = want
      m = strptime(strftime(t, '%Y-%m-%d %H:%M:%S'), '%F %T') = datetime(left(want, 19))
      """
    let checks = "abcefghijklm".map(String.init)
    let wrong = checks.map { "not (\($0) ?? false)" }.joined(separator: " or ")
    let run = try Run(["--derive", derived, "--filter", wrong, "--csv"], input: rows)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors.text)")
    #expect(run.output.text.split(separator: "\n").count == 1, "\(run.output.text.prefix(2000))")
  }

  @Test func `An unknown zone is named, and so is a folder that has none`() throws {
    let expression = "to_zone(now(), 'Europe/Atlantis') > now()"
    let unknown = try Run(["--filter", expression], input: "a\n1\n")
    #expect(unknown.status == 2)
    #expect(
      unknown.errors.text.hasPrefix(
        "tabler: --filter: unknown time zone 'Europe/Atlantis'; zones are called as in Europe/Berlin, UTC or +02:00\n"
      ))
    let none = try Run(
      ["--filter", "to_zone(now(), 'Europe/Berlin') > now()"], input: "a\n1\n",
      environment: ["TZDIR": "/nowhere"])
    #expect(none.status == 2)
    #expect(
      none.errors.text.hasPrefix(
        "tabler: --filter: no time zones on this system: /nowhere has none (the package tzdata has them)\n"))
  }

  /// The instant of a run is the same in every row, and near that of the test.
  @Test func `Now is one instant`() throws {
    let rows = "a\n" + String(repeating: "1\n", count: 1000)
    let before = Int(Date().timeIntervalSince1970)
    let run = try Run(["--derive", "n = epoch(now())", "--columns", "n", "--csv"], input: rows)
    let seconds = Set(run.output.text.split(separator: "\n").dropFirst().compactMap { Int($0) })
    #expect(seconds.count == 1)
    let instant = try #require(seconds.first)
    #expect(instant >= before && instant <= before + 60)
  }

  private func python(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile().text
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return output
  }
}

/// Whether Python and its time zones are there.
private let hasPython: Bool = {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["python3", "-c", "import zoneinfo; zoneinfo.ZoneInfo('Europe/Berlin')"]
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}()
