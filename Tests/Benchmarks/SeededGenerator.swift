/// A small generator that gives the same numbers from the same seed on every machine (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to 1.
  mutating func fraction() -> Double {
    Double(next() >> 11) / 9_007_199_254_740_992
  }

  /// A number below `bound`.
  mutating func number(below bound: Int) -> Int {
    Int(fraction() * Double(bound))
  }

  /// One of the words.
  mutating func word(of words: [String]) -> String {
    words[number(below: words.count)]
  }
}
