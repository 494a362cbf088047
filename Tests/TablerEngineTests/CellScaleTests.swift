import Testing

@testable import TablerEngine

/// Bars and heat: numbers as lengths and colors.
struct CellScaleTests {
  private static func extent(_ numbers: [Double]) -> NumberExtent {
    var extent = NumberExtent()
    for number in numbers { extent.add(number) }
    return extent
  }

  private static func text(_ bar: CellBar?, isASCII: Bool = false) -> String? {
    var options = LayoutOptions()
    options.isASCII = isASCII
    var out = ByteBuffer()
    guard let bar else { return nil }
    BarText(options).append(bar, to: &out)
    return String(decoding: out.array(), as: UTF8.self)
  }

  @Test(
    "bars begin at zero and end at the largest number",
    arguments: [
      (8.0, [0.0, 8], "████"), (4, [0, 8], "██  "), (0, [0, 8], "    "), (5, [0, 8], "██▌ "),
      (8, [8, 8], "████"),
      (0.001, [0, 8], "▏   "), (-8, [-8, 0], "████"), (-4, [-8, -2], "  ██"), (-5, [-8, 0], " ▐██"),
      (-0.001, [-8, 0], "   ▐"), (8, [-8, 8], "  ██"), (-8, [-8, 8], "██  "), (1, [-100, 1], "   █"),
      (-1, [-1, 100], "█   "), (99, [0, 8], "████"), (0, [0], "    "),
    ])
  func drawsBars(_ number: Double, _ numbers: [Double], _ expected: String) {
    #expect(Self.text(CellBar(number, in: Self.extent(numbers), room: 4)) == expected)
  }

  @Test(
    "in ASCII they are made of whole characters",
    arguments: [
      (8.0, "####"), (5, "### "), (0.001, "#   "), (0, "    "),
    ])
  func drawsASCII(_ number: Double, _ expected: String) {
    #expect(Self.text(CellBar(number, in: Self.extent([0, 8]), room: 4), isASCII: true) == expected)
  }

  @Test("every bar is as wide as its room")
  func keepsTheRoom() {
    for room in 1...9 {
      for least in [-7.0, -1, 0, 3] {
        for largest in [-1.0, 0, 2, 1e300] where largest >= least {
          for number in [least, largest, 0, least / 3 + largest / 5] {
            let bar = CellBar(number, in: Self.extent([least, largest]), room: room)
            #expect(Self.text(bar)?.unicodeScalars.count == room)
          }
        }
      }
    }
  }

  @Test("numbers that are not finite are no measure")
  func ignoresInfinity() {
    #expect(Self.extent([.infinity, .nan, -.infinity]).isEmpty)
    #expect(CellBar(1, in: NumberExtent(), room: 4) == nil)
    #expect(CellBar(.nan, in: Self.extent([1]), room: 4) == nil)
    #expect(CellBar(.infinity, in: Self.extent([1]), room: 4)?.length == 1)
  }

  @Test(
    "percentages before a bar and of it",
    arguments: [
      (10.0, [0.0, 10], 0, 100), (5, [0, 10], 0, 50), (0.01, [0, 10], 0, 1), (0, [0, 10], 0, 0),
      (10, [-10, 10], 50, 50), (-10, [-10, 10], 0, 50), (-5, [-10, 10], 25, 25),
    ])
  func givesPercentages(_ number: Double, _ numbers: [Double], _ before: Int, _ length: Int) throws {
    let bar = try #require(CellBar(number, in: Self.extent(numbers), room: 12))
    #expect(bar.percentages == (before, length))
  }

  @Test("heat goes from the first color to the last")
  func choosesColors() {
    let (white, red) = (Style.Color.rgb(255, 255, 255), Style.Color.rgb(255, 0, 0))
    let extent = Self.extent([10, 20])
    let heat = HeatColors(from: white, to: red)
    #expect(heat.color(of: 10, in: extent) == white)
    #expect(heat.color(of: 20, in: extent) == red)
    #expect(heat.color(of: 15, in: extent) == .rgb(255, 128, 128))
    #expect(heat.color(of: 99, in: extent) == red)
    #expect(heat.color(of: 7, in: Self.extent([7])) == white)
    #expect(heat.color(of: 7, in: NumberExtent()) == nil)
    #expect(Set(heat.levels).count == 33)
    #expect(Set(heat.coarse.levels) == [white, red])
  }

  @Test("a third color is that of zero")
  func choosesMiddleColor() {
    let (blue, white, red) = (
      Style.Color.rgb(0, 0, 255), Style.Color.rgb(255, 255, 255), Style.Color.rgb(255, 0, 0)
    )
    let heat = HeatColors(from: blue, through: white, to: red)
    let extent = Self.extent([-1, 100])
    #expect(heat.color(of: -1, in: extent) == blue)
    #expect(heat.color(of: 0, in: extent) == white)
    #expect(heat.color(of: 100, in: extent) == red)
    #expect(heat.color(of: 3, in: Self.extent([3, 6])) == .rgb(255, 128, 128))
    #expect(Set(heat.coarse.levels) == [blue, white, red])
  }
}

extension HeatColors {
  /// The color of a number; `nil` if its column has none.
  fileprivate func color(of number: Double, in extent: NumberExtent) -> Style.Color? {
    Self.level(of: number, in: extent, hasMiddle: hasMiddle).map { levels[$0] }
  }
}
