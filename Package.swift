// swift-tools-version: 6.2
import PackageDescription

/// Whether all that only Linux, glibc or x86-64 have is left out, so that what other systems run can be tried here.
let isPortable = Context.environment["TABLER_PORTABLE"] != nil

let settings: [SwiftSetting] =
  [.strictMemorySafety(), .enableExperimentalFeature("Lifetimes")]
  + (isPortable ? [.define("TABLER_PORTABLE")] : [])

/// The program has regular expressions of its own, linear in the text; the toolchain's would add 1.3 MB.
let withoutRegex = SwiftSetting.unsafeFlags([
  "-Xfrontend", "-disable-implicit-string-processing-module-import",
])

/// Whether a release build is linked with the system's C library, as some distributions want it.
///
/// Tests and programs with sanitizers have to be.
let isDynamic = Context.environment["TABLER_DYNAMIC"] != nil

/// Nothing in the program looks at its own types or prints them by their names, as tests do: 0.2 MB less.
let withoutReflection = SwiftSetting.unsafeFlags(
  ["-Xfrontend", "-disable-reflection-metadata"], .when(configuration: .release))

/// What the runtime knows of a type is asked for by a call, not by a name that it would have to take apart first: that
/// saves a seventh of what the program does before the first row.
let withoutTypeNames = SwiftSetting.unsafeFlags(
  ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"], .when(configuration: .release))

/// Whether a release build is linked by `staticExecutable`.
let isStatic = !isDynamic && !isPortable

/// Tells the program so.
let sayStatic = SwiftSetting.define("TABLER_STATIC", .when(platforms: [.linux], configuration: .release))

/// The settings of the modules that the program is made of.
let programSettings =
  settings + [withoutRegex] + (isDynamic ? [] : [withoutReflection, withoutTypeNames])
  + (isStatic ? [sayStatic] : [])

/// A program without dynamic linking starts in 1.1 ms instead of 1.9 on Linux.
///
/// Written whole rather than page by page, the file lies in large pieces in the page cache: that saves 0.5 ms more.
/// No exception is thrown, so the tables of what to do then are left out, which takes LLVM's linker: 1.3 MB less.
/// What is wrapped is replaced in `RuntimeStart.swift`. The tests would be linked with the same settings:
/// `TABLER_DYNAMIC=1 swift test -c release -Xswiftc -enable-testing`.
let staticExecutable = LinkerSetting.unsafeFlags(
  [
    "-static-executable", "-Xlinker", "--no-mmap-output-file", "-Xlinker", "--no-eh-frame-hdr", "-use-ld=lld",
    "-Xlinker", "--script=\(Context.packageDirectory)/Sources/tabler/discarded.ld",
    "-Xlinker", "--wrap=swift_copyAuxiliaryExecutablePath", "-Xlinker", "--wrap=dlopen",
    "-Xlinker", "--wrap=_ZN5swift28swift_abortAllocationFailureEmm",
  ],
  .when(platforms: [.linux], configuration: .release))

/// What the environment tells of the sources, for `--version`; a build that is not told depends on nothing but them.
///
/// `TABLER_COMMIT` is the hash of the commit, `SOURCE_DATE_EPOCH` its time in seconds since 1970, which the compiler checks.
var sourceSettings: [CSetting] = []
if let commit = Context.environment["TABLER_COMMIT"], !commit.isEmpty {
  let isHash = (7...40).contains(commit.utf8.count) && commit.allSatisfy { $0.isASCII && $0.isHexDigit }
  sourceSettings.append(
    isHash ? .define("TABLER_COMMIT", to: "\"\(commit.lowercased())\"") : .define("TABLER_COMMIT_IS_NO_HASH"))
}
if let seconds = Context.environment["SOURCE_DATE_EPOCH"].flatMap({ Int64($0) }) {
  sourceSettings.append(.define("TABLER_SOURCE_DATE", to: "\(seconds)"))
}

let package = Package(
  name: "tabler",
  platforms: [.macOS(.v26)],
  products: [.executable(name: "tabler", targets: ["tabler"])],
  targets: [
    .executableTarget(
      name: "tabler", dependencies: ["TablerCommand"], exclude: ["discarded.ld"],
      swiftSettings: programSettings, linkerSettings: isStatic ? [staticExecutable] : []),
    .target(name: "TablerCommand", dependencies: ["TablerEngine"], swiftSettings: programSettings),
    .target(name: "TablerBuild", cSettings: sourceSettings),
    .target(
      name: "TablerEngine", dependencies: ["TablerBuild"],
      exclude: ["Text/generate-unicode.py", "Patterns/generate-scripts.py"],
      resources: [.embedInCode("Paint/page.js"), .embedInCode("Paint/page.css")],
      swiftSettings: programSettings),
    .executableTarget(
      name: "Benchmarks", path: "Tests/Benchmarks", exclude: ["instructions.txt", "peers.txt"],
      swiftSettings: settings),
    .testTarget(name: "TablerEngineTests", dependencies: ["TablerEngine"], swiftSettings: settings),
    .testTarget(
      name: "TablerCommandTests",
      dependencies: ["TablerCommand", "tabler"],
      exclude: ["Captures", "Cases", "Examples", "Inputs", "expressions.txt"],
      swiftSettings: settings),
  ]
)
