extension Function {
  /// Every function, in the order in which help and manual print them.
  static let all: [Function] =
    [text, patterns, numbers, conversion, null, rows, footers].flatMap { $0 }

  private static let text: [Function] = [
    Function("lower", "s", .text, .translated, "in lower case"),
    Function("upper", "s", .text, .translated, "in upper case"),
    Function("capitalize", "s", .text, .translated, "first letter in upper case"),
    Function("length", "s", .text, .translated, "number of Unicode scalars"),
    Function("width", "s", .text, .local, "number of display cells"),
    Function("trim", "s[, chars]", .text, .translated, "without blanks, or chars, at both ends"),
    Function("ltrim", "s[, chars]", .text, .translated, "without them at the start"),
    Function("rtrim", "s[, chars]", .text, .translated, "without them at the end"),
    Function("squeeze", "s", .text, .translated, "runs of white space as one blank, ends cut"),
    Function("substr", "s, start[, count]", .text, .translated, "a part; from 1, negative: from the end"),
    Function("left", "s, n", .text, .translated, "the first n characters"),
    Function("right", "s, n", .text, .translated, "the last n characters"),
    Function("truncate", "s, n", .text, .local, "at most n characters, the last one …"),
    Function("replace", "s, from, to", .text, .core, "every from replaced"),
    Function("split_part", "s, sep, n", .text, .translated, "the nth part, from 1"),
    Function("concat", "a, ...", .text, .translated, "joined; null is empty"),
    Function("concat_ws", "sep, a, ...", .text, .translated, "joined with sep; null is skipped"),
    Function("contains", "s, t", .text, .translated, "whether t is in s"),
    Function("starts_with", "s, t", .text, .translated, "whether s begins with t"),
    Function("ends_with", "s, t", .text, .translated, "whether s ends with t"),
    Function("position", "s, t", .text, .translated, "where t is in s, from 1; 0 if absent"),
    Function("lpad", "s, n[, c]", .text, .local, "filled to n cells at the start"),
    Function("rpad", "s, n[, c]", .text, .local, "filled to n cells at the end"),
    Function("repeat", "s, n", .text, .translated, "n times"),
    Function("reverse", "s", .text, .translated, "backwards"),
    Function("format", "fmt, a, ...", .text, .local, "fmt with {} and {:8.2f} filled in"),
    Function("levenshtein", "a, b", .text, .translated, "number of edits from a to b"),
  ]

  private static let patterns: [Function] = [
    Function("matches", "s, re", .patterns, .translated, "the same as s =~ re"),
    Function("extract", "s, re[, group]", .patterns, .translated, "the match, or a group of it; else null"),
    Function("sub", "s, re, to", .patterns, .translated, "the first match replaced"),
    Function("gsub", "s, re, to", .patterns, .translated, "every match replaced"),
    Function("regex_escape", "s", .patterns, .local, "a pattern that matches s literally"),
  ]

  private static let numbers: [Function] = [
    Function("abs", "x", .numbers, .core, "without its sign"),
    Function("sign", "x", .numbers, .core, "-1, 0 or 1"),
    Function("floor", "x", .numbers, .core, "the next whole number below"),
    Function("ceil", "x", .numbers, .core, "the next whole number above"),
    Function("round", "x[, d]", .numbers, .translated, "to d decimals, half away from zero"),
    Function("trunc", "x[, d]", .numbers, .translated, "to d decimals, toward zero"),
    Function("round_to", "x, m", .numbers, .translated, "to the next multiple of m"),
    Function("mod", "a, b", .numbers, .core, "the same as a % b"),
    Function("pow", "a, b", .numbers, .translated, "a to the power of b"),
    Function("sqrt", "x", .numbers, .translated, "square root"),
    Function("cbrt", "x", .numbers, .translated, "cube root"),
    Function("exp", "x", .numbers, .translated, "e to the power of x"),
    Function("ln", "x", .numbers, .translated, "natural logarithm"),
    Function("log10", "x", .numbers, .translated, "logarithm to base 10"),
    Function("log2", "x", .numbers, .translated, "logarithm to base 2"),
    Function("log", "base, x", .numbers, .translated, "logarithm to a base"),
    Function("pi", "", .numbers, .translated, "3.141592653589793"),
    Function("sin", "x", .numbers, .translated, "sine"),
    Function("cos", "x", .numbers, .translated, "cosine"),
    Function("tan", "x", .numbers, .translated, "tangent"),
    Function("asin", "x", .numbers, .translated, "arc sine"),
    Function("acos", "x", .numbers, .translated, "arc cosine"),
    Function("atan", "x", .numbers, .translated, "arc tangent"),
    Function("atan2", "y, x", .numbers, .translated, "angle of the point (x, y)"),
    Function("least", "a, ...", .numbers, .translated, "the smallest; nulls are skipped"),
    Function("greatest", "a, ...", .numbers, .translated, "the largest; nulls are skipped"),
    Function("clamp", "x, lo, hi", .numbers, .translated, "x held between lo and hi"),
    Function("is_nan", "x", .numbers, .translated, "whether x is not a number"),
    Function("percent", "x", .numbers, .local, "0.25 as 25 %"),
    Function("bytes_text", "n", .numbers, .local, "1258291 as 1.2 MiB"),
    Function("thousands", "n", .numbers, .local, "1234567 as 1,234,567"),
    Function("size", "x", .numbers, .local, "the number that 1.5G, 512Mi or 45% stands for"),
  ]

  private static let conversion: [Function] = [
    Function("number", "x", .conversion, .translated, "x as a number, else null"),
    Function("int", "x", .conversion, .translated, "x as a whole number, else null"),
    Function("decimal", "x", .conversion, .translated, "x as an exact decimal, else null"),
    Function("double", "x", .conversion, .translated, "x as a floating-point number, else null"),
    Function("bool", "x", .conversion, .translated, "x as true or false, else null"),
    Function("text", "x", .conversion, .translated, "x as text"),
    Function("must", "x, \"type\"", .conversion, .translated, "x as that type, else status 3"),
    Function("typeof", "x", .conversion, .local, "the name of the type of x"),
    Function("is_number", "x", .conversion, .translated, "whether x reads as a number"),
    Function("is_int", "x", .conversion, .translated, "whether x reads as a whole number"),
    Function("is_bool", "x", .conversion, .translated, "whether x is true or false"),
  ]

  private static let null: [Function] = [
    Function("coalesce", "a, ...", .null, .core, "the first that is not null; also a ?? b"),
    Function("nullif", "a, b", .null, .core, "null if a equals b, else a"),
    Function("if", "cond, a, b", .null, .core, "a or b; also cond ? a : b"),
    Function("is_empty", "x", .null, .core, "whether x is null or without text"),
  ]

  private static let rows: [Function] = [
    Function("row_number", "", .rows, .local, "number of the row in the input"),
    Function("line_number", "", .rows, .local, "its line in the file"),
    Function("filename", "", .rows, .local, "the name of its file"),
  ]

  private static let footers: [Function] = [
    Function("count", "[x]", .footers, .core, "number of rows, or of values"),
    Function("sum", "x", .footers, .core, "sum; exact for exact numbers"),
    Function("min", "x", .footers, .core, "smallest value"),
    Function("max", "x", .footers, .core, "largest value"),
    Function("mean", "x", .footers, .translated, "arithmetic mean"),
    Function("first", "x", .footers, .local, "first value"),
    Function("last", "x", .footers, .local, "last value"),
  ]
}
