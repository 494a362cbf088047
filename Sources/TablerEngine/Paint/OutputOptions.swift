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
  /// `--output-delimiter`.
  public var delimiter: UInt8?
  /// `--formula-guard`.
  public var guardsFormulas = false
  /// `--no-header` in csv and tsv.
  public var hasHeader = true

  /// Creates the defaults.
  public init() {}
}
