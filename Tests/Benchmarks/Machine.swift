#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The machine that figures are of.
struct Machine: CustomStringConvertible {
  private let processor = Self.processor
  private let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
  private let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
  private let load = Self.load

  /// Processor, memory, system, and how busy it was.
  var description: String {
    "\(processor), \(processors) processors, \((memory + 1 << 29) >> 30) GiB, \(Self.system(withRelease: true)), load "
      + "\(Report.decimal(load, digits: 1)) before"
  }

  /// The system and the kind of processor.
  static var platform: String { system(withRelease: false) }

  private static func system(withRelease: Bool) -> String {
    var name = utsname()
    unsafe uname(&name)
    let release = text(of: name.release).prefix { $0.isNumber || $0 == "." }
    let words = [text(of: name.sysname), withRelease ? String(release) : "", text(of: name.machine)]
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// A field of `utsname`.
  private static func text<Field>(of field: Field) -> String {
    unsafe withUnsafeBytes(of: field) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// How many programs wanted to run in the last minute.
  private static var load: Double {
    var loads = [0.0]
    return unsafe getloadavg(&loads, 1) == 1 ? loads[0] : 0
  }

  private static var processor: String {
    #if canImport(Glibc)
      let lines = (try? System.text(of: "/proc/cpuinfo"))?.split(separator: "\n") ?? []
      let line = lines.first { $0.hasPrefix("model name") }
      let name = line?.split(separator: ":").last?.drop { $0 == " " }
      return name.map(String.init) ?? "unknown processor"
    #else
      var name = [UInt8](repeating: 0, count: 128)
      var size = name.count
      guard unsafe sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0) == 0 else {
        return "unknown processor"
      }
      return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    #endif
  }
}
