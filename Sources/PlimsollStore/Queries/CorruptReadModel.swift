/// A read model holds what the projector never writes; a rebuild makes it anew.
package struct CorruptReadModel: Error, Equatable, Sendable {
    package let sentence: String

    package init(_ sentence: String) {
        self.sentence = sentence
    }
}
