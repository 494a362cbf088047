extension ByteBuffer {
  /// Appends values as they lie in memory, for `RawCursor` to read.
  mutating func append<Element: BitwiseCopyable>(raw values: Span<Element>) {
    unsafe values.withUnsafeBytes { bytes in
      // SAFETY: the bytes are initialized: the values written here are structs of integers without padding.
      unsafe append(Span(_unsafeBytes: bytes))
    }
  }

  /// Appends values as they lie in memory, for `RawCursor` to read.
  mutating func append<Element: BitwiseCopyable>(raw values: [Element]) { append(raw: values.span) }
}
