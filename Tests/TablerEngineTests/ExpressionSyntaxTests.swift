import Testing

@testable import TablerEngine

struct ExpressionSyntaxTests {
  @Test(
    "An expression is read by precedence",
    arguments: [
      ("1", "1"), ("1_000.5e+3", "1000.5e+3"), ("0x1F", "0x1F"), ("'it''s'", "'it's'"),
      (#""a\n\"\u00e9\u{1F34E}\ud83c\udf4e""#, "'a\n\"é🍎🍎'"), ("null", "null"), ("TRUE", "true"),
      ("weight", "weight"), ("größe", "größe"), ("`net weight`", "net weight"), ("`a``b`", "a`b"),
      ("$2", "$2"), ("$0", "$0"), ("$who", "$who"), (#"$0["any name"]"#, "(path $0 ['any name'])"),
      ("a.b.c", "(path a .b .c)"), ("a.and.in", "(path a .and .in)"), ("tags[0]", "(path tags [0])"),
      ("tags[-1].x", "(path tags [(neg 1)] .x)"), ("t[1:]", "(path t [1:])"), ("t[:2]", "(path t [:2])"),
      ("a or b and not c", "(or a (and b (not c)))"), ("a || b && !c", "(or a (and b (not c)))"),
      ("a or b or c", "(or a b c)"), ("not a = b", "(not (= a b))"), ("!a = b", "(= (not a) b)"),
      ("weight ?? 0 > 10", "(> (?? weight 0) 10)"), ("a + b * c - d", "(- (+ a (* b c)) d)"),
      ("a ++ b + c", "(+ (++ a b) c)"), ("2^3^2", "(^ 2 (^ 3 2))"), ("-2^2", "(neg (^ 2 2))"),
      ("2 ** -1", "(^ 2 (neg 1))"), ("a - -b", "(- a (neg b))"), ("net-weight", "(- net weight)"),
      ("a / b // c % d", "(% (// (/ a b) c) d)"), ("a == b", "(= a b)"), ("a <> b", "(!= a b)"),
      ("a in (1)", "(in a [1])"), ("a not in (1, 'x')", "(not-in a [1 'x'])"), ("a in tags", "(in a tags)"),
      ("a in [1, 2]", "(in a [1 2])"), ("a between 1 and 2 and b", "(and (between a 1 2) b)"),
      ("a not between 1 and 2", "(not-between a 1 2)"), ("a like 'x%'", "(like a 'x%')"),
      ("a not ilike b", "(not-ilike a b)"), ("a =~ /x\\/y\\d/i", "(=~ a /x/y\\d/i)"),
      ("a !~ 'x'", "(!~ a 'x')"), ("a is null", "(is null a)"), ("a is not empty", "(is not-empty a)"),
      ("a is int", "(is type(TablerEngine.ValueType.int) a)"),
      ("a is distinct from b", "(distinct a b)"), ("a is not distinct from b", "(not-distinct a b)"),
      ("a ? b : c ? d : e", "(? a b (? c d e))"), ("matches(a, /x/)", "matches(a /x/)"), ("f()", "f()"),
      ("case when a then 1 when b then 2 else 3 end", "(case a 1 b 2 3)"),
      ("case when a then 1 end + 1", "(+ (case a 1 -) 1)"), ("(a)", "a"), ("(a, b)", "[a b]"),
      ("a # rest\n + b", "(+ a b)"), ("# all\na", "a"), ("end_ / 2 / c", "(/ (/ end_ 2) c)"),
      ("重量 > 1", "(> 重量 1)"), ("a<-1", "(< a (neg 1))"), ("a.end / 2 / b", "(/ (/ (path a .end) 2) b)"),
      ("empty = date", "(= empty date)"),
    ])
  func precedence(source: String, shape: String) throws {
    #expect(try SourceExpression(source, option: "--filter").expression.shape == shape)
  }

  @Test(
    "A mistake is found at its place",
    arguments: [
      ("▸◂", .empty), ("  # nothing▸◂", .empty),
      ("weight > 10 and▸◂", .expectedValue(after: "and", found: nil)),
      ("age <▸◂ ", .expectedValue(after: "<", found: nil)),
      ("weight > ▸and◂ x", .expectedValue(after: ">", found: "and")),
      ("a + ▸*◂ b", .expectedValue(after: "+", found: "*")), ("▸)◂", .expectedValue(after: nil, found: ")")),
      ("a in (▸)◂", .expectedValue(after: "(", found: ")")),
      ("f(1, ▸)◂", .expectedValue(after: ",", found: ")")),
      ("a is▸◂", .expectedValue(after: "is", found: nil)),
      ("a is ▸5◂", .expectedValue(after: "is", found: "5")),
      ("▸end◂ > 3", .reservedWord("end")), ("a + ▸Case◂ = 3", .reservedWord("Case")),
      ("net ▸weight◂ > 5", .expectedOperator(found: "weight", column: "net weight")),
      ("a = 1 and net ▸weight◂ in grams > 5", .expectedOperator(found: "weight", column: "net weight")),
      ("net ▸weight◂ g > 5", .expectedOperator(found: "weight", column: "net weight g")),
      ("name = ▸Kiwi Fruit◂", .unquotedWords("Kiwi Fruit", found: "Fruit")),
      ("name like ▸Kiwi Fruit◂ and a", .unquotedWords("Kiwi Fruit", found: "Fruit")),
      ("▸.◂species = 1", .leadingDot(column: "species")), ("a and ▸.◂b.c > 1", .leadingDot(column: "b.c")),
      ("▸.◂ = 1", .expectedValue(after: nil, found: ".")),
      ("Use% ▸>◂ 10", .expectedValue(after: "%", found: ">", column: "Use%")),
      ("a and Use%▸◂", .expectedValue(after: "%", found: nil, column: "Use%")),
      ("▸%◂CPU > 10", .expectedValue(after: nil, found: "%", column: "%CPU")),
      ("Use % ▸>◂ 10", .expectedValue(after: "%", found: ">")),
      ("name like ▸%◂x", .unquotedPattern("%x", after: "like", found: "%")),
      ("name ilike a%▸◂", .unquotedPattern("a%", after: "%", found: nil)),
      ("name like 'a' and Use%▸◂", .expectedValue(after: "%", found: nil, column: "Use%")),
      ("case ▸weight◂ when 1 then 2 end", .expected("when", after: "case", found: "weight")),
      ("name.▸upper◂()", .methodCall("upper")),
      ("5 ▸'x'◂", .expectedOperator(found: "'x'", column: nil)),
      ("a ▸!◂ b", .expectedOperator(found: "!", column: nil)),
      ("a between 1 ▸or◂ 2", .expected("and", after: "between", found: "or")),
      ("a ? b▸◂", .expected(":", after: "b", found: nil)),
      ("case when a▸◂", .expected("then", after: "a", found: nil)),
      ("case when a then b▸◂", .expected("end", after: "b", found: nil)),
      ("a is distinct ▸b◂", .expected("from", after: "distinct", found: "b")),
      ("a.▸1◂", .expected("name", after: ".", found: "1")), ("▸(◂a", .unclosed("(")),
      ("t▸[◂1", .unclosed("[")),
      ("a in ▸(◂1, 2", .unclosed("(")), ("a▸)◂", .unopened(")")), ("a▸]◂ + 1", .unopened("]")),
      ("(a▸]◂", .expected(")", after: "a", found: "]")),
      ("f(a ▸b◂)", .expectedOperator(found: "b", column: "a b")),
      ("a is ▸nmber◂", .unknownType("nmber", suggestion: "number")),
      ("1 < x ▸<◂ 5", .chainedComparison(.init(subject: "x", low: "1", high: "5"))),
      ("9 >= x ▸>◂ 5 + 1", .chainedComparison(.init(subject: "x", low: "5 + 1", high: "9"))),
      ("a = b ▸=◂ c", .chainedComparison(nil)), ("a = b ▸is◂ null", .chainedComparison(nil)),
      ("a like b ▸not◂ like c", .chainedComparison(nil)),
      ("a in (1, ▸null◂)", .nullInList(subject: "a")), ("a; b".marked(1..<2), .unexpectedCharacter(";")),
      ("a ▸&◂ b", .unexpectedCharacter("&")), ("a = ▸“◂x”", .unexpectedCharacter("“")),
      ("a = ▸'◂x", .unclosedText(mark: "'")), ("a = ▸\"◂x\\\"", .unclosedText(mark: "\"")),
      ("▸`◂a", .unclosedName),
      ("▸``◂", .emptyName), ("a =~ ▸/◂x", .unclosedPattern), ("a =~ /x/i▸g◂", .unknownPatternFlag("g")),
      (#"a = "▸\d◂""#, .unknownEscape(#"\d"#)), (#"a = "▸\ud800◂""#, .invalidCodePoint(#"\ud800"#)),
      (#"a = "▸\u{110000}◂""#, .invalidCodePoint(#"\u{110000}"#)), ("a > ▸10kg◂", .malformedNumber("10kg")),
      ("a > ▸1.◂ or b", .pointWithoutDecimals("1.0")), ("▸1_0.◂", .pointWithoutDecimals("1_0.0")),
      ("▸0x◂", .malformedNumber("0x")), ("a + ▸$◂", .loneDollar),
    ] as [(String, ExpressionError.Kind)])
  func mistakes(marked: String, kind: ExpressionError.Kind) {
    let source = Marked(marked).source
    do {
      let expression = try SourceExpression(source, option: "--filter")
      Issue.record("read as \(expression.expression.shape)")
    } catch {
      #expect(error.kind == kind)
      #expect(Marked.mark(source, error.range) == marked)
    }
  }

  @Test("Nesting, lists and sources are limited")
  func limits() throws {
    func kind(_ source: String) -> ExpressionError.Kind? {
      do {
        _ = try SourceExpression(source, option: "--filter")
        return nil
      } catch { return error.kind }
    }
    func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }
    #expect(kind(times(199, "(") + "a" + times(199, ")")) == nil)
    #expect(kind(times(201, "(") + "a" + times(201, ")")) == .nestingTooDeep(limit: 200))
    for opening in ["(", "-", "not ", "!", "[", "a[", "f(", "a?", "2^", "case when ", "a ? b : ", "a in ("] {
      #expect(kind(times(65_000 / opening.utf8.count, opening)) == .nestingTooDeep(limit: 200))
    }
    #expect(kind("a in (" + times(9_999, "1,") + "1)") == nil)
    #expect(kind("a in (" + times(10_000, "1,") + "1)") == .listTooLong(limit: 10_000))
    for link in ["a + ", "a or ", "a.", "a ?? ", "a ++ ", "a * "] {
      #expect(kind(times(65_000 / link.utf8.count, link) + "a") == nil)
    }
    #expect(kind(times(65_537, "a")) == .sourceTooLong(limit: 65_536))
  }

  @Test("Random bytes are read or refused, never trapped on")
  func noise() {
    var random = RepeatableRandom(seed: 7)
    let pieces = [
      "(", ")", "[", "]", "a", "`b`", "'c'", "\"d\"", "/e/", "$1", "$0", "1", ".", ",", "+", "-", "not", "in",
      "is",
      "null", "between", "and", "?", ":", "case", "when", "then", "end", "=", "=~", "\\", "é", "\u{0}", "#",
      "\n", "{",
    ]
    for _ in 0..<3_000 {
      let count = Int.random(in: 0..<20, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined(separator: " ")
      _ = try? SourceExpression(text, option: "--filter")
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try? SourceExpression(String(decoding: bytes, as: UTF8.self), option: "--filter")
    }
  }

  @Test("An expression in parentheses is read out of a longer text")
  func parenthesized() throws {
    let source = "name,(weight / (2 + f(')'))):desc,)"
    var end = 0
    let expression = try SourceExpression(parenthesizedIn: source, option: "--sort", at: 5, end: &end)
    #expect(expression.expression.shape == "(/ weight (+ 2 f(')')))")
    #expect(source.bytes(end..<source.utf8.count) == ":desc,)")
  }
}

extension String {
  fileprivate func marked(_ range: Range<Int>) -> String { Marked.mark(self, range) }
}

/// Random numbers that are the same in every run.
struct RepeatableRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed &>> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed &>> 31
  }
}
