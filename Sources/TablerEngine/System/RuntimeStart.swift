// Functions of the Swift runtime and the C library that the static program replaces: the linker puts these in
// the place of the real ones (`--wrap` in `Package.swift`).

#if os(Linux) && !TABLER_PORTABLE
  /// Where a helper program of the runtime is: nowhere.
  ///
  /// Before `main` the runtime searches for the program that prints backtraces. It finds its own folder
  /// through `/proc`, and aborts if that does not exist.
  @_cdecl("__wrap_swift_copyAuxiliaryExecutablePath")
  @unsafe func pathOfRuntimeHelper(_ name: UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? { nil }

  /// Ends the program if an array or object of the standard library cannot allocate memory.
  ///
  /// The runtime would abort with a stack trace.
  @_cdecl("__wrap__ZN5swift28swift_abortAllocationFailureEmm")
  func endWithoutMemory(_ size: Int, _ alignmentMask: Int) { Memory.fail() }

  /// A shared library of the system: none.
  ///
  /// The runtime needs one only if the system comes with prepared metadata, which Linux does not.
  @_cdecl("__wrap_dlopen")
  @unsafe func openSharedLibrary(_ path: UnsafePointer<CChar>?, _ mode: Int32) -> UnsafeMutableRawPointer? {
    nil
  }
#endif
