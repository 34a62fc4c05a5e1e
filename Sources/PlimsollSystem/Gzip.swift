import CLinux

/// Compresses bodies with zlib.
package enum Gzip {
    /// The compressed form (RFC 1952); `nil` where it would not be shorter.
    ///
    /// Equal bytes give equal results wherever one version of zlib is: the level is fixed, and the
    /// frame has neither a name nor a time.
    package static func compress(_ body: [UInt8]) -> [UInt8]? {
        var isShorter = false
        let compressed = unsafe [UInt8](unsafeUninitializedCapacity: body.count) { result, count in
            let written = unsafe body.withUnsafeBufferPointer { bytes in
                unsafe cgzip_compress(
                    bytes.baseAddress,
                    bytes.count,
                    result.baseAddress,
                    result.count
                )
            }
            isShorter = written > 0 && written < body.count
            count = max(0, written)
        }
        return isShorter ? compressed : nil
    }
}

/// Reads what archives hold, with zlib.
package enum Deflate {
    /// The bytes that a bare deflate stream (RFC 1951) stands for; `nil` where they are not exactly as
    /// many as is said, or anything follows the stream.
    package static func inflate(_ bytes: [UInt8], to size: Int) -> [UInt8]? {
        var isWhole = false
        let result = unsafe [UInt8](unsafeUninitializedCapacity: max(1, size)) { result, count in
            let written = unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe cgzip_inflate(
                    bytes.baseAddress,
                    bytes.count,
                    result.baseAddress,
                    result.count
                )
            }
            isWhole = written == size
            count = isWhole ? size : 0
        }
        return isWhole ? result : nil
    }

    /// CRC-32 of the bytes.
    package static func checksum(_ bytes: [UInt8]) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { unsafe cgzip_checksum($0.baseAddress, $0.count) }
    }
}
