/// A text that is printed from the option table and committed beside it.
enum Generate: String, CaseIterable {
  case man
  case help
  case bash
  case zsh
  case fish
  case markdownOptions = "markdown-options"
}
