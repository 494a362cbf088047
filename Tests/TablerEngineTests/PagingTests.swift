import Testing

@testable import TablerEngine

/// Commands of pagers, and what each `less` is told.
@Suite struct PagingTests {
  @Test(arguments: [
    ("less", ["less"]), ("  less   -i ", ["less", "-i"]), ("'my pager' -x", ["my pager", "-x"]),
    ("a\\ b \"c 'd'\" 'e\\f'", ["a b", "c 'd'", "e\\f"]), ("less ''", ["less", ""]),
    ("$HOME/x|y", ["$HOME/x|y"]),
    ("less -P'a b'c", ["less", "-Pa bc"]),
  ])
  func readsWordsAsAShellPartsThem(_ command: String, _ words: [String]) {
    #expect(Pager(command: command)?.words == words)
  }

  @Test(arguments: ["", "   ", "\t\n"])
  func takesNoCommandForNoPager(_ command: String) { #expect(Pager(command: command) == nil) }

  @Test func namesAProgramWithoutItsFolder() {
    #expect(Pager(["/usr/bin/less", "-i"]).name == "less")
    #expect(
      Pager(["/bin/sh"]).isThere && !Pager(["no-such-program-anywhere"]).isThere && !Pager(["/etc"]).isThere)
  }

  @Test(arguments: [
    ("less 590 (GNU regular expressions)\nCopyright", LessVersion.number(590)),
    ("less 643.1 (PCRE2)", .number(643)),
    ("", .busyBox), ("BusyBox v1.35.0 (2022-08-01) multi-call binary.", .busyBox), ("less", .busyBox),
  ])
  func readsTheVersionOfLess(_ text: String, _ version: LessVersion) { #expect(LessVersion(text) == version) }

  @Test(arguments: [
    (LessVersion.busyBox, ["-R", "-S"]), (.number(487), ["-R", "-S", "-+F", "-X"]),
    (.number(530), ["-R", "-S", "-+F"]),
    (.number(607), ["-R", "-S", "-+F"]), (.number(608), ["-R", "-S", "-+F", "--header=3,9"]),
    (.number(704), ["-R", "-S", "-+F", "--header=3,9"]),
  ])
  func tellsEachLessWhatItKnows(_ version: LessVersion, _ options: [String]) {
    #expect(version.options(pinning: PinnedHead(lines: 3, columns: 9)) == options)
    #expect(!version.options(pinning: PinnedHead()).contains { $0.hasPrefix("--header") })
  }
}
