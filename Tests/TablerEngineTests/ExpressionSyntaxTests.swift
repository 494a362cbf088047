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
