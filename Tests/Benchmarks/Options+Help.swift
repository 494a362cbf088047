extension Options {
  /// Everything there is to know before a run.
  static let help = """
    usage: Benchmarks [option ...] [task ...]

    Runs  cat FILE | tabler ... > /dev/null  for each task, on data it makes itself, and prints Markdown: the
    machine, the versions and the command, and of each task the median time, the CPU time and the peak memory
    of tabler without the cat before it. Before that, the output is checked once: its rows
    and their order. Wrong output ends the run with status 1. Build with -c release --static-swift-stdlib.

    options
      --tabler PATH        the program to measure (default: beside this one)
      -n N                 rounds (default 5); all commands take turns in each
      --rows N             rows of the csv and JSON tables (default 1000000: 90 MB of csv); the others in proportion
      --keep DIR           keep the data in DIR, and use what is there from an earlier run
      --all                the tasks with 10 x N rows too; naming a task asks for it as well
      --into FILE          also put the output between the 'performance' marks of FILE, if all went well

    peers
      --peer PEER          another program to compare with; may be repeated. PEER is
                           [TASK,...:]NAME=COMMAND. COMMAND is run by sh and reads the data from its standard
                           input, or the file whose name replaces {file} in it; without tasks it runs in all.
                           The report has its time, tabler's time divided by it (the median over the rounds),
                           and the number of its rows if it differs from tabler's. Its version is what its
                           first word prints for --version. A program that is not installed is left out.
      --peers FILE         one PEER per line; lines that begin with # are comments. Tests/Benchmarks/peers.txt is one

    instructions
      --instructions FILE  do not time: count instructions with valgrind (--tool=callgrind) on \(InstructionBaseline.rows) rows, and
                           compare with the counts in FILE (Tests/Benchmarks/instructions.txt); status 1 when one
                           has grown by more than \(InstructionBaseline.standardAllowance) percent. Counts differ between compilers and kinds of
                           processors, so compare on one machine
      --allowance PERCENT  how much a count may have grown instead
      --renew              write the counts into FILE; those of tasks that were not run stay

    tasks
    \(BenchmarkTask.all.map(line).joined(separator: "\n"))

    status: 0 all is well, 1 wrong output or more instructions, 2 wrong usage, 4 a file or program failed
    """

  private static func line(of task: BenchmarkTask) -> String {
    let id = "  " + task.id
    return id + String(repeating: " ", count: 8 - id.utf8.count) + task.title
      + (task.input == .big ? " (with --all)" : "")
  }
}
