extension RawSpan {
    /// Reads an integer in network order that must be all there is.
    func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        as type: Value.Type = Value.self
    ) throws(ValueRefusal) -> Value {
        guard byteCount == MemoryLayout<Value>.size else { throw .length(byteCount) }
        return unsafe Value(bigEndian: unsafeLoadUnaligned(as: Value.self))
    }

    /// Reads an integer in network order that begins at `offset`.
    func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int,
        as type: Value.Type = Value.self
    ) throws(ValueRefusal) -> Value {
        guard offset >= 0, offset + MemoryLayout<Value>.size <= byteCount else {
            throw .length(byteCount)
        }
        return unsafe Value(
            bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self)
        )
    }
}
