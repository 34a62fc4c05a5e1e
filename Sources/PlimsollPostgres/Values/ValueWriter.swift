/// Collects the binary form of parameters, one after the other.
package struct ValueWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(bytes.count + count)
    }

    package mutating func append(_ integer: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: integer.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func append(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    /// Appends a value after its length, as arrays and `COPY` have it; -1 stands for `NULL`.
    package mutating func appendMeasured(_ value: some PostgresValue) {
        guard !value.isNull else {
            append(Int32(-1))
            return
        }
        let start = bytes.count
        append(Int32(0))
        value.write(to: &self)
        let length = Int32(bytes.count - start - 4).bigEndian
        unsafe withUnsafeBytes(of: length) { length in
            unsafe bytes.replaceSubrange(start..<start + 4, with: length)
        }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }
}
