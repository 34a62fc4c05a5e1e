/// Changes a few bytes of a body, as chance or malice would.
package struct Mutations {
    private var state: UInt64

    private static let telling = Array("{}[]\",:\\0-1e.nulltrue \u{0}".utf8) + [0x80, 0xC3, 0xFF]

    package init(seed: UInt64) { state = seed }

    package mutating func mutated(_ body: [UInt8]) -> [UInt8] {
        var bytes = body
        for _ in 0...next(3) where !bytes.isEmpty {
            let index = next(bytes.count)
            switch next(5) {
            case 0: bytes[index] = Self.telling[next(Self.telling.count)]
            case 1: bytes.insert(Self.telling[next(Self.telling.count)], at: index)
            case 2: bytes.remove(at: index)
            case 3: bytes.removeSubrange(index..<min(bytes.count, index + next(20)))
            default: bytes[index] = UInt8(next(256))
            }
        }
        return bytes
    }

    private mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
