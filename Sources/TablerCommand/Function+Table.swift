extension Function {
  /// Every function, in the order in which help and manual print them.
  static let all: [Function] =
    [text, patterns, numbers, conversion, null, rows, footers].flatMap { $0 }

  private static let text: [Function] = [
    Function("lower", "s", .text, "in lower case"),
    Function("upper", "s", .text, "in upper case"),
    Function("capitalize", "s", .text, "first letter in upper case"),
    Function("length", "s", .text, "number of Unicode scalars; also len(s), char_length(s)"),
    Function("width", "s", .text, "number of display cells"),
    Function("trim", "s[, chars]", .text, "without spaces, or chars, at both ends"),
    Function("ltrim", "s[, chars]", .text, "the same at the start only"),
    Function("rtrim", "s[, chars]", .text, "the same at the end only"),
    Function("squeeze", "s", .text, "runs of white space become one space, ends trimmed"),
    Function(
      "substr", "s, start[, count]", .text, "part of s from 1, or -1 (the last); also substring(s, ...)"),
    Function("left", "s, n", .text, "the first n characters"),
    Function("right", "s, n", .text, "the last n characters"),
    Function("truncate", "s, n", .text, "cut to n characters, the last of them …"),
    Function("replace", "s, from, to", .text, "s with every from replaced by to"),
    Function("split_part", "s, sep, n", .text, "the nth part of s between seps; the first is 1"),
    Function("concat", "a, ...", .text, "the arguments joined; null is empty"),
    Function("concat_ws", "sep, a, ...", .text, "the arguments joined with sep; nulls are skipped"),
    Function("contains", "s, t", .text, "whether s contains t"),
    Function("starts_with", "s, t", .text, "whether s begins with t"),
    Function("ends_with", "s, t", .text, "whether s ends with t"),
    Function("position", "s, t", .text, "where t begins in s; the start is 1; 0 if absent"),
    Function("lpad", "s, n[, c]", .text, "padded with c to n cells at the start"),
    Function("rpad", "s, n[, c]", .text, "padded with c to n cells at the end"),
    Function("repeat", "s, n", .text, "s, n times"),
    Function("reverse", "s", .text, "s backwards"),
    Function("format", "fmt, a, ...", .text, "fmt with {} and {:8.2f} filled in"),
    Function("levenshtein", "a, b", .text, "number of edits from a to b"),
  ]

  private static let patterns: [Function] = [
    Function("matches", "s, re", .patterns, "the same as s =~ re"),
    Function("extract", "s, re[, group]", .patterns, "the match, or a group of it; null if there is none"),
    Function("sub", "s, re, to", .patterns, "s with the first match replaced by to"),
    Function("gsub", "s, re, to", .patterns, "s with every match replaced by to"),
    Function("regex_escape", "s", .patterns, "a pattern that matches s literally"),
  ]

  private static let numbers: [Function] = [
    Function("abs", "x", .numbers, "x without its sign"),
    Function("sign", "x", .numbers, "-1, 0 or 1"),
    Function("floor", "x", .numbers, "rounded down to a whole number"),
    Function("ceil", "x", .numbers, "rounded up to a whole number; also ceiling(x)"),
    Function("round", "x[, d]", .numbers, "rounded to d decimals, halves away from zero"),
    Function("trunc", "x[, d]", .numbers, "cut to d decimals, toward zero"),
    Function("round_to", "x, m", .numbers, "rounded to a multiple of m"),
    Function("mod", "a, b", .numbers, "the same as a % b"),
    Function("pow", "a, b", .numbers, "a to the power of b; also power(a, b)"),
    Function("sqrt", "x", .numbers, "square root"),
    Function("cbrt", "x", .numbers, "cube root"),
    Function("exp", "x", .numbers, "e to the power of x"),
    Function("ln", "x", .numbers, "natural logarithm"),
    Function("log10", "x", .numbers, "logarithm to base 10"),
    Function("log2", "x", .numbers, "logarithm to base 2"),
    Function("log", "base, x", .numbers, "logarithm to a base"),
    Function("pi", "", .numbers, "3.141592653589793"),
    Function("sin", "x", .numbers, "sine"),
    Function("cos", "x", .numbers, "cosine"),
    Function("tan", "x", .numbers, "tangent"),
    Function("asin", "x", .numbers, "arc sine"),
    Function("acos", "x", .numbers, "arc cosine"),
    Function("atan", "x", .numbers, "arc tangent"),
    Function("atan2", "y, x", .numbers, "angle of the point (x, y)"),
    Function("least", "a, ...", .numbers, "the smallest number, else text; nulls are skipped"),
    Function("greatest", "a, ...", .numbers, "the largest number, else text; nulls are skipped"),
    Function("clamp", "x, lo, hi", .numbers, "x, but at least lo and at most hi"),
    Function("is_nan", "x", .numbers, "whether x is not a number"),
    Function("percent", "x", .numbers, "0.25 as 25 %"),
    Function("bytes_text", "n", .numbers, "1258291 as 1.2 MiB"),
    Function("thousands", "n", .numbers, "1234567 as 1,234,567"),
    Function("size", "x", .numbers, "the number that 1.5G, 512Mi or 45% stands for"),
  ]

  private static let conversion: [Function] = [
    Function("number", "x", .conversion, "x as a number, else null"),
    Function("int", "x", .conversion, "x as a whole number, else null"),
    Function("decimal", "x", .conversion, "x as an exact decimal, else null"),
    Function("double", "x", .conversion, "x as a floating-point number, else null"),
    Function("bool", "x", .conversion, "x as true or false, else null"),
    Function("text", "x", .conversion, "x as text"),
    Function("must", "x, \"type\"", .conversion, "x as that type, else an error with status 3"),
    Function("typeof", "x", .conversion, "the name of the type of x"),
    Function("is_number", "x", .conversion, "whether x reads as a number"),
    Function("is_int", "x", .conversion, "whether x reads as a whole number"),
    Function("is_bool", "x", .conversion, "whether x is true or false"),
  ]

  private static let null: [Function] = [
    Function("coalesce", "a, ...", .null, "the first that is not null; also a ?? b, ifnull(a, b)"),
    Function("nullif", "a, b", .null, "null if a equals b, else a"),
    Function("if", "cond, a, b", .null, "a if cond is true, else b; also cond ? a : b"),
    Function("is_empty", "x", .null, "whether x is null or without text"),
  ]

  private static let rows: [Function] = [
    Function("row_number", "", .rows, "number of the row in the input"),
    Function("line_number", "", .rows, "number of its line in the file"),
    Function("filename", "", .rows, "name of its file"),
  ]

  private static let footers: [Function] = [
    Function("count", "[x]", .footers, "number of rows, or of values of x"),
    Function("sum", "x", .footers, "sum; exact for exact numbers"),
    Function("min", "x", .footers, "smallest number, else text"),
    Function("max", "x", .footers, "largest number, else text"),
    Function("mean", "x", .footers, "average; also avg(x)"),
    Function("first", "x", .footers, "first value"),
    Function("last", "x", .footers, "last value"),
  ]
}
