/// The C library: everything that the module uses from the system.
///
/// It is exported, so that every file of the module sees it and no other file imports it.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Darwin
#endif

// What the C libraries declare differently: each difference is in one place, here, and `.ci/c-names` checks that all
// other names mean something in each of them.

#if canImport(Darwin)
  /// What a new thread is given.
  typealias ThreadArgument = UnsafeMutableRawPointer
  /// The changes of descriptors in a program that is started.
  typealias SpawnActions = posix_spawn_file_actions_t?
  /// The properties of a program that is started.
  typealias SpawnAttributes = posix_spawnattr_t?
#else
  /// What a new thread is given.
  typealias ThreadArgument = UnsafeMutableRawPointer?
  /// The changes of descriptors in a program that is started.
  typealias SpawnActions = posix_spawn_file_actions_t
  /// The properties of a program that is started.
  typealias SpawnAttributes = posix_spawnattr_t
#endif

/// Creates a thread that runs `body`; its number is not needed.
///
/// - Returns: 0, or the system's error number if no thread was created.
@unsafe
func createThread(
  _ attributes: inout pthread_attr_t, _ body: @convention(c) (ThreadArgument) -> UnsafeMutableRawPointer?,
  _ argument: UnsafeMutableRawPointer
) -> Int32 {
  #if canImport(Glibc)
    var thread = pthread_t()
  #else
    var thread: pthread_t?
  #endif
  return unsafe pthread_create(&thread, &attributes, body, argument)
}

extension stat {
  /// When the file was last changed, and when its owner, mode or name was.
  var changeTimes: [timespec] {
    #if canImport(Darwin)
      [st_mtimespec, st_ctimespec]
    #else
      [st_mtim, st_ctim]
    #endif
  }
}

extension rlimit {
  /// The limit of the first thread's stack, in bytes; `nil` if the system does not tell.
  static var stack: rlimit? {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_STACK.rawValue)
    #else
      let resource = RLIMIT_STACK
    #endif
    return unsafe getrlimit(resource, &limit) == 0 ? limit : nil
  }
}

extension sigaction {
  /// Whether the signal is ignored.
  var isIgnored: Bool {
    #if canImport(Darwin)
      let handler = unsafe __sigaction_u.__sa_handler
    #elseif canImport(Glibc)
      let handler = unsafe __sigaction_handler.sa_handler
    #else
      let handler = unsafe __sa_handler.sa_handler
    #endif
    // SAFETY: handlers are compared by their addresses.
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// Settings of the C library's allocator.
///
/// Only glibc needs them; a portable program on Linux uses glibc, too.
enum Allocator {
  /// Makes it return large blocks to the system as soon as they are freed, and keep a few mebibytes of others.
  ///
  /// By itself it keeps the next blocks of the size of one that was freed: a record of many mebibytes, which is copied
  /// as it grows, would take twice its size and more. Of blocks that one thread fills and another frees it returns all
  /// but 128 KiB each time: to fetch their pages again took a tenth of a run.
  static func returnOnlyLargeBlocks() {
    #if canImport(Glibc)
      _ = mallopt(mappingThreshold, 1 << 22)
      _ = mallopt(trimmingThreshold, 1 << 23)
    #endif
  }

  /// Makes all threads allocate from one arena if the address space is limited (`ulimit -v`).
  ///
  /// It reserves 64 MiB of addresses for each thread and, if it cannot, maps every allocation separately.
  static func shareScarceAddresses() {
    #if canImport(Glibc)
      var limit = rlimit()
      if unsafe getrlimit(__rlimit_resource_t(addressSpace), &limit) == 0, limit.rlim_cur != .max {
        _ = mallopt(arenaLimit, 1)
      }
    #endif
  }
}

#if canImport(Glibc)
  /// `mallopt`, `M_ARENA_MAX`, `M_MMAP_THRESHOLD` and `M_TRIM_THRESHOLD` of `malloc.h`, which the C library's module leaves out.
  @_silgen_name("mallopt")
  private func mallopt(_ option: CInt, _ value: CInt) -> CInt

  private let arenaLimit: CInt = -8
  private let mappingThreshold: CInt = -3
  private let trimmingThreshold: CInt = -1

  /// `RLIMIT_AS` of `sys/resource.h`.
  private let addressSpace: UInt32 = 9
#endif

/// The signals by which a user asks how far a run has come.
let reportSignals: [Int32] = {
  #if canImport(Darwin)
    [SIGUSR1, SIGINFO]
  #else
    [SIGUSR1]
  #endif
}()

/// The functions of the C library's mathematics that the standard library lacks.
enum Mathematics {
  /// `base` to the power of `exponent`.
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
  /// The cube root.
  static func cubeRoot(_ value: Double) -> Double { cbrt(value) }
  /// e to the power of `value`.
  static func exponential(_ value: Double) -> Double { exp(value) }
  /// The natural logarithm.
  static func logarithm(_ value: Double) -> Double { log(value) }
  /// The logarithm to base 2.
  static func logarithm2(_ value: Double) -> Double { log2(value) }
  /// The logarithm to base 10.
  static func logarithm10(_ value: Double) -> Double { log10(value) }
  /// The sine of an angle in radians.
  static func sine(_ value: Double) -> Double { sin(value) }
  /// The cosine of an angle in radians.
  static func cosine(_ value: Double) -> Double { cos(value) }
  /// The tangent of an angle in radians.
  static func tangent(_ value: Double) -> Double { tan(value) }
  /// The angle in radians whose sine is `value`.
  static func arcSine(_ value: Double) -> Double { asin(value) }
  /// The angle in radians whose cosine is `value`.
  static func arcCosine(_ value: Double) -> Double { acos(value) }
  /// The angle in radians whose tangent is `value`.
  static func arcTangent(_ value: Double) -> Double { atan(value) }
  /// The angle in radians of the point `vertical` units up and `horizontal` units to the right.
  static func arcTangent(_ vertical: Double, _ horizontal: Double) -> Double { atan2(vertical, horizontal) }
}
