import Testing

@testable import TablerCommand
@testable import TablerEngine

/// The small grammars: a value, and what it says or where it goes wrong.
@Suite struct GrammarTests {
  @Test(arguments: [
    ("weight", "weight @0-6"),
    ("-weight:number, name", "-weight number @1-7 | name @16-20"),
    ("+weight:asc", "weight @1-7"),
    ("weight:desc:size:first", "-weight size nulls first @0-6"),
    ("%CPU", "%CPU @0-4"),
    ("-@2,@-1", "-#2 @1-3 | #-1 @4-7"),
    ("@timestamp", "@timestamp @0-10"),
    ("user.address.city", "user.address.city @0-17"),
    ("net weight : desc", "-net weight @0-10"),
    (#""-weight":text"#, "'-weight' text @0-9"),
    (#"`a,b`,"say ""hi""""#, #"'a,b' @0-5 | 'say "hi"' @6-18"#),
    ("a=b", "a=b @0-3"),
    ("-(weight / 2):last,name", "-(23 bytes) nulls last @1-13 | name @19-23"),
    ("(concat(a, ','))", "(16 bytes) @0-16"),
    ("größe", "größe @0-7"),
    ("-weight:desc", "▸-weight:desc◂ reversed twice"),
    ("a,weight:desc:desc", "a,▸weight:desc:desc◂ reversed twice"),
    ("-weight:asc", "-weight:▸asc◂ '-' and 'asc' cannot be used together"),
    ("weight:number:text", "weight:number:▸text◂ 'number' and 'text' cannot be used together"),
    ("weight:first:first", "weight:first:▸first◂ 'first' is given twice"),
    ("weight:numbr", "weight:▸numbr◂ unknown flag 'numbr'; did you mean 'number'?"),
    (
      "xml:lang",
      "xml:▸lang◂ unknown flag 'lang'; a name with ':' needs quotes  (auto number text natural nocase date "
        + "duration size length version asc desc first last)"
    ),
    ("weight:", "weight:▸◂ expected a flag"),
    ("a,,b", "a,▸,◂b expected a column, not ','"),
    ("a, ", "a, ▸◂ expected a column"),
    ("-", "-▸◂ expected a column"),
    ("price (EUR)", #"price ▸(◂EUR) a name or title with '(' needs quotes: '"price (EUR)"'"#),
    ("a,-to-do(x)", #"a,-to-do▸(◂x) a name or title with '(' needs quotes: '-"to-do(x)"'"#),
    (
      "len(a)",
      "len▸(◂a) a name or title with '(' needs quotes; put the whole expression in parentheses: (len(name))"
    ),
    (#"a"b"#, #"a▸"◂b a name or title with '"' needs quotes, and the quote mark is written twice"#),
    (#""a"b"#, #""a"▸b◂ expected a comma, not 'b'"#),
    (#""weight"#, #"▸"◂weight this " is never closed; inside quotes it is written twice"#),
    ("(weight / )", "(weight / ▸)◂ expected a value after '/', not ')'"),
    ("(weight", "▸(◂weight this ( is never closed"),
  ])
  func readsSortKeys(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .sort) { (cursor) throws(GrammarError) in
      try cursor.sortKeys().map(\.shape).joined(separator: " | ")
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("40", "40..40"),
    ("fixed(19)*6", "19..19 *6"),
    (
      "4..5:l, 12..:c ,..10:r,55..70~60:d+2*3",
      "4..5 leading | 12.. center | ..10 trailing | 55..70~60 decimal +2 *3"
    ),
    ("flexible,flexible(),flexible(4),flexible(4,5),flexible( , 5 )", ".. | .. | 4.. | 4..5 | ..5"),
    ("flexible(4,5):leading,flexible(12):trailing", "4..5 leading | 12.. trailing"),
    ("10..~18,..30~18", "10..~18 | ..30~18"),
    ("1_000 : r + 0 * 10000", "1000..1000 trailing +0 *10000"),
    ("adaptive(38)", "adaptive 38.."),
    (" adaptive ( 20 , 30 ) ".replacing(" (", with: "("), "adaptive 20..30"),
    ("adaptive", "adaptive▸◂ expected '('"),
    ("adaptive(0)", "adaptive(▸0◂) 0 is not between 1 and 10000"),
    ("adaptive(9,8)", "adaptive(▸9,8◂) this range ends before it begins"),
    ("adaptive(9):r", "adaptive(9)▸:◂r expected nothing after adaptive(...), not ':'"),
    ("adaptive(9),4", "adaptive(9)▸,◂4 expected nothing after adaptive(...), not ','"),
    (
      "4,adaptive(9)",
      "4,▸adaptive◂(9) adaptive cannot be combined with other items: it places whole records"
    ),
    ("", "▸◂ expected a width such as 20, 10..30 or flexible"),
    ("4,", "4,▸◂ expected a width such as 20, 10..30 or flexible"),
    ("..", "..▸◂ expected a whole number"),
    ("-4", "▸-◂4 expected a width such as 20, 10..30 or flexible, not '-'"),
    ("0", "▸0◂ 0 is not between 1 and 10000"),
    ("4..10001", "4..▸10001◂ 10001 is not between 1 and 10000"),
    ("99999999999999999999", "▸99999999999999999999◂ 99999999999999999999 is not between 1 and 10000"),
    ("4*0", "4*▸0◂ 0 is not between 1 and 10000"),
    ("5..4", "▸5..4◂ this range ends before it begins"),
    ("flexible(5,4)", "flexible(▸5,4◂) this range ends before it begins"),
    ("flexible(4,)", "flexible(4,▸)◂ expected a whole number, not ')'"),
    ("flexible(4", "flexible(4▸◂ expected ')'"),
    ("fixed", "fixed▸◂ expected '('"),
    ("fixed(a)", "fixed(▸a◂) expected a whole number, not 'a'"),
    (
      "flex",
      "▸flex◂ unknown width 'flex'  (20 10..30 10..30~18 fixed(20) flexible flexible(10,30) adaptive(20))"
    ),
    (
      "flexibel(4)",
      "▸flexibel◂(4) unknown width 'flexibel'; did you mean 'flexible'?"
        + "  (20 10..30 10..30~18 fixed(20) flexible flexible(10,30) adaptive(20))"
    ),
    (
      "4:left",
      "4:▸left◂ unknown alignment 'left'; did you mean 'leading'?  (leading center trailing decimal)"
    ),
    ("4:", "4:▸◂ expected leading, center, trailing or decimal"),
    ("4+", "4+▸◂ expected a whole number"),
    (
      "4*2:r",
      "4*2▸:◂r expected ':' and an alignment, '+' and a space, '*' and a number, in this order, or a comma, not ':'"
    ),
    (
      "4~5",
      "4▸~◂5 expected ':' and an alignment, '+' and a space, '*' and a number, in this order, or a comma, not '~'"
    ),
  ])
  func readsGridItems(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .gridItems) { (cursor) throws(GrammarError) in
      try cursor.gridItems().shape
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("name", "name"),
    ("name, weight=Weight ,!color", "name weight=<Weight> !color"),
    ("a..c,..c,a..,..", "[a..c] [..c] [a..] [..]"),
    ("@2..@-1,3", "[#2..#-1] 3"),
    ("price*,!x?", "~price* !~x?"),
    (#""a*"="*",`b=c`"#, "'a*'=<*> 'b=c'"),
    ("a.b.c=City, name", "a.b.c=<City> name"),
    ("a=b=c", "a=<b=c>"),
    (#"a="1, 2 (x)""#, "a=<1, 2 (x)>"),
    ("! color", "!color"),
    ("a..c=Title", "▸a..c◂=Title only a single column can have a title, not a range, a pattern or '!'"),
    ("x,p*=Title", "x,▸p*◂=Title only a single column can have a title, not a range, a pattern or '!'"),
    ("!a=Title", "▸!a◂=Title only a single column can have a title, not a range, a pattern or '!'"),
    ("a..c*", "a..▸c*◂ a range needs a column at both ends, not a pattern"),
    ("weight:desc", "weight▸:◂desc a name or title with ':' needs quotes"),
    ("a=", "a=▸◂ expected a title"),
    ("!", "!▸◂ expected a column"),
    ("a=Price (EUR)", "a=Price ▸(◂EUR) a name or title with '(' needs quotes"),
  ])
  func readsColumns(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .columns) { (cursor) throws(GrammarError) in
      try cursor.columnList().shape
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("5,6 to top", "5 6 to top"),
    ("2..4,-1 to bottom", "2..4 -1 to bottom"),
    ("3.. to 1", "3.. before 1"),
    ("..2->-1", "..2 before -1"),
    ("2..-1 -> after 9", "2..-1 after 9"),
    ("1 to before 5", "1 before 5"),
    (#"(status = "done") to bottom"#, "(--move) to bottom"),
    (#"2 to after (id = "x")"#, "2 after match"),
    ("(a > 1)->(b > 1)", "(--move) before match"),
    ("5 to  before(b > 1) ", "5 before match"),
    ("0 to top", "▸0◂ to top the first row is 1, the last is -1; there is no row 0"),
    ("5..2 to top", "▸5..2◂ to top this range ends before it begins"),
    (".. to top", "..▸ ◂to top expected a row number or an expression in parentheses, not ' '"),
    ("x to top", "▸x◂ to top expected row numbers or an expression in parentheses, not 'x'"),
    ("5 top", "5 ▸t◂op expected 'to' and a place, as in '5,6 to top', not 't'"),
    ("5", "5▸◂ expected 'to' and a place, as in '5,6 to top'"),
    (
      "5 to botom",
      "5 to ▸botom◂ unknown place 'botom'; did you mean 'bottom'?  (top, bottom, before or after a row)"
    ),
    ("5 to", "5 to▸◂ expected top, bottom, before, after or a row number"),
    ("5 to after", "5 to after▸◂ expected a row number or an expression in parentheses"),
    ("5 to top 3", "5 to top ▸3◂ expected the end, not '3'"),
    ("99999999999999999999 to top", "▸99999999999999999999◂ to top 99999999999999999999 is too large"),
    ("(a >) to top", "(a >▸)◂ to top expected a value after '>', not ')'"),
  ])
  func readsMoves(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .move) { (cursor) throws(GrammarError) in
      try cursor.move().shape
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("1", "1.0 1.0 1.0 1.0"),
    ("1 2", "1.0 2.0 1.0 2.0"),
    ("1,2px 3", "1.0 2.0px 3.0 2.0px"),
    ("1 2 .5", "1.0 2.0 0.5 2.0"), ("1 .x", "1 ▸.◂x expected a length, not '.'"),
    ("1 2 3 1.5em", "1.0 2.0 3.0 1.5em"),
    ("top=1,horizontal=2px", "1.0 2.0px - 2.0px"),
    ("vertical=1, bottom=3", "1.0 - 3.0 -"),
    ("1 2 3 4 5", "1 2 3 4 ▸5◂ at most four lengths: top, right, bottom, left"),
    (
      "tops=1",
      "▸tops◂=1 unknown edge 'tops'; did you mean 'top'?  (top leading bottom trailing horizontal vertical)"
    ),
    ("top", "top▸◂ expected '='"),
    ("1pt", "1▸pt◂ unknown unit 'pt'; a length is a number alone, or with px or em"),
    ("", "▸◂ expected a length"),
    ("1 x", "1 ▸x◂ expected a length, not 'x'"),
    ("9999999", "▸9999999◂ 9999999 is not between 0 and 10000"),
    ("0 10001", "0 ▸10001◂ 10001 is not between 0 and 10000"),
    ("1 -1", "1 ▸-1◂ -1 is not between 0 and 10000"),
  ])
  func readsEdges(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .tablePadding) { (cursor) throws(GrammarError) in
      try cursor.edges().shape
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("-4px", "-4.0px"), (" 2 ", "2.0"), ("1 2", "1 ▸2◂ expected the end, not '2'"),
    ("e", "▸e◂ expected a length, not 'e'"),
  ])
  func readsLengths(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .headerSpacing) { (cursor) throws(GrammarError) in
      try cursor.wholeLength().shape
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("a,b", "a|b"), ("net weight, b ", "net weight|b"), (#""a,b","""#, "a,b|"),
    ("a,,b", "a,▸,◂b expected a name, not ','"), ("a:b", "a▸:◂b a name or title with ':' needs quotes"),
    ("", "▸◂ expected a name"),
  ])
  func readsNames(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .names) { (cursor) throws(GrammarError) in
      try cursor.names().joined(separator: "|")
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("weight:trailing,name:l", "weight trailing, name leading"),
    ("price*:d , @2 : center", "~price* decimal, #2 center"),
    (
      "weight:right",
      "weight:▸right◂ unknown alignment 'right'; did you mean 'trailing'?  (leading center trailing decimal)"
    ),
    (
      "weight:centre",
      "weight:▸centre◂ unknown alignment 'centre'; did you mean 'center'?  (leading center trailing decimal)"
    ),
    ("weight", "weight▸◂ expected ':' and an alignment, as in weight:trailing"),
    ("weight:", "weight:▸◂ expected leading, center, trailing or decimal"),
  ])
  func readsAlignments(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .align) { (cursor) throws(GrammarError) in
      try cursor.alignments().map { "\($0.column.shape) \($0.alignment.rawValue)" }.joined(separator: ", ")
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("color=red,orange", "color: red|orange"), (#"size = S, M,"X,L""#, "size: S|M|X,L"),
    ("color", "color▸◂ expected '='"), ("color=", "color=▸◂ expected a value"),
  ])
  func readsValueOrders(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .order) { (cursor) throws(GrammarError) in
      let order = try cursor.valueOrder()
      return order.column.shape + ": " + order.values.joined(separator: "|")
    }
    #expect(reading == expected)
  }

  @Test(arguments: [
    ("who=me", "who|me"), ("x==1,2", "x|=1,2"), ("größe_2=", "größe_2|"),
    ("2x=1", "▸2x◂=1 expected a name of letters and digits before '=', not '2x'"),
    ("=1", "▸◂=1 expected a name of letters and digits before '='"), ("who", "who▸◂ expected '='"),
  ])
  func readsArguments(_ text: String, _ expected: String) {
    let reading = GrammarReading.of(text, .arg) { (cursor) throws(GrammarError) in
      let argument = try cursor.argument()
      return argument.name + "|" + argument.text
    }
    #expect(reading == expected)
  }
}
