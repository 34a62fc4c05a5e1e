import PlimsollPublishing
import PlimsollTestSupport

extension SnapshotBuilder {
    /// What a sink is brought: a snapshot that says its number.
    func publication(_ sequence: Int64, isDefault: Bool = true) throws -> Publication {
        Publication(try snapshot(sequence, isDefault: isDefault))
    }
}
