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
