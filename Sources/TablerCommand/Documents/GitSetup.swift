/// What makes git draw the changes of tables, and merge tables, with tabler.
enum GitSetup {
  /// The lines of `.gitattributes` and of git's configuration.
  ///
  /// - Parameter program: the program as git's shell starts it.
  static func text(_ program: String) -> String {
    """
    # In .gitattributes: the files that are tables.
    *.csv diff=tabler merge=tabler
    *.tsv diff=tabler merge=tabler

    # In the configuration of git (git config --global --edit). Rows are told apart by their first column, whole rows if
    # it does not tell them all apart. git diff draws changes; git log -p and git show do with --ext-diff.
    [diff "tabler"]
    \tcommand = \(quoted(drawing(program)))
    [merge "tabler"]
    \tname = rows and cells of tables
    \tdriver = \(quoted(merging(program) + " %O %A %B %P"))

    """
  }

  /// Draws what became of a file: git gives its path, and the old and the new file with their hashes and modes.
  private static func drawing(_ program: String) -> String {
    function([
      "case $1 in *.tsv|*.tab) form=tsv;; *) form=csv;; esac",
      "color=auto",
      "[ -z \"$GIT_PAGER_IN_USE\" ] || color=always",
      "diff() { \(program) \"$new\" --from $form --diff \"$old\" --no-exit-status --no-config --color $color \"$@\" 2>&1; }",
      "old=$2 new=$5",
      "echo \"tabler --diff a/$1 b/$1\"",
      "[ -s \"$old\" ] || old=/dev/null",
      "[ -s \"$new\" ] || new=/dev/null",
      "text=$(diff --id @1) && printf \"%s\\n\" \"$text\" && return",
      "diff || command diff -u \"$old\" \"$new\"",
      "return 0",
    ])
  }

  /// Merges the changes from a base to another version into this one; what does not fit goes to a file beside it.
  private static func merging(_ program: String) -> String {
    function([
      "case $4 in *.tsv|*.tab) form=tsv;; *) form=csv;; esac",
      "list=$(\(program) \"$3\" --from $form --diff \"$1\" --id @1 --jsonl --no-exit-status --no-config) || "
        + "{ git merge-file \"$2\" \"$1\" \"$3\"; return; }",
      "printf \"%s\\n\" \"$list\" | \(program) \"$2\" --from $form --apply - --rejects \"$4.conflicts.jsonl\" -i --no-config || "
        + "{ [ $? = 1 ] || { git merge-file \"$2\" \"$1\" \"$3\"; return; }; "
        + "echo \"changes that do not fit: $4.conflicts.jsonl\" >&2; return 1; }",
      "rm -f \"$4.conflicts.jsonl\"",
    ])
  }

  private static func function(_ commands: [String]) -> String {
    "tabler_git() { " + commands.joined(separator: "; ") + "; }; tabler_git"
  }

  /// A value as git's configuration spells it.
  private static func quoted(_ text: String) -> String {
    "\"" + text.flatMap { $0 == "\\" || $0 == "\"" ? "\\\($0)" : "\($0)" } + "\""
  }

  /// A word that the shell takes as it is.
  static func word(_ path: String) -> String {
    let isPlain = path.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789/._-+".unicodeScalars.contains($0)
    }
    let parts = path.split(separator: "'", omittingEmptySubsequences: false)
    return isPlain ? path : "'" + parts.joined(separator: #"'\''"#) + "'"
  }
}
