/// A piece of the manual page; words in backquotes are literal.
enum ManualBlock {
  case section(String)
  case subsection(String)
  case paragraph(String)
  /// Terms, each literal, with what is said of them.
  case terms([(term: String, text: String)])
  /// What is typed and what it prints, after a sentence that says why.
  case example(Example)
  /// Lines shown as they stand.
  case display(String)
  /// A work referred to.
  case reference(author: String, title: String, report: String)
}
