package import PlimsollUseCases

/// What the administration needs to do its work.
package struct Dependencies: Sendable {
    package let useCases: UseCases

    package init(useCases: UseCases) {
        self.useCases = useCases
    }
}
