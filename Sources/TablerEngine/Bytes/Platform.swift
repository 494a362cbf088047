/// The C library: what the whole module has of the system.
///
/// Exported, it is seen by every file of the module, so that no other names it.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Darwin
#endif
