/// The forms of output.
public enum OutputForm: String, CaseIterable, Sendable {
  /// Aligned text.
  case text
  /// GitHub Flavored Markdown.
  case markdown
  /// Pandoc's Markdown.
  case pandoc
  /// A document, or a fragment of one.
  case html
  /// Comma separated values.
  case csv
  /// Tab separated values.
  case tsv
  /// One array.
  case json
  /// One object a line.
  case jsonl

  /// Whether the form is for people: text, both kinds of Markdown, HTML.
  public var isDisplay: Bool {
    switch self {
    case .text, .markdown, .pandoc, .html: true
    case .csv, .tsv, .json, .jsonl: false
    }
  }

  /// Whether a table has a caption that is read apart from its rows.
  var carriesCaption: Bool {
    switch self {
    case .markdown, .pandoc, .html: true
    case .text, .csv, .tsv, .json, .jsonl: false
    }
  }

  /// Whether the form is json or jsonl, in which each row has its own keys.
  var isJSON: Bool {
    switch self {
    case .json, .jsonl: true
    case .text, .markdown, .pandoc, .html, .csv, .tsv: false
    }
  }
}

/// Where the style sheet of an HTML document is written.
public enum StyleSheet: Equatable, Sendable {
  /// In a `<style>` element.
  case embed
  /// In `style=` attributes.
  case inline
  /// Nowhere.
  case none
  /// In a file that the page links to.
  case link(String)
}

/// `--interactive`: what the script of a page is told of the command that made it.
public struct PageOptions: Sendable {
  /// The command whose rows are those of the page, up to where the options that the page adds stand.
  public var command: String
  /// The keys of the order, as one option spells them.
  public var keys: String
  /// The command that applies changes to the file, up to the name of their list; `nil` if the file is not written back.
  public var applyCommand: String?
  /// `--editable`.
  public var editable: ColumnList?
  /// The name of a column as a key of an order, as an item of a list and in an expression.
  public var spelled: @Sendable (String) -> (key: String, item: String, term: String)

  /// Describes the command; nothing can be changed.
  public init(
    command: String, keys: String,
    spelled: @escaping @Sendable (String) -> (key: String, item: String, term: String)
  ) {
    self.command = command
    self.keys = keys
    self.spelled = spelled
  }
}

/// The form and the destination of the output.
public struct OutputOptions: Sendable {
  /// The form.
  public var form = OutputForm.text
  /// `-o`: `nil` is the standard output.
  public var path: FilePath?
  /// `--paging`, resolved: how a table that is longer than the screen is shown; `nil` if it is only written.
  public var paging: Paging?
  /// `--in-place`: the path is that of the input, which is written back in its own form.
  public var isInPlace = false
  /// Whether the last record of a csv, tsv or jsonl file that is written back has no line end.
  var endsOpen = false
  /// `--fragment`.
  public var isFragment = false
  /// `--html-style`.
  public var styleSheet = StyleSheet.embed
  /// `--lang`.
  public var language: String?
  /// `--interactive`.
  public var page: PageOptions?
  /// `--output-delimiter`.
  public var delimiter: UInt8?
  /// `--formula-guard`.
  public var guardsFormulas = false
  /// `--no-header` in csv and tsv.
  public var hasHeader = true

  /// Creates the defaults.
  public init() {}
}
