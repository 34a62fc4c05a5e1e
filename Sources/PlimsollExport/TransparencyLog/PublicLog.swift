package import PlimsollStore

/// What an exporter needs to publish the transparency log.
package struct PublicLog: Sendable {
    package let checkpoints: Checkpoints
    package let key: LogKeyFile

    package init(checkpoints: Checkpoints, key: LogKeyFile) {
        self.checkpoints = checkpoints
        self.key = key
    }
}
