/// How much a document may ask of its reader.
package struct JSONLimits: Sendable {
    /// In bytes.
    package let sizeMaximum: Int

    /// How many arrays and objects may stand inside one another.
    package let depthMaximum: Int

    /// Deeper limits are not offered, because the parser recurses once for each level.
    package static let depthMaximumAllowed = 128

    package init(sizeMaximum: Int = 256 * 1024, depthMaximum: Int = 32) {
        precondition(
            (1...JSONLimits.depthMaximumAllowed).contains(depthMaximum),
            "the parser's stack must not depend on what somebody sends"
        )
        self.sizeMaximum = sizeMaximum
        self.depthMaximum = depthMaximum
    }

    package static let `default` = JSONLimits()
}
