import Foundation
import Testing

/// What the sources promise of themselves: unsafe code in two rooms, no Foundation, rooms that look only to their left.
@Suite struct SourceRuleTests {
  /// The rooms of the engine in order; each may use those before it.
  static let rooms = [
    "Bytes", "System", "Text", "Values", "Patterns", "Table", "Storage", "Input", "Expressions", "Order",
    "Query",
    "Layout", "Steps", "Paint", "Run",
  ]

  /// The files beside the rooms, which any of them may use: what is asked for, when, and how a run ends.
  static let beside: Set<String> = ["Pipeline.swift", "Plan.swift", "Schedule.swift", "Failure.swift"]

  /// The rooms with `unsafe`, which use each other: a buffer has an outlet, and a file is read into blocks.
  static let unsafeRooms: Set<String> = ["Bytes", "System"]

  /// Rooms before a room that it may not use.
  static let strangers: [String: Set<String>] = [
    "Expressions": ["Input"], "Order": ["Input"],
  ]

  struct Source: Sendable {
    /// The path below the package.
    var path: String
    /// The code without comments and string literals.
    var code: String

    /// The room of the engine it lies in; `nil` beside the rooms.
    var room: String? {
      let parts = path.split(separator: "/")
      return parts.count > 3 && parts[1] == "TablerEngine" ? String(parts[2]) : nil
    }

    /// Its words: names, keywords, numbers.
    var words: Set<Substring> {
      Set(code.split { !($0.isLetter || $0.isNumber || $0 == "_") })
    }
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static let sources: [Source] = {
    let folder = root.appending(path: "Sources")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".swift") }.sorted().compactMap { file in
      guard let text = try? String(contentsOf: folder.appending(path: file), encoding: .utf8) else {
        return nil
      }
      return Source(path: "Sources/" + file, code: bare(text))
    }
  }()

  @Test func findsTheSources() {
    #expect(Self.sources.count > 100)
    #expect(Set(Self.sources.compactMap(\.room)) == Set(Self.rooms))
    let beside = Self.sources.filter { $0.room == nil && $0.path.hasPrefix("Sources/TablerEngine/") }
    #expect(Set(beside.compactMap { $0.path.split(separator: "/").last.map(String.init) }) == Self.beside)
  }

  @Test func keepsUnsafeCodeInTwoRooms() {
    for source in Self.sources where !Self.unsafeRooms.contains(source.room ?? "") {
      let unsafe = source.words.filter { $0 == "unsafe" || $0.hasPrefix("Unsafe") }
      #expect(unsafe.isEmpty, "\(source.path): \(unsafe.sorted())")
    }
  }

  @Test func importsTheCLibraryInOneFileAndFoundationNowhere() {
    for source in Self.sources {
      let imports = source.code.split(separator: "\n").filter { $0.contains("import ") }
      for line in imports {
        #expect(!line.contains("Foundation"), "\(source.path): \(line)")
        let isLibrary = ["Glibc", "Darwin", "Musl"].contains { line.contains($0) }
        #expect(!isLibrary || source.path.hasSuffix("/System/Platform.swift"), "\(source.path): \(line)")
        #expect(!line.contains("intrinsics") || source.room == "Bytes", "\(source.path): \(line)")
      }
    }
  }

  /// Five files depend on the system or the processor; `TABLER_PORTABLE=1` leaves out what only Linux, glibc or x86-64 have.
  @Test func dependsOnTheSystemInFiveFiles() {
    let files = [
      "Bytes/ByteVector", "System/BuildFacts", "System/Platform", "System/RuntimeStart", "System/Shortcuts",
    ]
    .map { "Sources/TablerEngine/\($0).swift" }
    func paths(with mark: String) -> [String] {
      Self.sources.filter { $0.code.contains(mark) }.map(\.path)
    }
    #expect(paths(with: "#if") == files)
    #expect(paths(with: "#if arch") == [files[0]])
    #expect(paths(with: "@_silgen_name") == [files[2]])
    #expect(paths(with: "@_cdecl") == [files[3]])
  }

  /// What the compiler does not prove is proved in a comment.
  @Test func provesWhatMayBeShared() throws {
    for source in Self.sources {
      let text = try String(contentsOf: Self.root.appending(path: source.path), encoding: .utf8)
      let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
      for (line, next) in zip(lines, lines.dropFirst()) where !line.hasPrefix("//") {
        guard line.contains("@unchecked Sendable") else { continue }
        #expect(next.hasPrefix("// Why it may be shared: "), "\(source.path): \(line)")
      }
    }
  }

  /// Of what the schedule settles, the plan is not asked again.
  @Test func asksThePlanOnceWhenRowsAreHeld() {
    let settled = ["lookAhead", "tail", "head", "sortKeys", "moves"]
    for source in Self.sources where source.path.hasPrefix("Sources/TablerEngine/") {
      // Each step says what it demands of a plan.
      let file = source.path.split(separator: "/").last.map(String.init) ?? ""
      if source.room == "Steps" || ["Schedule.swift", "Plan.swift", "EngineQuery.swift"].contains(file) {
        continue
      }
      for name in settled { #expect(!source.code.contains("plan.\(name)"), "\(source.path): plan.\(name)") }
    }
  }

  /// Once the schedule is made, three types have the plan, and only what the table looks like, and where its bytes come
  /// from and go to, is asked of it: nothing that says which rows there are, or when.
  @Test func asksThePlanOnlyForLooksOnceTheScheduleIsMade() {
    let before = [
      "Plan.swift", "EngineQuery.swift", "Resolution.swift", "FormFiles.swift", "Schedule.swift",
      "NumberName.swift",
      // It is read before anything is bound to its columns.
      "PivotedTable.swift",
    ]
    let looks: Set<Substring> = [
      "sources", "input", "marks", "dateFormat", "columns", "hidden", "patterns", "hasPatterns", "layout",
      "output",
      "openOutput", "openRejects", "isGated", "rowKeys", "marksRecords", "changesCells", "changesNothing",
      "writesDataFile", "comparison", "comparesView", "drawsBars", "isColored",
      "pivoted", "drawsSpans", "mergesInHTML",
    ]
    var owners: Set<Substring> = []
    var rooms: Set<String> = []
    for source in Self.sources where source.path.hasPrefix("Sources/TablerEngine/") {
      owners.formUnion(Self.properties(["Plan"], in: source.code).map(\.owner))
      let name = String(source.path.split(separator: "/").last ?? "")
      if let room = source.room, room != "Run" {
        if source.words.contains("Plan") { rooms.insert(room) }
      } else if !before.contains(name) {
        let asked = Set(
          source.code.components(separatedBy: "plan.").dropFirst().map { $0.prefix { $0.isLetter } }
        )
        .subtracting(looks)
        #expect(
          asked.isSubset(of: looks), "\(source.path) asks the plan for \(asked.subtracting(looks).sorted())")
      }
    }
    // A query is made before there is a schedule.
    #expect(owners == ["EngineQuery", "Resolution", "TableReader", "Columns"])
    #expect(rooms == ["Steps"])
  }

  /// The columns of a run have one owner, to which the first stage hands them on.
  ///
  /// Columns that may still change are
  /// kept by it, by the binder while names are bound, and by the reader, which may be on another thread.
  @Test func keepsColumnsInOnePlace() {
    var owners: Set<Substring> = []
    var changing: Set<Substring> = []
    for source in Self.sources where source.path.hasPrefix("Sources/TablerEngine/") {
      for property in Self.properties(["Columns", "Schema"], in: source.code) {
        if property.type == "Columns" { owners.insert(property.owner) }
        if property.type == "Schema", property.isVariable { changing.insert(property.owner) }
      }
    }
    #expect(owners == ["Resolution", "TableReader"])
    #expect(changing == ["Columns", "Binder", "InputReader", "ReadAhead"])
  }

  /// Every type of step is asked what it demands of a run, or rows would be held as if it were not there.
  @Test func asksEveryStepForItsDemands() throws {
    let source = try #require(Self.sources.first { $0.path.hasSuffix("/Steps/Step.swift") })
    let asked = source.code.components(separatedBy: "ask(").dropFirst().map { $0.prefix { $0.isLetter } }
    var steps: Set<Substring> = []
    for source in Self.sources {
      for kind: Substring in ["Step", "RowMaker", "RowStep", "PassingStep"] {
        steps.formUnion(Self.typesConforming(to: kind, in: source.code))
      }
    }
    #expect(steps.count > 10)
    #expect(steps == Set(asked.filter { $0.first?.isUppercase ?? false }))
  }

  /// Rows are held in six types at most: four stores, the protocol that whoever draws asks, and the first in an order.
  @Test func holdsRowsInFewTypes() {
    var stores: Set<Substring> = []
    var holders: Set<Substring> = []
    for source in Self.sources where source.path.hasPrefix("Sources/TablerEngine/") {
      stores.formUnion(Self.typesConforming(to: "RowStore", in: source.code))
      for (name, _) in Self.declaredTypes(source.code) {
        if ["Rows", "Runs", "RowStore"].contains(where: name.hasSuffix) {
          holders.insert(name)
        }
      }
    }
    #expect(stores == ["Rows", "StoredRows", "OrderedRows", "SortedRuns"])
    // `BatchRows` are rows of the one batch that the row steps look at, `RowFetcher` find those of a store again.
    #expect(
      holders.subtracting(["BatchRows", "RowFetcher"]) == stores.union(["RowStore", "TopRows"]))
  }

  @Test func looksOnlyToTheLeft() {
    var homes: [Substring: String] = [:]
    var nested: [Substring: Set<String>] = [:]
    for source in Self.sources {
      guard let room = source.room else { continue }
      for (name, isNested) in Self.declaredTypes(source.code) {
        if isNested { nested[name, default: []].insert(room) } else { homes[name] = room }
      }
    }
    for source in Self.sources {
      guard let room = source.room, let place = Self.rooms.firstIndex(of: room) else { continue }
      let forbidden = Set(Self.rooms[(place + 1)...]).union(Self.strangers[room] ?? [])
        .subtracting(Self.unsafeRooms)
      let used = source.words.filter { name in
        guard let home = homes[name], forbidden.contains(home) else { return false }
        return nested[name, default: []].isSubset(of: forbidden)
      }
      #expect(used.isEmpty, "\(source.path) uses \(used.map { "\($0) of \(homes[$0] ?? "")" }.sorted())")
    }
  }

  /// Names that several types of the engine have, and why they may.
  static let sharedNames: [Substring: String] = [
    "Kind": "the kinds of the type it is nested in",
    "Branch": "one `when … then …` as parsed, and as bound",
    "Link": "an operator of a chain and its right side, as parsed and as bound",
    "Cell": "painters: `TextCells.Cell`",
    "Line": "painters: `FrameWriter.Line`, `FormText.Line`",
    "Place": "painters: `HTMLStyle.Place`, `PandocEscaper.Place`",
    "Value": "painters use `JSONScanner.Value`",
  ]

  /// A name means one thing in the whole engine, so that it can be understood without the type it is nested in.
  ///
  /// Private types only need other names than the types outside of all others have.
  @Test func givesEachMeaningItsOwnName() {
    var owners: [Substring: Set<String>] = [:]
    var privateOwners: [Substring: Set<String>] = [:]
    for source in Self.sources where source.path.hasPrefix("Sources/TablerEngine/") {
      for type in Self.qualifiedTypes(source.code) {
        if type.isPrivate {
          privateOwners[type.name, default: []].insert("\(source.path): \(type.path)")
        } else {
          owners[type.name, default: []].insert(type.path)
        }
      }
    }
    var repeated: Set<Substring> = []
    for (name, paths) in owners {
      let isOutermost = paths.contains(String(name))
      let all = isOutermost ? paths.union(privateOwners[name] ?? []) : paths
      guard all.count > 1 else { continue }
      repeated.insert(name)
      #expect(Self.sharedNames[name] != nil, "\(name) names several types: \(all.sorted())")
    }
    #expect(owners.count > 400)
    #expect(Set(Self.sharedNames.keys).subtracting(repeated).isEmpty, "no longer shared")
  }

  /// The guides name files as they are called: `Engine/Steps/Step.swift`, `Command/Options/Option.swift`.
  @Test(arguments: ["Adding", "TablerEngine", "Rules", "Glossary", "Widths"])
  func namesFilesThatExist(_ guide: String) throws {
    let file = Self.root.appending(path: "Sources/TablerEngine/TablerEngine.docc/\(guide).md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let files = ["Sources", "Tests"].flatMap { folder in
      let below = FileManager.default.enumerator(atPath: Self.root.appending(path: folder).path)
      return below?.compactMap { ($0 as? String).map { "/\(folder)/\($0)" } } ?? []
    }
    for name in text.split(separator: "`") where name.hasSuffix(".swift") && !name.contains("*") {
      let isFolder = name.hasPrefix("Engine/") || name.hasPrefix("Command/")
      let path = isFolder ? "/Sources/Tabler\(name)" : "/\(name)"
      #expect(files.contains { $0.hasSuffix(path) }, "\(guide).md names \(name)")
    }
  }

  /// The names of the types that a file declares to conform to a protocol.
  static func typesConforming(to name: Substring, in code: String) -> [Substring] {
    code.split(separator: "\n").compactMap { line in
      let words = line.split { $0 == " " || $0 == ":" || $0 == "," || $0 == "{" }
      guard
        let keyword = words.firstIndex(where: { ["struct", "class", "enum", "extension"].contains($0) }),
        words[..<keyword].allSatisfy(Self.modifiers.contains), words.dropFirst(keyword + 2).contains(name)
      else { return nil }
      return words[keyword + 1]
    }
  }

  /// The names of the types that a file declares, and whether inside another one.
  static func declaredTypes(_ code: String) -> [(name: Substring, isNested: Bool)] {
    code.split(separator: "\n").compactMap { line in
      let words = line.split { $0 == " " || $0 == ":" || $0 == "<" || $0 == "(" || $0 == "{" }
      guard let keyword = words.firstIndex(where: { ["struct", "enum", "class", "protocol"].contains($0) }),
        keyword + 1 < words.count, words[..<keyword].allSatisfy(Self.modifiers.contains)
      else { return nil }
      return (words[keyword + 1], line.first == " " || words[..<keyword].contains("private"))
    }
  }

  /// The types that a file declares, each with its path through the types it is nested in.
  static func qualifiedTypes(_ code: String) -> [(name: Substring, path: String, isPrivate: Bool)] {
    let declarations: Set<Substring> = ["struct", "enum", "class", "protocol", "typealias", "extension"]
    var outer: [(indent: Int, path: String, isPrivate: Bool)] = []
    return code.split(separator: "\n").compactMap { line in
      let words = line.split { $0 == " " || $0 == ":" || $0 == "<" || $0 == "(" || $0 == "{" }
      guard let keyword = words.firstIndex(where: declarations.contains), keyword + 1 < words.count,
        words[..<keyword].allSatisfy(Self.modifiers.contains)
      else { return nil }
      let indent = line.prefix { $0 == " " }.count
      while let last = outer.last, last.indent >= indent { outer.removeLast() }
      let name = words[keyword + 1]
      let path = (outer.last.map { $0.path + "." } ?? "") + name
      let isExtension = words[keyword] == "extension"
      let isPrivate =
        outer.last?.isPrivate ?? false
        || !isExtension && words[..<keyword].contains { $0 == "private" || $0 == "fileprivate" }
      if words[keyword] != "typealias" { outer.append((indent, path, isPrivate)) }
      return isExtension ? nil : (name, path, isPrivate)
    }
  }

  /// The stored properties of a few types that a file declares, by the outermost type that they stand in.
  static func properties(
    _ types: Set<Substring>, in code: String
  ) -> [(owner: Substring, type: Substring, isVariable: Bool)] {
    var owner: Substring = ""
    return code.split(separator: "\n").compactMap { line in
      let words = line.split { $0 == " " || $0 == ":" || $0 == "<" || $0 == "{" || $0 == "?" || $0 == "(" }
      if line.first != " " {
        let keyword = words.firstIndex { ["struct", "enum", "class", "protocol", "extension"].contains($0) }
        if let keyword, keyword + 1 < words.count { owner = words[keyword + 1] }
        return nil
      }
      // What stands further in, or has its value from an expression, is declared in the body of a function.
      guard line.prefix(6).contains(where: { $0 != " " }), line.last != "{",
        let keyword = words.firstIndex(where: { $0 == "let" || $0 == "var" }), words.count > keyword + 2
      else { return nil }
      let isValue = words[keyword + 2] == "="
      let type = isValue && !line.hasPrefix("    ") ? words[(keyword + 3)...].first ?? "" : words[keyword + 2]
      return types.contains(type) ? (owner, type, words[keyword] == "var") : nil
    }
  }

  private static let modifiers: Set<Substring> = [
    "public", "private", "fileprivate", "final", "indirect", "@safe", "@unsafe",
  ]

  /// A text without line comments and the contents of one-line string literals.
  static func bare(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var result = ""
      var isText = false
      var previous: Character = " "
      for character in line {
        if character == "\"", previous != "\\" { isText.toggle() }
        if !isText, character == "/", previous == "/" {
          result.removeLast()
          break
        }
        if !isText { result.append(character) }
        previous = previous == "\\" && character == "\\" ? " " : character
      }
      return result
    }.joined(separator: "\n")
  }
}
