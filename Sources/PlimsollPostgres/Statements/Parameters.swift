/// The values of a statement in their binary form, in one buffer.
struct Parameters: Sendable {
    private(set) var types: [UInt32] = []
    private var writer = ValueWriter()
    /// Where each value ends; `~end` for `NULL`, which has no bytes.
    private var ends: [Int] = []

    var count: Int { types.count }

    mutating func append<Value: PostgresValue>(_ value: Value) {
        types.append(Value.postgresType.rawValue)
        if value.isNull {
            ends.append(~writer.bytes.count)
        } else {
            value.write(to: &writer)
            ends.append(writer.bytes.count)
        }
    }

    /// Lends the arrays that libpq asks for: values, lengths and formats (all binary).
    func withPointers(
        _ body: (
            _ values: UnsafePointer<UnsafePointer<CChar>?>?,
            _ lengths: UnsafePointer<CInt>?,
            _ formats: UnsafePointer<CInt>?
        ) -> CInt
    ) -> CInt {
        guard count > 0 else { return body(nil, nil, nil) }
        return unsafe writer.bytes.withUnsafeBufferPointer { bytes in
            unsafe withUnsafeTemporaryAllocation(
                of: UnsafePointer<CChar>?.self,
                capacity: count
            ) { values in
                unsafe withUnsafeTemporaryAllocation(of: CInt.self, capacity: count * 2) { sizes in
                    unsafe fill(values, sizes, from: bytes)
                    let lengths = unsafe UnsafePointer(sizes.baseAddress)
                    return unsafe body(
                        UnsafePointer(values.baseAddress),
                        lengths,
                        lengths.map { unsafe $0 + count }
                    )
                }
            }
        }
    }

    private func fill(
        _ values: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>,
        _ sizes: UnsafeMutableBufferPointer<CInt>,
        from bytes: UnsafeBufferPointer<UInt8>
    ) {
        // An empty value must not be a null pointer, that would be NULL.
        let nothing = UnsafeRawPointer(sizes.baseAddress)
        let base = unsafe UnsafeRawPointer(bytes.baseAddress) ?? nothing
        var start = 0
        for (index, end) in ends.enumerated() {
            let value = unsafe end < 0 ? nil : base.map { unsafe $0 + start }
            unsafe values.initializeElement(
                at: index,
                to: value?.assumingMemoryBound(to: CChar.self)
            )
            unsafe sizes.initializeElement(at: index, to: end < 0 ? 0 : CInt(end - start))
            unsafe sizes.initializeElement(at: count + index, to: 1)
            start = end < 0 ? ~end : end
        }
    }
}
