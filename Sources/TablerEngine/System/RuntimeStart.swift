// Functions of the Swift runtime and the C library that the static program has its own of: the linker puts these in
// the place of the real ones (`--wrap` in `Package.swift`).

#if os(Linux)
  /// Where a helper program of the runtime is: nowhere.
  ///
  /// Before `main` the runtime looks for the program that prints backtraces. It finds its own folder by `/proc`, and
  /// aborts if there is none.
  @_cdecl("__wrap_swift_copyAuxiliaryExecutablePath")
  @unsafe func pathOfRuntimeHelper(_ name: UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? { nil }

  /// Ends the program where an array or object of the standard library finds no memory.
  ///
  /// The runtime would abort with a stack trace.
  @_cdecl("__wrap__ZN5swift28swift_abortAllocationFailureEmm")
  func endWithoutMemory(_ size: Int, _ alignmentMask: Int) { Memory.fail() }

  /// A shared library of the system: none.
  ///
  /// The runtime asks for one only where the system comes with prepared metadata, which Linux does not.
  @_cdecl("__wrap_dlopen")
  @unsafe func openSharedLibrary(_ path: UnsafePointer<CChar>?, _ mode: Int32) -> UnsafeMutableRawPointer? {
    nil
  }
#endif
