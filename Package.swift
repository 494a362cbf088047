// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableExperimentalFeature("Lifetimes"),
]

let package = Package(
  name: "tabler",
  platforms: [.macOS(.v26)],
  products: [.executable(name: "tabler", targets: ["tabler"])],
  targets: [
    .executableTarget(name: "tabler", dependencies: ["TablerCommand"], swiftSettings: settings),
    .target(name: "TablerCommand", dependencies: ["TablerEngine"], swiftSettings: settings),
    .target(
      name: "TablerEngine",
      exclude: ["Text/generate-unicode.py", "Expressions/generate-scripts.py"],
      swiftSettings: settings),
    .executableTarget(name: "Benchmarks", path: "Tests/Benchmarks", swiftSettings: settings),
    .testTarget(name: "TablerEngineTests", dependencies: ["TablerEngine"], swiftSettings: settings),
    .testTarget(
      name: "TablerCommandTests",
      dependencies: ["TablerCommand", "tabler"],
      exclude: ["Cases"],
      swiftSettings: settings),
  ]
)
