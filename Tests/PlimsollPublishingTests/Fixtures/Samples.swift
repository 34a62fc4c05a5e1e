import PlimsollDomain

func sampleDigest() -> ChangeDigest {
    guard let digest = ChangeDigest(hex: String(repeating: "0", count: 64)) else {
        preconditionFailure("64 digits are a digest")
    }
    return digest
}
