#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a process used.
struct Usage {
  /// User and system time in seconds.
  var cpu: Double
  /// The most memory held, in bytes.
  var peak: Int

  init(_ usage: rusage) {
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    #if canImport(Glibc)
      peak = usage.ru_maxrss * 1024
    #else
      peak = usage.ru_maxrss
    #endif
  }
}
