package import PlimsollLog
package import PlimsollStore

/// What an exporter needs to publish the transparency log.
package struct PublicLog: Sendable {
    package let checkpoints: Checkpoints
    package let key: LogKeyFile
    let cosignatures: Cosignatures

    /// Takes the witnesses whose lines are published under a checkpoint.
    package init(checkpoints: Checkpoints, key: LogKeyFile, witnesses: [VerifierKey] = []) {
        self.checkpoints = checkpoints
        self.key = key
        cosignatures = Cosignatures(checkpoints, by: witnesses)
    }
}
