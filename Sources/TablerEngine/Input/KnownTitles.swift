/// Titles of several words, as programs print them above their tables.
///
/// The words of a title are separated by a single blank, and so may be two titles. If there are few rows
/// below, or the blanks of their cells happen to line up, positions do not tell which is which; this list
/// does.
enum KnownTitles {
  /// The titles, each as its words, by the first of them.
  static let byFirstWord: [[UInt8]: [[[UInt8]]]] = Dictionary(
    grouping: titles.map { Array($0.utf8).words(atMost: .max) }, by: { $0[0] })

  /// The maximum number of words in a title.
  static let mostWords = 4

  private static let titles = [
    // ss, netstat, route, arp
    "Local Address:Port", "Peer Address:Port", "Peer Address:PortProcess", "Local Address", "Foreign Address",
    "PID/Program name", "Flags Mask",
    // df, lsmod, lsblk, blkid, systemctl, journalctl
    "Mounted on", "Used by", "mount point", "UNIT FILE", "VENDOR PRESET", "BOOT ID", "FIRST ENTRY",
    "LAST ENTRY",
    // docker
    "CONTAINER ID", "IMAGE ID", "NETWORK ID", "VOLUME NAME", "CREATED BY", "CONFIG FILES", "DOCKER ENDPOINT",
    "CPU %", "MEM USAGE / LIMIT", "MEM %", "NET I/O", "BLOCK I/O", "LAST UPDATED",
    // kubectl, helm
    "LAST SEEN", "NOMINATED NODE", "READINESS GATES", "ACCESS MODES", "NODE SELECTOR", "RECLAIM POLICY",
    "CHART VERSION", "APP VERSION",
    // npm, pip, git
    "Depended by", "Editable project location",
  ]
}

extension WordsLine {
  /// The display cells of the words in some display cells; words of a known title are combined.
  func titleWords(in cells: Range<Int>) -> [Range<Int>] {
    let words = words(in: cells)
    var titles: [Range<Int>] = []
    var index = 0
    while index < words.count {
      var count = 1
      if let known = KnownTitles.byFirstWord[bytes(of: words[index])] {
        var texts: [[UInt8]] = []
        var end = words[index].lowerBound - 1
        for word in words[index...].prefix(KnownTitles.mostWords) where word.lowerBound == end + 1 {
          texts.append(bytes(of: word))
          end = word.upperBound
        }
        count = known.filter { texts.starts(with: $0) }.map(\.count).max() ?? 1
      }
      titles.append(words[index].lowerBound..<words[index + count - 1].upperBound)
      index += count
    }
    return titles
  }

  private func bytes(of word: Range<Int>) -> [UInt8] {
    Array(text[offset(ofCell: word.lowerBound)..<offset(ofCell: word.upperBound)])
  }
}
