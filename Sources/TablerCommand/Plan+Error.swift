import TablerEngine

/// Why options that are each in order make no plan.
enum PlanError: Error, Equatable {
  /// The value of an option does not follow its grammar.
  case grammar(GrammarError)
  /// No file is named, and a person sits at the standard input.
  case nothingToRead
  /// The layout does not know the option; those that do.
  case foreignLayout(Option.ID, LayoutKind, known: [LayoutKind])
  /// The form does not know the option; those that do.
  case foreignForm(Option.ID, OutputForm, known: [OutputForm])
  /// The form of the input does not know the option; those that do.
  case foreignInput(Option.ID, InputOptions.Form, known: [InputOptions.Form])
  /// `-o html`: the file would be called like a form, and no form is given.
  case fileNamedLikeForm(OutputForm, path: String)
  /// `-o x.xlsx`: no form is given, and tabler writes none of that suffix.
  case foreignSuffix(String)
  /// Control characters would reach a terminal.
  case rawControlToTerminal
  /// Two marks are alike, so that one could never be told from the other.
  case sameMarks(Option.ID, Option.ID, Unicode.Scalar)
  /// A mark that is itself a part of numbers.
  case unusableMark(Option.ID, Unicode.Scalar)
  /// Two options of which one takes the ground from the other.
  case contradiction(Option.ID, Option.ID)
  /// A step that needs all rows, which a live stream never has.
  case needsAllRows(Option.ID, value: String?)
}

/// Something about the options that is worth a warning.
enum PlanNotice: Equatable {
  /// `-o out.csv --json`: the form given wins.
  case formAgainstSuffix(OutputForm, path: FilePath)
  /// A guard without its operation.
  case idleGuard(Option.ID, without: Option.ID)
}
