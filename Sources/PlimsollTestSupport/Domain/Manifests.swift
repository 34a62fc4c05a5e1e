import Crypto
import Foundation

/// A package as App Store Connect gives it out: its manifest, its signature, and its files by path.
package struct SampleDistribution: Sendable {
    package var manifest: [UInt8]
    package var signature: [UInt8]
    package var files: [String: [UInt8]]

    /// Files are filled with bytes of their own, and their pieces are of this size.
    package init(
        version: UInt64 = 878_123_456_789,
        item: UInt64 = 10_737_747_186,
        revision: Int = 1,
        variants: [String: Int] = ["variant-a": 10_000, "variant-b": 4096],
        deltas: [String: Int] = [:],
        chunkSize: Int = 4096
    ) {
        var files: [String: [UInt8]] = [:]
        let list = { (folder: String, sizes: [String: Int]) in
            sizes.sorted { $0.key < $1.key }.map { id, size in
                let bytes = content(of: id, size: size)
                files["\(folder)/\(id).ipa"] = bytes
                return asset(id, in: folder, bytes, chunkSize: chunkSize)
            }.joined(separator: ",\n")
        }
        let (variants, deltas) = (list("variant", variants), list("delta", deltas))
        manifest = Array(
            """
            {"manifestSchemaVersion": "1.0", "distributionPackageRevision": \(revision),
             "appleItemId": "\(item)", "bundleId": "org.example.harbour",
             "shortVersionString": "3.2.0", "bundleVersion": "412",
             "appleVersionId": "\(version)", "platforms": ["ios"],
             "minimumSystemVersions": {"ios": "17.4"}, "requiredDeviceCapabilities": ["arm64"],
             "appInstallDeterminants": [], "isLaunchProhibited": false,
             "variants": [\(variants)], "deltas": [\(deltas)]}
            """.utf8
        )
        signature = Array("signed by nobody".utf8)
        self.files = files
    }
}

/// Bytes that differ from file to file and within each.
private func content(of id: String, size: Int) -> [UInt8] {
    var block = Array(SHA256.hash(data: Data(id.utf8)))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + block.count)
    while bytes.count < size {
        bytes += block
        block = Array(SHA256.hash(data: block))
    }
    return Array(bytes.prefix(size))
}

private func asset(_ id: String, in folder: String, _ bytes: [UInt8], chunkSize: Int) -> String {
    let digests = stride(from: 0, to: bytes.count, by: chunkSize).map { start in
        let chunk = bytes[start..<min(start + chunkSize, bytes.count)]
        let hex = SHA256.hash(data: Data(chunk)).map {
            String(UInt16($0) + 0x100, radix: 16).dropFirst()
        }
        return "\"\(hex.joined())\""
    }
    return """
        {"publicId": "\(id)", "assetPath": "\(folder)/\(id).ipa",
         "installTargets": [{"device": "iPhone15,4", "os": "17.4"}],
         "\(folder)Details": {"compressedSize": \(bytes.count), "uncompressedSize": 99999,
          "hashes": [{"algorithm": "sha256", "chunkSize": \(chunkSize),
           "encryptedChunkDigests": [\(digests.joined(separator: ","))]}]}}
        """
}
